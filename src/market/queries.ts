import * as v from "valibot";
import { priceText, priceUnits } from "../lib/money";
import { type Sql, many, one } from "../platform/database/db";
import type { DayRange, Quote } from "./board";
import type { Bar } from "./candles";
import type { Feed } from "./feed";
import { LENGTH, MADE_OF, weekOrigin } from "./rules_intervals";
import { type Candle, type Interval } from "./schema";

type Source = Feed["name"];

const StoredQuote = v.strictObject({ symbol: v.string(), seq: v.number(), at: v.string(), bid: v.string(), ask: v.string() });

/** The last quotes of an earlier run on the same source. */
export async function lastQuotes(sql: Sql, source: Source): Promise<Quote[]> {
  const rows = await many(
    StoredQuote,
    sql`
    select symbol, seq, at, bid, ask
    from quotes
    where source = ${source}
    limit 1000`,
  );
  return rows.map(({ symbol, seq, at, bid, ask }) => {
    const time = Date.parse(at);
    return { symbol, seq, at: time, receivedAt: time, bid: priceUnits(bid), ask: priceUnits(ask) };
  });
}

/** The epoch of the program that leads, or led last. */
export async function newestEpochOf(sql: Sql): Promise<number> {
  const row = await one(v.strictObject({ epoch: v.number() }), sql`select epoch from leadership`);
  return row?.epoch ?? 0;
}

const StoredDay = v.strictObject({ symbol: v.string(), open: v.string(), high: v.string(), low: v.string() });

/** What each symbol did since `start`, from its minute candles. */
export async function dayRanges(sql: Sql, source: Source, start: number): Promise<Map<string, DayRange>> {
  const rows = await many(
    StoredDay,
    sql`
    select symbol, (array_agg(open order by time))[1] as open, max(high) as high, min(low) as low
    from candles
    where source = ${source} and interval = '1m' and time >= ${new Date(start).toISOString()}
    group by symbol
    limit 1000`,
  );
  return new Map(rows.map((row) => [row.symbol, { start, open: priceUnits(row.open), high: priceUnits(row.high), low: priceUnits(row.low) }]));
}

const StoredCandle = v.strictObject({ time: v.number(), open: v.string(), high: v.string(), low: v.string(), close: v.string() });

type Wanted = { symbol: string; interval: Interval; limit: number; before: number };

/**
 * The newest candles of one symbol that begin before `before` (milliseconds since the epoch, the beginning of a candle), oldest first. A length
 * that is not stored is joined from the stored one below it. Reads the index from that moment back, so the cost does not grow with history.
 */
export async function newestCandles(sql: Sql, source: Source, { symbol, interval, limit, before }: Wanted): Promise<Candle[]> {
  const stored = MADE_OF[interval];
  const begun =
    interval === "1M"
      ? sql`date_trunc('month', time, 'UTC')`
      : sql`date_bin(${`${LENGTH[interval]} milliseconds`}::interval, time, ${new Date(weekOrigin(symbol)).toISOString()})`;
  const rows = await many(
    StoredCandle,
    sql`
    select extract(epoch from begun)::bigint as time, (array_agg(open order by time))[1] as open, max(high) as high, min(low) as low,
      (array_agg(close order by time desc))[1] as close
    from (
      select ${stored === interval ? sql`time` : begun} as begun, time, open, high, low, close
      from candles
      where source = ${source} and symbol = ${symbol} and interval = ${stored} and time < ${new Date(before).toISOString()}
      order by candles.time desc
      limit ${limit * Math.round(LENGTH[interval] / LENGTH[stored])}
    ) as parts
    group by begun
    order by begun desc
    limit ${limit}`,
  );
  return rows.reverse();
}

/** Reserves a block of tick numbers that no other run will ever use. */
export async function reserveTickNumbers(sql: Sql): Promise<{ first: number; size: number }> {
  const row = await one(
    v.strictObject({ first: v.number(), size: v.number() }),
    sql`
    select nextval('tick_numbers') as first, increment_by as size
    from pg_sequences
    where schemaname = current_schema() and sequencename = 'tick_numbers'`,
  );
  if (!row) throw new Error("the sequence tick_numbers is missing");
  return row;
}

/** What came since the last time, to be stored together. */
export type Batch = { ticks: readonly Quote[]; quotes: readonly Quote[]; candles: readonly Bar[] };

const times = (list: readonly number[]) => list.map((time) => new Date(time).toISOString());
const prices = (list: readonly number[]) => list.map(priceText);

/** Stores a batch in one statement: all of it or nothing. Storing the same batch twice changes nothing. */
export async function saveBatch(sql: Sql, source: Source, { ticks, quotes, candles }: Batch): Promise<void> {
  await sql`
    with
      new_ticks as (
        insert into ticks (seq, received_at, at, source, symbol, bid, ask)
        select seq, received_at, at, ${source}, symbol, bid, ask
        from unnest(
          ${ticks.map(({ seq }) => seq)}::bigint[], ${times(ticks.map(({ receivedAt }) => receivedAt))}::timestamptz[],
          ${times(ticks.map(({ at }) => at))}::timestamptz[], ${ticks.map(({ symbol }) => symbol)}::text[],
          ${prices(ticks.map(({ bid }) => bid))}::numeric[], ${prices(ticks.map(({ ask }) => ask))}::numeric[]
        ) as t (seq, received_at, at, symbol, bid, ask)
        on conflict (seq) do nothing
      ),
      new_candles as (
        insert into candles (source, symbol, interval, time, open, high, low, close)
        select ${source}, symbol, interval, time, open, high, low, close
        from unnest(
          ${candles.map(({ symbol }) => symbol)}::text[], ${candles.map(({ interval }) => interval)}::text[],
          ${times(candles.map(({ time }) => time))}::timestamptz[], ${prices(candles.map(({ open }) => open))}::numeric[],
          ${prices(candles.map(({ high }) => high))}::numeric[], ${prices(candles.map(({ low }) => low))}::numeric[],
          ${prices(candles.map(({ close }) => close))}::numeric[]
        ) as c (symbol, interval, time, open, high, low, close)
        on conflict (source, symbol, interval, time) do update
        set high = greatest(candles.high, excluded.high), low = least(candles.low, excluded.low), close = excluded.close
      )
    insert into quotes (symbol, source, seq, at, bid, ask)
    select symbol, ${source}, seq, at, bid, ask
    from unnest(
      ${quotes.map(({ symbol }) => symbol)}::text[], ${quotes.map(({ seq }) => seq)}::bigint[],
      ${times(quotes.map(({ at }) => at))}::timestamptz[], ${prices(quotes.map(({ bid }) => bid))}::numeric[],
      ${prices(quotes.map(({ ask }) => ask))}::numeric[]
    ) as q (symbol, seq, at, bid, ask)
    on conflict (symbol) do update
    set source = excluded.source, seq = excluded.seq, at = excluded.at, bid = excluded.bid, ask = excluded.ask`;
}

/** Deletes a source's candles of before `until` (milliseconds since the epoch); for who tells its history anew. */
export const forgetCandles = async (sql: Sql, source: Source, until: number): Promise<void> => {
  await sql`delete from candles where source = ${source} and time < ${new Date(until).toISOString()}`;
};

const StoredTick = v.strictObject({ symbol: v.string(), seq: v.number(), at: v.string(), receivedAt: v.string(), bid: v.string(), ask: v.string() });

/** The newest recorded ticks of a source, at most `limit`, in the order they came. */
export async function newestTicks(sql: Sql, source: Source, limit: number): Promise<Quote[]> {
  const rows = await many(
    StoredTick,
    sql`select symbol, seq, at, received_at as "receivedAt", bid, ask from ticks where source = ${source} order by seq desc limit ${limit}`,
  );
  return rows.reverse().map(({ symbol, seq, at, receivedAt, bid, ask }) => ({
    symbol,
    seq,
    at: Date.parse(at),
    receivedAt: Date.parse(receivedAt),
    bid: priceUnits(bid),
    ask: priceUnits(ask),
  }));
}

/** Deletes at most `limit` ticks received before `cutoff`, the oldest first; says how many. */
export async function deleteOldTicks(sql: Sql, cutoff: number, limit: number): Promise<number> {
  const deleted = await sql`
    with oldest as (select seq, received_at from ticks order by seq limit ${limit})
    delete from ticks
    using oldest
    where ticks.seq = oldest.seq and oldest.received_at < ${new Date(cutoff).toISOString()}`;
  return deleted.count;
}
