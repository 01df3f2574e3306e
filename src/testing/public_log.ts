import { fromBase64, toHex } from "../lib/bytes";
import type { Db } from "../platform/database/db";
import { Edge } from "../proof/edge";
import { quickLeafHash } from "../proof/hashing";
import { currentLog, readConsistency } from "../proof/queries";
import { canonicalBytes } from "../proof/rules_canonical";
import { isConsistent, isIncluded, leafHash, rootByInclusion } from "../proof/rules_merkle";
import { checkpointText, openCheckpoint, signerOf, signNote, type Verifier } from "../proof/rules_note";
import { commitmentOf, type LogRecord, type Proof, type TickProof } from "../proof/schema";
import { tamper } from "./scenarios";

/** What the tests of the public log do: check proofs, keep checkpoints, and forge a log as an operator could who has the database and the key. */

const bytesOf = (path: readonly string[]) => path.map((hash) => fromBase64(hash) as Uint8Array);

/** Whether a proof holds by its own word and the log's key. */
export function holds({ index, salt, record, inclusion, checkpoint }: Proof, verifier: Verifier): boolean {
  const signed = openCheckpoint(checkpoint, [verifier]);
  const leaf = leafHash(commitmentOf(fromBase64(salt) as Uint8Array, record));
  return signed !== null && signed.origin === verifier.name && isIncluded(leaf, index, signed.size, bytesOf(inclusion), signed.root);
}

export function tickHolds({ tick, place, path, batch }: TickProof, verifier: Verifier): boolean {
  if (batch.record.kind !== "ticks" || !holds(batch, verifier)) return false;
  const root = rootByInclusion(leafHash(canonicalBytes(tick)), place, batch.record.count, bytesOf(path));
  return root !== null && toHex(root) === toHex(fromBase64(batch.record.root) as Uint8Array);
}

/** Whether the log of now only added to that of a checkpoint that somebody kept. */
export async function grewFrom(sql: Db, kept: string, verifier: Verifier): Promise<boolean> {
  const log = await currentLog(sql);
  const [then, now] = [openCheckpoint(kept, [verifier]), openCheckpoint(log?.note ?? "", [verifier])];
  if (!log || !then || !now) return false;
  const proof = await readConsistency(sql, log.number, then.size, now.size);
  return isConsistent(then.size, then.root, now.size, now.root, proof);
}

/** Rewrites entries of the log, and with them every hash, tile, root and signature, so that the log is in order by itself. */
export async function forge(sql: Db, key: string, change: (record: Record<string, unknown>) => Record<string, unknown> | null): Promise<number> {
  const log = await currentLog(sql);
  if (!log) throw new Error("there is no log");
  const entries = await sql<{ index: number; salt: Uint8Array; record: string }[]>`
    select index, salt, record from proof_entries where log = ${log.number} order by index`;
  const edge = new Edge(0, () => undefined);
  let changed = 0;
  await tamper(sql, async (tx) => {
    for (const { index, salt, record } of entries) {
      const next = change(JSON.parse(record) as Record<string, unknown>);
      const text = next ? canonicalText(next) : record;
      if (next) changed += Number((await tx`update proof_entries set record = ${text} where log = ${log.number} and index = ${index}`).count);
      edge.add(quickLeafHash(commitmentOf(new Uint8Array(salt), JSON.parse(text) as LogRecord)));
    }
    await tx`delete from proof_tiles where log = ${log.number}`;
    for (const { level, n, hashes } of edge.take())
      await tx`insert into proof_tiles (log, level, n, hashes) values (${log.number}, ${level}, ${n}, decode(${toHex(hashes)}, 'hex'))`;
    const root = edge.root();
    const signer = signerOf(log.origin, Uint8Array.from(Buffer.from(key, "hex")));
    const note = signNote(checkpointText({ origin: log.origin, size: edge.size, root }), [signer]);
    await tx`update proof_logs set root = decode(${toHex(root)}, 'hex'), note = ${note} where number = ${log.number}`;
  });
  return changed;
}

const canonicalText = (record: Record<string, unknown>) => new TextDecoder().decode(canonicalBytes(record as never));
