import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { days, idParams, listQuery } from "../lib/shapes";

/** All that happened to one client, and with the client, in one list. */

export const eventKinds = ["money", "deals", "corrections", "letters", "tickets", "chats", "sign-ins", "staff"] as const;
export type EventKind = (typeof eventKinds)[number];

/** `wrong`: what a client may be angry about. `amount`: what it brought or took, where it did. */
export const eventRow = v.strictObject({
  id: v.string(),
  createdAt: v.string(),
  kind: v.picklist(eventKinds),
  title: v.string(),
  detail: v.string(),
  amount: v.nullable(v.string()),
  href: v.nullable(v.string()),
  wrong: v.boolean(),
});
export type ClientEvent = v.InferOutput<typeof eventRow>;

/** How many of a kind there are; a kind is counted up to here. */
export const MOST_COUNTED = 1000;
export const countRow = v.strictObject({ kind: v.picklist(eventKinds), count: v.number() });
export type EventCount = v.InferOutput<typeof countRow>;

/** Something of the client's that waits for staff. */
export const waitRow = v.strictObject({
  what: v.picklist(["registration", "deposit", "withdrawal", "correction", "ticket", "chat"]),
  count: v.number(),
  since: v.string(),
});
export type ClientWait = v.InferOutput<typeof waitRow>;

/** Live money alone, in USD: the wallet, all that is the client's, and that with what floats; `equity` is null without a price. */
export type ClientMoney = { wallet: string; balance: string; equity: string };
export type ClientSummary = ClientMoney & { wrong: ClientEvent | null; waits: ClientWait[] };
export type Timeline = { summary: ClientSummary; counts: EventCount[]; events: ClientEvent[]; next: string | null };

export const timelineQuery = v.object({
  ...listQuery.entries,
  ...days,
  kind: v.optional(v.picklist(["", "wrong", ...eventKinds], "kind must be one of the timeline's, or wrong"), ""),
});
export const readTimeline = endpoint("GET /api/admin/users/:id/timeline", { params: idParams, query: timelineQuery, answer: answer<Timeline>() });

// --- The client beside a conversation ------------------------------------------------------------------------------

const besideTicket = v.strictObject({
  id: v.string(),
  subject: v.string(),
  status: v.picklist(["open", "in_progress", "resolved", "closed"]),
  createdAt: v.string(),
  /** It goes on in another. */
  merged: v.boolean(),
  /** It objects to a settlement. */
  objects: v.boolean(),
});
export const standingRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  createdAt: v.string(),
  registrationStatus: v.string(),
  kycStatus: v.string(),
  accountStatus: v.string(),
  /** The highest tier among the live accounts that are open; null where there is none. */
  level: v.nullable(v.string()),
  openLive: v.number(),
  openDemo: v.number(),
  /** The last twenty, the newest first. */
  tickets: v.array(besideTicket),
});
export type BesideTicket = v.InferOutput<typeof besideTicket>;
/** `floating`: of all open live positions; null where there are none. */
export type ClientBeside = v.InferOutput<typeof standingRow> & { summary: ClientSummary; floating: string | null };
/** What whoever answers a client wants to know of the client. */
export const readBeside = endpoint("GET /api/admin/users/:id/beside", { params: idParams, answer: answer<ClientBeside>() });
