import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { text } from "../lib/shapes";

/** The operator's own words of letters, version by version. Which letters there are, and what their words may hold: `mail/letter_words`. */

const words = { subject: v.nullable(v.string()), body: v.nullable(v.string()) };
/** A version of a letter's words, for letters that were left from `since` on; null words: the house's own. Where it is no Markdown, it is plain paragraphs. */
export const letterVersionRow = v.strictObject({
  version: v.number(),
  ...words,
  isMarkdown: v.boolean(),
  since: v.string(),
  administrator: v.string(),
  reason: v.string(),
});
export type LetterVersion = v.InferOutput<typeof letterVersionRow>;

/** A letter as staff see it in the list. `version` 0: its words were never others. */
export const letterNowRow = v.strictObject({ letter: v.string(), version: v.number(), isOwn: v.boolean(), since: v.nullable(v.string()) });
export type StaffLetter = v.InferOutput<typeof letterNowRow> & { title: string };
export type LetterRead = {
  own: { subject: string; body: string };
  /** The placeholders that it knows, and those that its words must have. */
  known: string[];
  required: string[];
  /** The newest first, at most 50. */
  versions: LetterVersion[];
};

const lines = (most: number, required: string) =>
  v.pipe(
    v.string(required),
    v.transform((said) => said.replaceAll("\r\n", "\n").trim()),
    v.minLength(1, required),
    v.maxLength(most, `At most ${most} characters.`),
  );
const body = {
  subject: v.pipe(lines(150, "A subject is required"), v.regex(/^[^\n]*$/, "A subject has one line.")),
  body: lines(4_000, "Words are required"),
};
export const letterBody = v.object({
  ...body,
  /** The newest one that was looked at; where it is another by now, nothing changes (conflict). */
  version: v.pipe(v.union([v.string(), v.number()], "A version is required"), v.transform(Number), v.integer("version must be a whole number")),
  reason: text(500, "A reason is required"),
});
const params = v.object({ letter: v.pipe(v.string(), v.maxLength(60, "Not found.")) });
export const listLetterTexts = endpoint("GET /api/admin/letter-texts", { answer: answer<StaffLetter[]>() });
export const readLetterText = endpoint("GET /api/admin/letter-texts/:letter", { params, answer: answer<LetterRead>() });
/** The house's own words, sent as they are, are the way back to them. Letters that wait keep the words of when they were left. */
export const writeLetterText = endpoint("POST /api/admin/letter-texts/:letter", {
  params,
  body: letterBody,
  answer: answer<{ version: number }>(),
  status: 201,
});
/** The letter with facts of a sample, in the house's name: `html` for a frame of the page of texts, whose policy knows its style, `text` as programs without HTML show it. */
export const previewLetterText = endpoint("POST /api/admin/letter-texts/:letter/preview", {
  params,
  body: v.object(body),
  answer: answer<{ subject: string; html: string; text: string }>(),
});
