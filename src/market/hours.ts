import { newYorkClock } from "../lib/time";
import { type Instrument, isForex } from "./schema";

/** When an instrument trades; `at` in milliseconds since the epoch. */
export type MarketHours = (instrument: Instrument, at: number) => boolean;

/**
 * Forex trades from Sunday 17:00 to Friday 17:00 on New York's wall clock, daylight saving included, and not on
 * 25 December nor 1 January (the whole calendar day in New York).
 */
export function isForexOpen(at: number): boolean {
  const { weekday, month, day, hour } = newYorkClock(at);
  if ((month === 12 && day === 25) || (month === 1 && day === 1)) return false;
  if (weekday === 6) return false;
  if (weekday === 5) return hour < 17;
  if (weekday === 0) return hour >= 17;
  return true;
}

/** Crypto always trades; forex by its hours, or always where the operator says so (MARKET_HOURS). */
export const marketHours =
  (mode: "real" | "always"): MarketHours =>
  (instrument, at) =>
    mode === "always" || !isForex(instrument) || isForexOpen(at);
