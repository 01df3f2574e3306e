import * as v from "valibot";
import { toBase64, toHex } from "../lib/bytes";
import { type Db, many } from "../platform/database/db";
import { quickLeafHash, quickNodeHash } from "./hashing";
import { canonicalJson } from "./rules_canonical";
import { inclusionProof, readerOf, rootOf } from "./rules_merkle";
import type { Sources } from "./sources";

/** Ticks are kept for a week, what was dealt on them for ever: so each of these is kept with its path to its batch while the others are there. */

const AT_ONCE = 500;

const waitingRow = v.strictObject({
  seq: v.number(),
  first: v.nullable(v.number()),
  last: v.nullable(v.number()),
  record: v.nullable(v.string()),
  isPast: v.boolean(),
  isBefore: v.boolean(),
});

/**
 * Keeps the paths of those whose batch is logged. A tick that no batch holds, though later ones are logged, was never recorded: `lost` counts these
 * but for those of before the first batch, such as the prices of the months that a demonstration is filled with.
 */
export async function keepTicks(sql: Db, { readTicks }: Pick<Sources, "readTicks">): Promise<{ kept: number; lost: number }> {
  const waiting = await many(
    waitingRow,
    sql`
      select t.seq, b.first, b.last, e.record, exists (select from proof_batches l where l.first > t.seq) as "isPast",
        not exists (select from proof_batches l where l.first < t.seq) as "isBefore"
      from proof_ticks t
      left join lateral (select b.first, b.last, b.log, b.index from proof_batches b where b.first <= t.seq order by b.first desc limit 1) b on b.last >= t.seq
      left join proof_entries e on e.log = b.log and e.index = b.index
      where t.first is null
      order by t.seq limit ${AT_ONCE}`,
  );
  const batches = new Map(waiting.flatMap((each) => (each.first === null || each.record === null ? [] : [[each.first, each] as const])));
  const kept: { seq: number; first: number; place: number; tick: string; path: string }[] = [];
  const lost = new Set(waiting.filter(({ first, isPast }) => first === null && isPast).map(({ seq }) => seq));
  for (const [first, { last, record }] of batches) {
    const ticks = await readTicks(sql, first, last ?? first);
    const texts = ticks.map(canonicalJson);
    const read = readerOf(
      texts.map((text) => quickLeafHash(Buffer.from(text))),
      quickNodeHash,
    );
    const own = waiting.filter((each) => each.first === first);
    const isAsLogged = ticks.length > 0 && toBase64(rootOf(ticks.length, read, quickNodeHash)) === (JSON.parse(record ?? "{}") as { root?: string }).root;
    for (const { seq } of own) {
      const place = ticks.findIndex((tick) => tick.seq === seq);
      if (!isAsLogged || place < 0) lost.add(seq);
      else kept.push({ seq, first, place, tick: texts[place] ?? "", path: inclusionProof(place, ticks.length, read, quickNodeHash).map(toHex).join("") });
    }
  }
  if (kept.length > 0)
    await sql`
      update proof_ticks t set first = k.first, place = k.place, tick = k.tick, path = decode(k.path, 'hex')
      from unnest(
        ${kept.map(({ seq }) => seq)}::bigint[], ${kept.map(({ first }) => first)}::bigint[], ${kept.map(({ place }) => place)}::integer[],
        ${kept.map(({ tick }) => tick)}::text[], ${kept.map(({ path }) => path)}::text[]
      ) as k (seq, first, place, tick, path)
      where t.seq = k.seq`;
  const before = waiting.filter(({ seq, isBefore }) => isBefore && lost.has(seq));
  if (lost.size > 0) await sql`delete from proof_ticks where seq = any(${[...lost]}::bigint[]) and first is null`;
  return { kept: kept.length, lost: lost.size - before.length };
}
