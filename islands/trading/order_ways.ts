import type { TradingAccount } from "../../src/accounts/schema";
import type { Quote, Side } from "../../src/trading/rules_prices";
import type { Position } from "../../src/trading/schema";
import type { ApiError } from "../wire/api";
import type { OrderFields } from "./draft";

export type Order = OrderFields & { symbol: string; side: Side; accountId: string };
/** What an order is held against: the account and the newest quote. */
export type Seen = { account: TradingAccount; quote: Quote | null };

/** An order at the market. */
export const bodyOf = ({ symbol, side, amount, stopLoss, takeProfit, accountId }: Order) => ({
  symbol,
  type: side,
  amount,
  accountId,
  stopLoss: stopLoss || null,
  takeProfit: takeProfit || null,
});

type Body = ReturnType<typeof bodyOf>;
/** How an order is checked, sent and told. */
export type Ways = {
  /** Whether the server would take it, or the messages for its fields. */
  check(order: Order, seen: Seen): { ok: true } | { ok: false; fields: Record<string, string> };
  bodyOf(order: Order, seen: Seen): Body | Promise<Body>;
  /** A refusal in the words of the screen, where they differ. */
  explained?(error: ApiError, order: Order): ApiError;
  said(order: Order, position: Position): { title: string; description: string };
  /** What the next order begins with. */
  after?(order: Order, position: Position): Partial<OrderFields>;
};
