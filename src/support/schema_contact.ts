import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { line, optionalLine } from "../lib/line";
import { asFile, days, email, idParams, listQuery, optionalText, sortedBy, type SortOf, text } from "../lib/shapes";

/** What visitors write to us by the contact form, and how staff take it up. */

export const contactBody = v.object({
  name: line(100, "Name is required"),
  email,
  subject: optionalLine(200),
  message: text(5000, "Message is required"),
});
export type ContactForm = v.InferOutput<typeof contactBody>;

export const contactStatuses = ["new", "answered", "closed"] as const;
const status = v.picklist(contactStatuses, "status must be new, answered or closed");
export type ContactStatus = (typeof contactStatuses)[number];

const nullableText = v.nullable(v.string());

/** A message as its sender gets it back. */
export const contactRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  email: v.string(),
  subject: v.string(),
  message: v.string(),
  status,
  createdAt: v.string(),
});
export type ContactMessage = v.InferOutput<typeof contactRow>;

/** As staff see it: with the account of a sender who was signed in, and the administrator who handled it, by e-mail address, with time and note. */
export const staffContactRow = v.strictObject({
  ...contactRow.entries,
  userId: nullableText,
  /** A client wrote it, or has its address: whom evidence tells of. */
  hasClient: v.boolean(),
  note: v.string(),
  handledBy: nullableText,
  handledAt: nullableText,
});
export type StaffContactMessage = v.InferOutput<typeof staffContactRow>;

export const sendContact = endpoint("POST /api/contact", { body: contactBody, answer: answer<ContactMessage>(), status: 201 });

const contactSorts = ["created", "waiting"] as const;
export type ContactOrder = SortOf<typeof contactSorts>;

/** With `format=csv` the same messages as a file. */
export const listContact = endpoint("GET /api/admin/contact-messages", {
  query: v.object({
    ...listQuery.entries,
    ...asFile,
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
    status: v.optional(v.picklist(["all", ...contactStatuses], "status must be all, new, answered or closed"), "all"),
    ...days,
    /** `waiting`: what is new first, who waits longest at the head, then what was decided, the newest first. */
    ...sortedBy(contactSorts, "-created"),
  }),
  answer: answer<StaffContactMessage[]>(),
});
export const decideContact = endpoint("POST /api/admin/contact-messages/:id", {
  params: idParams,
  body: v.object({ status, note: optionalText(500) }),
  answer: answer<StaffContactMessage>(),
});
