import { toBase64 } from "../lib/bytes";
import type { Hash } from "./rules_merkle";
import { openNote, type Signature, type Verifier } from "./rules_note";

/** The call by which a log asks a witness for its signature (C2SP tlog-witness, add-checkpoint). */

/** What is sent: what the witness had, that the log only grew since, and the checkpoint with the log's own signatures. */
export const addCheckpointBody = (old: number, proof: readonly Hash[], note: string): string =>
  `old ${old}\n${proof.map((hash) => `${toBase64(hash)}\n`).join("")}\n${note}`;

/** The size that the witness has, as it says in a conflict; null where it says none. */
export function sizeInConflict(type: string | null, body: string): number | null {
  const [, size = ""] = /^(0|[1-9]\d{0,15})\n$/.exec(body) ?? [];
  return type?.split(";")[0]?.trim() === "text/x.tlog.size" && size !== "" && Number.isSafeInteger(Number(size)) ? Number(size) : null;
}

/** The witness's signature of this checkpoint in what it answered; null where it is none, or wrong. Others' lines are passed over. */
export function cosignatureIn(checkpoint: string, answer: string, witness: Verifier): Signature | null {
  const opened = openNote(`${checkpoint}\n${answer}`, [witness]);
  return opened?.signatures.find(({ time }) => time !== null) ?? null;
}
