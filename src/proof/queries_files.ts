import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { conflict, invalidField, Refusal } from "../lib/refusal";
import { many, type Sql } from "../platform/database/db";
import { currentLog, keyChanges, readConsistency, readProofs, readRoot } from "./queries";
import { lostOf } from "./queries_lost";
import { FORMAT, type ProofFile, written } from "./rules_files";
import { type Checkpoint, parseCheckpoint } from "./rules_note";
import type { Proof } from "./schema";

export const notYet = () => new Refusal("unavailable", "This is not in the log yet. Please try again in a moment.", undefined, 1);

const keyRow = v.strictObject({ origin: v.string(), key: v.string() });
const checkpointOf = ({ checkpoint }: Proof): Checkpoint | null => parseCheckpoint(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1));

export const neverProven = () => conflict("This was dealt before the public log recorded deals and prices, so there is no proof of it.");

export const lostForGood = () => conflict("The part of the public log that held this is lost, so there is no proof of it any more.");

/** What the log holds of something: its proof, that it lost it for good, or null where it does not have it yet. */
export type Part = Proof | "lost" | null;
export const isProof = (part: Part): part is Proof => part !== null && part !== "lost";

/**
 * Reads a file's parts as they are at one moment, so that all of its proofs lead to one checkpoint of their log: were there several, a checkpoint that somebody
 * kept would be compared with one of them, and nothing would show that the others are of the same log.
 */
export const atOneMoment = <T>(sql: Sql, read: (sql: Sql) => Promise<T>): Promise<T> =>
  "begin" in sql ? (sql.begin("isolation level repeatable read read only", read) as Promise<T>) : read(sql);

/** What a file begins with: the keys of the logs that hold its proofs, how they changed, and, from a checkpoint of `since` records, that the log only grew. */
export async function headOf(sql: Sql, proofs: readonly Proof[], since: number | null): Promise<Pick<ProofFile, "format" | "keys" | "changes" | "grew">> {
  const log = await currentLog(sql);
  if (!log) throw notYet();
  const origins = new Set(proofs.map((proof) => checkpointOf(proof)?.origin ?? ""));
  const others = await many(
    keyRow,
    sql`select origin, key from proof_logs where origin = any(${[...origins]}::text[]) and number <> ${log.number} order by number desc limit 7`,
  );
  const size = Math.max(0, ...proofs.map((proof) => checkpointOf(proof)).flatMap((each) => (each?.origin === log.origin ? [each.size] : [])));
  if (since !== null && since > 0 && size === 0)
    throw invalidField("since", "This is in a log that has ended, of which a file can’t show how it grew. The page /verify asks the site for that.");
  if (since !== null && since > size) throw invalidField("since", "The log has no checkpoint of so many records yet.");
  const grew =
    since === null || since === 0
      ? null
      : { size: since, root: toBase64(await readRoot(sql, log.number, since)), proof: (await readConsistency(sql, log.number, since, size)).map(toBase64) };
  const keys = [log.key, ...others.map(({ key }) => key)];
  const changes = await keyChanges(sql, [log.origin, ...origins]);
  return { format: FORMAT, keys, ...(changes.length > 0 && { changes }), grew };
}

/** A file to keep, in the one way that it is written. */
export const proofResponse = (file: ProofFile, name: string): Response =>
  new Response(written(file), {
    headers: { "Content-Type": "application/json; charset=utf-8", "Content-Disposition": `attachment; filename="${name}.json"`, "Cache-Control": "no-store" },
  });

/** What the log holds of each. */
export async function partsBy(sql: Sql, kind: string, refs: readonly string[]): Promise<Part[]> {
  const found = await readProofs(sql, kind, refs);
  const missing = refs.filter((ref) => !found.has(ref));
  const lost = missing.length > 0 ? await lostOf(sql, kind, missing) : new Set();
  return refs.map((ref) => found.get(ref) ?? (lost.has(ref) ? "lost" : null));
}
