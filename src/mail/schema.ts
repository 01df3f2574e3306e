import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { email, idParams, listQuery } from "../lib/shapes";

export const letterStates = ["waiting", "sent", "failed", "kept", "recalled"] as const;
export type LetterState = (typeof letterStates)[number];

/** A letter as staff see it listed. `answer` is what the mail server said last, or why it was not asked. */
export const letterRow = v.strictObject({
  id: v.string(),
  userId: v.nullable(v.string()),
  address: v.string(),
  kind: v.string(),
  status: v.picklist(letterStates),
  attempts: v.number(),
  dueAt: v.string(),
  answer: v.nullable(v.string()),
  createdAt: v.string(),
  endedAt: v.nullable(v.string()),
});
export type LetterRow = v.InferOutput<typeof letterRow>;

const stateQuery = v.optional(v.picklist(["all", ...letterStates], "status must be all, waiting, sent, failed, kept or recalled"), "all");
export const listLetters = endpoint("GET /api/admin/letters", {
  query: v.object({ ...listQuery.entries, status: stateQuery }),
  answer: answer<LetterRow[]>(),
});
/** What a letter says. Links that open something are masked, but in a demonstration without a mail server. */
export const readLetter = endpoint("GET /api/admin/letters/:id", {
  params: idParams,
  answer: answer<{ letter: LetterRow; subject: string; text: string; masked: boolean }>(),
});
/** Sends a letter at once and answers what the mail server said. */
export const sendTest = endpoint("POST /api/admin/letters/test", {
  body: v.object({ address: email }),
  answer: answer<{ delivered: boolean; answer: string }>(),
});
