import { decimal, decimalText, dollars, halfAway } from "./rules_decimals";
import type { Report } from "./rules_verify_report";
import type { LogRecord } from "./schema";

/** Recomputes what a position's nights moved from the terms that their records name. In whole numbers. */

type Swap = LogRecord<"swap">;
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

/** Checks that a night moved what its record's terms come to. */
export function checkNight(swap: Swap, report: Report): void {
  const due = swapCents(swap);
  const what = `The night of ${swap.night} moved ${dollars(swap.due)}: ${swap.rate} ${swap.unit} on ${dollars(swap.held)}, ${swap.nights === 1 ? "once" : `${swap.nights} times`}`;
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
