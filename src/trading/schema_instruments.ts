import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { instantOrNone, moneyAmount, text } from "../lib/shapes";

/** How instruments are dealt, in versions. Money is USD as decimal text, instants are ISO 8601. */

export const instrumentStates = ["tradable", "close_only", "hidden"] as const;
const terms = {
  state: v.picklist(instrumentStates),
  /** The smallest order; null: as for all instruments. */
  minimum: v.nullable(v.string()),
  /** Orders are multiples of it; null: of a cent. */
  step: v.nullable(v.string()),
  maximum: v.nullable(v.string()),
  /** The least margin, in per cent of an order; null: by the account's leverage alone. */
  marginPercent: v.nullable(v.string()),
  /** What one person may hold, long less short, on the accounts of one book. */
  clientLimit: v.nullable(v.string()),
};

export const instrumentRow = v.strictObject({
  symbol: v.string(),
  /** The newest version, in force or to come; 0: none was ever written. */
  version: v.number(),
  ...terms,
  openPositions: v.number(),
  waitingOrders: v.number(),
  /** Where staff are warned of what clients hold in sum. */
  houseLimit: v.nullable(v.string()),
  /** What waits for its time. */
  coming: v.nullable(v.strictObject({ ...terms, effectiveAt: v.string() })),
});
export type StaffInstrument = v.InferOutput<typeof instrumentRow> & { name: string; group: string; digits: number };

export const instrumentVersionRow = v.strictObject({
  version: v.number(),
  ...terms,
  effectiveAt: v.string(),
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

/** What is left out stays as it is. `version`: the one that was looked at; where it is another by now, nothing changes (conflict). */
export const instrumentBody = v.object({
  state: v.optional(v.picklist(instrumentStates, `state must be one of ${instrumentStates.join(", ")}.`)),
  minimum: money,
  step: money,
  maximum: money,
  marginPercent: orNone(percent),
  clientLimit: money,
  /** Null or left out: at once. */
  effectiveAt: v.optional(instantOrNone),
  version: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer("version must be a whole number"))),
  reason: text(500, "A reason is required"),
});

const params = v.object({ symbol: v.pipe(v.string(), v.maxLength(20, "Not found.")) });
export const listInstruments = endpoint("GET /api/admin/instruments", { answer: answer<StaffInstrument[]>() });
/** The newest first, at most 100. */
export const listInstrumentVersions = endpoint("GET /api/admin/instruments/:symbol/versions", { params, answer: answer<InstrumentVersion[]>() });
export const changeInstrument = endpoint("PATCH /api/admin/instruments/:symbol", { params, body: instrumentBody, answer: answer<StaffInstrument>() });
