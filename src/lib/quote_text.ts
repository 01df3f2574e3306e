import { displayPrice } from "./money";

/** "1.08421" of five digits → 1.08, 42, 1: what traders read first stands out. Prices of fewer than three decimals are all head. */
export function splitPrice(value: string, digits: number): { head: string; pips: string; fraction: string } {
  const text = displayPrice(value, digits);
  const decimals = text.split(".")[1]?.length ?? 0;
  if (decimals < 3) return { head: text, pips: "", fraction: "" };
  return { head: text.slice(0, -3), pips: text.slice(-3, -1), fraction: text.slice(-1) };
}

/** The middle of bid and ask for the eye, with `digits` decimals. Never booked. */
export const midText = (bid: string, ask: string, digits: number): string => ((Number(bid) + Number(ask)) / 2).toFixed(digits);

/** How far `price` is from `from`, in percent with two decimals: "-0.12". For the eye only. */
export function percentText(price: string, from: string): string {
  const change = (Number(price) / Number(from) - 1) * 100;
  return Number.isFinite(change) ? change.toFixed(2).replace(/^-(0\.00)$/, "$1") : "0.00";
}
