import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, id, idParams, listQuery, moneyAmount, text } from "../lib/shapes";

/** How many of each wait for staff; `support`: tickets and chats that wait for an answer. */
export type Waiting = {
  deposits: number;
  withdrawals: number;
  registrations: number;
  corrections: number;
  support: number;
  documents: number;
  signatures: number;
};

export const waitingCounts = endpoint("GET /api/admin/waiting", { answer: answer<Waiting>() });

/** The event of the signed-in's stream that tells staff which of their lists changed: `{ changed: StaffTopic[] }`. */
export const staffEvent = "desk";
export type StaffTopic =
  | "deposit"
  | "withdrawal"
  | "person"
  | "correction"
  | "trade"
  | "claim"
  | "snooze"
  | "setting"
  | "account"
  | "ticket"
  | "chat"
  | "contact"
  | "day"
  | "role"
  | "signature";
export type StaffChange = { changed: StaffTopic[] };

/** What approving a deposit would do at this moment, in USD: the credit, the person's bonuses in sum, and what goes to the referrer. */
export type DepositForecast = { creditsUsd: string; bonus: string; referral: string | null };
/** Answers 409 where it is decided already, and 503 `stale_price` where its currency has no current price. */
export const depositForecast = endpoint("GET /api/admin/deposits/:id/forecast", { params: idParams, answer: answer<DepositForecast>() });

/** What approving several deposits in one go would do, in USD: the credits, how many of them earn a bonus and the sum of these, and what goes to referrers. */
export type DepositsForecast = { creditsUsd: string; bonuses: { count: number; usd: string }; referrals: string };
export const depositsForecast = endpoint("POST /api/admin/deposits/forecast", {
  body: v.object({
    ids: v.pipe(v.array(id, "ids must be a list"), v.minLength(1, "Select at least one deposit."), v.maxLength(100, "At most 100 deposits at once.")),
  }),
  answer: answer<DepositsForecast>(),
});

// --- Who is looking at what -----------------------------------------------------------------------------------------

export const claimKinds = ["deposit", "withdrawal", "registration", "correction", "ticket", "chat", "document", "letter", "role"] as const;
export type ClaimKind = (typeof claimKinds)[number];
/**
 * An administrator has this request open, and touched it last at `touchedAt`. It forbids nothing, and is over at `expiresAt` unless it is said
 * again: five minutes after the last touch at the latest.
 */
export const claimRow = v.strictObject({
  kind: v.picklist(claimKinds),
  objectId: v.string(),
  adminId: v.string(),
  name: v.string(),
  touchedAt: v.string(),
  expiresAt: v.string(),
});
export type Claim = v.InferOutput<typeof claimRow>;

export const listClaims = endpoint("GET /api/admin/claims", { answer: answer<Claim[]>() });
/** So many seconds after its administrator last touched what it is on, a claim is over. */
export const CLAIM_IDLE_SECONDS = 300;
/** Claims a request for the caller, for the next 45 seconds; `idle`: how many seconds ago it was last touched. Answers all claims on it. */
export const claim = endpoint("POST /api/admin/claims", {
  body: v.object({
    kind: v.picklist(claimKinds, `kind must be one of ${claimKinds.join(", ")}`),
    objectId: id,
    idle: v.optional(
      v.pipe(
        v.number("idle must be seconds"),
        v.integer("idle must be seconds"),
        v.minValue(0, "idle must be seconds"),
        v.maxValue(CLAIM_IDLE_SECONDS, "idle must be seconds"),
      ),
      0,
    ),
  }),
  answer: answer<Claim[]>(),
});
/** Gives the caller's claim on this request up. */
export const release = endpoint("DELETE /api/admin/claims/:id", { params: idParams });

/** The event that tells the other administrators who writes an answer to which ticket or chat, and who does no longer. Nothing of it is kept. */
export const writingEvent = "writing";
export type Writing = { objectId: string; adminId: string; name: string; draft: boolean };
/** The caller has a draft, or has none any more, of an answer to the ticket or chat of this id. */
export const sayWriting = endpoint("POST /api/admin/typing", {
  body: v.object({ objectId: id, draft: v.boolean("draft must be true or false") }),
});

// --- Settings of the panel ------------------------------------------------------------------------------------------

/** `confirmAbove`: requests above so many USD are approved by typing their amount. */
export type Settings = { confirmAbove: string };
export const readSettings = endpoint("GET /api/admin/settings", { answer: answer<Settings>() });
export const changeSettings = endpoint("PATCH /api/admin/settings", {
  body: v.object({ confirmAbove: moneyAmount("Amount is required") }),
  answer: answer<Settings>(),
});

/** For how many hours a group's worse terms wait where somebody holds a position. */
export type NoticeHours = { hours: number };
const HOURS = "A whole number of hours from 1 to 720.";
export const noticeBody = v.object({
  hours: v.pipe(v.union([v.string(), v.number()], HOURS), v.transform(Number), v.integer(HOURS), v.minValue(1, HOURS), v.maxValue(720, HOURS)),
  reason: text(500, "A reason is required"),
});
export const readNoticeHours = endpoint("GET /api/admin/terms-notice", { answer: answer<NoticeHours>() });
/** What was announced before keeps its time. */
export const changeNoticeHours = endpoint("PATCH /api/admin/terms-notice", { body: noticeBody, answer: answer<NoticeHours>() });

// --- Staff notes ----------------------------------------------------------------------------------------------------

/** What an administrator wrote about a person, for the others. It is never changed or removed. */
export const noteRow = v.strictObject({ id: v.string(), body: v.string(), administrator: v.string(), createdAt: v.string() });
export type StaffNote = v.InferOutput<typeof noteRow>;
export const listNotes = endpoint("GET /api/admin/users/:id/notes", { params: idParams, query: listQuery, answer: answer<StaffNote[]>() });
export const noteBody = v.object({ body: text(5000, "Write something first.") });
export const writeNote = endpoint("POST /api/admin/users/:id/notes", {
  once: true,
  params: idParams,
  body: noteBody,
  answer: answer<StaffNote>(),
  status: 201,
});

// --- Overview -------------------------------------------------------------------------------------------------------

/** The business at this moment; amounts in USD. */
export type Overview = {
  users: number;
  registrations: number;
  pendingDeposits: number;
  pendingWithdrawals: number;
  withdrawalsHeld: string;
  openLive: number;
  openDemo: number;
  clientMoney: string;
};
/** With `format=csv` the last thirty days as a file. */
export const readOverview = endpoint("GET /api/admin/overview", { query: v.object(asFile), answer: answer<Overview>() });
/** One day in UTC, "2026-11-21". `revenue` is what the house earned on live accounts. */
export type Day = { day: string; registrations: number; deposits: string; withdrawals: string; revenue: string };
