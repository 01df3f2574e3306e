import { plainPrice } from "../lib/money";
import { dealDigitsOf, digitsOf } from "./rules_prices";
import type { Position } from "./schema";

/** What an edit may change of a waiting order or an open position, as a form shows and sends it. */

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
