import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { asFile, days, listQuery } from "../lib/shapes";

/** The longest that a page's address is kept. */
const PAGE_LENGTH = 512;

const said = (max: number) =>
  v.optional(
    v.nullable(
      v.pipe(
        v.string("This must be text."),
        v.transform((text) => text.slice(0, max)),
      ),
      "",
    ),
    "",
  );

/** What a page says of its visit. Only `page` is needed; the time that counts is the server's, and `userAgent` is the request's own. */
const trackBody = v.object({
  page: v.pipe(
    v.string("page is required"),
    v.trim(),
    v.minLength(1, "page is required"),
    v.transform((page) => page.slice(0, PAGE_LENGTH).toWellFormed()),
  ),
  userAgent: said(512),
  timestamp: said(64),
  device: said(20),
  screenResolution: said(32),
  timezone: said(64),
  /** The visitor is still on that page and opened nothing new. */
  still: v.optional(v.boolean("still must be true or false"), false),
});

/** A page that a visitor opened. `ip` is null after thirty days, `country` a code of two letters, where it is known. */
export const visitorRow = v.strictObject({
  id: v.string(),
  ip: v.nullable(v.string()),
  country: v.nullable(v.string()),
  page: v.string(),
  device: v.picklist(["mobile", "tablet", "desktop"]),
  isNewVisitor: v.boolean(),
  timestamp: v.string(),
});
export type Visitor = v.InferOutput<typeof visitorRow>;

/** Who is there: seen within five minutes, and in all today (UTC). */
export type Present = { online: number; today: number };
/** The first event of the stream. */
export type VisitorSnapshot = Present & { recent: Visitor[] };

export const trackVisit = endpoint("POST /api/admin/visitors/track", { body: trackBody });
export const onlineCount = endpoint("GET /api/admin/visitors/online-count", { answer: answer<{ count: number }>() });
/** With `format=csv` the same visits as a file. */
export const listVisitors = endpoint("GET /api/admin/visitors", { query: v.object({ ...listQuery.entries, ...asFile, ...days }), answer: answer<Visitor[]>() });
export const visitorStream = endpoint("GET /api/admin/visitors/stream", {});
