import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { instantOrNone, text, yesOrNo } from "../lib/shapes";

/** The operator's own texts of the site's pages, as Markdown, version by version. */

export const textPages = ["terms", "privacy", "payment-policy", "about", "faq"] as const;
export type TextPage = (typeof textPages)[number];

/** A version of a page's text. It holds from `since` on, until the next one does. */
export const textVersionRow = v.strictObject({
  version: v.number(),
  body: v.string(),
  mustAccept: v.boolean(),
  since: v.string(),
  administrator: v.nullable(v.string()),
  reason: v.string(),
  createdAt: v.string(),
});
export type TextVersion = v.InferOutput<typeof textVersionRow>;

/** A page as staff see it in the list: the version that holds (null: the program's own text), and one that waits for its day. */
export const staffTextRow = v.strictObject({
  page: v.picklist(textPages),
  version: v.nullable(v.number()),
  since: v.nullable(v.string()),
  nextVersion: v.nullable(v.number()),
  nextSince: v.nullable(v.string()),
  /** Of the terms: how many people accepted the version that holds. */
  accepted: v.number(),
});
export type StaffText = v.InferOutput<typeof staffTextRow>;

const LONGEST = 40_000;
const body = v.pipe(
  v.string("A text is required"),
  v.transform((said) => said.replaceAll("\r\n", "\n").trim()),
  v.minLength(1, "A text is required"),
  v.maxLength(LONGEST, `At most ${LONGEST.toLocaleString("en")} characters.`),
);
export const publishBody = v.object({
  body,
  /** Asks everybody who is signed in to accept it; of the terms alone. */
  mustAccept: v.optional(yesOrNo, false),
  /** From when it holds; nothing: at once. */
  effectiveAt: v.optional(instantOrNone, null),
  reason: text(500, "A reason is required"),
});
const params = v.object({ page: v.picklist(textPages, "Not found.") });
export const listTexts = endpoint("GET /api/admin/pages", { answer: answer<StaffText[]>() });
/** The versions of a page, the newest first, at most 50; `own`: the program's own text as Markdown, null where it is more than text. */
export const readText = endpoint("GET /api/admin/pages/:page", { params, answer: answer<{ page: TextPage; own: string | null; versions: TextVersion[] }>() });
/** 201. Refuses (conflict) one that would hold before a version that waits. */
export const publishText = endpoint("POST /api/admin/pages/:page", { params, body: publishBody, answer: answer<TextVersion>(), status: 201 });
export const previewText = endpoint("POST /api/admin/pages/:page/preview", { params, body: v.object({ body }), answer: answer<{ html: string }>() });

/** That the caller accepts the terms of this version. Refuses (conflict) one that does not hold any more. */
export const acceptTerms = endpoint("POST /api/user/terms", {
  body: v.object({ version: v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer("version must be a whole number")) }),
  answer: answer<{ version: number }>(),
});
