import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, listQuery, moneyAmount, price } from "../lib/shapes";

/** A position or a waiting order. `currentPrice` is what it would close at now; `profit` floats until it is closed. */
export type Position = {
  id: string;
  accountId: string;
  symbol: string;
  type: "buy" | "sell";
  amount: string;
  volume: string | null;
  openPrice: string | null;
  entryPrice: string | null;
  currentPrice: string | null;
  stopLoss: string | null;
  takeProfit: string | null;
  profit: string | null;
  status: "pending" | "open" | "closed" | "cancelled";
  openedAt: string | null;
  closePrice: string | null;
  closedAt: string | null;
  closeReason: CloseReason | null;
};
export const closeReasons = ["trader", "stop_loss", "take_profit", "stop_out", "admin"] as const;
type CloseReason = (typeof closeReasons)[number];
/** A settlement by an administrator, as its trader reads it for ever. `disputedAt`: when the trader objected, in which support ticket. */
export type Correction = {
  reason: string;
  marketProfit: string;
  settledProfit: string;
  administrator: string;
  at: string;
  disputedAt: string | null;
  /** Objections of early days have none. */
  ticketId?: string | null;
};
export type ClosedPosition = Position & { correction: Correction | null };

/** One fill as the receipt shows it: the quote it was made from and what was asked for. Prices as decimal strings. */
export type Fill = {
  kind: "open" | "close";
  at: string;
  quoteId: number;
  quoteTime: string;
  quoteAgeMs: number;
  bid: string;
  ask: string;
  tierSpreadPips: string;
  requestedPrice: string | null;
  price: string;
  slippage: string | null;
  amount: string;
  margin: string;
  profit: string | null;
  reason: string | null;
  /** Of the account when a stop-out closed the position: level in percent, equity and used margin in USD; else null. */
  marginLevel: string | null;
  equity: string | null;
  usedMargin: string | null;
  /** Who did it, in words: the trader, the engine, an administrator. */
  by: string;
};
export type Receipt = {
  position: ClosedPosition;
  accountNumber: string;
  isDemo: boolean;
  fills: Fill[];
  /** What of the loss the house carried (negative balance protection); below zero where a profit repaid what it carried before. The balance moved by profit and this. */
  covered: string;
  cancelReason: string | null;
  /** The margin call before the stop-out that closed the position. */
  marginCall: { at: string; level: string; equity: string; usedMargin: string } | null;
};

export const Side = v.picklist(["buy", "sell"], "type must be buy or sell");
const exit = v.optional(v.nullable(price), null);
/** The client's own prices are only a hint of what it saw; what can't be read as a price is ignored, as the rules say. */
const seen = v.optional(v.fallback(v.nullable(price), null), null);

/** The shape of an order, as the server takes it and the order panel checks it; `openPrice` and `status` from the client are ignored. */
export const orderBody = v.object({
  symbol: v.pipe(v.string("Choose an instrument"), v.maxLength(20, "Choose an instrument")),
  type: Side,
  amount: moneyAmount("Please enter a valid trade amount"),
  accountId: v.optional(v.nullable(id), null),
  currentPrice: seen,
  stopLoss: exit,
  takeProfit: exit,
  maxSlippage: v.optional(v.nullable(v.union([price, v.literal(0), v.literal("0")], "maxSlippage must be a price distance")), null),
});

export const placeOrder = endpoint("POST /api/trading/positions", { body: orderBody, answer: answer<Position>(), status: 201 });
export const openPositions = endpoint("GET /api/trading/positions/open", { answer: answer<Position[]>() });
export const editPosition = endpoint("PATCH /api/trading/positions/:id", {
  params: idParams,
  body: v.object({ stopLoss: v.optional(v.nullable(price)), takeProfit: v.optional(v.nullable(price)) }),
  answer: answer<Position>(),
});
export const closePosition = endpoint("POST /api/trading/positions/:id/close", {
  params: idParams,
  body: v.object({ amount: v.optional(v.nullable(moneyAmount("Enter the amount to close")), null), currentPrice: seen }),
  answer: answer<Position>(),
});
export const cancelOrder = endpoint("POST /api/trading/positions/:id/cancel", { params: idParams, answer: answer<Position>() });
export const closeAll = endpoint("POST /api/trading/positions/close-all", {
  body: v.object({ accountId: v.optional(v.nullable(id), null) }),
  answer: answer<{ closed: Position[]; refused: { id: string; symbol: string; message: string }[] }>(),
});
export const positionHistory = endpoint("GET /api/trading/positions/history", {
  query: v.object({ ...listQuery.entries, accountId: v.optional(id) }),
  answer: answer<ClosedPosition[]>(),
});
export const receipt = endpoint("GET /api/trading/positions/:id/receipt", { params: idParams, answer: answer<Receipt>() });
