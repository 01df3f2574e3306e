import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { previewBody, sheetBody, type SheetPreview } from "../lib/sheet";
import { asFile, instantOrNone, moneyAmount, text } from "../lib/shapes";
import type { WaitingSignature } from "../identity/schema_signatures";
import { type InstrumentGroup, instrumentGroups } from "../market/rules_listed";
import { stepsFault, stepsIn } from "./rules_margin_steps";
import { holidaysField, listingShape, sessionsField, symbolOfFeed, zoneField } from "../market/schema_listings";

/** How instruments are dealt, in versions. Money is USD as decimal text, instants are ISO 8601. */

export const instrumentStates = ["tradable", "close_only", "shown", "hidden"] as const;
export const marginSteps = v.nullable(v.array(v.strictObject({ above: v.string(), percent: v.string() })));
const terms = {
  state: v.picklist(instrumentStates),
  /** The smallest order; null: as for all instruments. */
  minimum: v.nullable(v.string()),
  /** Orders are multiples of it; null: of a cent. */
  step: v.nullable(v.string()),
  maximum: v.nullable(v.string()),
  /** The least margin, in per cent of an order; null: by the account's leverage alone. */
  marginPercent: v.nullable(v.string()),
  /** What the parts of an order above amounts of its own ask for instead; null: the whole asks for the same. */
  marginSteps,
  /** What one person may hold on each side, on the accounts of one book. */
  clientLimit: v.nullable(v.string()),
  /** What clients may hold on live accounts, long less short, before the side that would add to it is closed. */
  houseLimit: v.nullable(v.string()),
  /** What it adds to every account's spread, in pips. */
  markup: v.nullable(v.string()),
};

export const instrumentRow = v.strictObject({
  symbol: v.string(),
  /** The newest version, in force or to come; 0: none was ever written. */
  version: v.number(),
  ...terms,
  listing: listingShape,
  openPositions: v.number(),
  waitingOrders: v.number(),
  /** Where staff are warned of what clients hold in sum. */
  warnedAt: v.nullable(v.string()),
  /** What waits for its time. */
  coming: v.nullable(v.strictObject({ ...terms, effectiveAt: v.string(), appliesAt: v.nullable(v.string()) })),
  /** From when on the mark-up of now holds for what was open before, too; null: it does. */
  appliesAt: v.nullable(v.string()),
});
export type StaffInstrument = v.InferOutput<typeof instrumentRow> & { group: InstrumentGroup };

export const instrumentVersionRow = v.strictObject({
  version: v.number(),
  ...terms,
  listing: v.nullable(listingShape),
  effectiveAt: v.string(),
  /** For what was open before, where that is later: a wider mark-up. */
  appliesAt: v.nullable(v.string()),
  /** Another version was written before this one took effect, so it never did. */
  isReplaced: v.boolean(),
  administrator: v.string(),
  reason: v.string(),
});
export type InstrumentVersion = v.InferOutput<typeof instrumentVersionRow>;

/** An empty field of a form is no bound. */
const orNone = <S extends v.GenericSchema<unknown, string>>(schema: S) =>
  v.optional(
    v.union(
      [
        v.null(),
        v.pipe(
          v.literal(""),
          v.transform(() => null),
        ),
        schema,
      ],
      (issue) => issue.issues?.at(-1)?.message ?? issue.message,
    ),
  );
const money = orNone(moneyAmount("Amount is required"));
const PERCENT = "A percentage from 0.2 to 100, with at most two decimals.";
const percent = v.pipe(
  v.union([v.string(), v.number()], PERCENT),
  v.transform(String),
  v.regex(/^\d{1,3}(\.\d{1,2})?$/, PERCENT),
  v.check((said) => Number(said) >= 0.2 && Number(said) <= 100, PERCENT),
);

const STEPS = "A list of steps, each with above and percent.";
const marginStepsBody = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((said) => (typeof said === "string" ? stepsIn(said) : said)),
    v.nullable(
      v.pipe(
        v.array(
          v.object(
            {
              above: v.pipe(v.union([v.string(), v.number()], STEPS), v.transform(String)),
              percent: v.pipe(v.union([v.string(), v.number()], STEPS), v.transform(String)),
            },
            STEPS,
          ),
          STEPS,
        ),
        v.rawCheck(({ dataset, addIssue }) => {
          const fault = dataset.typed ? stepsFault(dataset.value) : null;
          if (fault !== null) addIssue({ message: fault });
        }),
        v.transform((steps) =>
          steps.length === 0 ? null : steps.map(({ above, percent }) => ({ above: Number(above).toFixed(2), percent: Number(percent).toFixed(2) })),
        ),
      ),
    ),
  ),
);

const decimal = (message: string, most: number) =>
  orNone(
    v.pipe(
      v.union([v.string(), v.number()], message),
      v.transform(String),
      v.regex(/^\d{1,8}(\.\d{1,8})?$/, message),
      v.check((said) => Number(said) > 0 && Number(said) <= most, message),
    ),
  );
const MARKUP = "Pips, with at most one decimal, such as 1.5; at most 1000.";
const markup = orNone(
  v.pipe(
    v.union([v.string(), v.number()], MARKUP),
    v.transform(String),
    v.regex(/^\d{1,4}(\.\d)?$/, MARKUP),
    v.check((said) => Number(said) <= 1000, MARKUP),
  ),
);
const DIGITS = "digits must be a whole number from 1 to 8.";
const digits = v.pipe(v.union([v.string(), v.number()], DIGITS), v.transform(String), v.regex(/^[1-8]$/, DIGITS), v.transform(Number));
const name = v.pipe(text(60, "A name is required"), v.regex(/^[^|\n]*$/, "A name has one line, and no |."));

/** What is said of how it is listed; hours are said whole, and so is how the simulator begins. */
const listing = {
  /** One pip, as a power of ten; empty: ten of the last quoted digit. */
  pip: orNone(
    v.pipe(v.union([v.string(), v.number()]), v.transform(String), v.regex(/^(10{0,3}|0?\.0{0,7}1)$/, "pip must be a power of ten, such as 0.0001.")),
  ),
  zone: v.optional(zoneField),
  /** A line for each: Mon-Fri 09:30-16:00. Empty: the hours of the class. */
  sessions: v.optional(sessionsField),
  holidays: v.optional(holidaysField),
  simulatorStart: decimal("Enter a price, such as 1.08420.", 80_000_000),
  /** A year's, as a share: 0.5 is 50 per cent. */
  simulatorVolatility: decimal("A year's volatility as a share, such as 0.1 for 10%, at most 5.", 5),
  /** In pips. */
  simulatorSpread: decimal("A spread in pips, such as 1.5.", 10_000),
  kraken: orNone(symbolOfFeed),
  replay: orNone(symbolOfFeed),
};

/** What is said of how it is dealt. */
const dealt = {
  state: v.optional(v.picklist(instrumentStates, `state must be one of ${instrumentStates.join(", ")}.`)),
  minimum: money,
  step: money,
  maximum: money,
  marginPercent: orNone(percent),
  /** A list, or a form's and a file's text (`rules_margin_steps`). */
  marginSteps: marginStepsBody,
  clientLimit: money,
  houseLimit: money,
  markup,
};

/** What is left out stays as it is. `version`: the one that was looked at; where it is another by now, nothing changes (conflict). */
export const instrumentBody = v.object({
  ...dealt,
  name: v.optional(name),
  digits: v.optional(digits),
  ...listing,
  /** Null or left out: at once. */
  effectiveAt: v.optional(instantOrNone),
  version: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer("version must be a whole number"))),
  reason: text(500, "A reason is required"),
});

const SYMBOL = "A symbol is written as EUR/USD is: 2 to 10 letters, a stroke, and 3 letters.";
export const newInstrumentBody = v.object({
  symbol: v.pipe(v.string(SYMBOL), v.trim(), v.toUpperCase(), v.regex(/^[A-Z]{2,10}\/[A-Z]{3}$/, SYMBOL)),
  name,
  group: v.picklist(instrumentGroups, `group must be one of ${instrumentGroups.join(", ")}.`),
  digits,
  ...dealt,
  ...listing,
  reason: text(500, "A reason is required"),
});
/** The fields of a listing, as forms have them. */
export const listingNames = ["name", "digits", ...(Object.keys(listing) as (keyof typeof listing)[])] as const;
export type NewInstrument = v.InferOutput<typeof newInstrumentBody>;

const params = v.object({ symbol: v.pipe(v.string(), v.maxLength(20, "Not found.")) });
/** With `format=csv` as a file, which can be changed and taken back in. */
export const listInstruments = endpoint("GET /api/admin/instruments", { query: v.object(asFile), answer: answer<StaffInstrument[]>() });
export const addInstrument = endpoint("POST /api/admin/instruments", { body: newInstrumentBody, answer: answer<StaffInstrument>(), status: 201 });
/** The newest first, at most 100. */
export const listInstrumentVersions = endpoint("GET /api/admin/instruments/:symbol/versions", { params, answer: answer<InstrumentVersion[]>() });
export const changeInstrument = endpoint("PATCH /api/admin/instruments/:symbol", {
  params,
  body: instrumentBody,
  answer: answer<StaffInstrument | WaitingSignature>(),
});
/** What the file would change; nothing is changed. */
export const previewInstrumentSheet = endpoint("POST /api/admin/instruments/preview", { body: previewBody, answer: answer<SheetPreview>() });
/** All of it or, where anything is wrong, nothing: 400, fields by row and column such as `3.Step`. */
export const takeInstrumentSheet = endpoint("POST /api/admin/instruments/import", { body: sheetBody, answer: answer<SheetPreview>() });
