import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { Outcome } from "../lib/outcome";
import { days, id, idParams, listQuery, optionalText } from "../lib/shapes";

/** Documents by which people show who they are, and what staff decide about them. */

export const documentKinds = ["identity", "address", "selfie", "other"] as const;
export type DocumentKind = (typeof documentKinds)[number];
export const documentSides = ["front", "back"] as const;
export type DocumentSide = (typeof documentSides)[number];
/** Bytes of one document. */
export const DOCUMENT_LIMIT = 10 * 1024 * 1024;

/** `asked`: staff want another one in its place. */
export const documentStates = ["pending", "approved", "rejected", "asked"] as const;
export type DocumentState = (typeof documentStates)[number];

/** Why a document is not accepted; the words are what its owner reads. */
export const REASONS = {
  unreadable: "It can't be read: blurred, dark or too small.",
  cut_off: "A part of it is cut off. All four corners must be seen.",
  expired: "It has expired.",
  too_old: "It is older than three months.",
  other_name: "The name on it is another one than in your account.",
  other_kind: "It is another kind of document than was asked for.",
  one_side: "One side of it is missing.",
  altered: "It seems to have been altered.",
  other: "See the note.",
} as const;
export type ReasonCode = keyof typeof REASONS;
const reasonCodes = Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]];

export const documentForm = v.object({
  kind: v.picklist(documentKinds, "kind must be identity, address, selfie or other"),
  /** Nothing is what a form sends for a document of one side. */
  side: v.pipe(
    v.optional(v.picklist([...documentSides, ""], "side must be front or back"), ""),
    v.transform((side) => side || null),
  ),
});

const common = {
  id: v.string(),
  kind: v.picklist(documentKinds),
  side: v.nullable(v.picklist(documentSides)),
  mediaType: v.string(),
  size: v.number(),
  status: v.picklist(documentStates),
  reason: v.nullable(v.string()),
  note: v.string(),
  expiresOn: v.nullable(v.string()),
  createdAt: v.string(),
  decidedAt: v.nullable(v.string()),
};
/** A document as its owner sees it. `seen`: when staff looked at it, the newest first. */
export const documentRow = v.strictObject({ ...common, seen: v.array(v.string()) });
export type Document = v.InferOutput<typeof documentRow>;

/** How much is known of a person: 0 registered, 1 address verified, 2 identity, 3 identity and postal address. */
export const levels = [0, 1, 2, 3] as const;
export type Level = (typeof levels)[number];
export type Verification = { level: Level; identity: "pending" | "verified" | "rejected"; documents: Document[] };

export const readVerification = endpoint("GET /api/kyc", { answer: answer<Verification>() });
/** A form of one file: `kind`, `side` where it has two, and `file`. What the file is called and says to be is not looked at. */
export const sendDocument = endpoint("POST /api/kyc/documents", { answer: answer<Document>(), status: 201 });
/** The file, for its owner. */
export const readDocument = endpoint("GET /api/kyc/documents/:id", { params: idParams });

/** A document as staff see it, beside its owner. */
export const staffDocumentRow = v.strictObject({
  ...common,
  userId: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  country: v.nullable(v.string()),
  identity: v.string(),
  administrator: v.nullable(v.string()),
  views: v.number(),
});
export type StaffDocument = v.InferOutput<typeof staffDocumentRow>;

/** What waits comes with who has waited longest first; the others with what was decided last. */
export const listDocuments = endpoint("GET /api/admin/kyc", {
  query: v.object({
    ...listQuery.entries,
    ...days,
    status: v.optional(v.picklist(["all", ...documentStates], "status must be all, pending, approved, rejected or asked"), "pending"),
    q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(200, "At most 200 characters.")), ""),
  }),
  answer: answer<StaffDocument[]>(),
});
/** The file, for staff: each look is noted in the audit book, and shown to its owner. */
export const seeDocument = endpoint("GET /api/admin/kyc/documents/:id", { params: idParams });
const documentAnswer = answer<StaffDocument>();
const soon = "expiresOn must be a day to come, such as 2030-12-31";
export const approveDocument = endpoint("POST /api/admin/kyc/documents/:id/approve", {
  params: idParams,
  body: v.object({
    /** The day on which it ends, where it does. */
    expiresOn: v.pipe(
      v.optional(v.nullable(v.union([v.literal(""), v.pipe(v.string(), v.isoDate())], soon)), null),
      v.transform((day) => day || null),
      v.check((day) => day === null || (day >= new Date().toISOString().slice(0, 10) && day < "2100-01-01"), soon),
    ),
    note: optionalText(500),
  }),
  answer: documentAnswer,
});
/** The documents that were selected, each a transaction of its own; what can't be accepted is answered with why, and stops none of the others. */
export const approveDocuments = endpoint("POST /api/admin/kyc/approve", {
  once: true,
  body: v.object({
    ids: v.pipe(v.array(id, "ids must be a list"), v.minLength(1, "Select at least one document."), v.maxLength(100, "At most 100 documents at once.")),
  }),
  answer: answer<Outcome<{ id: string; userId: string }>[]>(),
});
export const refusalBody = v.object({ reason: v.picklist(reasonCodes, "Choose a reason."), note: optionalText(500) });
export const rejectDocument = endpoint("POST /api/admin/kyc/documents/:id/reject", { params: idParams, body: refusalBody, answer: documentAnswer });
/** Asks for another one in its place, also of a document that was decided about. */
export const askDocument = endpoint("POST /api/admin/kyc/documents/:id/ask", { params: idParams, body: refusalBody, answer: documentAnswer });
/** Takes the caller's own decision back within seconds. */
export const undoDocument = endpoint("POST /api/admin/kyc/documents/:id/undo", { params: idParams, answer: documentAnswer });
