import { instrumentOf } from "../../src/market/schema";
import type { Side } from "../../src/trading/rules_prices";
import { keep, kept } from "../wire/kept";

/** What a person has filled in; empty stop and target mean none. */
export type OrderFields = { amount: string; stopLoss: string; takeProfit: string };
export type Draft = { fields: OrderFields; symbol: string; side: Side };

/** One draft for each account: both order panels show the same. */
const nameOf = (accountId: string) => `order ${accountId}`;
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 40;

/** The unsent order of this account; null where there is none, or it can't be read. */
export function draftOf(accountId: string): Draft | null {
  const draft = (kept(nameOf(accountId)) ?? {}) as Partial<Draft>;
  const { symbol, side, fields } = draft;
  const { amount, stopLoss, takeProfit } = fields ?? {};
  if (!isText(symbol) || !instrumentOf(symbol) || !isText(amount) || !isText(stopLoss) || !isText(takeProfit)) return null;
  return { symbol, side: side === "sell" ? "sell" : "buy", fields: { amount, stopLoss, takeProfit } };
}

/** Keeps what is written over a reload; null: it was sent, or taken back. */
export const keepDraft = (accountId: string, draft: Draft | null) => keep(nameOf(accountId), draft);
