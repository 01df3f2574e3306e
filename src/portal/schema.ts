import * as v from "valibot";
import type { Financials } from "../accounts/schema";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams } from "../lib/shapes";
import type { activityRow, monthRow, recordRow, resultRow } from "./schema_rows";

export const EVENT_ID = /^[\w.:-]{1,100}$/;

/**
 * The signed-in's one stream of events. `as` is the person whom the page was made for: where the session is another's by now, the stream says
 * `other-session` and ends. `quotes=slow` is for a browser that saves data. `since` is the id of the last event heard, for a new connection;
 * one that the browser resumes by itself sends Last-Event-ID.
 */
export const myStream = endpoint("GET /api/stream", {
  query: v.object({
    as: v.optional(id),
    quotes: v.optional(v.picklist(["live", "slow"], "quotes must be live or slow"), "live"),
    since: v.optional(v.pipe(v.string(), v.regex(EVENT_ID, "since must be the id of an event"))),
  }),
});

/** Positions open now and closed, how many of those with a profit, and that in per cent. Waiting orders are in none of the counts. */
export type TradeRecord = v.InferOutput<typeof recordRow>;

/** Booked on live accounts since the first of the month (UTC), in USD, and in per cent of the money without it; null where there was none. */
export type MonthResult = v.InferOutput<typeof monthRow>;

/** Something that a person did; `subject` in words that follow its kind, amounts in USD unless the subject names another currency. */
export type Activity = v.InferOutput<typeof activityRow>;

/** What home and dashboard say of a person beside accounts and positions: money, the month, the record of live and of demo trades, the last actions. */
export type Overview = { financials: Financials; month: MonthResult; live: TradeRecord; demo: TradeRecord; activity: Activity[] };
export const getOverview = endpoint("GET /api/overview", { answer: answer<Overview>() });

/** How one account traded: closed positions, those with a profit, their share in per cent, and what all of them brought in USD. */
export type AccountResult = v.InferOutput<typeof resultRow>;
export const getAccountResult = endpoint("GET /api/trading-accounts/:id/result", { params: idParams, answer: answer<AccountResult>() });
