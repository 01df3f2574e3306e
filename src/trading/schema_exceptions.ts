import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, idParams, listQuery, sortedBy, type SortOf, text } from "../lib/shapes";
import { dealt, owner } from "./schema_corrections";

/** The day's exceptions: fills that need a look, and every correction; each reviewed by an administrator, once, with a note. */

/** A fill on a tick that was received longer ago, in ms, is an exception: a quiet symbol has none for a second or two. */
export const OLD_TICK_MS = 3000;
/** So is one that differs from the requested price by more than this, in hundredths of a per cent. */
export const SLIPPAGE_POINTS = 5;

const reasons = ["outside_range", "old_tick", "slippage", "correction"] as const;
export type ExceptionReason = (typeof reasons)[number];
export const exceptionRow = v.strictObject({
  id: v.string(),
  positionId: v.string(),
  ...owner,
  ...dealt,
  kind: v.picklist(["open", "close", "correction"]),
  reasons: v.array(v.picklist(reasons)),
  price: v.string(),
  /** Of a fill: ms from its tick's receipt, and how much worse than requested it is, in hundredths of a per cent. */
  quoteAgeMs: v.nullable(v.number()),
  slippagePoints: v.nullable(v.string()),
  /** The prices that the minute of its tick can explain; null where no candle of it is kept. */
  low: v.nullable(v.string()),
  high: v.nullable(v.string()),
  settledProfit: v.nullable(v.string()),
  marketProfit: v.nullable(v.string()),
  reviewedBy: v.nullable(v.string()),
  note: v.nullable(v.string()),
  reviewedAt: v.nullable(v.string()),
  createdAt: v.string(),
});
export type Exception = v.InferOutput<typeof exceptionRow>;

const sorts = ["created", "name", "symbol"] as const;
export type ExceptionSort = (typeof sorts)[number];
export type ExceptionOrder = SortOf<typeof sorts>;
/** Of the days from `from` to `to`, in UTC and both included, or of `day`; of today where none is said. With `format=csv` the same as a file. */
export const listExceptions = endpoint("GET /api/admin/exceptions", {
  query: v.object({
    ...listQuery.entries,
    ...sortedBy(sorts, "-created"),
    ...asFile,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    ...days,
    day: v.optional(v.union([v.literal(""), v.pipe(v.string(), v.isoDate())], "A day is written as 2026-11-21."), ""),
    review: v.optional(v.picklist(["all", "open", "done"], "review must be all, open or done"), "all"),
  }),
  answer: answer<Exception[]>(),
});
export const reviewBody = v.object({ note: text(500, "A note is required") });
/** Refuses (conflict) what is reviewed, and (forbidden) a correction of one's own or of one's own position. */
export const reviewException = endpoint("POST /api/admin/exceptions/:id/review", { params: idParams, body: reviewBody, answer: answer<Exception>() });
