import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { line } from "../lib/line";
import { id, idParams, listQuery, optionalText, text } from "../lib/shapes";

/** Support tickets, as their owner and staff see them. */

export const categories = ["technical", "financial", "account", "trading", "general"] as const;
export const priorities = ["low", "medium", "high", "urgent"] as const;
export const ticketStatuses = ["open", "in_progress", "resolved", "closed"] as const;
export type Category = (typeof categories)[number];
export type Priority = (typeof priorities)[number];
export type TicketStatus = (typeof ticketStatuses)[number];

const nullableText = v.nullable(v.string());

const ticketEntries = {
  id: v.string(),
  userId: v.string(),
  subject: v.string(),
  /** What the owner wrote first; all that came later is in the conversation. */
  message: v.string(),
  category: v.picklist(categories),
  priority: v.picklist(priorities),
  status: v.picklist(ticketStatuses),
  /** The newest answer of staff, and when it was given. */
  adminResponse: nullableText,
  respondedAt: nullableText,
  assignedTo: nullableText,
  resolvedBy: nullableText,
  resolvedAt: nullableText,
  /** The position whose settlement it objects to. */
  positionId: nullableText,
  /** Staff answered, and the owner has not looked yet. */
  isUnread: v.boolean(),
  /** The ticket in which it goes on: staff merged it into another of the same person. */
  mergedInto: v.nullable(v.strictObject({ id: v.string(), subject: v.string() })),
  createdAt: v.string(),
  updatedAt: v.string(),
};
export const ticketRow = v.strictObject(ticketEntries);
export type Ticket = v.InferOutput<typeof ticketRow>;

/** The ticket in which it was written, and that one's subject where it was merged into the one that shows it. */
const written = { ticketId: v.string(), mergedFrom: nullableText };
export const replyRow = v.strictObject({
  id: v.string(),
  ...written,
  message: v.string(),
  isFromStaff: v.boolean(),
  /** The names of who wrote it. */
  author: v.string(),
  createdAt: v.string(),
});
export type TicketReply = v.InferOutput<typeof replyRow>;

export const fileRow = v.strictObject({
  id: v.string(),
  ...written,
  name: v.string(),
  mediaType: v.string(),
  /** In bytes. */
  size: v.number(),
  isFromStaff: v.boolean(),
  author: v.string(),
  createdAt: v.string(),
});
export type TicketFile = v.InferOutput<typeof fileRow>;

/** A ticket that was merged into the one that shows it. */
export const mergedRow = v.strictObject({ id: v.string(), subject: v.string(), mergedAt: v.string() });

/** A ticket with what was said and sent about it after its first message, and in those that were merged into it, oldest first. */
export type Thread = { replies: TicketReply[]; files: TicketFile[]; merged: v.InferOutput<typeof mergedRow>[] };
export type TicketThread = Ticket & Thread;

const ALL_REQUIRED = "Subject, message, and category are required.";
const category = v.picklist(categories, ALL_REQUIRED);
const priority = v.picklist(priorities, "priority must be low, medium, high or urgent");
export const ticketBody = v.object({
  subject: line(200, ALL_REQUIRED),
  message: text(5000, ALL_REQUIRED),
  category,
  priority: v.optional(priority, "medium"),
});
export const replyForm = v.object({ message: text(5000, "Please write a reply.") });

export const listTickets = endpoint("GET /api/support/tickets", { query: listQuery, answer: answer<Ticket[]>() });
export const createTicket = endpoint("POST /api/support/tickets", { once: true, body: ticketBody, answer: answer<Ticket>(), status: 201 });
export const readTicket = endpoint("GET /api/support/tickets/:id", { params: idParams, answer: answer<TicketThread>() });
/** What is written to a ticket that was merged goes to the one that it was merged into, which `ticketId` then names. */
export const replyToTicket = endpoint("POST /api/support/tickets/:id/replies", {
  once: true,
  params: idParams,
  // An empty one is refused after the ticket was looked for: nobody learns of another's.
  body: v.object({ message: optionalText(5000) }),
  answer: answer<TicketReply>(),
  status: 201,
});
/** 409 where it is closed already, or was merged into another. */
export const closeTicket = endpoint("POST /api/support/tickets/:id/close", { once: true, params: idParams, answer: answer<Ticket>() });
/** What staff said that the person has not seen: tickets with a new answer, and messages of the chat. */
export const unreadSupport = endpoint("GET /api/support/unread", { answer: answer<{ count: number }>() });
/** The owner has seen the newest answer. */
export const markTicketRead = endpoint("POST /api/support/tickets/:id/read", { params: idParams, answer: answer<Ticket>() });

/** The name of a file that is sent. */
export const fileName = v.optional(
  v.pipe(
    v.string(),
    v.transform((name) =>
      name
        .replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\/]/g, "")
        .trim()
        .slice(-200),
    ),
  ),
  "",
);
/** The body is the file as it is: a PNG, JPEG or WebP image or a PDF of at most 5 MB. */
export const attachFile = endpoint("POST /api/support/tickets/:id/files", {
  params: idParams,
  query: v.object({ name: fileName }),
  answer: answer<TicketFile>(),
  status: 201,
});
/** For the ticket's owner and for staff. */
export const readFile = endpoint("GET /api/support/tickets/:id/files/:fileId", { params: v.object({ id, fileId: id }) });
