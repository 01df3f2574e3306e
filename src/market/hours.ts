import { newYorkClock, zoneOffset } from "../lib/time";
import { hoursOf } from "./listings";
import { isInHours } from "./rules_hours";
import { type Instrument, isForex } from "./rules_listed";

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

/** An instrument trades by its own hours, else crypto always and forex by those above; all of them always where the operator says so (MARKET_HOURS). */
export const marketHours =
  (mode: "real" | "always"): MarketHours =>
  (instrument, at) => {
    if (mode === "always") return true;
    const own = hoursOf(instrument.symbol);
    return own ? isInHours(own, at + zoneOffset(at, own.zone)) : !isForex(instrument) || isForexOpen(at);
  };
