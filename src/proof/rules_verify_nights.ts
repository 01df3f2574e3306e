import { decimal, decimalText, dollars, halfAway } from "./rules_decimals";
import { saidIn } from "./rules_verify_margin";
import type { Report } from "./rules_verify_report";
import type { LogRecord } from "./schema";

/** Recomputes what a position's nights moved, and holds their rates to the terms that their records name. In whole numbers. */

type Swap = LogRecord<"swap">;
type Group = LogRecord<"group">;
type Opened = Pick<LogRecord<"fill">, "price" | "amount" | "side" | "symbol" | "pip" | "at">;

const cents = (money: string) => decimal(money, 2);
/** Places of a rate. */
const RATE = 4;

/** What so many nights move in cents; half away from zero. Null for a unit that there is not. */
export function swapCents({
  unit,
  rate,
  held,
  openPrice,
  point,
  nights,
}: Pick<Swap, "unit" | "rate" | "held" | "openPrice" | "point" | "nights">): bigint | null {
  const part = unit === "points" ? decimal(openPrice, 8) : unit === "percent" ? 36_000n : unit === "fee" ? 100_000n : 0n;
  if (part <= 0n) return null;
  const whole = cents(held) * decimal(rate, RATE) * BigInt(nights) * (unit === "points" ? decimal(point, 8) : 1n);
  return halfAway(whole, part * 10n ** BigInt(RATE));
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

/** Checks that a night moved what its record's terms come to. */
export function checkNight(swap: Swap, report: Report): void {
  const due = swapCents(swap);
  const what = `The night of ${swap.night} moved ${dollars(swap.due)}: ${swap.rate} ${swap.unit} on ${dollars(swap.held)}, ${times(swap.nights)}`;
  report.say(due === cents(swap.due), what, due === null ? "its unit is none" : `it should be ${dollars(decimalText(due, 2))}`);
  const [said, booked] = [cents(swap.due), cents(swap.booked)];
  const isBorne = said < 0n ? booked >= said && booked <= 0n : booked >= 0n && booked <= said;
  if (booked !== said) report.say(isBorne, `${dollars(swap.booked)} of it was booked`, "that is more than it was, or the other way");
}

/** Checks a position's nights, each there once; with its opening, that they are of what was opened. */
export function checkNights(nights: readonly Swap[], opened: Opened | null, report: Report): void {
  if (nights.length === 0) return;
  const dates = new Set(nights.map(({ night }) => night));
  report.say(dates.size === nights.length, `Its ${nights.length} nights are each there once`, "one of them stands twice");
  for (const swap of nights) checkNight(swap, report);
  const other = opened && nights.find((swap) => !isOf(swap, opened));
  if (opened) report.say(!other, "Its nights are of what was opened", `that of ${other?.night} names another position, or more than it, or was before`);
}

function isOf({ night, side, symbol, openPrice, held, unit, point }: Swap, opened: Opened): boolean {
  return (
    side === opened.side &&
    symbol === opened.symbol &&
    decimal(openPrice, 8) === decimal(opened.price, 8) &&
    cents(held) <= cents(opened.amount) &&
    (unit !== "points" || 10n * decimal(point, 8) === decimal(opened.pip, 8)) &&
    // A night's 17:00 in New York is 21:00 or 22:00 in UTC.
    Date.parse(opened.at) < Date.parse(`${night}T22:00:00Z`)
  );
}

/** Whether a night names that version of a group's terms. */
export const isTermsOf = (swap: Swap, { group, version }: Group): boolean => swap.group === group && swap.version === version;

type Rule = { for?: unknown; unit?: unknown; long?: unknown; short?: unknown; tripleDay?: unknown };
/** What a version of a group's terms says of a night: an instrument's own rule comes before its class's, a fee before both. Null where it says nothing. */
function saidOf({ symbol, side }: Swap, { swaps, swapFreeFee }: Group, ofClass: string): { unit: unknown; rate: bigint; tripleDay: unknown } | null {
  if (swapFreeFee !== null) return { unit: "fee", rate: -decimal(swapFreeFee, RATE), tripleDay: null };
  const rules = Object.values(saidIn(swaps)) as Rule[];
  const rule = rules.find((each) => each.for === symbol) ?? rules.find((each) => each.for === (ofClass === "crypto" ? ofClass : `forex-${ofClass}`));
  return rule ? { unit: rule.unit, rate: decimal(String(side === "buy" ? rule.long : rule.short), RATE), tripleDay: rule.tripleDay ?? null } : null;
}

/** How many nights one counts for: three on the triple day, which takes the weekend's, and where there is such a day none at the weekend. */
function countOf(night: string, tripleDay: unknown): number {
  const day = new Date(`${night}T00:00:00Z`).getUTCDay() || 7;
  return day === tripleDay ? 3 : day > 5 && tripleDay !== null ? 0 : 1;
}

/** Checks that nights went by the unit and the rate of the versions of terms that they name, where their records are beside them: files of earlier programs lack them. */
export function checkRates(nights: readonly Swap[], beside: readonly (LogRecord | null)[], report: Report): void {
  const named = nights.map((swap) => {
    const group = beside.find((record): record is Group => record?.kind === "group" && isTermsOf(swap, record));
    const terms = beside.find((record): record is LogRecord<"terms"> => record?.kind === "terms" && Object.hasOwn(saidIn(record.instruments), swap.symbol));
    return { swap, said: group && terms ? { by: saidOf(swap, group, String(saidIn(terms.instruments)[swap.symbol]?.class)) } : null };
  });
  const there = named.flatMap(({ swap, said }) => (said ? [{ swap, said: said.by }] : []));
  // Where the opening is lost, so are the terms that say of which class the instrument is.
  const lacking = named.find(({ said }) => !said)?.swap;
  if (lacking) report.skip(`Whether version ${lacking.version} of ${lacking.group} has the rate of the night of ${lacking.night} is not in this file`);
  if (there.length === 0) return;
  const wrong = there.find(
    ({ swap, said }) => said?.unit !== swap.unit || said.rate !== decimal(swap.rate, RATE) || swap.nights !== countOf(swap.night, said.tripleDay),
  );
  const rate = wrong?.said
    ? `${decimalText(wrong.said.rate, RATE)} ${String(wrong.said.unit)}, ${times(countOf(wrong.swap.night, wrong.said.tripleDay))}`
    : "none";
  report.say(!wrong, "The rates of its nights are those of the terms that they name", `for that of ${wrong?.swap.night} they have ${rate}`);
}
