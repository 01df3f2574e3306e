import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { moneyAmount, optionalText, text } from "../lib/shapes";
import { sinceQuery } from "../proof/schema_since";
import { qualityRow } from "../trading/schema_quality";

/** The figures of the public page are of so many days. */
export const INTEGRITY_DAYS = 30;

/** Times in milliseconds; null where nothing was paid out. */
const payouts = v.strictObject({ count: v.number(), median: v.nullable(v.number()), late: v.nullable(v.number()) });
/** Distances of mid prices in hundredths of a percent. */
const reference = v.strictObject({
  reference: v.string(),
  feed: v.string(),
  compared: v.number(),
  median: v.string(),
  late: v.string(),
  worst: v.string(),
});
/** Minutes and instruments multiplied: when prices were due, and when the feed vouched for them. */
const prices = v.strictObject({ since: v.nullable(v.string()), due: v.number(), fresh: v.number() });

/** Of the log that is appended to: where its records of each kind stand, as far as they were looked at (`upTo` records). */
const logCovers = v.strictObject({
  number: v.number(),
  upTo: v.number(),
  kinds: v.record(v.string(), v.strictObject({ first: v.number(), last: v.number(), count: v.number() })),
});
export type LogCovers = v.InferOutput<typeof logCovers>;

/**
 * What the public page says, as it was written down. `books.off`: how many accounts, entries or books were off when they were last checked.
 * `stale`: orders refused because their price was too old. `losing`: per cent of live accounts; null where too few have traded.
 */
export const figures = v.strictObject({
  books: v.strictObject({ checkedAt: v.nullable(v.string()), off: v.number(), entries: v.number() }),
  quality: v.array(qualityRow),
  stale: v.number(),
  losing: v.nullable(v.number()),
  payouts,
  references: v.array(reference),
  prices,
  log: logCovers,
});
export type Figures = v.InferOutput<typeof figures>;

/** A day's tree of what is owed to clients; the root in base64, the total in USD. */
export const liabilityDay = v.strictObject({ day: v.string(), takenAt: v.string(), total: v.string(), size: v.number(), root: v.string() });
export type LiabilityDay = v.InferOutput<typeof liabilityDay>;

/** That the caller is in a day's tree of what is owed: a file. Without a day the newest; answers 404 where the tree is not kept or the caller not in it. */
export const ownLiability = endpoint("GET /api/integrity/liability", {
  query: v.object({ ...sinceQuery.entries, day: v.optional(v.nullable(v.pipe(v.string(), v.isoDate("A day is written as 2026-11-21."))), null) }),
});

/** What the operator last declared to hold for clients; without an amount nothing is declared any more. */
export const holding = v.strictObject({
  amount: v.nullable(v.string()),
  evidence: v.string(),
  link: v.nullable(v.string()),
  declaredAt: v.string(),
});
export type Holding = v.InferOutput<typeof holding>;

const LINK = "Enter an address that begins with https://, of at most 300 characters.";
/** The declaration as staff write it: an empty amount takes the last one back. */
export const declareHoldings = endpoint("POST /api/admin/holdings", {
  body: v.object({
    amount: v.union([v.literal(""), moneyAmount("Amount is required", 10_000_000_000_000)], "Enter an amount in dollars and cents, such as 250.00."),
    evidence: optionalText(500),
    link: v.optional(
      v.union(
        [
          v.literal(""),
          v.pipe(
            v.string(),
            v.trim(),
            v.maxLength(300),
            v.regex(/^https:\/\/[^\s<>"]+$/),
            v.check((url) => URL.canParse(url)),
          ),
        ],
        LINK,
      ),
      "",
    ),
    reason: text(500, "Reason is required"),
  }),
  answer: answer<{ holding: Holding | null }>(),
});
export const readHoldings = endpoint("GET /api/admin/holdings", { answer: answer<{ holding: Holding | null }>() });
