import * as v from "valibot";
import { sameBytes } from "../lib/bytes";
import { many, type Sql } from "../platform/database/db";
import { edgeOf } from "./commands";
import { LogFault } from "./fault";
import { quickNodeHash } from "./hashing";
import { allLogs, type Log, newestLog, readTiles } from "./queries";
import { canonicalJson } from "./rules_canonical";
import { HASH_SIZE } from "./rules_merkle";
import { hashesAt, rootOfHashes, TILE_WIDTH, tilePath } from "./rules_tiles";
import { plainRef, type Sources } from "./sources";

/** Looks whether the log is as it was written: entries against tiles, tiles against each other, and the checkpoint against the tiles. */

/** Tiles looked at in one statement, a thousand entries: nobody waits long for one. */
const SLICE = 4;

const bytes = v.nullable(v.instance(Uint8Array));
const sliceRow = v.strictObject({ n: v.number(), hashes: bytes, leaves: bytes });

const faultOf = (level: number, n: number, what: string) => new LogFault(`tile ${tilePath({ level, n, width: TILE_WIDTH })} ${what}`);

/**
 * Looks at the tiles from the `from`-th of the lowest level on and at all above them; stops for the caller after each slice. Throws LogFault
 * with the first thing that is wrong.
 */
export async function* checkTiles(sql: Sql, log: Log, from = 0): AsyncGenerator<number> {
  for (let level = 0, first = from; hashesAt(log.size, level) > 0; level++, first = Math.floor(first / TILE_WIDTH)) {
    const end = Math.ceil(hashesAt(log.size, level) / TILE_WIDTH);
    for (let n = first; n < end; n += SLICE) {
      await checkSlice(sql, log, level, n, Math.min(n + SLICE, end));
      yield n;
    }
  }
  await edgeOf(sql, log);
}

async function checkSlice(sql: Sql, log: Log, level: number, from: number, to: number): Promise<void> {
  const rows = await many(
    sliceRow,
    sql`
      select g.n::integer as n, t.hashes, ${level === 0 ? sql`e.leaves` : sql`null::bytea as leaves`}
      from generate_series(${from}::bigint, ${to - 1}::bigint) g (n)
      left join proof_tiles t on t.log = ${log.number} and t.level = ${level} and t.n = g.n
      ${
        level === 0
          ? sql`cross join lateral (
              select string_agg(sha256('\\x00'::bytea || sha256(salt || convert_to(record, 'UTF8'))), ''::bytea order by index) as leaves
              from proof_entries
              where log = ${log.number} and index >= g.n * ${TILE_WIDTH} and index < least((g.n + 1) * ${TILE_WIDTH}, ${log.size})
            ) e`
          : sql``
      }
      order by g.n limit ${to - from}`,
  );
  const above = await readTiles(
    sql,
    [...new Set(rows.map(({ n }) => Math.floor(n / TILE_WIDTH)))].map((n) => ({ log: log.number, level: level + 1, n })),
  );
  for (const { n, hashes, leaves } of rows) {
    const width = Math.min(hashesAt(log.size, level) - n * TILE_WIDTH, TILE_WIDTH) * HASH_SIZE;
    if (!hashes || hashes.length < width) throw faultOf(level, n, "is missing or too narrow");
    const tile = hashes.subarray(0, width);
    if (level === 0 && (!leaves || !sameBytes(tile, leaves))) throw faultOf(level, n, "is not what its entries say");
    if (width < TILE_WIDTH * HASH_SIZE) continue;
    const parent = above.get(`${log.number} ${level + 1} ${Math.floor(n / TILE_WIDTH)}`);
    const at = (n % TILE_WIDTH) * HASH_SIZE;
    if (!parent || !sameBytes(parent.subarray(at, at + HASH_SIZE), rootOfHashes(tile, quickNodeHash)))
      throw faultOf(level, n, "is not what the tile above it says");
  }
}

/** What was looked at, and what was found: how many things, and the first. */
type Proven = { check: string; rows: number; first: string | null };

/** Looks at the whole of every log there is, and holds the tables to the newest. */
export async function proveLogs(sql: Sql, sources: Sources): Promise<Proven[]> {
  const proven: Proven[] = [];
  for (const log of await allLogs(sql)) proven.push({ check: `public_log_${log.number}`, ...(await wholeOf(sql, log)) });
  const newest = await newestLog(sql);
  if (!newest) return proven;
  let [rows, first]: [number, string | null] = [0, null];
  for await (const amiss of checkRecords(sql, newest, sources)) {
    rows++;
    first ??= amiss;
  }
  return [...proven, { check: "public_log_records", rows, first }];
}

async function wholeOf(sql: Sql, log: Log): Promise<{ rows: number; first: string | null }> {
  try {
    for await (const _ of checkTiles(sql, log));
    return { rows: 0, first: null };
  } catch (error) {
    if (error instanceof LogFault) return { rows: 1, first: error.message };
    throw error;
  }
}

const entryRow = v.strictObject({ index: v.number(), kind: v.string(), ref: v.string(), record: v.string() });
const tableRow = v.strictObject({ id: v.number(), text: v.string() });
const RECORDS_AT_ONCE = 2_000;

/**
 * Holds what the tables say to what the log says of them, entry by entry, and tells each that differs. What is kept no longer, as ticks of more
 * than a week ago, is passed over.
 */
export async function* checkRecords(sql: Sql, log: Log, sources: Sources): AsyncGenerator<string> {
  for (let from = 0; from < log.size; from += RECORDS_AT_ONCE) {
    const entries = await many(
      entryRow,
      sql`
        select index, kind, ref, record from proof_entries
        where log = ${log.number} and index >= ${from} and index < ${Math.min(from + RECORDS_AT_ONCE, log.size)} order by index limit ${RECORDS_AT_ONCE}`,
    );
    for (const { note, rows: rowsOf } of sources.tables) {
      const own = entries.filter(({ kind }) => kind === note);
      for (const [terms, group] of Map.groupBy(own, ({ record }) => (JSON.parse(record) as { terms: number }).terms)) {
        const among = group.map(({ ref }) => Number(ref));
        const rows = await many(
          tableRow,
          sql`select r.id, r.text from (${rowsOf(sql, { high: Number.MAX_SAFE_INTEGER, among }, group.length, { terms })}) r limit ${group.length}`,
        );
        const now = new Map(rows.map(({ id, text }) => [String(id), text]));
        for (const { index, ref, record } of group) if (now.get(ref) !== record) yield `entry ${index} (${note} ${ref}) says otherwise than the table does now`;
      }
    }
    for (const { note, inEachLog, read } of sources.records) {
      const own = entries.flatMap((entry) => (entry.kind === note ? { ...entry, ref: inEachLog ? plainRef(entry.ref) : entry.ref } : []));
      if (own.length === 0) continue;
      const said = new Map(own.map(({ ref, record }) => [ref, JSON.parse(record) as { v: number; at?: string; terms?: number }]));
      const found = await read(
        sql,
        own.map(({ ref }) => ({ ref, at: said.get(ref)?.at ?? "", v: said.get(ref)?.v ?? 1 })),
        { terms: 0 },
      );
      for (const { index, ref, record } of own) {
        const now = found.get(ref);
        if (!now) continue;
        const terms = said.get(ref)?.terms;
        const text = canonicalJson({ v: now.v ?? 1, kind: now.kind, ...now.fields, ...(terms === undefined ? {} : { terms }) });
        if (text !== record) yield `entry ${index} (${note} ${ref}) says otherwise than the table does now`;
      }
    }
  }
}
