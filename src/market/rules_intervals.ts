import { DAY, HOUR, MINUTE } from "../lib/time";
import { instrumentOf, isForex } from "./rules_listed";
import { type Interval } from "./schema";

/** The lengths whose candles are stored as ticks come; the others are joined from these when they are asked for. */
export const STORED_INTERVALS = ["1m", "5m", "15m", "1h", "1d"] as const;
export type StoredInterval = (typeof STORED_INTERVALS)[number];

/** In milliseconds; of a month the longest, which only bounds how much is read. */
export const LENGTH: Record<Interval, number> = {
  "1m": MINUTE,
  "5m": 5 * MINUTE,
  "15m": 15 * MINUTE,
  "30m": 30 * MINUTE,
  "1h": HOUR,
  "4h": 4 * HOUR,
  "1d": DAY,
  "1w": 7 * DAY,
  "1M": 31 * DAY,
};

/** Of which stored candles one of this length is made. */
export const MADE_OF: Record<Interval, StoredInterval> = {
  "1m": "1m",
  "5m": "5m",
  "15m": "15m",
  "30m": "15m",
  "1h": "1h",
  "4h": "1h",
  "1d": "1d",
  "1w": "1d",
  "1M": "1d",
};

/**
 * The day (UTC) from which weeks are counted. A pair's week is its trading week, which opens on Sunday at 17:00 in New York, still Sunday in
 * UTC; with weeks from Monday those hours would close the week before, across the weekend's gap. A coin's week begins on Monday.
 */
export function weekOrigin(symbol: string): number {
  const instrument = instrumentOf(symbol);
  return (instrument && isForex(instrument) ? 3 : 4) * DAY;
}

/** The beginning of the candle that holds `at`, in milliseconds since the epoch: a full multiple of its length in UTC, the first of a month, or a week's first day. */
export function candleStart(at: number, interval: Interval, symbol: string): number {
  if (interval === "1M") return monthStart(at, 0);
  const origin = interval === "1w" ? weekOrigin(symbol) : 0;
  return Math.floor((at - origin) / LENGTH[interval]) * LENGTH[interval] + origin;
}

/** Where the candle after the one that holds `at` begins. */
export const candleEnd = (at: number, interval: Interval, symbol: string): number =>
  interval === "1M" ? monthStart(at, 1) : candleStart(at, interval, symbol) + LENGTH[interval];

function monthStart(at: number, later: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + later, 1);
}
