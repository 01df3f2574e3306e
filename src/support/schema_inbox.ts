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

/** Sends the owner a file: the body is the file as it is, of the kinds that traders may send. 409 where the ticket is closed. */
export const sendTicketFile = endpoint("POST /api/admin/support-tickets/:id/files", {
  params: idParams,
  query: v.object({ name: fileName }),
  answer: answer<TicketFile>(),
  status: 201,
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
