import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { id, idParams, text } from "../lib/shapes";
import { inboxEntries, type InboxRow, inboxPlace } from "../support/schema_inbox";

/** What staff's queues know beside their rows: what was put away, which filters have a name, and the evidence for a decision. */

// --- Put away -------------------------------------------------------------------------------------------------------

/** What staff decide about, or read and answer: each can be put away, and has evidence. */
export const queueKinds = ["deposit", "withdrawal", "registration", "correction", "dispute", "role", "letter", "document"] as const;
export type QueueKind = (typeof queueKinds)[number];
const kind = v.picklist(queueKinds, `kind must be one of ${queueKinds.join(", ")}`);
/** An administrator put this request away until then. It waits as before, for the others and in every count. */
export const snoozeRow = v.strictObject({ kind: v.picklist(queueKinds), objectId: v.string(), adminId: v.string(), name: v.string(), until: v.string() });
export type Snooze = v.InferOutput<typeof snoozeRow>;

/** What is put away at this moment, by whomever. */
export const listSnoozes = endpoint("GET /api/admin/snoozes", { answer: answer<Snooze[]>() });
/** Puts a request away for the caller, until a moment of the next 31 days (else 400); said again, until the new moment. */
export const snooze = endpoint("POST /api/admin/snoozes", {
  body: v.object({ kind, objectId: id, until: v.pipe(v.string("Choose a time."), v.isoTimestamp("Choose a time.")) }),
  answer: answer<Snooze>(),
});
/** Takes it back before its time. */
export const unsnooze = endpoint("DELETE /api/admin/snoozes/:id", { params: idParams });

// --- The next conversation -------------------------------------------------------------------------------------------

const { q, kind: sort, priority, assignee } = inboxEntries;
/**
 * Claims for the caller the ticket or chat that waits longest beyond its promise and that no other administrator has open: of two who ask at once
 * each gets another. From the place that `cursor` names on, else from the first; null where nothing is left but one's own and what others are at.
 */
export const takeNext = endpoint("POST /api/admin/support-inbox/next", {
  body: v.object({ q, kind: sort, priority, assignee, cursor: inboxPlace }),
  answer: answer<{ next: InboxRow | null }>(),
});

// --- Filters by name ------------------------------------------------------------------------------------------------

/** `query`: what the list's address says behind its tab, "q=smith&from=2026-11-01". */
export const savedFilterRow = v.strictObject({ id: v.string(), queue: v.string(), name: v.string(), query: v.string() });
export type SavedFilter = v.InferOutput<typeof savedFilterRow>;

const queue = v.pipe(v.string("queue is not known."), v.regex(/^[a-z]{1,20}$/, "queue is not known."));
/** The caller's own, by name. */
export const listFilters = endpoint("GET /api/admin/saved-filters", { query: v.object({ queue }), answer: answer<SavedFilter[]>() });
/** Keeps a filter under a name; the one that had it is replaced. 409 beyond fifty. */
export const saveFilter = endpoint("POST /api/admin/saved-filters", {
  body: v.object({
    queue,
    name: text(60, "Give it a name."),
    query: v.pipe(v.string("Filter the list first."), v.trim(), v.minLength(1, "Filter the list first."), v.maxLength(500, "At most 500 characters.")),
  }),
  answer: answer<SavedFilter>(),
});
export const deleteFilter = endpoint("DELETE /api/admin/saved-filters/:id", { params: idParams });

// --- Evidence -------------------------------------------------------------------------------------------------------

const sum = v.strictObject({ count: v.number(), usd: v.string() });
const money = { kind: v.picklist(["deposit", "withdrawal"]), amount: v.string(), currency: v.string() };
/** What a decision on a request should rest on, beside the request itself. Amounts in USD unless a currency stands beside them; at most ten rows a list. */
export const evidenceRow = v.strictObject({
  person: v.strictObject({
    id: v.string(),
    name: v.string(),
    email: v.string(),
    createdAt: v.string(),
    registrationStatus: v.string(),
    kycStatus: v.string(),
    accountStatus: v.string(),
    lastLoginAt: v.nullable(v.string()),
  }),
  /** The highest tier among the live accounts that are open; null where there is none. */
  level: v.nullable(v.string()),
  wallet: v.string(),
  deposits: sum,
  withdrawals: sum,
  /** Requests of money that were rejected. */
  rejected: v.number(),
  /** Corrections that were carried out, and how many of them the client objected to. */
  corrections: v.number(),
  disputes: v.number(),
  /** Where a withdrawal would go: how often it was paid there before, and how many others have asked for money there. Null for all else. */
  address: v.nullable(v.strictObject({ paidBefore: v.number(), others: v.number() })),
  /** What of this person waits besides. */
  open: v.array(v.strictObject({ ...money, id: v.string(), createdAt: v.string() })),
  /** Tickets without an end. */
  tickets: v.array(v.strictObject({ id: v.string(), subject: v.string(), createdAt: v.string() })),
  /** The last requests that were decided, the newest first. */
  history: v.array(v.strictObject({ ...money, id: v.string(), status: v.string(), at: v.string() })),
  /** Staff's last notes. */
  notes: v.array(v.strictObject({ body: v.string(), administrator: v.string(), createdAt: v.string() })),
});
export type Evidence = v.InferOutput<typeof evidenceRow>;
/** Of a registration `id` is the person's. Of a letter it is the client who wrote it, or has its address; 404 where there is none. */
export const evidence = endpoint("GET /api/admin/evidence/:kind/:id", { params: v.object({ kind, id }), answer: answer<Evidence>() });
