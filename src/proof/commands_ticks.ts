import * as v from "valibot";
import { toBase64, toHex } from "../lib/bytes";
import { type Db, many } from "../platform/database/db";
import { quickLeafHash, quickNodeHash } from "./hashing";
import { canonicalJson } from "./rules_canonical";
import { inclusionProof, type ReadHash, readerOf, rootOf } from "./rules_merkle";
import type { Sources, TickLeaf } from "./sources";

/** Ticks are kept for a week, what was dealt on them for ever: so each of these is kept with its path to its batch while the others are there. */

const AT_ONCE = 500;
/** So many of the newest ticks are at hand: those of half a minute or more, unless a file is replayed as fast as it goes. Nothing is dealt on an older one. */
const AT_HAND = 5_000;

export type Batch = { ref: string; first: number; last: number; leaves: readonly TickLeaf[] };
type Kept = { first: number; place: number; tick: string; path: string };
/** A tick that something was dealt on; `kept` with its path, in hex, where its batch is at hand. */
export type DealtTick = { seq: number; kept: Kept | null };

/**
 * The newest ticks of the log, as it has them: a deal's is nearly always one of them, or of the next batch, and its path then needs no question of the
 * database. One who did not see all that was logged does not know which wait, and asks.
 */
export class NewestTicks {
  private batches: (Batch & { read: ReadHash })[] = [];
  private readonly kept = new Set<number>();
  /** Those that come with a later batch. */
  private waiting = new Set<number>();
  private isSure = false;

  /** Whether ticks may wait of which this does not know where they are. */
  get mustAsk(): boolean {
    return !this.isSure;
  }

  /** Adds batches that are being logged. */
  add(batches: readonly Batch[]): void {
    for (const batch of batches) {
      const read = readerOf(
        batch.leaves.map(({ leaf }) => leaf),
        quickNodeHash,
      );
      this.batches.push({ ...batch, read });
    }
    let held = this.batches.reduce((sum, { leaves }) => sum + leaves.length, 0);
    while (held > AT_HAND) {
      const gone = this.batches.shift()?.leaves ?? [];
      held -= gone.length;
      for (const { seq } of gone) this.kept.delete(seq);
    }
  }

  /** What is to be written of the ticks that were dealt on since, and of those that waited. */
  take(dealtOn: readonly number[]): DealtTick[] {
    const newest = this.batches.at(-1)?.last ?? Number.POSITIVE_INFINITY;
    const wanted = new Set([...dealtOn, ...this.waiting].filter((seq) => !this.kept.has(seq)));
    this.waiting = new Set([...wanted].filter((seq) => seq > newest));
    return [...wanted].map((seq) => {
      const kept = this.keptOf(seq);
      if (kept) this.kept.add(seq);
      else if (seq <= newest) this.isSure = false;
      return { seq, kept };
    });
  }

  private keptOf(seq: number): Kept | null {
    const batch = this.batches.findLast(({ first, last }) => first <= seq && seq <= last);
    const place = batch?.leaves.findIndex((tick) => tick.seq === seq) ?? -1;
    if (!batch || place < 0) return null;
    const path = inclusionProof(place, batch.leaves.length, batch.read, quickNodeHash);
    return { first: batch.first, place, tick: batch.leaves[place]?.text ?? "", path: path.map(toHex).join("") };
  }

  /** The database was asked: these are all that wait; null where there are more of them. */
  settle(waiting: readonly number[] | null): void {
    this.isSure = waiting !== null;
    this.waiting = new Set(waiting);
  }
}

const waitingRow = v.strictObject({
  seq: v.number(),
  first: v.nullable(v.number()),
  last: v.nullable(v.number()),
  record: v.nullable(v.string()),
  isPast: v.boolean(),
  isBefore: v.boolean(),
});

/**
 * Keeps the paths of those whose batch is logged and was not at hand; asks for nothing where all were. A tick that no batch holds, though later ones are
 * logged, was never recorded: `lost` counts these but for those of before the first batch, such as the prices of the months that a demonstration is filled with.
 */
export async function keepTicks(sql: Db, { readTicks }: Pick<Sources, "readTicks">, newest: NewestTicks): Promise<{ kept: number; lost: number }> {
  if (!newest.mustAsk) return { kept: 0, lost: 0 };
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
  const done = new Set([...lost, ...kept.map(({ seq }) => seq)]);
  newest.settle(waiting.length === AT_ONCE ? null : waiting.flatMap(({ seq }) => (done.has(seq) ? [] : seq)));
  return { kept: kept.length, lost: lost.size - before.length };
}
