import { DAY, HOUR, MINUTE } from "../lib/time";
import { type Quote, midOf } from "./board";
import { INTERVALS, type Interval } from "./schema";

/** A candle of mid prices in whole units of 10⁻⁸; `time` is its beginning, milliseconds since the epoch. */
export type Bar = { symbol: string; interval: Interval; time: number; open: number; high: number; low: number; close: number };

/** Lengths in milliseconds. Candles begin at full multiples of them in UTC, a daily one at midnight: charts show UTC. */
export const LENGTH: Record<Interval, number> = { "1m": MINUTE, "5m": 5 * MINUTE, "15m": 15 * MINUTE, "1h": HOUR, "1d": DAY };

export const candleTime = (at: number, interval: Interval): number => Math.floor(at / LENGTH[interval]) * LENGTH[interval];

/** One candle of two parts of the same time, the earlier first. */
export const joinBars = <T extends { open: number; high: number; low: number; close: number }>(earlier: T, later: T): T => ({
  ...earlier,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
});

const keyOf = (symbol: string, interval: Interval) => `${symbol} ${interval}`;

/** Builds every interval's candles from quotes as they come, and remembers which have changed since they were last taken. */
export class Candles {
  private readonly running = new Map<string, Bar>();
  private readonly changed = new Map<string, Bar>();
  private taken: readonly Bar[] = [];

  add(quote: Quote): void {
    const price = midOf(quote);
    for (const interval of INTERVALS) this.extend(quote.symbol, interval, candleTime(quote.at, interval), price);
  }

  private extend(symbol: string, interval: Interval, time: number, price: number): void {
    const key = keyOf(symbol, interval);
    const bar = this.running.get(key);
    if (bar?.time === time) {
      bar.high = Math.max(bar.high, price);
      bar.low = Math.min(bar.low, price);
      bar.close = price;
      this.changed.set(`${key} ${time}`, bar);
      return;
    }
    const begun = { symbol, interval, time, open: price, high: price, low: price, close: price };
    this.running.set(key, begun);
    this.changed.set(`${key} ${time}`, begun);
  }

  /** The candles that may not be stored yet, oldest first: the current one, and those with an unstored change. */
  unstored(symbol: string, interval: Interval): Readonly<Bar>[] {
    const bars = new Map<number, Bar>();
    for (const bar of [...this.taken, ...this.changed.values(), this.running.get(keyOf(symbol, interval))])
      if (bar?.symbol === symbol && bar.interval === interval) bars.set(bar.time, bar);
    return [...bars.values()].sort((a, b) => a.time - b.time);
  }

  get changes(): number {
    return this.changed.size;
  }

  /** The changed candles, to be stored; `settle` says whether they were. */
  take(): readonly Bar[] {
    this.taken = [...this.changed.values()].map((bar) => ({ ...bar }));
    this.changed.clear();
    return this.taken;
  }

  settle(stored: boolean): void {
    const bars = this.taken;
    this.taken = [];
    if (stored) return;
    for (const bar of bars) {
      const key = `${keyOf(bar.symbol, bar.interval)} ${bar.time}`;
      if (!this.changed.has(key)) this.changed.set(key, bar);
    }
  }
}

/** Longer candles from one-minute ones, each symbol's in the order of time. */
export function gatherBars(minutes: readonly Omit<Bar, "interval">[]): Bar[] {
  const bars = new Map<string, Bar>();
  for (const minute of minutes) {
    for (const interval of INTERVALS) {
      const time = candleTime(minute.time, interval);
      const key = `${keyOf(minute.symbol, interval)} ${time}`;
      const bar = { ...minute, interval, time };
      const earlier = bars.get(key);
      bars.set(key, earlier ? joinBars(earlier, bar) : bar);
    }
  }
  return [...bars.values()];
}
