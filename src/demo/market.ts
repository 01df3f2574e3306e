import { DAY, HOUR, MINUTE } from "../lib/time";
import { Board, type Quote } from "../market/board";
import { type Bar, gatherBars } from "../market/candles";
import { type MinuteBar, Simulation, simulateHistory } from "../market/feed_simulator";
import type { MarketHours } from "../market/hours";
import { forgetCandles, lastQuotes, reserveTickNumbers, saveBatch } from "../market/queries";
import type { StoredInterval } from "../market/rules_intervals";
import { instrumentOf } from "../market/rules_listed";
import type { Db } from "../platform/database/db";

/** How far back candles of each length are kept; longer ones tell of the time before. */
const KEPT: Record<StoredInterval, number> = { "1m": 24 * HOUR, "5m": 4 * 24 * HOUR, "15m": 8 * 24 * HOUR, "1h": Infinity, "1d": Infinity };
const BATCH = 10_000;

/**
 * The months' prices, walked back from the last known ones, so that they end where the simulator goes on. A walk that pulls to its start looks
 * the same from either end.
 */
export class ToldMarket {
  readonly board: Board;
  private now: number;
  private readonly simulation: Simulation;
  /** Each looked-at minute's closing mids, in the order of what the simulation quotes. */
  private readonly mids = new Map<number, number[]>();

  private constructor(
    private readonly sql: Db,
    seed: number | null,
    known: Quote[],
    private readonly hours: MarketHours,
    readonly end: number,
  ) {
    this.now = end;
    this.simulation = new Simulation(seed, known);
    this.board = new Board({ hours, clock: () => this.now, freshness: "feed", time: "real", onFault: raise });
  }

  /** Walks `[end - span, end)` and stores its candles; minutes of `samples` can be quoted afterwards. */
  static async walk(
    sql: Db,
    { seed, hours, end, span, samples }: { seed: number | null; hours: MarketHours; end: number; span: number; samples: readonly number[] },
  ) {
    const known = await lastQuotes(sql, "simulator");
    const market = new ToldMarket(sql, seed, known, hours, end);
    const numbers = await reserveTickNumbers(sql);
    if (known.length === 0) await market.leaveQuotes(numbers.first);
    market.board.adoptSequence(numbers.first + market.simulation.quoted.length, numbers.size - market.simulation.quoted.length);
    await forgetCandles(sql, "simulator", end);
    await market.tell(span, new Set(samples));
    return market;
  }

  clock = (): number => this.now;

  /** Puts the board to a minute that was asked for in `samples`. */
  turnTo(minute: number): void {
    this.now = minute;
    const mids = this.mids.get(minute);
    if (!mids) throw new RangeError("this minute was not looked at");
    for (const [n, instrument] of this.simulation.quoted.entries())
      if (this.hours(instrument, minute)) this.board.accept(this.simulation.around(instrument, mids[n] ?? 0, minute));
  }

  private async tell(span: number, samples: ReadonlySet<number>): Promise<void> {
    let next = 0;
    for (let back = 0; back < span; back = next) {
      // Up to a midnight (UTC), so that no candle is stored in two parts: the later part would count as the earlier.
      next = Math.min(span, back + ((this.end - back) % DAY || DAY));
      // The walk goes back in time: its first minute is the last one told, each bar turned round.
      const bars = simulateHistory(this.simulation, back, next, () => true).map((bar) => this.turned(bar));
      this.keepMids(bars, samples);
      const told = bars.filter(({ symbol, time }) => this.openAt(symbol, time)).reverse();
      await this.store(gatherBars(told).filter(({ interval, time }) => this.end - time <= KEPT[interval]));
    }
  }

  private turned({ symbol, time, open, high, low, close }: MinuteBar): MinuteBar {
    return { symbol, time: this.end - time - MINUTE, open: close, high, low, close: open };
  }

  private openAt(symbol: string, time: number): boolean {
    const instrument = instrumentOf(symbol);
    return instrument !== undefined && this.hours(instrument, time);
  }

  private keepMids(bars: readonly MinuteBar[], samples: ReadonlySet<number>): void {
    const { length } = this.simulation.quoted;
    for (let at = 0; at < bars.length; at += length) {
      const minute = bars[at]?.time ?? 0;
      if (samples.has(minute))
        this.mids.set(
          minute,
          bars.slice(at, at + length).map(({ close }) => close),
        );
    }
  }

  private async store(candles: readonly Bar[]): Promise<void> {
    for (let from = 0; from < candles.length; from += BATCH)
      await saveBatch(this.sql, "simulator", { ticks: [], quotes: [], candles: candles.slice(from, from + BATCH) });
  }

  /** In a database without prices: where the walk starts, and the simulator goes on. */
  private async leaveQuotes(first: number): Promise<void> {
    const quotes = this.simulation.quoted.map((instrument, n) => ({
      ...this.simulation.around(instrument, this.simulation.mid(instrument), this.end),
      seq: first + n,
      receivedAt: this.end,
    }));
    await saveBatch(this.sql, "simulator", { ticks: [], quotes, candles: [] });
  }
}

function raise(error: unknown): never {
  throw error;
}
