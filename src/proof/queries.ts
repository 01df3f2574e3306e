import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { many, one, type Sql } from "../platform/database/db";
import { consistencyProof, type Hash, HASH_SIZE, inclusionProof, isIncluded, type ReadHash, rootOf } from "./rules_merkle";
import { quickCommitment, quickLeafHash, quickNodeHash } from "./hashing";
import { parseVerifier, signedByAlone } from "./rules_note";
import { bundleOf, readerOfTiles, TILE_WIDTH, tileOfNode } from "./rules_tiles";
import { type Proof, type LogRecord, Tick, type TickProof } from "./schema";

const bytes = v.instance(Uint8Array);
export const logRow = v.strictObject({
  number: v.number(),
  origin: v.string(),
  key: v.string(),
  size: v.number(),
  root: v.nullable(bytes),
  note: v.nullable(v.string()),
  signedAt: v.nullable(v.string()),
  terms: v.number(),
  begunAt: v.string(),
  endedAt: v.nullable(v.string()),
  endedWhy: v.nullable(v.string()),
});
/** A log; the one without an end is the one that is appended to. */
export type Log = v.InferOutput<typeof logRow>;

export const columns = (sql: Sql) => sql`
  number, origin, key, size, root, note, signed_at as "signedAt", terms, begun_at as "begunAt", ended_at as "endedAt", ended_why as "endedWhy"
`;

/** The log that is appended to; null before the first one. */
export const currentLog = (sql: Sql): Promise<Log | null> => one(logRow, sql`select ${columns(sql)} from proof_logs where ended_at is null`);
/** The key that others verify it by; null before the first one. */
export const keyOfLog = async (sql: Sql): Promise<string | null> => (await currentLog(sql))?.key ?? null;

/** The keys that logs of this site had, the one of now first: whoever believes the site believes these. */
export async function keysOfLogs(sql: Sql, limit = 16): Promise<string[]> {
  const rows = await many(
    v.strictObject({ key: v.string() }),
    sql`
      select key from (
        select number as log, 9223372036854775807 as index, key from proof_logs
        union all
        select log, index, record::json ->> 'from' from proof_entries where kind = 'key'
      ) k order by log desc, index desc limit ${limit}`,
  );
  return [...new Set(rows.map(({ key }) => key))];
}

/** The newest log, ended or not. */
export const newestLog = (sql: Sql): Promise<Log | null> => one(logRow, sql`select ${columns(sql)} from proof_logs order by number desc limit 1`);

export const logNumbered = (sql: Sql, number: number): Promise<Log | null> => one(logRow, sql`select ${columns(sql)} from proof_logs where number = ${number}`);

/** All of them, the first one first. */
export const allLogs = (sql: Sql): Promise<Log[]> => many(logRow, sql`select ${columns(sql)} from proof_logs order by number limit 1000`);

const noteRow = v.strictObject({ number: v.number(), size: v.number(), note: v.string(), key: v.string(), root: bytes, isOver: v.boolean() });
type Signed = v.InferOutput<typeof noteRow>;
/** The checkpoint as those who are given a proof get it: the log's key of now signed it, and neither the one before nor witnesses, whom they can't check. */
function ownCheckpoint({ note, key }: Signed): string {
  const verifier = parseVerifier(key);
  return verifier ? signedByAlone(note, verifier) : note;
}

const notesOf = async (sql: Sql, numbers: readonly number[]): Promise<Map<number, Signed>> =>
  new Map(
    (
      await many(
        noteRow,
        sql`
          select number, size, note, key, root, ended_at is not null as "isOver" from proof_logs
          where number = any(${numbers as number[]}::integer[]) and note is not null limit 1000`,
      )
    ).map((row) => [row.number, row]),
  );

const hashesRow = v.strictObject({ hashes: bytes });
/** A tile as it is stored, which may be wider than it was asked for by then. */
export async function readTile(sql: Sql, log: number, level: number, n: number): Promise<Uint8Array | null> {
  const row = await one(hashesRow, sql`select hashes from proof_tiles where log = ${log} and level = ${level} and n = ${n}`);
  return row?.hashes ?? null;
}

const commitmentRow = v.strictObject({ commitment: bytes });
/** The entries of one bundle, the first `width` of them. */
export async function readBundle(sql: Sql, log: number, n: number, width: number): Promise<Uint8Array | null> {
  const rows = await many(
    commitmentRow,
    sql`
      select sha256(salt || convert_to(record, 'UTF8')) as commitment from proof_entries
      where log = ${log} and index >= ${n * TILE_WIDTH} and index < ${n * TILE_WIDTH + width}
      order by index limit ${TILE_WIDTH}`,
  );
  return rows.length === width ? bundleOf(rows.map(({ commitment }) => commitment)) : null;
}

const tileRow = v.strictObject({ log: v.number(), level: v.number(), n: v.number(), hashes: bytes });
type Wanted = { log: number; level: number; n: number };
const nameOf = ({ log, level, n }: Wanted) => `${log} ${level} ${n}`;

/** These tiles, by name. */
export async function readTiles(sql: Sql, wanted: readonly Wanted[]): Promise<Map<string, Uint8Array>> {
  const rows = await many(
    tileRow,
    sql`
      select t.log, t.level, t.n, t.hashes
      from unnest(${wanted.map(({ log }) => log)}::integer[], ${wanted.map(({ level }) => level)}::smallint[], ${wanted.map(({ n }) => n)}::bigint[]) as w (log, level, n)
      join proof_tiles t on t.log = w.log and t.level = w.level and t.n = w.n
      limit ${wanted.length}`,
  );
  return new Map(rows.map((row) => [nameOf(row), row.hashes]));
}

const NONE: Hash = new Uint8Array(HASH_SIZE);

/** Makes proofs whose hashes are in the database: a first time to learn which tiles they need, then with those. Throws RangeError where one is missing. */
async function withTiles<T>(sql: Sql, make: (readOf: (log: number) => ReadHash) => T): Promise<T> {
  const wanted = new Map<string, Wanted>();
  make((log) => (level, index) => {
    const tile = { log, ...tileOfNode(level, index) };
    wanted.set(nameOf(tile), { log, level: tile.level, n: tile.n });
    return NONE;
  });
  const tiles = await readTiles(sql, [...wanted.values()]);
  return make((log) => readerOfTiles((level, n) => tiles.get(nameOf({ log, level, n })), quickNodeHash));
}

/** That a log of `size` entries only added to what it had at `old`. Throws RangeError beyond its size. */
export const readConsistency = (sql: Sql, log: number, old: number, size: number): Promise<Hash[]> =>
  withTiles(sql, (readOf) => consistencyProof(old, size, readOf(log), quickNodeHash));

/** The root of a log's first `size` entries. Throws RangeError beyond its size. */
export const readRoot = (sql: Sql, log: number, size: number): Promise<Hash> => withTiles(sql, (readOf) => rootOf(size, readOf(log), quickNodeHash));

const entryRow = v.strictObject({ log: v.number(), index: v.number(), ref: v.string(), salt: bytes, record: v.string() });
type Entry = v.InferOutput<typeof entryRow>;

/** The proofs, each by its ref, of what was noted as `kind`, against the newest checkpoint of its log; what is not in a log yet, or whose tiles are gone, is missing. */
export async function readProofs(sql: Sql, kind: string, refs: readonly string[]): Promise<Map<string, Proof>> {
  if (refs.length === 0) return new Map();
  const entries = await many(
    entryRow,
    sql`select log, index, ref, salt, record from proof_entries where kind = ${kind} and ref = any(${refs as string[]}::text[]) limit ${refs.length}`,
  );
  return new Map((await proofsOf(sql, entries)).map(([{ ref }, proof]) => [ref, proof]));
}

const numberRow = v.strictObject({ number: v.number() });
/** Of the rows of a table that is its own notes those that no log will ever hold, since none was there when they were written. */
export async function neverLogged(sql: Sql, note: string, numbers: readonly number[]): Promise<Set<number>> {
  const rows = await many(
    numberRow,
    sql`
      select n as number from unnest(${numbers as number[]}::bigint[]) n join proof_marks m on m.note = ${note}
      where n <= m.high and n <> all (m.gaps || m.aging) and not exists (select from proof_entries e where e.kind = ${note} and e.ref = n::text)
      limit ${numbers.length}`,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Of ticks that a logged fill was dealt on those that were never recorded. */
export async function neverRecorded(sql: Sql, seqs: readonly number[]): Promise<Set<number>> {
  const rows = await many(
    numberRow,
    sql`
      select n as number from unnest(${seqs as number[]}::bigint[]) n where not exists (select from proof_ticks t where t.seq = n)
      limit ${seqs.length}`,
  );
  return new Set(rows.map(({ number }) => number));
}

/** How the keys of these logs changed, oldest first. */
export async function keyChanges(sql: Sql, origins: readonly string[], limit = 8): Promise<Proof[]> {
  const entries = await many(
    entryRow,
    sql`
      select log, index, ref, salt, record from proof_entries
      where kind = 'key' and log in (select number from proof_logs where origin = any(${origins as string[]}::text[]))
      order by log desc, index desc limit ${limit}`,
  );
  return (await proofsOf(sql, entries.toReversed())).map(([, proof]) => proof);
}

async function proofsOf(sql: Sql, entries: readonly Entry[]): Promise<[Entry, Proof][]> {
  const notes = await notesOf(sql, [...new Set(entries.map(({ log }) => log))]);
  const checkpoints = new Map([...notes.values()].map((log) => [log.number, ownCheckpoint(log)]));
  const paths = await withTiles(sql, (readOf) => entries.map((entry) => pathIn(entry, notes.get(entry.log), readOf(entry.log))));
  return entries.flatMap((entry, at): [Entry, Proof][] => {
    const path = paths[at];
    const checkpoint = checkpoints.get(entry.log) ?? "";
    return path ? [[entry, { checkpoint, inclusion: path.map(toBase64), index: entry.index, record: recordOf(entry.record), salt: toBase64(entry.salt) }]] : [];
  });
}

/**
 * Null where a tile is missing, of a log that is appended to readiness says so, and what is read beside the proofs is still to be read; and where one of a log
 * that has ended was changed, so that nothing leads to what was signed: that is lost, too. Where its record alone was changed the proof is told, and fails.
 */
function pathIn({ index, salt, record }: Entry, log: Signed | undefined, read: ReadHash): Hash[] | null {
  const size = log?.size ?? 0;
  try {
    const path = inclusionProof(index, size, read, quickNodeHash);
    if (!log?.isOver) return path;
    const leads = (leaf: Hash) => isIncluded(leaf, index, size, path, log.root, quickNodeHash);
    const stored = read(0, index);
    return leads(quickLeafHash(quickCommitment(salt, record))) || leads(stored) ? path : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * What is in the log is told as it is: where it has no shape of ours any more, its proof fails, and that is to be seen. Its fields, and those of proofs, stand in
 * the order that a file has them in, so that one that is copied out of an answer can be checked as it is.
 */
const recordOf = (text: string) => JSON.parse(text) as LogRecord;

const tickRow = v.strictObject({ seq: v.number(), place: v.number(), tick: v.string(), path: bytes, batch: v.string() });

/** The proofs of ticks that something was dealt on, by their numbers; of a tick that was never recorded, or not yet, there is none. */
export async function readTickProofs(sql: Sql, seqs: readonly number[]): Promise<Map<number, TickProof>> {
  if (seqs.length === 0) return new Map();
  const rows = await many(
    tickRow,
    sql`
      select t.seq, t.place, t.tick, t.path, b.first || '-' || b.last as batch
      from proof_ticks t join proof_batches b on b.first = t.first
      where t.seq = any(${seqs as number[]}::bigint[])
      limit ${seqs.length}`,
  );
  const batches = await readProofs(sql, "ticks", [...new Set(rows.map(({ batch }) => batch))]);
  return new Map(
    rows.flatMap(({ seq, place, tick, path, batch }) => {
      const proof = batches.get(batch);
      const hashes = Array.from({ length: path.length / HASH_SIZE }, (_, n) => toBase64(path.subarray(n * HASH_SIZE, (n + 1) * HASH_SIZE)));
      const told: unknown = JSON.parse(tick);
      v.assert(Tick, told);
      return proof ? [[seq, { batch: proof, path: hashes, place, tick: told }] as const] : [];
    }),
  );
}

const batchRow = v.strictObject({ first: v.number(), last: v.number() });
/** The logged batches that have ticks after `after` and before `before`, in their order, as their refs. */
export async function batchesBetween(sql: Sql, after: number, before: number, limit = 10_000): Promise<{ first: number; last: number; ref: string }[]> {
  const rows = await many(
    batchRow,
    sql`
      select first, last from proof_batches
      where first < ${before} and last > ${after} and first >= coalesce((select max(first) from proof_batches where first <= ${after + 1}), 0)
      order by first limit ${limit}`,
  );
  return rows.map(({ first, last }) => ({ first, last, ref: `${first}-${last}` }));
}

const ages = v.strictObject({ waiting: v.number(), lag: v.number() });
/** How many notes wait for the log, and for how many seconds the oldest. */
export async function readLag(sql: Sql): Promise<{ waiting: number; lag: number }> {
  const row = await one(
    ages,
    sql`select count(*)::integer as waiting, coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as lag from proof_outbox`,
  );
  return row ?? { waiting: 0, lag: 0 };
}
