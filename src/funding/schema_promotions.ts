import * as v from "valibot";
import type { WaitingSignature } from "../identity/schema_signatures";
import { homes } from "../lib/countries";
import { answer, endpoint } from "../lib/endpoint";
import { instantOrNone, moneyAmount, text, yesOrNo } from "../lib/shapes";
import { promotionIds } from "./schema_terms";

/** What the operator offers for deposits, and how it was offered before. Money is USD in decimal strings, instants are ISO 8601. */

const terms = {
  title: v.string(),
  amount: v.string(),
  /** The smallest deposit that earns it. */
  minimumDeposit: v.string(),
  /** How many times its amount is traded on live accounts before it can be withdrawn. */
  turnover: v.number(),
  isActive: v.boolean(),
  /** From when and until when it is offered; null: at once, and until it is taken back. */
  startsAt: v.nullable(v.string()),
  endsAt: v.nullable(v.string()),
  /** To people of which countries; null: of all. */
  countries: v.nullable(v.array(v.string())),
  version: v.number(),
};
export const staffPromotionRow = v.strictObject({ id: v.picklist(promotionIds), ...terms });
export type StaffPromotion = v.InferOutput<typeof staffPromotionRow>;

/** How a promotion was offered from an instant on; `since` null: from the beginning. Who changed it and why stand in the audit book, too. */
export const promotionVersionRow = v.strictObject({
  ...terms,
  since: v.nullable(v.string()),
  administrator: v.nullable(v.string()),
  reason: v.nullable(v.string()),
});
export type PromotionVersion = v.InferOutput<typeof promotionVersionRow>;

const TURNOVER = "A whole number from 0 to 1,000.";

/** What is left out stays as it was. `version`: the one that was looked at; where it is another by now, nothing changes (conflict). */
export const promotionBody = v.object({
  title: v.optional(text(100, "A title is required")),
  amount: v.optional(moneyAmount("Amount is required", 100_000)),
  minimumDeposit: v.optional(moneyAmount("Minimum deposit is required")),
  turnover: v.optional(
    v.pipe(
      v.union([v.string(), v.number()], TURNOVER),
      v.transform(Number),
      v.number(TURNOVER),
      v.integer(TURNOVER),
      v.minValue(0, TURNOVER),
      v.maxValue(1000, TURNOVER),
    ),
  ),
  isActive: v.optional(yesOrNo),
  startsAt: v.optional(instantOrNone),
  endsAt: v.optional(instantOrNone),
  countries: v.optional(homes),
  version: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.integer("version must be a whole number"))),
  reason: text(500, "A reason is required"),
});
const params = v.object({ id: v.picklist(promotionIds, "Not found.") });
export const listStaffPromotions = endpoint("GET /api/admin/promotions", { answer: answer<StaffPromotion[]>() });
/** The newest first, at most 100. */
export const listPromotionVersions = endpoint("GET /api/admin/promotions/:id/versions", { params, answer: answer<PromotionVersion[]>() });
/** What offers more than what stands waits for a second signature (202), where there are two who may sign. */
export const changePromotion = endpoint("PATCH /api/admin/promotions/:id", {
  params,
  body: promotionBody,
  answer: answer<StaffPromotion | WaitingSignature>(),
});
