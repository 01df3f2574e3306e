import type { Promotion } from "../../src/funding/schema_history";
import type { StaffPromotion } from "../../src/funding/schema_promotions";
import { countryName } from "../../src/lib/countries";
import { displayMoney } from "../../src/lib/money";

type Terms = Pick<Promotion, "turnover"> & Partial<Pick<Promotion, "endsAt" | "countries">>;

/** What must be traded before a bonus can be withdrawn, until when it is offered and to whom, as sentences; nothing where it is free of all that. */
export function bonusTerms({ turnover, endsAt = null, countries = null }: Terms): string {
  const said = [
    turnover === 0 ? null : `It can be withdrawn once ${turnover} times its amount was traded on live accounts.`,
    endsAt === null ? null : `Offered for deposits made before ${momentText(endsAt)}.`,
    countries === null ? null : `Only for people who live in ${listText(countries.map(countryName))}.`,
  ];
  return said.flatMap((each) => (each === null ? [] : [` ${each}`])).join("");
}

const MOMENT = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const momentText = (iso: string) => `${MOMENT.format(new Date(iso))} UTC`;
const listText = (names: readonly string[]) => new Intl.ListFormat("en", { type: "disjunction" }).format(names);

const KINDS: Record<StaffPromotion["id"], string> = { deposit_bonus: "Deposit bonus", bitcoin_bonus: "Bitcoin bonus", referral_bonus: "Referral bonus" };
export const promotionKind = (id: StaffPromotion["id"]): string => KINDS[id];

type Offered = Pick<StaffPromotion, "isActive" | "startsAt" | "endsAt">;
const shortText = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;
/** Whether and when it is offered, as staff read it at `now` (ms since the epoch). */
export function promotionWhen({ isActive, startsAt, endsAt }: Offered, now: number): string {
  if (!isActive) return "No";
  if (endsAt !== null && Date.parse(endsAt) <= now) return `Ended ${shortText(endsAt)}`;
  const until = endsAt === null ? "" : ` until ${shortText(endsAt)}`;
  return startsAt !== null && Date.parse(startsAt) > now ? `From ${shortText(startsAt)}${until}` : `Now${until}`;
}

/** One version of the terms in a line. */
export function promotionTerms({
  amount,
  minimumDeposit,
  turnover,
  isActive,
  startsAt,
  endsAt,
  countries,
}: Omit<StaffPromotion, "id" | "title" | "version">): string {
  const said = [
    isActive ? null : "Not offered",
    `${displayMoney(amount)} from a deposit of ${displayMoney(minimumDeposit)}`,
    turnover === 0 ? "free at once" : `${turnover} times its amount in turnover`,
    startsAt === null ? null : `from ${shortText(startsAt)}`,
    endsAt === null ? null : `until ${shortText(endsAt)}`,
    countries === null ? null : `in ${countries.join(", ")}`,
  ];
  return said.filter((each) => each !== null).join("; ");
}
