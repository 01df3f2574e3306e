import { expect, test } from "bun:test";
import { createCipheriv } from "node:crypto";
import { DAY, HOUR, MINUTE, SECOND } from "../lib/time";
import { type Tick, midOf } from "./board";
import { STEP, Simulation, simulateHistory } from "./feed_simulator";
import { marketHours } from "./hours";
import { randomFrom } from "./random";
import { instrumentOf, instruments } from "./rules_listed";

const always = marketHours("always");
const run = (simulation: Simulation, steps: number) => Array.from({ length: steps }, (_, n) => simulation.step(n * STEP)).flat();

test("the same seed gives the same ticks, another seed others", () => {
  expect(run(new Simulation(7), 200)).toEqual(run(new Simulation(7), 200));
  expect(run(new Simulation(7), 200)).not.toEqual(run(new Simulation(8), 200));
});

test("without a seed no two simulations take the same path, from the same prices neither, and history tells nothing of what follows", () => {
  const starts = Array.from({ length: 20 }, () => new Simulation(null));
  expect(new Set(starts.map((simulation) => JSON.stringify(run(simulation, 40)))).size).toBe(20);
  const [once, again] = [new Simulation(null), new Simulation(null)].map((simulation) => {
    const bars = simulateHistory(simulation, 0, 2 * MINUTE, always);
    return { bars, next: run(simulation, 40) };
  });
  expect(once?.bars).not.toEqual(again?.bars);
  expect(once?.next).not.toEqual(again?.next);
});

test("its random numbers are the key stream of AES in counter mode: uniform, and no state of 32 bits lies behind them", () => {
  const random = randomFrom(1, "test");
  const drawn = Array.from({ length: 20_000 }, random);
  expect(drawn.every((number) => number >= 0 && number < 1)).toBe(true);
  expect(drawn.reduce((sum, number) => sum + number, 0) / drawn.length).toBeCloseTo(0.5, 1);
  expect(new Set(drawn).size).toBe(drawn.length);
  // The first block of the key stream is the key's encryption of zeros.
  const key = new Bun.CryptoHasher("sha256").update("1 test").digest().subarray(0, 16);
  const block = createCipheriv("aes-128-ecb", key, null).update(new Uint8Array(16));
  expect(drawn[0]).toBe(Number((block.readBigUInt64BE() >> 32n) >> 5n) / 2 ** 27 + (block.readUInt32BE(4) >>> 6) / 2 ** 53);
});

test("it goes on from the last prices without a jump, and not on the path it took before", () => {
  const first = run(new Simulation(7), 400);
  const last = [...new Map(first.map((tick) => [tick.symbol, tick])).values()];
  const next = new Simulation(7, last);
  for (const tick of last) {
    const instrument = instrumentOf(tick.symbol);
    if (instrument) expect(Math.abs(next.mid(instrument) / midOf(tick) - 1)).toBeLessThan(0.001);
  }
  const moves = (ticks: Tick[]) => ticks.slice(instruments.length, 80).map(({ symbol }) => symbol);
  expect(moves(run(next, 40))).not.toEqual(moves(first));
});

test("several ticks a second, each instrument long before its quote turns stale", () => {
  const seconds = 600;
  const ticks = run(new Simulation(1), (seconds * SECOND) / STEP);
  expect(ticks.length / seconds).toBeGreaterThan(5);
  expect(ticks.length / seconds).toBeLessThan(50);
  for (const { symbol } of instruments) {
    const times = ticks.filter((tick) => tick.symbol === symbol).map(({ at }) => at);
    const gaps = times.map((at, n) => at - (times[n - 1] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(3 * SECOND);
  }
});

test("quotes are plausible: on the grid of their digits, never crossed, moving by fractions of a percent, crosses in step with the majors", () => {
  const last = new Map<string, Tick>();
  for (const tick of run(new Simulation(3), 4_000)) {
    const point = (instrumentOf(tick.symbol)?.pipSize ?? 0) / 10;
    expect([tick.bid % point, tick.ask % point]).toEqual([0, 0]);
    expect(tick.bid > 0 && tick.ask > tick.bid).toBe(true);
    const before = last.get(tick.symbol);
    if (before) expect(Math.abs(midOf(tick) / midOf(before) - 1)).toBeLessThan(0.005);
    last.set(tick.symbol, tick);
  }
  const mid = (symbol: string) => midOf(last.get(symbol) as Tick) / 1e8;
  expect(mid("EUR/GBP")).toBeCloseTo(mid("EUR/USD") / mid("GBP/USD"), 3);
  expect(mid("GBP/JPY") / (mid("GBP/USD") * mid("USD/JPY"))).toBeCloseTo(1, 3);
});

test("instruments whose market is closed rest", () => {
  const ticks = Array.from({ length: 100 }, (_, n) => new Simulation(n).step(0, ({ group }) => group === "crypto")).flat();
  expect(ticks.every(({ symbol }) => instrumentOf(symbol)?.group === "crypto")).toBe(true);
});

test("a day of history is whole, joined bar to bar, and ends at the current price", () => {
  const simulation = new Simulation(5);
  const bars = simulateHistory(simulation, 0, DAY, always);
  for (const instrument of instruments) {
    const own = bars.filter(({ symbol }) => symbol === instrument.symbol);
    expect(own).toHaveLength(DAY / MINUTE);
    own.forEach((bar, n) => {
      expect(bar.time).toBe(n * MINUTE);
      if (n > 0) expect(bar.open).toBe(own[n - 1]?.close ?? 0);
      expect(bar.low <= Math.min(bar.open, bar.close) && bar.high >= Math.max(bar.open, bar.close)).toBe(true);
    });
    expect(own.at(-1)?.close).toBe(simulation.mid(instrument));
  }
});

test("history keeps the market's hours", () => {
  const saturday = Date.parse("2026-01-17T00:00:00Z");
  const bars = simulateHistory(new Simulation(5), saturday, saturday + HOUR, marketHours("real"));
  expect(new Set(bars.map(({ symbol }) => instrumentOf(symbol)?.group))).toEqual(new Set(["crypto"]));
});
