import type { SwapRule } from "../accounts/schema_groups";
import type { SwapTerms } from "../accounts/schema_rows";
import { swapOf } from "../lib/money";
import { HOUR, newYorkClock } from "../lib/time";
import { instrumentOf, isForex, pipOf } from "../market/rules_listed";
import type { Side } from "./rules_prices";
import { nextClose } from "./rules_waiting";
import type { SwapNight } from "./schema";

/** What holding over New York's 17:00 moves, as SQL's swap_terms, swap_market_open, swap_nights_of and swap_of have it. */

type Said = { unit: "points" | "percent" | "fee"; rate: string; triple: number | null };

/** What a group's terms say of an instrument and a side; an instrument's own rule comes before its class's. Null: nothing. */
function saidOf({ rules, fee }: SwapTerms, symbol: string, side: Side): Said | null {
  if (fee !== null) return { unit: "fee", rate: `-${fee}`, triple: null };
  const of = (name: string | undefined): SwapRule | undefined => rules.find((rule) => rule.for === name);
  const rule = of(symbol) ?? of(instrumentOf(symbol)?.group);
  return rule ? { unit: rule.unit, rate: side === "buy" ? rule.long : rule.short, triple: rule.tripleDay } : null;
}

/** So many nights are looked through for the next two that move something. */
const LOOK_AHEAD = 14;
const nextCloses = (now: number, count: number): number[] => {
  const closes = [nextClose(now)];
  while (closes.length < count) closes.push(nextClose(closes.at(-1) ?? now));
  return closes;
};
/** New York's date of a 17:00 there. */
export const nightOf = (at: number): string => new Date(at - 12 * HOUR).toISOString().slice(0, 10);
/** Whether a market without hours of its own was open on New York's day of a 17:00, before it. */
function isOpenBefore(isPair: boolean, at: number): boolean {
  const { weekday, month, day } = newYorkClock(at);
  return !isPair || !(weekday === 0 || weekday === 6 || (month === 12 && day === 25) || (month === 1 && day === 1));
}
/** How many nights' swap the 17:00 at `at` of an open market moves: the triple day takes the weekend's. */
function swapNights(at: number, triple: number | null): number {
  const { weekday } = newYorkClock(at);
  if (triple !== null && (weekday === 0 || weekday === 6)) return 0;
  return weekday === triple ? 3 : 1;
}

/** One point of a pair in units of 10⁻⁸; a coin's swap is in no points. */
const pointOf = (symbol: string) => pipOf(symbol) / 10;

/**
 * What the first night moves that something opened now at this price (units of 10⁻⁸) is held over, and until which 17:00 that lasts. Null where
 * the group has no swap for it.
 */
export function overnight(
  { symbol, side, amount }: { symbol: string; side: Side; amount: string },
  open: number,
  terms: SwapTerms | null | undefined,
  now: number,
): { amount: string; nights: number; first: number; until: number } | null {
  const said = terms ? saidOf(terms, symbol, side) : null;
  const instrument = instrumentOf(symbol);
  if (!said || !instrument || !/[1-9]/.test(said.rate)) return null;
  const own = terms?.open?.[symbol];
  const nightsAt = (at: number) => {
    const isOpen = own ? own.includes(nightOf(at)) : isOpenBefore(isForex(instrument), at);
    return isOpen ? swapNights(at, said.triple) : 0;
  };
  const closes = nextCloses(now, LOOK_AHEAD);
  const [first, until] = closes.filter((at) => nightsAt(at) > 0);
  if (first === undefined || until === undefined) return null;
  const nights = nightsAt(first);
  return { amount: swapOf(said.unit, said.rate, amount, open, pointOf(symbol), nights), nights, first, until };
}

const WEEKDAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** "tomorrow 17:00 New York", of a 17:00 less than a week away. */
export function untilText(until: number, now: number): string {
  const { weekday } = newYorkClock(until);
  return `${weekday === (newYorkClock(now).weekday + 1) % 7 ? "tomorrow" : WEEKDAYS[weekday]} 17:00 New York`;
}

/** By what a night's swap was worked out. */
export const swapTermsText = ({ unit, rate }: Pick<SwapNight, "unit" | "rate">): string => {
  const plain = rate.replace("-", "").replace(/\.?0+$/, "");
  const size = unit === "fee" ? `$${plain} for each $100,000` : unit === "percent" ? `${plain}% a year` : plain === "1" ? "1 point" : `${plain} points`;
  return unit === "fee" ? size : `${rate.startsWith("-") ? "−" : "+"}${size}`;
};
