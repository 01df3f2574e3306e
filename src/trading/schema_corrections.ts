import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, id, idParams, listQuery, moneyAmount, optionalText, sortedBy, text, type SortOf } from "../lib/shapes";
import type { ClosedPosition } from "./schema";

/** Whose position it is, as staff see it. */
export const owner = {
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  accountId: v.string(),
  accountNumber: v.string(),
  isDemo: v.boolean(),
};
/** What was dealt. */
export const dealt = { symbol: v.string(), type: v.picklist(["buy", "sell"]), amount: v.string() };

/**
 * An open position as staff see it. `profit` floats; null where there is no price. `waits`: a correction waits for a second administrator.
 * `correctedAlone`: USD that who looks settled alone on live accounts of its owner within 24 hours, which counts with what comes; "0.00" on a demo account.
 */
export const staffPositionRow = v.strictObject({
  id: v.string(),
  ...owner,
  ...dealt,
  openPrice: v.nullable(v.string()),
  /** The same price under its other name; and units of the instrument: the amount by the opening price. Null until filled. */
  entryPrice: v.nullable(v.string()),
  volume: v.nullable(v.string()),
  currentPrice: v.nullable(v.string()),
  stopLoss: v.nullable(v.string()),
  takeProfit: v.nullable(v.string()),
  profit: v.nullable(v.string()),
  balance: v.string(),
  /** The account's tier, in pips: what a quote becomes for it. */
  spreadsFrom: v.string(),
  /** The version of its instrument's terms that it was opened on. */
  termsVersion: v.nullable(v.number()),
  status: v.picklist(["pending", "open"]),
  openedAt: v.nullable(v.string()),
  createdAt: v.string(),
  waits: v.boolean(),
  correctedAlone: v.string(),
});
export type StaffPosition = v.InferOutput<typeof staffPositionRow>;

const states = v.strictObject({ status: v.string(), profit: v.string() });

/** A correction that was carried out. `impact`: what the trader got more (or less) than the market's result, in USD. */
export const manipulationRow = v.strictObject({
  id: v.string(),
  positionId: v.string(),
  ...owner,
  ...dealt,
  adminUserId: v.string(),
  administrator: v.string(),
  confirmedBy: v.nullable(v.string()),
  manipulationType: v.picklist(["force_win", "force_loss"]),
  reason: v.string(),
  marketPrice: v.string(),
  marketProfit: v.string(),
  settledProfit: v.string(),
  oldValues: states,
  newValues: states,
  impact: v.string(),
  againstClient: v.boolean(),
  disputedAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Manipulation = v.InferOutput<typeof manipulationRow>;

const correctionStatuses = ["pending", "confirmed", "declined", "lapsed"] as const;
/** A correction that needs a second administrator. `lapsed`: its position closed before anybody decided. `marketProfit` is of the moment it was asked for. */
export const correctionRequestRow = v.strictObject({
  id: v.string(),
  positionId: v.string(),
  ...owner,
  ...dealt,
  status: v.picklist(correctionStatuses),
  adminUserId: v.string(),
  administrator: v.string(),
  settledProfit: v.string(),
  marketProfit: v.string(),
  /** What the market would bring at this moment; null once it no longer matters, or where there is no price. */
  marketNow: v.nullable(v.string()),
  reason: v.string(),
  decidedBy: v.nullable(v.string()),
  decisionReason: v.nullable(v.string()),
  decidedAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type CorrectionRequest = v.InferOutput<typeof correctionRequestRow>;

/** A trader's objection to a correction. */
export const disputeRow = v.strictObject({
  id: v.string(),
  positionId: v.string(),
  ...owner,
  ...dealt,
  message: v.string(),
  reason: v.string(),
  marketProfit: v.string(),
  settledProfit: v.string(),
  administrator: v.string(),
  /** The support ticket about it; objections of early days have none. */
  ticketId: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Dispute = v.InferOutput<typeof disputeRow>;

/** The first call's answer where a second administrator must agree. */
export type WaitingCorrection = {
  status: "pending_second_approval";
  id: string;
  positionId: string;
  marketProfit: string;
  settledProfit: string;
  reason: string;
  createdAt: string;
};
export type Declined = { status: "declined"; id: string; positionId: string; reason: string };
export type Disputed = { id: string; positionId: string; message: string; createdAt: string; ticketId: string };

const reason = text(500, "A reason is required");
export const forceWinBody = v.object({ reason, profit: moneyAmount("Amount is required") });
export const forceLossBody = v.object({ reason, loss: moneyAmount("Amount is required") });
export const disputeForm = v.object({ message: text(5000, "Please say what is wrong.") });
export const declineBody = v.object({ reason: optionalText(500) });

const search = {
  ...listQuery.entries,
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
};

export const forceWin = endpoint("POST /api/admin/trades/:id/force-win", {
  once: true,
  params: idParams,
  body: forceWinBody,
  answer: answer<ClosedPosition | WaitingCorrection>(),
});
export const forceLoss = endpoint("POST /api/admin/trades/:id/force-loss", {
  once: true,
  params: idParams,
  body: forceLossBody,
  answer: answer<ClosedPosition | WaitingCorrection>(),
});
export const confirmCorrection = endpoint("POST /api/admin/corrections/:id/confirm", { once: true, params: idParams, answer: answer<ClosedPosition>() });
export const declineCorrection = endpoint("POST /api/admin/corrections/:id/decline", {
  once: true,
  params: idParams,
  body: declineBody,
  answer: answer<Declined>(),
});
/** What open positions can be sorted by. */
const positionSorts = ["created", "name", "symbol", "amount", "profit"] as const;
export type PositionSort = (typeof positionSorts)[number];
export type PositionOrder = SortOf<typeof positionSorts>;
/** Which of the accounts are meant. */
export const books = ["all", "live", "demo"] as const;
export type BookChoice = (typeof books)[number];
const book = v.optional(v.picklist(books, "account must be all, live or demo"), "all");

/** With `format=csv` the same positions as a file. */
export const staffPositions = endpoint("GET /api/admin/trading-positions", {
  query: v.object({
    ...search,
    ...sortedBy(positionSorts, "-created"),
    ...asFile,
    ...days,
    symbol: v.optional(v.pipe(v.string(), v.regex(/^([A-Z]{2,6}\/[A-Z]{2,6})?$/, "symbol must be one of ours, such as EUR/USD.")), ""),
    account: book,
    side: v.optional(v.picklist(["all", "buy", "sell"], "side must be all, buy or sell"), "all"),
    userId: v.optional(id),
    status: v.optional(v.picklist(["open", "pending"], "status must be open or pending"), "open"),
    id: v.optional(id),
  }),
  answer: answer<StaffPosition[]>(),
});
/** What the lists of corrections can be sorted by. `impact`: the settled result less the market's. */
const correctionSorts = ["created", "name", "symbol", "settled", "impact"] as const;
export type CorrectionSort = (typeof correctionSorts)[number];
export type CorrectionOrder = SortOf<typeof correctionSorts>;
const corrected = { ...search, ...days, ...sortedBy(correctionSorts, "-created"), ...asFile };

/** With `format=csv` each of these lists comes as a file. */
export const manipulations = endpoint("GET /api/admin/trades/manipulations", {
  query: v.object(corrected),
  answer: answer<Manipulation[]>(),
});
export const listCorrections = endpoint("GET /api/admin/corrections", {
  query: v.object({
    ...corrected,
    status: v.optional(v.picklist([...correctionStatuses, "all"], "status must be pending, confirmed, declined, lapsed or all"), "pending"),
  }),
  answer: answer<CorrectionRequest[]>(),
});
export const listDisputes = endpoint("GET /api/admin/disputes", { query: v.object(corrected), answer: answer<Dispute[]>() });
export const disputeCorrection = endpoint("POST /api/trading/positions/:id/dispute", {
  params: idParams,
  // Whose position it is comes before what is said of it.
  body: v.object({ message: optionalText(5000) }),
  answer: answer<Disputed>(),
  status: 201,
});

/**
 * What clients hold of one symbol, in USD of notional value; `net` is long less short, `profit` what they would gain now; `live` of the open
 * positions are on live accounts. `limit` is the bound that
 * staff are warned at, and `liveNet` what it is held against: long less short on live accounts, whichever accounts are meant.
 */
export const exposureRow = v.strictObject({
  symbol: v.string(),
  long: v.string(),
  short: v.string(),
  net: v.string(),
  positions: v.number(),
  live: v.number(),
  profit: v.nullable(v.string()),
  liveNet: v.string(),
  limit: v.nullable(v.string()),
});
export type Exposure = v.InferOutput<typeof exposureRow>;
export const listExposure = endpoint("GET /api/admin/exposure", { query: v.object({ account: book }), answer: answer<Exposure[]>() });

/** An account with margin in use; `marginLevel` in per cent. */
export const marginRow = v.strictObject({
  id: v.string(),
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  accountNumber: v.string(),
  isDemo: v.boolean(),
  equity: v.string(),
  margin: v.string(),
  marginLevel: v.string(),
  positions: v.number(),
});
export type MarginAccount = v.InferOutput<typeof marginRow>;
/** The six accounts nearest to stop-out, the nearest first. */
export const nearStopOut = endpoint("GET /api/admin/margin-levels", { query: v.object({ account: book }), answer: answer<MarginAccount[]>() });
