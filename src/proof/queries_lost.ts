import * as v from "valibot";
import { many, type Sql } from "../platform/database/db";
import { readProofs } from "./queries";
import type { Proof } from "./schema";
import { refIn } from "./sources";

/** What more than one log tells, and what none can prove any more, since it has ended and lost a tile. */

const refRow = v.strictObject({ ref: v.string() });
const numberRow = v.strictObject({ number: v.number() });
/** Longer than any list of versions that staff ever wrote. */
const MOST_VERSIONS = 100_000;
/**
 * What logs before this one told as `kind`, each once, the first told first, and this one has not. A kind is a stretch of its index, said by both ends: of a
 * kind by itself a plan for any kind expects its share of all there is, nearly all of which are receipts, and reads the whole log for a few versions.
 */
export async function toldBefore(sql: Sql, kind: string, log: number): Promise<string[]> {
  const rows = await many(
    refRow,
    sql`
      select regexp_replace(ref, '@[0-9]+$', '') as ref from proof_entries where kind between ${kind} and ${kind}
      group by 1 having max(log) < ${log} order by min(array[log, index]) limit ${MOST_VERSIONS}`,
  );
  return rows.map(({ ref }) => ref);
}

/** The proofs of what each log tells, by ref, the earliest log's first; those that a lost tile stands in the way of are left out. */
export async function readTellings(sql: Sql, kind: string, refs: readonly string[]): Promise<Map<string, Proof[]>> {
  const names = new Map((await tellingsOf(sql, refs)).map((named, n) => [refs[n] ?? "", named]));
  const found = await readProofs(sql, kind, [...names.values()].flat());
  return new Map([...names].map(([ref, named]) => [ref, named.flatMap((name) => found.get(name) ?? [])]));
}

/** The names that each of these may have, one in each log. */
async function tellingsOf(sql: Sql, refs: readonly string[]): Promise<string[][]> {
  if (refs.length === 0) return [];
  const logs = await many(numberRow, sql`select number from proof_logs order by number limit 1000`);
  return refs.map((ref) => [...new Set([ref, ...logs.map(({ number }) => refIn(ref, number))])]);
}

/** Of what is in a log and has no proof that which will never have one: each log that told it has ended, and its tiles are not there. */
export async function lostOf(sql: Sql, kind: string, refs: readonly string[]): Promise<Set<string>> {
  const rows = await many(
    refRow,
    sql`
      select regexp_replace(e.ref, '@[0-9]+$', '') as ref from proof_entries e join proof_logs l on l.number = e.log
      where e.kind = ${kind} and e.ref = any(${(await tellingsOf(sql, refs)).flat()}::text[])
      group by 1 having bool_and(l.ended_at is not null) limit ${refs.length}`,
  );
  return new Set(rows.map(({ ref }) => ref));
}

/** The same of ticks, by the batches that they are in. */
export async function lostTicks(sql: Sql, seqs: readonly number[]): Promise<Set<number>> {
  const rows = await many(
    numberRow,
    sql`
      select t.seq as number from proof_ticks t join proof_batches b on b.first = t.first join proof_logs l on l.number = b.log
      where t.seq = any(${seqs as number[]}::bigint[]) and l.ended_at is not null limit ${seqs.length}`,
  );
  return new Set(rows.map(({ number }) => number));
}
