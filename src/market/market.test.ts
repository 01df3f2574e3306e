import { afterAll, afterEach, expect, test } from "bun:test";
import { resolve } from "node:path";
import { readConfig } from "../config";
import { priceText } from "../lib/money";
import { DAY, MINUTE } from "../lib/time";
import { type Messages, localBus } from "../platform/cluster/bus";
import { createLog } from "../platform/log";
import { testDatabase } from "../testing/database";
import { Board } from "./board";
import { type Feed, FEEDS, type FeedSink } from "./feed";
import { type Market, openMarket } from "./market";
import { Publisher } from "./publisher";
import { deleteOldTicks } from "./queries";
import { Recorder } from "./recorder";
import { instruments } from "./rules_listed";

const { sql, drop } = await testDatabase();
afterAll(drop);

const night = resolve(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv");
const log = createLog("error", () => {});
const bus = localBus((error) => {
  throw error;
});
const open = (env: Record<string, string> = {}) => openMarket({ sql, config: readConfig(env), log, bus });
afterEach(async () => {
  await sql`truncate quotes, ticks, candles`;
});

/** Plays the whole night into a market, as fast as it takes it. */
async function playNight(): Promise<Market> {
  const market = await open({ FEED: "replay", FEED_FILE: night, FEED_SPEED: "max" });
  const played = Promise.withResolvers<void>();
  market.board.onTick(({ at }) => {
    if (at === Date.parse("2020-01-02T04:00:52.125Z")) played.resolve();
  });
  market.start();
  await played.promise;
  return market;
}

test("the database seeds the very instruments of the list, under ids that stay", async () => {
  const rows = await sql<{ symbol: string; id: string }[]>`select symbol, id from instruments order by symbol`;
  expect(rows.map(({ symbol }) => symbol)).toEqual(instruments.map(({ symbol }) => symbol).toSorted());
  expect(rows.find(({ symbol }) => symbol === "EUR/USD")?.id).toBe(
    new Bun.CryptoHasher("md5")
      .update("instrument:EUR/USD")
      .digest("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  );
});

test("the first start makes a day of history that ends at the current prices; the next goes on from the last ones", async () => {
  const begun = Date.now();
  const market = await open();
  expect(market.missing()).not.toBeNull();
  market.start();
  expect(market.missing()).toBeNull();
  await market.stop();
  for (const { symbol } of instruments) {
    const minutes = await market.candles(symbol, "1m", 1_000);
    expect(minutes).toHaveLength(1_000);
    const [before, last] = minutes.slice(-2);
    expect(Math.abs(Number(last?.open) / Number(before?.close) - 1)).toBeLessThan(0.005);
    expect(market.board.day(symbol)?.start).toBeGreaterThan(begun - DAY - MINUTE);
  }
  const next = await open();
  for (const { symbol, bid, ask } of market.board.all()) expect(next.board.get(symbol)).toMatchObject({ bid, ask });
  expect(next.board.isStale("EUR/USD", next.clock())).toBe(true);
  expect(next.board.day("EUR/USD")).toEqual(market.board.day("EUR/USD"));
});

test("the first start's candles are real ones: each opens where the last one closed", async () => {
  // Not just after midnight, when there is one whole day.
  const now = Date.parse("2026-01-21T12:34:56Z");
  const market = await openMarket({ sql, config: readConfig({}), log, bus, clock: () => now });
  const until = Math.floor(now / MINUTE) * 60;
  for (const interval of ["1m", "5m", "15m", "1h", "1d"] as const) {
    const candles = (await market.candles("BTC/USD", interval, 1_000)).filter(({ time }) => time < until);
    expect(candles.length).toBeGreaterThan(1);
    expect(candles.slice(1).filter(({ open: opened }, n) => opened !== candles[n]?.close)).toEqual([]);
    expect(candles.filter(({ open: opened, close }) => opened === close).length).toBeLessThan(candles.length / 20);
  }
  await market.stop();
});

test("a feed ahead of the clock is told apart from one that is silent", async () => {
  const now = Date.parse("2026-01-19T12:00:00Z");
  const said = Promise.withResolvers<FeedSink>();
  const feed: Feed = { ...FEEDS.kraken, start: said.resolve, stop: async () => {} };
  const market = await openMarket({ sql, config: readConfig({}), log, bus, clock: () => now, feed });
  await market.start();
  expect(market.missing()).toBe("the feed has not quoted yet");
  void (await said.promise).tick({ symbol: "BTC/USD", bid: 1, ask: 1, at: now + 3_000 });
  expect(market.missing()).toContain("ahead of this machine's clock");
  await market.stop();
});

test("a first start on a weekend shows Friday's prices, closed", async () => {
  const saturday = Date.parse("2026-01-17T12:00:00Z");
  const market = await openMarket({ sql, config: readConfig({ MARKET_HOURS: "real" }), log, bus, clock: () => saturday });
  market.start();
  await market.stop();
  const [euro, bitcoin] = market.snapshot(["EUR/USD", "BTC/USD"]);
  expect(euro).toMatchObject({ open: false, stale: false, time: "2026-01-16T22:00:00.000Z" });
  expect(bitcoin).toMatchObject({ open: true, stale: false, time: "2026-01-17T12:00:00.000Z" });
  expect(market.board.isStale("EUR/USD", saturday)).toBe(true);
});

test("history and the day's range begin at the same price", async () => {
  const market = await open();
  market.start();
  await market.stop();
  const start = market.board.day("BTC/USD")?.start ?? 0;
  const [row] = await sql<{ open: string; high: string }[]>`
    select (array_agg(open order by time))[1] as open, max(high) as high from candles
    where symbol = 'BTC/USD' and interval = '1m' and time >= ${new Date(start).toISOString()}`;
  expect(priceText(market.board.day("BTC/USD")?.open ?? 0)).toBe(row?.open ?? "");
  expect(priceText(market.board.day("BTC/USD")?.high ?? 0)).toBe(row?.high ?? "");
});

test("a replayed night is stored whole: every tick once, numbered in order, with its own time, and its candles", async () => {
  const market = await playNight();
  await market.stop();
  const [stored] = await sql<{ ticks: number; first: string; last: string; sorted: boolean }[]>`
    select count(*)::int as ticks, min(at) as first, max(at) as last, bool_and(at >= before) as sorted
    from (select at, lag(at, 1, at) over (order by seq) as before from ticks) t`;
  expect(stored).toEqual({ ticks: 9_500, first: "2020-01-01T22:00:00.065Z", last: "2020-01-02T04:00:52.125Z", sorted: true });
  const fromTicks = await sql`
    with mids as (select date_bin('5 minutes', at, 'epoch') as time, seq, round((bid + ask) / 2, 8) as mid from ticks)
    select extract(epoch from time)::bigint as time, (array_agg(mid order by seq))[1] as open, max(mid) as high, min(mid) as low,
      (array_agg(mid order by seq desc))[1] as close
    from mids group by mids.time order by mids.time`;
  expect(await market.candles("EUR/USD", "5m", 1_000)).toEqual(fromTicks.map((row) => ({ ...row })) as never);
});

test("a candle that is half stored and half in memory is one candle", async () => {
  const market = await playNight();
  const whole = await market.candles("EUR/USD", "1d", 10);
  await market.stop();
  expect(whole).toEqual(await market.candles("EUR/USD", "1d", 10));
  expect(whole.map(({ time }) => time)).toEqual([Date.UTC(2020, 0, 1) / 1000, Date.UTC(2020, 0, 2) / 1000]);
  expect(await market.candles("EUR/USD", "1d", 1)).toEqual(whole.slice(1));
  // The next run's candle of that day joins this one's.
  const again = await playNight();
  expect(await again.candles("EUR/USD", "1d", 10)).toEqual(whole);
  await again.stop();
});

test("prices of one feed never show among another's", async () => {
  await (await playNight()).stop();
  const simulated = await open();
  expect((await simulated.candles("EUR/USD", "1d", 10)).every(({ time }) => time > Date.UTC(2020, 0, 3) / 1000)).toBe(true);
  expect(simulated.board.get("EUR/USD")?.at).toBeGreaterThan(Date.UTC(2020, 0, 3));
});

test("a number is given to one tick only, over restarts too", async () => {
  const numbers = new Set<number>();
  for (let run = 0; run < 3; run++) {
    const market = await open();
    market.board.onTick(({ seq }) => {
      expect(numbers.has(seq)).toBe(false);
      numbers.add(seq);
    });
    market.start();
    await market.stop();
  }
  expect(numbers.size).toBeGreaterThanOrEqual(3 * instruments.length);
});

test("what could not be stored is stored later, nothing twice", async () => {
  const failures: string[] = [];
  const recorder = new Recorder({ sql, log: createLog("error", (line) => failures.push(line)), source: "simulator", clock: Date.now });
  const add = (seq: number, symbol: string, bid: number) => recorder.add({ symbol, bid, ask: bid, at: Date.now(), receivedAt: Date.now(), seq });
  add(1, "EUR/USD", 110_000_000);
  add(2, "GBP/USD", 130_000_000);
  await sql`alter table ticks rename to ticks_away`;
  await recorder.flush();
  expect(failures).toHaveLength(1);
  add(3, "EUR/USD", 120_000_000);
  await sql`alter table ticks_away rename to ticks`;
  await recorder.flush();
  add(4, "EUR/USD", 90_000_000);
  await recorder.stop();
  expect((await sql`select seq, bid from ticks order by seq`).map((row) => [row.seq, row.bid])).toEqual([
    [1, "1.10000000"],
    [2, "1.30000000"],
    [3, "1.20000000"],
    [4, "0.90000000"],
  ]);
  expect((await sql`select symbol, open, high, low, close from candles where interval = '1d' order by symbol`).map((row) => ({ ...row }))).toEqual([
    { symbol: "EUR/USD", open: "1.10000000", high: "1.20000000", low: "0.90000000", close: "0.90000000" },
    { symbol: "GBP/USD", open: "1.30000000", high: "1.30000000", low: "1.30000000", close: "1.30000000" },
  ]);
  expect((await sql`select seq from quotes order by seq`).map((row) => row.seq)).toEqual([2, 4]);
});

test("while the database is away, memory stays bounded and the log says what was given up", () => {
  const lines: string[] = [];
  const recorder = new Recorder({ sql, log: createLog("error", (line) => lines.push(line)), source: "simulator", clock: Date.now, mostWaiting: 100 });
  for (let seq = 1; seq <= 101; seq++) recorder.add({ symbol: "EUR/USD", bid: 1, ask: 1, at: 0, receivedAt: 0, seq });
  expect(lines.map((line) => JSON.parse(line).dropped)).toEqual([10]);
});

test("ticks older than a week are deleted, younger ones kept", async () => {
  await sql`
    insert into ticks (seq, received_at, at, source, symbol, bid, ask)
    select n, timestamptz '2026-01-01' + n * interval '1 day', now(), 'simulator', 'EUR/USD', 1, 1 from generate_series(1, 10) n`;
  const cutoff = Date.parse("2026-01-08T00:00:00Z");
  expect(await deleteOldTicks(sql, cutoff, 4)).toBe(4);
  expect(await deleteOldTicks(sql, cutoff, 4)).toBe(2);
  expect(await deleteOldTicks(sql, cutoff, 4)).toBe(0);
  expect((await sql`select seq from ticks order by seq`).map((row) => row.seq)).toEqual([7, 8, 9, 10]);
});

test("the database refuses prices that are none", async () => {
  for (const bid of ["NaN", "0", "-1"]) {
    const insert = sql`insert into quotes (symbol, source, seq, at, bid, ask) values ('EUR/USD', 'simulator', 1, now(), ${bid}, 1)`.then(
      () => "taken",
      (error) => error.code,
    );
    expect(await insert).toBe("23514");
  }
});

test("the bus hears what changed, and when a quote turns stale", async () => {
  const time = { now: Date.parse("2026-01-19T12:00:00Z") };
  const batches: Messages["quotes"][] = [];
  const heard = localBus((error) => {
    throw error;
  });
  heard.subscribe("quotes", (quotes) => batches.push(quotes));
  const clock = () => time.now;
  const board = new Board({ hours: () => time.now % 2 === 0, clock, freshness: "symbol", time: "real", onFault: () => {} });
  const publisher = new Publisher(board, heard, clock);
  const say = (symbol: string, bid: number) => board.accept({ symbol, bid, ask: bid, at: time.now });
  say("EUR/USD", 110_000_000);
  say("EUR/USD", 110_000_010);
  say("BTC/USD", 9_700_000_000_000);
  publisher.publish();
  publisher.publish();
  say("BTC/USD", 9_700_000_000_100);
  publisher.publish();
  expect(batches.map((batch) => batch.map(({ symbol, bid, stale }) => [symbol, bid, stale]))).toEqual([
    [
      ["EUR/USD", "1.10000010", false],
      ["BTC/USD", "97000.00000000", false],
    ],
    [["BTC/USD", "97000.00000100", false]],
  ]);
  time.now += 10_000;
  publisher.publish();
  expect(batches[2]?.map(({ symbol, stale, open }) => [symbol, stale, open])).toEqual([
    ["EUR/USD", true, true],
    ["BTC/USD", true, true],
  ]);
  time.now += 1;
  publisher.publish();
  expect(batches[3]?.map(({ stale, open }) => [stale, open])).toEqual([
    [false, false],
    [false, false],
  ]);
});

test("a feed that can't be had stops the start with one clear line", async () => {
  await expect(open({ FEED: "replay", FEED_FILE: "/nowhere.csv" })).rejects.toThrow("FEED_FILE names a file that does not exist");
});
