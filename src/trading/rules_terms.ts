import { fit } from "../lib/fit";
import { cents, displayMoney, plainPrice } from "../lib/money";
import { dealDigitsOf, digitsOf } from "./rules_prices";
import { closePosition, type Position, SMALLEST_DEAL } from "./schema";

/** What an edit may change of a waiting order or an open position, and how much of one may be closed, as a form shows and sends it. */

export type Term = "triggerPrice" | "limitPrice" | "stopLoss" | "takeProfit" | "trailingDistance" | "breakEvenAt" | "expiresAt";
/** Each term as it stands in its field; empty: none. Prices and distances as decimal text, `expiresAt` as "2026-11-27T22:00", UTC. */
export type Written = Partial<Record<Term, string>>;

const DISTANCES: Term[] = ["trailingDistance", "breakEvenAt"];
const EXITS: Term[] = ["stopLoss", "takeProfit", ...DISTANCES];

/** The terms that this order or position has, in the order of their fields. What set off a stop-limit is over. */
export function termsOf({ status, orderType, setOff }: Pick<Position, "status" | "orderType" | "setOff">): Term[] {
  if (status !== "pending") return EXITS;
  const trigger: Term[] = orderType === "market" || setOff ? [] : ["triggerPrice"];
  const limit: Term[] = orderType === "stop_limit" ? ["limitPrice"] : [];
  return [...trigger, ...limit, ...EXITS, "expiresAt"];
}

/** The terms as their fields begin. */
export const writtenTerms = (position: Position): Written =>
  Object.fromEntries(
    termsOf(position).map((term) => {
      const value = position[term];
      if (value === null) return [term, ""];
      if (term === "expiresAt") return [term, value.slice(0, 16)];
      return [term, plainPrice(value, (DISTANCES.includes(term) ? digitsOf : dealDigitsOf)(position.symbol))];
    }),
  );

/**
 * What an edit sends: the terms that are not as they were `shown`, so that what the price moved meanwhile stays where it is. An empty one is
 * taken away (null).
 */
export const changedTerms = (written: Written, shown: Written): Partial<Record<Term, string | null>> =>
  Object.fromEntries(
    Object.entries(shown).flatMap(([term, before]) => {
      const now = (written[term as Term] ?? "").trim();
      if (now === before) return [];
      return [[term, now === "" ? null : term === "expiresAt" ? `${now.length === 16 ? `${now}:00` : now}Z` : now]];
    }),
  );

/**
 * Why this amount of a position can't be closed, by field and in the server's words; the mirror of SQL's trade_close, which alone knows where an
 * instrument asks for more. `written`: the call's body. Amounts in USD.
 */
export function partFaults(written: { amount: string }, whole: string): Record<string, string> {
  const shape = fit(closePosition.body, written);
  if (!shape.ok) return shape.fields;
  const [part, all] = [cents(shape.value.amount ?? whole), cents(whole)];
  if (part > all) return { amount: `The amount to close must be at most ${displayMoney(whole)}.` };
  const isTooSmall = part < all && part < BigInt(SMALLEST_DEAL * 100);
  return isTooSmall ? { amount: `The amount to close must be at least $${SMALLEST_DEAL}.00, or the whole position.` } : {};
}
