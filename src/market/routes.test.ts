import { afterAll, expect, test } from "bun:test";
import { readConfig } from "../config";
import { priceUnits } from "../lib/money";
import { localBus } from "../platform/cluster/bus";
import { firstBrand } from "../platform/page/brand";
import type { AppContext } from "../platform/app_context";
import { createLog } from "../platform/log";
import { Inflow } from "../platform/http/inflow";
import { Pace } from "../platform/http/pace";
import { Metrics } from "../platform/metrics";
import { Streams } from "../platform/http/stream";
import { testDatabase } from "../testing/database";
import { openMarket } from "./market";
import { hundredths } from "./quotes";
import { marketRoutes } from "./routes";
import { instruments, isForex } from "./rules_listed";

const { sql, drop } = await testDatabase();
const log = createLog("error", () => {});
const bus = localBus((error) => {
  throw error;
});
const streams = new Streams({ log });
const config = readConfig({});
const app: AppContext = {
  config,
  sql,
  log,
  bus,
  streams,
  metrics: new Metrics(),
  inflow: new Inflow(),
  pace: new Pace(),
  engineSql: sql,
  reading: () => Promise.resolve(sql),
  brand: firstBrand(config),
  authenticator: { whoIs: async () => null, callerOf: () => null, meetingOf: () => null, isProven: async () => false, lastHere: async () => null },
};
const market = await openMarket({ sql, config, log, bus });
market.start();
const { router } = marketRoutes(app, market);
afterAll(async () => {
  streams.close();
  await market.stop();
  await drop();
});

const get = (path: string) => router.handle(new Request(`http://localhost${path}`));

test("every instrument has its price", async () => {
  const items = await (await get("/api/market-data")).json();
  expect(items.map(({ symbol }: { symbol: string }) => symbol)).toEqual(instruments.map(({ symbol }) => symbol));
  for (const { id, bid, ask, spread, timestamp, stale, open } of items) {
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(priceUnits(ask) - priceUnits(bid)).toBe(priceUnits(spread));
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect([stale, open]).toEqual([false, true]);
  }
});

test("forex quotes tell their spread in pips and their change since the day began", async () => {
  const quotes = await (await get("/api/market/live")).json();
  expect(quotes.map(({ symbol }: { symbol: string }) => symbol)).toEqual(instruments.filter(isForex).map(({ symbol }) => symbol));
  for (const quote of quotes) {
    expect(quote.spread).toMatch(/^\d+\.\d\d$/);
    expect(quote.changePercent).toMatch(/^-?\d+\.\d\d$/);
    expect(quote.change.startsWith("-")).toBe(priceUnits(quote.change) < 0);
    const mid = (priceUnits(quote.bid) + priceUnits(quote.ask)) / 2;
    expect(priceUnits(quote.low) <= mid && mid <= priceUnits(quote.high) + 1).toBe(true);
  }
});

test("candles come oldest first, as many as were asked for, by Unix seconds", async () => {
  const candles = await (await get("/api/market/candles?symbol=EUR/USD&interval=5m&limit=50")).json();
  expect(candles).toHaveLength(50);
  for (const [n, { time }] of candles.entries()) {
    expect(time % 300).toBe(0);
    if (n > 0) expect(time).toBeGreaterThan(candles[n - 1].time);
  }
  expect(Object.keys(candles[0])).toEqual(["time", "open", "high", "low", "close"]);
});

test("what does not exist is refused on its field", async () => {
  const refused = async (path: string) => {
    const response = await get(path);
    return [response.status, Object.keys((await response.json()).fields ?? {})];
  };
  expect(await refused("/api/market/candles")).toEqual([400, ["symbol"]]);
  expect(await refused("/api/market/candles?symbol=__proto__")).toEqual([400, ["symbol"]]);
  expect(await refused("/api/market/candles?symbol=EUR/USD&interval=2m")).toEqual([400, ["interval"]]);
  expect(await refused("/api/market/candles?symbol=EUR/USD&limit=1001")).toEqual([400, ["limit"]]);
  expect(await refused("/api/market/stream?symbols=EUR/USD,nonsense")).toEqual([400, ["symbols"]]);
});

test("a stream begins with a snapshot of what was asked for, then tells what changes", async () => {
  const response = await get("/api/market/stream?symbols=EUR/USD,BTC/USD");
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk);
    if (text.includes("event: quotes")) break;
  }
  const events = text.split("\n\n").filter((part) => part.startsWith("id: "));
  const [first, second] = events.map((event) => JSON.parse(event.slice(event.indexOf("data: ") + 6)));
  expect(first.map(({ symbol }: { symbol: string }) => symbol)).toEqual(["EUR/USD", "BTC/USD"]);
  expect(Object.keys(first[0]).sort()).toEqual(["ask", "bid", "open", "seq", "stale", "symbol", "time"]);
  for (const { symbol } of second) expect(["EUR/USD", "BTC/USD"]).toContain(symbol);
  expect(streams.count).toBe(0);
});

test("hundredths are rounded half away from zero, from whole numbers alone", () => {
  expect(hundredths(6_000, 10_000)).toBe("0.60");
  expect(hundredths(5, 1_000)).toBe("0.01");
  expect(hundredths(-5, 1_000)).toBe("-0.01");
  expect(hundredths(-4, 1_000)).toBe("0.00");
  expect(hundredths(1_234_567, 1_000)).toBe("1234.57");
});
