import { fromBase64 } from "../lib/bytes";
import { grouped } from "../lib/money";
import { canonicalBytes } from "./rules_canonical";
import { type Hash, isIncluded, leafHash } from "./rules_merkle";
import { type Checkpoint, cosignatureOf, type Opened, openNote, parseCheckpoint, type Verifier, verifierText } from "./rules_note";
import type { Report } from "./rules_verify_report";
import { commitmentOf, type Kind, type LogRecord, type Proof, type TickProof } from "./schema";

/**
 * Whom a check believes, and which checkpoints it opened: a file's proofs share one, and a signature takes longer to check than all else.
 * `former` signed earlier checkpoints, of this log or one before it, and `newest` is the largest of the log that is appended to, whose key is the first.
 */
export type Known = {
  verifiers: readonly Verifier[];
  former: readonly Verifier[];
  open(note: string): Checkpoint | null;
  newest(): Checkpoint | null;
  /** Those of the logs before that one, which have ended. */
  ended(): Checkpoint[];
  /** All that were opened, of whichever log. */
  opened(): Checkpoint[];
};

/** A log signs checkpoints by one key in two ways: the text alone, and with the time. */
export function knownBy(keys: readonly Verifier[], earlier: readonly Verifier[] = []): Known {
  const [verifiers, former] = [keys, earlier].map((each) => each.flatMap((key): Verifier[] => [key, cosignatureOf(key)])) as [Verifier[], Verifier[]];
  const known = new Map<string, Checkpoint | null>();
  let newest: Checkpoint | null = null;
  const opened = () => [...known.values()].filter((checkpoint) => checkpoint !== null);
  return {
    verifiers,
    former,
    open(note) {
      const found = known.get(note);
      if (found !== undefined) return found;
      const checkpoint = signedBy(note, verifiers);
      known.set(note, checkpoint);
      if (checkpoint?.origin === keys[0]?.name && (checkpoint?.size ?? 0) >= (newest?.size ?? 0)) newest = checkpoint;
      return checkpoint;
    },
    newest: () => newest,
    ended: () => opened().filter(({ origin }) => origin !== keys[0]?.name),
    opened,
  };
}

/** The last one that was found to be signed, and by whom: the next file is often of the same moment. */
let last: { note: string; key: string; checkpoint: Checkpoint } | null = null;

function signedBy(note: string, verifiers: readonly Verifier[]): Checkpoint | null {
  const name = verifiers.map(verifierText).join();
  if (last?.note === note && last.key === name) return last.checkpoint;
  const opened = openNote(note, verifiers);
  // Each line is one that was checked: a signature of somebody unknown could be anything.
  const checkpoint = opened && opened.signatures.length === opened.lines.length ? ownCheckpoint(opened) : null;
  if (checkpoint) last = { note, key: name, checkpoint };
  return checkpoint;
}

/** A checkpoint that a person kept, witnesses' signatures and all; null where the log's key did not sign it. */
export function readCheckpoint(note: string, { verifiers, former }: Known): Checkpoint | null {
  // A letter that was copied has lost the empty line before the signatures, or the spaces at the ends of lines are another's.
  const lines = note
    .trim()
    .split(/[ \t]*\r?\n/)
    .filter(Boolean);
  const signed = lines.findIndex((line) => line.startsWith("— "));
  const text = signed < 0 ? note : `${lines.slice(0, signed).join("\n")}\n\n${lines.slice(signed).join("\n")}\n`;
  const opened = openNote(text, [...verifiers, ...former]);
  return opened && ownCheckpoint(opened);
}

/** A log's key has the log's name: what another of our logs signed is not this one's. */
function ownCheckpoint({ text, signatures }: Opened): Checkpoint | null {
  const checkpoint = parseCheckpoint(text);
  return checkpoint && signatures.every(({ name }) => name === checkpoint.origin) ? checkpoint : null;
}

const bytesOf = (text: string): Hash => fromBase64(text) ?? new Uint8Array();

/** That a record is in the log; null where it is not. */
export function included(proof: Proof, known: Known, report: Report, name: string): LogRecord | null {
  const { index, salt, record, inclusion, checkpoint } = proof;
  const seen = known.open(checkpoint);
  if (!seen) {
    report.say(false, `${name}’s checkpoint`, "the log’s key did not sign it");
    return null;
  }
  const leaf = leafHash(commitmentOf(bytesOf(salt), record));
  const isThere = isIncluded(leaf, index, seen.size, inclusion.map(bytesOf), seen.root);
  report.say(
    isThere,
    `${name} is record no. ${grouped(String(index))} of the ${grouped(String(seen.size))} that the log signed`,
    "it is not in the log as it stands here",
  );
  return isThere ? record : null;
}

/** Where a record stands: each log has a record of a number. */
export const placeOf = ({ index, checkpoint }: Proof): string => `${checkpoint.split("\n", 1)[0]} ${index}`;

/** That no record stands twice among those of a file. */
export function refuseTwice(proofs: readonly Proof[], report: Report): void {
  const seen = new Set<string>();
  for (const proof of proofs) {
    const place = placeOf(proof);
    if (seen.has(place)) report.say(false, `The record no. ${proof.index}`, "it stands twice in the file");
    seen.add(place);
  }
}

/** The same for a record that must be of one kind. */
export function includedAs<K extends Kind>(kind: K, proof: Proof, known: Known, report: Report, name: string): LogRecord<K> | null {
  if (proof.record.kind !== kind) {
    report.say(false, name, `its record is of kind ${proof.record.kind}, not ${kind}`);
    return null;
  }
  return included(proof, known, report, name) as LogRecord<K> | null;
}

/** The longest time that a batch of ticks may cover, in ms. */
const LONGEST_BATCH = 1_000;

/** That a tick is in a batch, and the batch in the log. */
export function checkTick({ tick, place, path, batch }: TickProof, known: Known, report: Report, name: string): boolean {
  const record = includedAs("ticks", batch, known, report, `${name}’s batch`);
  if (!record) return false;
  const isThere = isIncluded(leafHash(canonicalBytes(tick)), place, record.count, path.map(bytesOf), bytesOf(record.root));
  report.say(isThere, `${name}, no. ${tick.seq}, is tick ${place + 1} of the ${record.count} of its batch`, "it is not in the batch as it stands here");
  const fits = tick.seq >= record.first && tick.seq <= record.last && tick.source === record.source;
  if (!fits) report.say(false, name, "its number or source is not the batch’s");
  const span = Date.parse(record.to) - Date.parse(record.from);
  if (!(span >= 0 && span <= LONGEST_BATCH)) report.say(false, `${name}’s batch`, "it covers more than a second");
  return isThere && fits;
}
