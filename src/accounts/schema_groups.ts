import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import type { WaitingSignature } from "../identity/schema_signatures";
import { spreadsIn, swapsIn } from "./rules_group_lines";
import { instrumentOf } from "../market/rules_listed";
import { homes } from "../lib/countries";
import { previewBody, sheetBody, type SheetPreview } from "../lib/sheet";
import { asFile, instantOrNone, text, yesOrNo } from "../lib/shapes";

/** Groups: account types as staff change them, and their terms before. Money is USD in decimal strings, instants are ISO 8601. */

/** What holding over 17:00 in New York brings a class of instruments, or one that comes before its class. */
export const swapRule = v.strictObject({
  for: v.string(),
  /** A point is a pair's last quoted digit; per cent are a year's, of 360 days, of the amount. */
  unit: v.picklist(["points", "percent"]),
  /** Of a buy and of a sell; below zero the client pays. */
  long: v.string(),
  short: v.string(),
  /** The day that takes the weekend's nights, 1 (Monday) to 5; null: none does. */
  tripleDay: v.nullable(v.number()),
});
export type SwapRule = v.InferOutput<typeof swapRule>;

/** The spread of a class of pairs, or of a pair, which comes before its class. */
export const spreadRule = v.strictObject({
  for: v.string(),
  spreadPips: v.string(),
  /** Exactly so wide, whatever the market's; else at least. */
  fixed: v.boolean(),
});
export type SpreadRule = v.InferOutput<typeof spreadRule>;

const terms = {
  id: v.string(),
  version: v.number(),
  name: v.string(),
  /** The least spread of a pair, in pips, "3.3", where `spreads` says nothing of it. */
  spreadPips: v.string(),
  spreads: v.array(spreadRule),
  /** A side, for each $100,000 dealt. */
  commission: v.string(),
  minimumDeposit: v.string(),
  /** The most, as advertised: 500 is 1:500. */
  leverage: v.number(),
  /** Whether anybody may open an account in it. */
  isOpen: v.boolean(),
  /** What 17:00 in New York moves. */
  swaps: v.array(swapRule),
  /** Null: not swap-free. Else taken instead of `swaps`, a night for each $100,000 held. */
  swapFreeFee: v.nullable(v.string()),
  /** Whom it takes: people who live there; null: from everywhere. */
  countries: v.nullable(v.array(v.string())),
  /** From when on, for what opens then; null: from the beginning. */
  effectiveAt: v.nullable(v.string()),
  /** From when on for what is open before that, where it is later: after the notice of something worse. */
  appliesAt: v.nullable(v.string()),
};
export const groupVersionRow = v.strictObject({
  ...terms,
  administrator: v.nullable(v.string()),
  reason: v.nullable(v.string()),
  isInForce: v.boolean(),
  members: v.number(),
});
/** How a group's terms stood, or will. Who changed them and why stand in the audit book, too. `members`: the group's active accounts now. */
export type GroupVersion = v.InferOutput<typeof groupVersionRow>;
export type GroupTerms = v.InferOutput<v.StrictObjectSchema<typeof terms, undefined>>;

/** A number of at least zero and at most `most`, with so many decimals; comes out as decimal text. */
const figure = (most: number, places: number, words: string) =>
  v.pipe(
    v.union([v.string(), v.number()], words),
    v.transform(String),
    v.regex(new RegExp(`^\\d{1,9}(\\.\\d{1,${places}})?$`), words),
    v.check((said) => Number(said) <= most, words),
  );
const LEVERAGE = "A whole number from 1 to 5,000.";
const fields = {
  name: text(60, "A name is required"),
  spreadPips: figure(1000, 1, "A spread from 0 to 1,000 pips, with at most one decimal."),
  commission: figure(1000, 2, "A commission from $0 to $1,000 for each $100,000, such as 3.50."),
  minimumDeposit: figure(100_000_000, 2, "An amount from $0, such as 250.00."),
  leverage: v.pipe(v.union([v.string(), v.number()], LEVERAGE), v.transform(Number), v.integer(LEVERAGE), v.minValue(1, LEVERAGE), v.maxValue(5000, LEVERAGE)),
  isOpen: yesOrNo,
};
const CLASSES = ["forex-major", "forex-minor", "crypto"];
const PAIRS = "Each spread is for forex-major, forex-minor or a pair: a coin's is the market's.";
const RULE = "Each swap is for forex-major, forex-minor, crypto or an instrument.";
const RATE = "A swap such as -0.85 or 0.2, with at most four decimals: below zero the client pays.";
const TRIPLE = "The triple day is 1 (Monday) to 5 (Friday), or none.";
const rate = v.pipe(
  v.union([v.string(), v.number()], RATE),
  v.transform(String),
  v.regex(/^[+-]?\d{1,5}(\.\d{1,4})?$/, RATE),
  v.transform((said) => said.replace("+", "")),
);
const isCoin = (symbol: string) => symbol === "crypto" || instrumentOf(symbol)?.group === "crypto";
/** `tripleDay` left out: Wednesday for pairs, none for coins. */
const swapRuleBody = v.pipe(
  v.object({
    for: v.pipe(
      v.string(RULE),
      v.check((name) => CLASSES.includes(name) || instrumentOf(name) !== undefined, RULE),
    ),
    unit: v.picklist(["points", "percent"], "A swap is in points or percent."),
    long: rate,
    short: rate,
    tripleDay: v.optional(v.nullable(v.pipe(v.number(TRIPLE), v.integer(TRIPLE), v.minValue(1, TRIPLE), v.maxValue(5, TRIPLE)))),
  }),
  v.forward(
    v.check(({ for: of, unit }) => unit === "percent" || !isCoin(of), "The swap of a coin is in percent a year."),
    ["unit"],
  ),
  v.transform(({ tripleDay, ...rule }): SwapRule => ({ ...rule, tripleDay: tripleDay === undefined ? (isCoin(rule.for) ? null : 3) : tripleDay })),
);
const SPREAD = "A spread from 0 to 1,000 pips, with at most one decimal.";
const spreadRuleBody = v.pipe(
  v.object({
    for: v.pipe(
      v.string(PAIRS),
      v.check((name) => (CLASSES.includes(name) || instrumentOf(name) !== undefined) && !isCoin(name), PAIRS),
    ),
    spreadPips: figure(1000, 1, SPREAD),
    fixed: v.optional(v.boolean("A spread is fixed, or it says no more."), false),
  }),
  v.forward(
    v.check(({ fixed, spreadPips }) => !fixed || Number(spreadPips) > 0, "A fixed spread is at least 0.1 pips."),
    ["spreadPips"],
  ),
  v.transform(({ spreadPips, ...rule }): SpreadRule => ({ ...rule, spreadPips: Number(spreadPips).toFixed(1) })),
);
const oncePerName = (rules: readonly { for: string }[]) => new Set(rules.map(({ for: of }) => of)).size === rules.length;
const TWICE = "One class or instrument stands twice.";
const spreads = v.pipe(
  v.unknown(),
  v.transform((said) => (typeof said === "string" ? spreadsIn(said) : said)),
  v.array(spreadRuleBody, "spreads must be a list."),
  v.maxLength(60, "At most 60 spreads."),
  v.check((rules) => oncePerName(rules), TWICE),
);
/** A list, or a form's and a file's text (`rules_groups`). */
const swaps = v.pipe(
  v.unknown(),
  v.transform((said) => (typeof said === "string" ? swapsIn(said) : said)),
  v.array(swapRuleBody, "swaps must be a list."),
  v.maxLength(60, "At most 60 swaps."),
  v.check((rules) => oncePerName(rules), TWICE),
);
const swapFreeFee = v.pipe(
  v.unknown(),
  v.transform((said) => (said === "" ? null : said)),
  v.nullable(figure(1000, 2, "A fee from $0 for each $100,000, such as 5.00.")),
);

const groupId = v.pipe(v.string("An id is required"), v.regex(/^[a-z]{1,20}$/, "An id is 1 to 20 small letters."));
/** When it comes into force; null or left out: at once. */
const when = { effectiveAt: v.optional(instantOrNone, null), reason: text(500, "A reason is required") };
export const newGroupBody = v.object({
  id: groupId,
  ...fields,
  spreads: v.optional(spreads, []),
  swaps: v.optional(swaps, []),
  swapFreeFee: v.optional(swapFreeFee, null),
  countries: v.optional(homes, null),
  ...when,
});
/** What is left out stays as it was. `version`: the newest one that was looked at; where it is another by now, nothing changes (conflict). */
export const groupBody = v.object({
  id: groupId,
  ...v.partial(v.object({ ...fields, spreads, swaps, swapFreeFee, countries: homes })).entries,
  ...when,
  version: v.pipe(v.union([v.string(), v.number()], "A version is required"), v.transform(Number), v.integer("version must be a whole number")),
});

/** The last 20 versions of each group, in force, past and to come; by group, the newest first. */
/** With `format=csv` the newest version of each as a file, which can be changed and taken back in. */
export const listGroups = endpoint("GET /api/admin/groups", { query: v.object(asFile), answer: answer<GroupVersion[]>() });
/** 202 where its swap goes beyond 100 % a year, which somebody else must sign first. */
export const openGroup = endpoint("POST /api/admin/groups", { body: newGroupBody, answer: answer<GroupTerms | WaitingSignature>(), status: 201 });
/** Worse terms hold for what is open only after the notice: the answer says when; 202 where somebody else must sign it first. */
export const changeGroup = endpoint("PATCH /api/admin/groups", { body: groupBody, answer: answer<GroupTerms | WaitingSignature>() });

/** What the file would change; nothing is changed. */
export const previewGroupSheet = endpoint("POST /api/admin/groups/preview", { body: previewBody, answer: answer<SheetPreview>() });
/** All of it or, where anything is wrong, nothing: 400, fields by row and column such as `3.Commission`. */
export const takeGroupSheet = endpoint("POST /api/admin/groups/import", { body: sheetBody, answer: answer<SheetPreview>() });
