import * as v from "valibot";
import type { MarginStep } from "./rules_margin_steps";
import { answer, endpoint } from "../lib/endpoint";
import { symbolField } from "../market/schema";
import { id, idParams, listQuery, moneyAmount, price } from "../lib/shapes";
import type { Proof, TickProof } from "../proof/schema";
import { sinceQuery } from "../proof/schema_since";

export const orderTypes = ["market", "limit", "stop", "stop_limit"] as const;
export type OrderType = (typeof orderTypes)[number];
/** Why a waiting order ended unfilled. */
export const cancelCodes = [
  "trader",
  "insufficient_margin",
  "expired",
  "oco",
  "suspended",
  "price_moved",
  "too_many_positions",
  "close_only",
  "instrument_limit",
] as const;

/**
 * A position or a waiting order. `currentPrice` is what it would close at now; `profit` floats until it is closed. Prices and
 * distances are decimal strings. Of an order that a price moves, `stopLoss` is where the stop loss stands now.
 */
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
  /** What it was charged beside its result, in USD; null or missing: nothing. */
  charges?: string | null;
  /** What its nights brought it, in USD, below zero what they cost; null or missing: nothing. */
  swap?: string | null;
  /** The version of its account's group that it was opened on; null while it waits, and where it was another group's. */
  groupVersion?: number | null;
  /** The version of its instrument's terms that it was opened on; null while it waits, and before there was any. */
  termsVersion?: number | null;
  status: "pending" | "open" | "closed" | "cancelled";
  openedAt: string | null;
  closePrice: string | null;
  closedAt: string | null;
  closeReason: CloseReason | null;
  createdAt: string;
  orderType: OrderType;
  /** The account's price that fills a limit and sets off a stop or a stop-limit; null for an order at the market. */
  triggerPrice: string | null;
  /** Of a stop-limit: the limit that it becomes. */
  limitPrice: string | null;
  /** A stop-limit that was set off waits as a limit at `limitPrice`. */
  setOff: boolean;
  /** Null: until cancelled. */
  expiresAt: string | null;
  /** So far behind the closing side's best price does the stop loss follow it. */
  trailingDistance: string | null;
  /** Where a stop loss that follows stands; null while the order waits, and where none follows. */
  trailingStop: string | null;
  /** So much in profit the stop loss goes to the opening price, once. */
  breakEvenAt: string | null;
  /** The stop loss went there. */
  brokeEven: boolean;
  ocoGroup: string | null;
  /** Why it ended unfilled: one of `cancelCodes`; a sentence where it ended before there were codes. */
  cancelReason: string | null;
  /** In USD, where margin lacked. */
  cancelFigures: { needed: string; free: string } | null;
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
export type FillTerms = {
  version: number;
  minimum: string | null;
  step: string | null;
  maximum: string | null;
  marginPercent: string | null;
  marginSteps: MarginStep[] | null;
  clientLimit: string | null;
  /** Pips. */
  markup: string | null;
};
export type Fill = {
  kind: "open" | "close";
  at: string;
  quoteId: number;
  quoteTime: string;
  quoteAgeMs: number;
  bid: string;
  ask: string;
  tierSpreadPips: string;
  /** Exactly so wide, whatever the market's; else at least. */
  spreadFixed: boolean;
  requestedPrice: string | null;
  price: string;
  slippage: string | null;
  amount: string;
  margin: string;
  /** What the account held open of the instrument on that side just before, which counts where the margin goes by size; else null. */
  held: string | null;
  profit: string | null;
  /** In USD, beside the result; its rate for each $100,000, and the group and version of the terms. Null where it was free. */
  commission: string | null;
  commissionRate: string | null;
  groupTerms: string | null;
  reason: string | null;
  /** Of the account when a stop-out closed the position: level in percent, equity and used margin in USD; else null. */
  marginLevel: string | null;
  equity: string | null;
  usedMargin: string | null;
  /** How the instrument was dealt then; null where it had no terms of its own. */
  terms: FillTerms | null;
  /** Who did it, in words: the trader, the engine, an administrator. */
  by: string;
  /** That the log holds this fill, and the tick that it was dealt on; null until it does, or for ever: `proofWord` then says which. */
  proof: Proof | null;
  quote: TickProof | null;
  proofWord: string | null;
};
/** A night that a position was held over; `night` is New York's date of its 17:00. Money in USD, below zero where the position paid. */
export type SwapNight = {
  night: string;
  /** On the triple day three. */
  nights: number;
  held: string;
  /** `fee`: for each $100,000. */
  unit: "points" | "percent" | "fee";
  rate: string;
  groupTerms: string;
  due: string;
  /** What of it was booked: an account pays no more than it has. */
  amount: string;
  /** What the house advanced of the rest, which the account's next results repay; "0.00" in nights from before it did. */
  advanced: string;
};
export type Receipt = {
  position: ClosedPosition;
  accountNumber: string;
  isDemo: boolean;
  fills: Fill[];
  /** Oldest first. Those of a part stay with the position that it was a part of. */
  nights: SwapNight[];
  /**
   * The part of the loss that the house carried (negative balance protection); below zero where a profit repaid an earlier one. The balance
   * moved by profit and this.
   */
  covered: string;
  /** As the position's. */
  cancelReason: string | null;
  /** The same in words. */
  cancelText: string | null;
  /** The tick that it was placed on; null for a waiting order of early days. Market prices, without the tier's spread. */
  placed: { at: string; quoteId: number; quoteTime: string; bid: string; ask: string } | null;
  /** What it waited for; null for an order at the market. */
  trigger: { price: string; limitPrice: string | null } | null;
  /** Each move of the stop loss that the price made, oldest first. */
  moves: { kind: "trail" | "break_even"; quoteId: number; time: string; level: string }[];
  /** The margin call before the stop-out that closed the position. */
  marginCall: { at: string; level: string; equity: string; usedMargin: string } | null;
};

export const Side = v.picklist(["buy", "sell"], "type must be buy or sell");
const exit = v.optional(v.nullable(price), null);
/** The client's own prices are only a hint of what it saw; what can't be read as a price is ignored, as the rules say. */
const seen = v.optional(v.fallback(v.nullable(price), null), null);

/** The smallest order, and part of a position, in USD; an instrument may ask for more. */
export const SMALLEST_DEAL = 10;
const dealAmount = (required: string) =>
  v.pipe(
    moneyAmount(required),
    v.check((amount) => Number(amount) >= SMALLEST_DEAL, `The amount must be at least $${SMALLEST_DEAL}.00.`),
  );

/** What every order says; `openPrice` and `status` from the client are ignored. */
export const orderEntries = {
  symbol: v.pipe(v.string("Choose an instrument"), v.maxLength(20, "Choose an instrument")),
  type: Side,
  amount: dealAmount("Please enter a valid trade amount"),
  accountId: v.optional(v.nullable(id), null),
  currentPrice: seen,
  stopLoss: exit,
  takeProfit: exit,
  maxSlippage: v.optional(v.nullable(v.union([price, v.literal(0), v.literal("0")], "maxSlippage must be a price distance")), null),
};
/** An order at the market, as the order panel checks it. What the server takes is more: `schema_orders.ts`, which pages load later. */
export const orderBody = v.pipe(
  v.object(orderEntries),
  v.forward(
    v.check(({ maxSlippage, currentPrice }) => maxSlippage === null || currentPrice !== null, "currentPrice must be the price that maxSlippage counts from"),
    ["currentPrice"],
  ),
);

export const placeOrder = endpoint("POST /api/trading/positions", { once: true, body: orderBody, answer: answer<Position>(), status: 201 });
export const openPositions = endpoint("GET /api/trading/positions/open", { answer: answer<Position[]>() });
export const editPosition = endpoint("PATCH /api/trading/positions/:id", {
  params: idParams,
  body: v.object({ stopLoss: v.optional(v.nullable(price)), takeProfit: v.optional(v.nullable(price)) }),
  answer: answer<Position>(),
});
export const closePosition = endpoint("POST /api/trading/positions/:id/close", {
  once: true,
  params: idParams,
  body: v.object({ amount: v.optional(v.nullable(moneyAmount("Enter the amount to close")), null), currentPrice: seen }),
  answer: answer<Position>(),
});
export const cancelOrder = endpoint("POST /api/trading/positions/:id/cancel", { params: idParams, answer: answer<Position>() });
export const closeAll = endpoint("POST /api/trading/positions/close-all", {
  once: true,
  body: v.object({ accountId: v.optional(v.nullable(id), null) }),
  answer: answer<{ closed: Position[]; refused: { id: string; symbol: string; message: string }[] }>(),
});
const secondsField = v.optional(v.pipe(v.string(), v.regex(/^\d{1,11}$/, "since and until must be Unix seconds."), v.transform(Number)));
/** `since` and `until`: only those that were opened or closed from then on, and before then. */
export const positionHistory = endpoint("GET /api/trading/positions/history", {
  query: v.object({ ...listQuery.entries, accountId: v.optional(id), symbol: v.optional(symbolField), since: secondsField, until: secondsField }),
  answer: answer<ClosedPosition[]>(),
});
export const receipt = endpoint("GET /api/trading/positions/:id/receipt", { params: idParams, answer: answer<Receipt>() });
/** The receipt's proof as a file, which a verifier checks; with `since` also that the log only grew from that many records on. Answers 503 until the log has it. */
export const receiptProof = endpoint("GET /api/trading/positions/:id/proof", { params: idParams, query: sinceQuery });
