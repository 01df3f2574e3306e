import { displayPrice } from "./money";

/**
 * "1.08421" of five digits → 1.08, 42, 1: what traders read first stands out, and what is finer than a pip is raised. Prices of
 * instruments with fewer than three decimals are all head. `decimals`: how many are written, where that is more than the market's.
 */
export function splitPrice(value: string, digits: number, decimals = digits): { head: string; pips: string; fraction: string } {
  const text = displayPrice(value, decimals);
  const dot = text.indexOf(".");
  if (dot < 0 || digits < 3) return { head: text, pips: "", fraction: "" };
  const pip = dot + digits;
  return { head: text.slice(0, pip - 2), pips: text.slice(pip - 2, pip), fraction: text.slice(pip) };
}

/** The middle of bid and ask for the eye, with `digits` decimals. Never booked. */
export const midText = (bid: string, ask: string, digits: number): string => ((Number(bid) + Number(ask)) / 2).toFixed(digits);

/** A width in pips as spreads are written, "3.3" or "1.0": with a second decimal only where it has one. */
export const pipsFigure = (pips: string | number): string => displayPrice(Number(pips).toFixed(2), 1);
/** The same with its unit, which after a decimal stands in the plural: "1.0 pips". */
export const pipsText = (pips: string | number): string => `${pipsFigure(pips)} pips`;

/** How far `price` is from `from`, in percent with two decimals: "-0.12". For the eye only. */
export function percentText(price: string, from: string): string {
  const change = (Number(price) / Number(from) - 1) * 100;
  return Number.isFinite(change) ? change.toFixed(2).replace(/^-(0\.00)$/, "$1") : "0.00";
}

const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

/** How long ago an instant was, in one unit ("12 s old", "3 min old"), or since when where that is days; `now` in milliseconds. */
export function ageText(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  if (seconds < MINUTE_S) return `${seconds} s old`;
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min old`;
  if (seconds < 2 * DAY_S) return `${Math.floor(seconds / HOUR_S)} h old`;
  return `of ${time.slice(0, 10)}`;
}
