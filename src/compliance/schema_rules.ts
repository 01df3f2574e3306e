import * as v from "valibot";
import { country } from "../lib/countries";
import type { WaitingSignature } from "../identity/schema_signatures";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, moneyAmount, text, versionSeen, yesOrNo } from "../lib/shapes";
import { levels } from "./schema";

/** What the operator sets: what each level of verification opens, and what holds in which country. */

export const levelRuleRow = v.strictObject({
  level: v.picklist(levels),
  liveTrading: v.boolean(),
  bankDeposits: v.boolean(),
  cardDeposits: v.boolean(),
  cryptoDeposits: v.boolean(),
  /** USD that may be withdrawn within 24 hours, and within 30 days; null: without a limit. */
  withdrawnDay: v.nullable(v.string()),
  withdrawnMonth: v.nullable(v.string()),
  version: v.string(),
});
export type LevelRule = v.InferOutput<typeof levelRuleRow>;

const amount = moneyAmount("Amount is required");
const limit = v.pipe(
  v.nullable(v.union([v.literal(""), v.literal("0"), v.literal(0), amount], "An amount in USD, or nothing for no limit.")),
  v.transform((said) => (said === "" || said === null ? null : String(said))),
);

export const levelParams = v.object({ level: v.pipe(v.picklist(["0", "1", "2", "3"], "Not found."), v.transform(Number)) });
export const listLevels = endpoint("GET /api/admin/verification-levels", { answer: answer<LevelRule[]>() });
export const setLevel = endpoint("POST /api/admin/verification-levels/:level", {
  params: levelParams,
  body: v.object({
    liveTrading: yesOrNo,
    bankDeposits: yesOrNo,
    cardDeposits: yesOrNo,
    cryptoDeposits: yesOrNo,
    withdrawnDay: limit,
    withdrawnMonth: limit,
    version: versionSeen,
  }),
  answer: answer<LevelRule[] | WaitingSignature>(),
});

export const jurisdictionRow = v.strictObject({
  country: v.string(),
  isServed: v.boolean(),
  /** The most leverage, 30 for 1:30, by class of instrument: major pairs, other pairs, coins; null: the account's own. */
  leverageMajor: v.nullable(v.number()),
  leverageMinor: v.nullable(v.number()),
  leverageCrypto: v.nullable(v.number()),
  promotions: v.boolean(),
  /** Stands in the place of the site's risk warning. */
  warning: v.nullable(v.string()),
  /** How many people live there. */
  people: v.number(),
  version: v.string(),
});
export type Jurisdiction = v.InferOutput<typeof jurisdictionRow>;

const WHOLE = "A whole number from 1 to 10,000, or nothing.";
const most = v.pipe(
  v.nullable(
    v.union(
      [v.literal(""), v.pipe(v.union([v.string(), v.number()], WHOLE), v.transform(Number), v.integer(WHOLE), v.minValue(1, WHOLE), v.maxValue(10_000, WHOLE))],
      WHOLE,
    ),
  ),
  v.transform((said) => (said === "" ? null : said)),
);
export const jurisdictionBody = v.object({
  country,
  isServed: yesOrNo,
  leverageMajor: most,
  leverageMinor: most,
  leverageCrypto: most,
  promotions: yesOrNo,
  warning: v.pipe(
    v.nullable(v.pipe(v.string("This must be text."), v.trim(), v.maxLength(1000, "At most 1000 characters."))),
    v.transform((said) => said || null),
  ),
  /** `none` for a country that had no rules. */
  version: versionSeen,
});
const listAnswer = answer<Jurisdiction[] | WaitingSignature>();
export const listJurisdictions = endpoint("GET /api/admin/jurisdictions", { answer: answer<Jurisdiction[]>() });
export const setJurisdiction = endpoint("POST /api/admin/jurisdictions", { body: jurisdictionBody, answer: listAnswer });
export const removeJurisdiction = endpoint("POST /api/admin/jurisdictions/remove", { body: v.object({ country, version: versionSeen }), answer: listAnswer });
/** The countries' versions as the list told them; one that it did not tell had no rules. */
const versions = v.optional(
  v.pipe(v.array(v.object({ country, version: v.unwrap(versionSeen) }), "versions must be a list."), v.maxLength(300, "At most 300 countries.")),
);
/**
 * Sets what a regulator asks for, in all of its countries at once; what else is set there stays. Where one of them stands otherwise than `versions`
 * says nothing changes (conflict); left out, they change however they stand.
 */
export const applyPreset = endpoint("POST /api/admin/jurisdictions/preset", {
  body: v.object({ preset: v.picklist(["esma-retail"], "preset must be esma-retail"), versions }),
  answer: listAnswer,
});

/** Where the caller lives: said once, and changed by staff alone. */
export const sayCountry = endpoint("POST /api/user/country", { body: v.object({ country }), answer: answer<{ country: string }>() });
export const setCountry = endpoint("POST /api/admin/users/:id/country", {
  params: idParams,
  body: v.object({ country, reason: text(500, "A reason is required") }),
  answer: answer<{ country: string }>(),
});
