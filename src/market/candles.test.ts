import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { type Bar, Candles, gatherBars } from "./candles";
import type { Quote } from "./board";
import { readTicks } from "./feed_replay";
import { candleEnd, candleStart, LENGTH, STORED_INTERVALS } from "./rules_intervals";
import { INTERVALS } from "./schema";

const file = Bun.file(resolve(import.meta.dir, "../testing/ticks/eurusd-2020-01-01.csv"));

async function quotesOf(blob: Blob): Promise<Quote[]> {
  const quotes: Quote[] = [];
  for await (const tick of readTicks(blob)) quotes.push({ ...tick, seq: quotes.length + 1, receivedAt: tick.at });
  return quotes;
}

test("the candles of a real night agree with ones computed in another way", async () => {
  const quotes = await quotesOf(file);
  const candles = new Candles();
  for (const quote of quotes) candles.add(quote);
  const bars = candles.take();
  for (const interval of STORED_INTERVALS) {
    const groups = Map.groupBy(quotes, ({ at }) => at - (at % LENGTH[interval]));
    const expected = [...groups].map(([time, group]) => {
      const mids = group.map(({ bid, ask }) => Math.round((bid + ask) / 2));
      return { symbol: "EUR/USD", interval, time, open: mids[0], high: Math.max(...mids), low: Math.min(...mids), close: mids.at(-1) };
    });
    expect(bars.filter((bar) => bar.interval === interval)).toEqual(expected as Bar[]);
  }
  const minutes = bars.filter(({ interval }) => interval === "1m");
  const sorted = (list: readonly Bar[]) => list.toSorted((a, b) => `${a.interval} ${a.time}`.localeCompare(`${b.interval} ${b.time}`));
  expect(sorted(gatherBars(minutes))).toEqual(sorted(bars));
});

test("what was taken and not stored is taken again", () => {
  const candles = new Candles();
  const quote = (at: number, price: number): Quote => ({ symbol: "EUR/USD", bid: price, ask: price, at, seq: at, receivedAt: at });
  candles.add(quote(1_000, 10));
  const first = candles.take();
  expect(candles.changes).toBe(0);
  candles.add(quote(2_000, 20));
  candles.settle(false);
  expect(candles.take()).toContainEqual({ symbol: "EUR/USD", interval: "1m", time: 0, open: 10, high: 20, low: 10, close: 20 });
  candles.settle(true);
  candles.take();
  candles.settle(false);
  expect(candles.changes).toBe(0);
  expect(first).toContainEqual({ symbol: "EUR/USD", interval: "1m", time: 0, open: 10, high: 10, low: 10, close: 10 });
});

test("a candle that ended is told until it is stored", () => {
  const candles = new Candles();
  const times = () => candles.unstored("EUR/USD", "1m").map(({ time }) => time);
  for (const at of [0, 60_000, 120_000]) candles.add({ symbol: "EUR/USD", bid: 1, ask: 1, at, seq: at, receivedAt: at });
  expect(times()).toEqual([0, 60_000, 120_000]);
  candles.take();
  expect(times()).toEqual([0, 60_000, 120_000]);
  candles.settle(true);
  expect(times()).toEqual([120_000]);
  expect(candles.unstored("BTC/USD", "1m")).toEqual([]);
});

test("candles begin at full UTC times", () => {
  const at = Date.parse("2026-07-15T13:37:42.5Z");
  const text = (time: number) => new Date(time).toISOString().slice(0, 16);
  const of = (symbol: string) => INTERVALS.map((interval) => [text(candleStart(at, interval, symbol)), text(candleEnd(at, interval, symbol))]);
  const coin = [
    ["2026-07-15T13:37", "2026-07-15T13:38"],
    ["2026-07-15T13:35", "2026-07-15T13:40"],
    ["2026-07-15T13:30", "2026-07-15T13:45"],
    ["2026-07-15T13:30", "2026-07-15T14:00"],
    ["2026-07-15T13:00", "2026-07-15T14:00"],
    ["2026-07-15T12:00", "2026-07-15T16:00"],
    ["2026-07-15T00:00", "2026-07-16T00:00"],
    ["2026-07-13T00:00", "2026-07-20T00:00"],
    ["2026-07-01T00:00", "2026-08-01T00:00"],
  ];
  expect(of("BTC/USD")).toEqual(coin);
  // A pair's week opens on Sunday evening.
  expect(of("EUR/USD")).toEqual(coin.with(7, ["2026-07-12T00:00", "2026-07-19T00:00"]));
  expect(text(candleStart(Date.parse("2026-03-08T21:00Z"), "1w", "EUR/USD"))).toBe("2026-03-08T00:00");
});
