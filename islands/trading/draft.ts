import { instrumentOf } from "../../src/market/rules_listed";
import { ORDER_TYPE_WORDS, type Side } from "../../src/trading/rules_prices";
import type { OrderValues } from "../../src/trading/rules_written";
import { keep, kept } from "../wire/kept";

/** What a person has filled in; empty and missing are the same. */
export type OrderFields = OrderValues;
export type Draft = { fields: OrderFields; symbol: string; side: Side };

/** One draft for each account: both order panels show the same. */
const nameOf = (accountId: string) => `order ${accountId}`;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 40;

/** The unsent order of this account; null where there is none, or it can't be read. */
export function draftOf(accountId: string): Draft | null {
  const draft = (kept(nameOf(accountId)) ?? {}) as Partial<Draft>;
  const { symbol, side, fields } = draft;
  if (!isText(symbol) || !instrumentOf(symbol) || !fields || !(fields.orderType in ORDER_TYPE_WORDS)) return null;
  if (![fields.amount, fields.stopLoss, fields.takeProfit, ...Object.values(fields)].every(isText)) return null;
  return { symbol, side: side === "sell" ? "sell" : "buy", fields };
}

/** Keeps what is written over a reload; null: it was sent, or taken back. */
export const keepDraft = (accountId: string, draft: Draft | null) => keep(nameOf(accountId), draft);
