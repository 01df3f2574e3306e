import { type Quote, midOf } from "./board";
import { type StoredInterval, STORED_INTERVALS, candleStart } from "./rules_intervals";

/** A candle of mid prices in whole units of 10⁻⁸; `time` is its beginning, milliseconds since the epoch. */
export type Bar = { symbol: string; interval: StoredInterval; time: number; open: number; high: number; low: number; close: number };

/** One candle of two parts of the same time, the earlier first. */
export const joinBars = <T extends { open: number; high: number; low: number; close: number }>(earlier: T, later: T): T => ({
  ...earlier,
  high: Math.max(earlier.high, later.high),
  low: Math.min(earlier.low, later.low),
  close: later.close,
});

const keyOf = (symbol: string, interval: StoredInterval) => `${symbol} ${interval}`;

/** Builds every interval's candles from quotes as they come, and remembers which have changed since they were last taken. */
export class Candles {
  private readonly running = new Map<string, Bar>();
  private readonly changed = new Map<string, Bar>();
  private taken: readonly Bar[] = [];

  add(quote: Quote): void {
    const price = midOf(quote);
    for (const interval of STORED_INTERVALS) this.extend(quote.symbol, interval, candleStart(quote.at, interval, quote.symbol), price);
  }

  private extend(symbol: string, interval: StoredInterval, time: number, price: number): void {
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
  unstored(symbol: string, interval: StoredInterval): Readonly<Bar>[] {
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
    for (const interval of STORED_INTERVALS) {
      const time = candleStart(minute.time, interval, minute.symbol);
      const key = `${keyOf(minute.symbol, interval)} ${time}`;
      const bar = { ...minute, interval, time };
      const earlier = bars.get(key);
      bars.set(key, earlier ? joinBars(earlier, bar) : bar);
    }
  }
  return [...bars.values()];
}
