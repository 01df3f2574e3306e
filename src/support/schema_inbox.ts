import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, id, idParams, idText, listQuery, sortedBy, text, type SortOf } from "../lib/shapes";
import { categories, fileName, priorities, type Thread, type TicketFile, ticketRow, ticketStatuses } from "./schema";

/** The support inbox: what staff see of tickets and do with them. */

const nullableText = v.nullable(v.string());

/** A ticket with its owner, its assignee, the time since which the owner waits for staff (null: not now), and the number of messages. */
export const staffTicketRow = v.strictObject({
  ...ticketRow.entries,
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  assigneeName: nullableText,
  resolverName: nullableText,
  waitingSince: nullableText,
  messages: v.number(),
  /** Counts up with each change. A decision that names the one it was made on is refused (409) when there was another since. */
  version: v.number(),
});
export type StaffTicket = v.InferOutput<typeof staffTicketRow>;
export type StaffThread = StaffTicket & Thread;

const ticketSorts = ["created", "updated", "waiting", "priority"] as const;
export type TicketOrder = SortOf<typeof ticketSorts>;

const oneOf = <const L extends readonly string[]>(name: string, list: L) => v.optional(v.picklist(["all", ...list], `${name} is not known.`), "all");

/** With `format=csv` the same tickets as a file. */
export const staffTickets = endpoint("GET /api/admin/support-tickets", {
  query: v.object({
    ...listQuery.entries,
    ...asFile,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    /** `active`: open or in progress. */
    status: oneOf("status", ["active", ...ticketStatuses]),
    priority: oneOf("priority", priorities),
    category: oneOf("category", categories),
    ...days,
    /** `me`: the caller's; `none`: nobody's. */
    assignee: v.optional(v.union([v.picklist(["all", "me", "none"]), id], "assignee is not known."), "all"),
    /** `waiting`: who waits longest first; a minus turns an order round. */
    ...sortedBy(ticketSorts, "-created"),
  }),
  answer: answer<StaffTicket[]>(),
});
export const staffTicket = endpoint("GET /api/admin/support-tickets/:id", { params: idParams, answer: answer<StaffThread>() });

/** What is left out stays as it is; `assignedTo: null` gives it to nobody. Answers 409 to a click that came too late. */
export const decideTicket = endpoint("POST /api/admin/support-tickets/:id", {
  once: true,
  params: idParams,
  body: v.object({
    status: v.optional(v.nullable(v.picklist(ticketStatuses, "status must be open, in_progress, resolved or closed"))),
    adminResponse: v.optional(v.nullable(v.pipe(v.string("This must be text."), v.trim(), v.maxLength(5000, "At most 5000 characters.")))),
    assignedTo: v.optional(v.nullable(idText("This must be an administrator."))),
    version: v.optional(v.pipe(v.number("version must be a whole number"), v.safeInteger("version must be a whole number"), v.minValue(1))),
  }),
  answer: answer<StaffTicket>(),
});

/** As many as one call can merge. */
export const MOST_MERGED = 20;
/**
 * Merges tickets into the one that the address names: what was said in them is shown in it, and they are closed for good. 422 where one is
 * another person's, 409 where one was merged already or objects to a settlement.
 */
export const mergeTickets = endpoint("POST /api/admin/support-tickets/:id/merge", {
  once: true,
  params: idParams,
  body: v.object({
    tickets: v.pipe(
      v.array(idText("tickets must be ids of tickets."), "Choose the tickets to merge."),
      v.minLength(1, "Choose the tickets to merge."),
      v.maxLength(MOST_MERGED, `At most ${MOST_MERGED} tickets at once.`),
    ),
  }),
  answer: answer<StaffTicket>(),
});

/** Sends the owner a file: the body is the file as it is, of the kinds that traders may send. 409 where the ticket is closed. */
export const sendTicketFile = endpoint("POST /api/admin/support-tickets/:id/files", {
  params: idParams,
  query: v.object({ name: fileName }),
  answer: answer<TicketFile>(),
  status: 201,
});

// --- Tickets and chats in one list ---------------------------------------------------------------------------------

export const inboxStates = ["waiting", "all", "resolved"] as const;
/**
 * A ticket or a chat. `text`: the subject, of a chat the beginning of its newest message. `since`: since when its person waits for staff, and
 * `due` until when an answer was promised; both null where nothing waits. `place`: by which the list goes, in microseconds.
 */
export const inboxRow = v.strictObject({
  kind: v.picklist(["ticket", "chat"]),
  id: v.string(),
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  text: v.string(),
  /** Null of a chat. */
  priority: v.nullable(v.picklist(priorities)),
  status: v.picklist([...ticketStatuses, "ended"]),
  since: nullableText,
  due: nullableText,
  at: v.string(),
  /** Who has it: of a chat, who answered last. */
  assigneeName: nullableText,
  /** When a chat was ended. */
  endedAt: nullableText,
  place: v.number(),
});
export type InboxRow = v.InferOutput<typeof inboxRow>;

export const inboxEntries = {
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
  /** `waiting`: needs an answer, the most overdue first; the others what was touched last first. `resolved`: or closed, or ended. */
  state: v.optional(v.picklist(inboxStates, "state must be waiting, all or resolved"), "waiting"),
  kind: v.optional(v.picklist(["all", "ticket", "chat"], "kind must be all, ticket or chat"), "all"),
  priority: oneOf("priority", priorities),
  /** `me`: the caller's; `none`: nobody's. A chat is whose answer in it is the newest. */
  assignee: v.optional(v.picklist(["all", "me", "none"], "assignee must be all, me or none"), "all"),
};
/** Opaque: what `X-Next-Cursor` said. */
export const inboxPlace = v.optional(v.pipe(v.string(), v.regex(/^-?\d{1,18}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "cursor is not valid.")));
export const supportInbox = endpoint("GET /api/admin/support-inbox", {
  query: v.object({ ...inboxEntries, limit: listQuery.entries.limit, cursor: inboxPlace }),
  answer: answer<InboxRow[]>(),
});

/** Who tickets can be given to. */
export const agentRow = v.strictObject({ id: v.string(), name: v.string(), email: v.string() });
export type Agent = v.InferOutput<typeof agentRow>;
export const listAgents = endpoint("GET /api/admin/support-agents", { answer: answer<Agent[]>() });

/** Answers that staff keep ready. */
export const cannedRow = v.strictObject({
  id: v.string(),
  title: v.string(),
  body: v.string(),
  updatedBy: v.string(),
  updatedAt: v.string(),
  version: v.number(),
});
export type CannedAnswer = v.InferOutput<typeof cannedRow>;
export const cannedForm = v.object({ title: text(100, "A title is required"), body: text(5000, "An answer is required") });
const version = v.optional(v.pipe(v.number("version must be a whole number"), v.safeInteger("version must be a whole number"), v.minValue(1)));
export const listCanned = endpoint("GET /api/admin/canned-answers", { answer: answer<CannedAnswer[]>() });
export const createCanned = endpoint("POST /api/admin/canned-answers", { body: cannedForm, answer: answer<CannedAnswer>(), status: 201 });
export const changeCanned = endpoint("PATCH /api/admin/canned-answers/:id", {
  params: idParams,
  body: v.object({ ...cannedForm.entries, version }),
  answer: answer<CannedAnswer>(),
});
export const deleteCanned = endpoint("DELETE /api/admin/canned-answers/:id", { params: idParams });
