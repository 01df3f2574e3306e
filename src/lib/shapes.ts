import * as v from "valibot";
import { grouped } from "./money";

/** Shapes that many endpoints share. Messages are ours, so that no answer echoes what was sent. */

/**
 * The id of an object: a UUID in the one spelling that we hand out, so that two ids are the same object exactly when they
 * are the same text. PostgreSQL reads others too (upper case, braces).
 */
export const idText = (message: string) => v.pipe(v.string(message), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, message));
export const id = idText("Not found.");
export const idParams = v.object({ id });

const EMAIL = "Please enter a valid email address";

/** Plain ASCII addresses: look-alike letters from other scripts can't pose as somebody else. */
export const email = v.pipe(
  v.string(EMAIL),
  v.trim(),
  v.maxLength(254, EMAIL),
  v.regex(/^[a-zA-Z0-9.!#$%&*+/=?^_`{|}~-]{1,64}@(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,63}$/, EMAIL),
);
/** `admin@localhost`, made on a first start, is an address where one signs in, though it could not register. */
export const signInEmail = v.union([email, v.literal("admin@localhost")], EMAIL);

/** Text from people: required, trimmed, at most `max` characters. */
export const text = (max: number, required: string) =>
  v.pipe(v.string(required), v.trim(), v.minLength(1, required), v.maxLength(max, `At most ${max} characters.`));

/** Text that may be left out; empty and missing are the same. */
export const optionalText = (max: number) =>
  v.optional(v.nullable(v.pipe(v.string("This must be text."), v.trim(), v.maxLength(max, `At most ${max} characters.`)), ""), "");

const VERSION = "version must be the one that was read.";
/** Which way it stood when it was looked at, as the list tells it. Where it stands otherwise by now nothing changes (conflict); left out, it changes however it stands. */
export const versionSeen = v.optional(v.pipe(v.string(VERSION), v.regex(/^[0-9a-z]{1,40}$/, VERSION)));

/** A yes as JSON, or as a form's field says it. */
export const yesOrNo = v.pipe(
  v.union([v.boolean(), v.picklist(["yes", "no"])], "Say yes or no."),
  v.transform((said) => said === true || said === "yes"),
);

const WHEN = "Say day and time (UTC), such as 2026-12-31T23:59.";
/** An instant, or nothing; what a form sends without a zone is UTC. Comes out as ISO 8601, or null. */
export const instantOrNone = v.pipe(
  v.nullable(v.string(WHEN)),
  v.transform((said) => (said && /T\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(said) ? `${said}Z` : said || null)),
  v.nullable(
    v.pipe(
      v.string(),
      v.check((said) => /^20\d\d-\d\d-\d\dT/.test(said) && !Number.isNaN(Date.parse(said)), WHEN),
      v.transform((said) => new Date(said).toISOString()),
    ),
  ),
);

/** A number as people or programs send it, as decimal text; `null` where it is neither. */
const decimalText = (input: unknown) => (typeof input === "number" && Number.isFinite(input) ? String(input) : typeof input === "string" ? input : null);

/** An amount of money above zero, as number or decimal text with at most two decimals; comes out as "12.30". */
export const moneyAmount = (required: string, max = 100_000_000) =>
  v.pipe(
    v.unknown(),
    v.check((input) => input !== undefined && input !== null && input !== "", required),
    v.transform(decimalText),
    v.string("Enter an amount in dollars and cents, such as 250.00."),
    v.regex(/^\d{1,13}(\.\d{1,2})?$/, "Enter an amount in dollars and cents, such as 250.00."),
    v.check((amount) => Number(amount) > 0, "The amount must be above zero."),
    v.check((amount) => Number(amount) <= max, `The amount must be at most ${grouped(String(max))}.`),
    v.transform((amount) => {
      const [whole = "0", fraction = ""] = amount.split(".");
      return `${BigInt(whole)}.${fraction.padEnd(2, "0")}`;
    }),
  );

/** The dearest price that the program handles exactly (see lib/money). */
const PRICE_LIMIT = 90_000_000;

/** A price above zero, as number (rounded to eight decimals) or decimal text; comes out as decimal text. */
export const price = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === "number" && input >= 0 && input < PRICE_LIMIT ? input.toFixed(8) : decimalText(input))),
  v.string("Enter a price, such as 1.08420."),
  v.regex(/^\d{1,12}(\.\d{1,8})?$/, "Enter a price, such as 1.08420."),
  v.check((value) => Number(value) > 0 && Number(value) < PRICE_LIMIT, "The price must be above zero and realistic."),
);

/** The order of a list: one of these names, downwards with a minus in front. */
export const sortedBy = <const S extends readonly string[]>(names: S, first: SortOf<S>) => ({
  sort: v.optional(
    v.picklist(
      names.flatMap((name): SortOf<S>[] => [name as S[number], `-${name as S[number]}`]),
      `sort must be ${names.join(", ")}, or one of them after a minus`,
    ),
    // The default is one of the list's own members.
    first as never,
  ),
});
export type SortOf<S extends readonly string[]> = S[number] | `-${S[number]}`;

/** A list that can be had as a file too. */
export const asFile = { format: v.optional(v.picklist(["json", "csv"], "format must be json or csv"), "json") };

const day = v.optional(v.union([v.literal(""), v.pipe(v.string(), v.isoDate())], "A day is written as 2026-11-21."), "");
/** The days of a list, in UTC and both included; "" for no bound. */
export const days = { from: day, to: day };

/** Where a list goes on: opaque to callers, made by the server. */
export const listQuery = v.object({
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,2}$/, "limit must be a whole number from 1 to 100."),
      v.transform(Number),
      v.maxValue(100, "limit must be a whole number from 1 to 100."),
    ),
    "100",
  ),
  cursor: v.optional(v.pipe(v.string(), v.regex(/^[\w.:-]{1,100}$/, "cursor is not valid."))),
});
