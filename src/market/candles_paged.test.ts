import { afterAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import { priceText } from "../lib/money";
import { DAY, MINUTE } from "../lib/time";
import { localBus } from "../platform/cluster/bus";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { midOf, type Quote } from "./board";
import { Candles } from "./candles";
import { FEEDS, type Feed, type FeedSink } from "./feed";
import { openMarket } from "./market";
import { saveBatch } from "./queries";
import { randomFrom } from "./random";
import { type Candle, INTERVALS, type Interval } from "./schema";

/** Candles of every length, page by page, against ones that are reckoned from the same ticks in a plainer way: by calendar and by hand. */
const { sql, drop } = await testDatabase();
const fault = (error: unknown) => {
  throw error;
};
const END = Date.parse("2026-07-15T13:37:42Z");
let sink: FeedSink | undefined;
const source = { ...FEEDS.kraken, start: (given: FeedSink) => void (sink = given), stop: async () => {} } satisfies Feed;
const market = await openMarket({
  sql,
  config: readConfig({ FEED: "kraken" }),
  log: createLog("error", () => {}),
  bus: localBus(fault),
  clock: () => END,
  feed: source,
});
afterAll(async () => {
  await market.stop();
  await drop();
});

/** A walk over fourteen months with gaps, a tick each ninety minutes or so. */
function walk(symbol: string): Quote[] {
  let price = 100_000_000;
  const next = randomFrom(7, symbol);
  const quotes: Quote[] = [];
  for (let at = END - 425 * DAY; at < END; at += Math.round((10 + next() * 160) * MINUTE)) {
    price += Math.round((next() - 0.5) * 1_000_000);
    if (Math.floor(at / DAY) % 13 < 11) quotes.push({ symbol, bid: price - 500, ask: price + 500, at, receivedAt: at, seq: quotes.length + 1 });
  }
  return quotes;
}

const text = (at: number) => new Date(at).toISOString();
/** The name of the stretch that a moment is in, from its calendar date; and where that begins. */
function stretch(at: number, interval: Interval, symbol: string): number {
  const [date, clock] = text(at).split("T") as [string, string];
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  const time = (hours: number, minutes: number) => Date.parse(`${date}T${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}:00Z`);
  if (interval === "1M") return Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`);
  if (interval === "1w") {
    let day = Date.parse(`${date}T00:00:00Z`);
    while (new Date(day).getUTCDay() !== (symbol === "BTC/USD" ? 1 : 0)) day -= DAY;
    return day;
  }
  if (interval === "1d") return time(0, 0);
  const count = Number.parseInt(interval, 10);
  return interval.endsWith("h") ? time(hour - (hour % count), 0) : time(hour, minute - (minute % count));
}

function reference(quotes: readonly Quote[], interval: Interval): Candle[] {
  return [...Map.groupBy(quotes, ({ at, symbol }) => stretch(at, interval, symbol))].map(([time, group]) => {
    const mids = group.map(midOf);
    const [open = 0] = mids;
    return { time: time / 1000, ...prices({ open, high: Math.max(...mids), low: Math.min(...mids), close: mids.at(-1) ?? 0 }) };
  });
}
const prices = ({ open, high, low, close }: Record<"open" | "high" | "low" | "close", number>) => ({
  open: priceText(open),
  high: priceText(high),
  low: priceText(low),
  close: priceText(close),
});

test("every length, paged back to the first candle, is what the ticks say", async () => {
  for (const symbol of ["EUR/USD", "BTC/USD"]) {
    const quotes = walk(symbol);
    const candles = new Candles();
    for (const quote of quotes) candles.add(quote);
    const bars = candles.take();
    for (let from = 0; from < bars.length; from += 10_000) await saveBatch(sql, "kraken", { ticks: [], quotes: [], candles: bars.slice(from, from + 10_000) });
    for (const interval of INTERVALS) {
      const expected = reference(quotes, interval);
      const size = Math.min(1_000, Math.ceil(expected.length / 3));
      const pages: Candle[][] = [];
      let before: number | undefined;
      do {
        const page = await market.candles(symbol, interval, size, before);
        pages.unshift(page);
        before = page[0]?.time;
      } while (pages[0]?.length === size);
      expect(pages.flat(), `${symbol} ${interval}`).toEqual(expected);
      expect(pages.length).toBeGreaterThan(2);
      // From the middle of a candle it is the newest that is told, whole.
      const [middle] = expected.slice(-2, -1);
      if (middle) expect(await market.candles(symbol, interval, 1, middle.time + 1)).toEqual([middle]);
      expect(await market.candles(symbol, interval, 5, 0)).toEqual([]);
    }
  }
});

test("what is asked for is read from the index, as many rows as the page needs, however long the history", async () => {
  await sql`analyze candles`;
  const rows = await sql<{ "QUERY PLAN": string }[]>`
    explain (analyze, buffers off, costs off, timing off, summary off)
    select time from candles where source = 'kraken' and symbol = 'EUR/USD' and interval = '1h' and time < ${text(END - 30 * DAY)} order by candles.time desc limit 40`;
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/Index (Only )?Scan Backward using candles_pkey/);
  expect(plan).not.toContain("Sort");
});

test("the candle being built is part of the longer ones too", async () => {
  const quotes = walk("BTC/USD");
  const last = quotes.at(-1);
  if (!last) throw new Error("no ticks");
  const tick = { symbol: "BTC/USD", bid: last.bid * 2, ask: last.ask * 2, at: END - 1_000 };
  await market.start();
  await sink?.tick(tick);
  const expected = (interval: Interval) => reference([...quotes, { ...tick, seq: 0, receivedAt: END }], interval).slice(-2);
  for (const interval of INTERVALS) expect(await market.candles("BTC/USD", interval, 2), interval).toEqual(expected(interval));
  // An earlier page does not hold it.
  expect((await market.candles("BTC/USD", "1M", 1, Date.parse("2026-07-01") / 1000))[0]?.time).toBe(Date.parse("2026-06-01") / 1000);
});
