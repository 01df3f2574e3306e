import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, listQuery, moneyAmount, text } from "../lib/shapes";

/** How many of each wait for staff; `support`: tickets and chats that wait for an answer. */
export type Waiting = { deposits: number; withdrawals: number; registrations: number; corrections: number; support: number };

export const waitingCounts = endpoint("GET /api/admin/waiting", { answer: answer<Waiting>() });

/** The event of the signed-in's stream that tells staff which of their lists changed: `{ changed: DeskTopic[] }`. */
export const deskEvent = "desk";
export type DeskTopic = "deposit" | "withdrawal" | "person" | "correction" | "trade" | "claim" | "setting" | "account" | "ticket" | "chat" | "contact";
export type DeskChange = { changed: DeskTopic[] };

/** What approving a deposit would do at this moment, in USD: the credit, the person's bonuses in sum, and what goes to the referrer. */
export type DepositForecast = { creditsUsd: string; bonus: string; referral: string | null };
/** Answers 409 where it is decided already, and 503 `stale_price` where its currency has no current price. */
export const depositForecast = endpoint("GET /api/admin/deposits/:id/forecast", { params: idParams, answer: answer<DepositForecast>() });

// --- Who is looking at what -----------------------------------------------------------------------------------------

const claimKinds = ["deposit", "withdrawal", "registration", "correction"] as const;
export type ClaimKind = (typeof claimKinds)[number];
/** An administrator has this request open. It forbids nothing, and is over at `expiresAt` unless it is said again. */
export const claimRow = v.strictObject({ kind: v.picklist(claimKinds), objectId: v.string(), adminId: v.string(), name: v.string(), expiresAt: v.string() });
export type Claim = v.InferOutput<typeof claimRow>;

export const listClaims = endpoint("GET /api/admin/claims", { answer: answer<Claim[]>() });
/** Says that the caller looks at it, for the next 45 seconds. Answers who does. */
export const claim = endpoint("POST /api/admin/claims", {
  body: v.object({ kind: v.picklist(claimKinds, "kind must be deposit, withdrawal, registration or correction"), objectId: id }),
  answer: answer<Claim[]>(),
});
/** The caller no longer looks at the request of this id. */
export const release = endpoint("DELETE /api/admin/claims/:id", { params: idParams });

// --- Settings of the panel ------------------------------------------------------------------------------------------

/** `confirmAbove`: requests above so many USD are approved by typing their amount. */
export type Settings = { confirmAbove: string };
export const readSettings = endpoint("GET /api/admin/settings", { answer: answer<Settings>() });
export const changeSettings = endpoint("PATCH /api/admin/settings", {
  body: v.object({ confirmAbove: moneyAmount("Amount is required") }),
  answer: answer<Settings>(),
});

// --- Staff notes ----------------------------------------------------------------------------------------------------

/** What an administrator wrote about a person, for the others. It is never changed or removed. */
export const noteRow = v.strictObject({ id: v.string(), body: v.string(), administrator: v.string(), createdAt: v.string() });
export type StaffNote = v.InferOutput<typeof noteRow>;
export const listNotes = endpoint("GET /api/admin/users/:id/notes", { params: idParams, query: listQuery, answer: answer<StaffNote[]>() });
export const noteBody = v.object({ body: text(5000, "Write something first.") });
export const writeNote = endpoint("POST /api/admin/users/:id/notes", { params: idParams, body: noteBody, answer: answer<StaffNote>(), status: 201 });

// --- Overview -------------------------------------------------------------------------------------------------------

/** The house at this moment; amounts in USD. */
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
export const readOverview = endpoint("GET /api/admin/overview", { answer: answer<Overview>() });
/** One day in UTC, "2026-11-21". `revenue` is what the house earned on live accounts. */
export type Day = { day: string; registrations: number; deposits: string; withdrawals: string; revenue: string };
