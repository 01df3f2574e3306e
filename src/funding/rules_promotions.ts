import type { InferOutput } from "valibot";
import { compare } from "../lib/money";
import type { promotionBody, StaffPromotion } from "./schema_promotions";

/** What of a promotion is changed. */
export const promotionFields = ["title", "amount", "minimumDeposit", "turnover", "isActive", "startsAt", "endsAt", "countries"] as const;
type Change = Pick<InferOutput<typeof promotionBody>, (typeof promotionFields)[number]>;
/** The promotion as this change would have it: what is left out stays as it was. */
export const promotionAs = (now: StaffPromotion, change: Change): StaffPromotion => ({
  ...now,
  ...Object.fromEntries(promotionFields.flatMap((field) => (change[field] === undefined ? [] : [[field, change[field]]]))),
});

type Offer = Pick<StaffPromotion, "amount" | "minimumDeposit" | "turnover" | "isActive" | "startsAt" | "endsAt" | "countries">;

/**
 * Whether one of the terms offers more than it did, at `now` (ms since the epoch). Each counts by itself, and of what is not offered, too: else
 * who may go down alone would take one term down while another goes up, or raise what is off and have nothing but its return signed.
 */
export function offersMore(was: Offer, is: Offer, now: number): boolean {
  // A deposit earns what was offered when it was made, so what is over gives nothing back.
  const at = (instant: string | null, open: number) => (instant === null ? open : Math.max(Date.parse(instant), now));
  return (
    compare(is.amount, was.amount) > 0 ||
    compare(is.minimumDeposit, was.minimumDeposit) < 0 ||
    is.turnover < was.turnover ||
    (is.isActive && !was.isActive) ||
    at(is.startsAt, now) < at(was.startsAt, now) ||
    at(is.endsAt, Infinity) > at(was.endsAt, Infinity) ||
    (was.countries !== null && (is.countries?.some((country) => !was.countries?.includes(country)) ?? true))
  );
}
