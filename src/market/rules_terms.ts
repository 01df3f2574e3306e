import { heldFor } from "../lib/held";
import { type Instrument, type InstrumentTerms, instrumentOf, instruments } from "./rules_listed";

/** The instrument's terms; undefined where it is dealt as instruments are. */
export const termsOf = (symbol: string): InstrumentTerms | undefined => instrumentOf(symbol)?.terms;

let offered: { of: readonly Instrument[]; list: readonly Instrument[] } | undefined;
/** The instruments that lists show; the same list until one changes. */
export function offeredInstruments(): readonly Instrument[] {
  if (offered?.of !== instruments) offered = { of: instruments, list: instruments.filter(isOffered) };
  return offered.list;
}

/** Whether lists show the instrument. */
export const isOffered = ({ symbol }: { symbol: string }): boolean => termsOf(symbol)?.state !== "hidden";
/** Whether no position may be opened in it. */
export const isCloseOnly = (symbol: string): boolean => (termsOf(symbol)?.state ?? "tradable") !== "tradable";
/** Pips that an instrument adds to every account's spread: to what is dealt now, or to what was `opened` on a version of its terms (null: before there were any). */
export function markupOf(symbol: string, opened?: number | null): number {
  const { markup = null, held = null } = termsOf(symbol) ?? {};
  return (opened === undefined ? markup : heldFor(held, opened, markup)) ?? 0;
}
/** The side of an instrument that can't be opened on live accounts. */
export const barredSide = (symbol: string): "buy" | "sell" | null => termsOf(symbol)?.barred ?? null;

type Condition = { symbol: string; closeOnly?: true; barred?: "buy" | "sell" };
/** Why no order of this side may be opened on what a quote says of its instrument, in a sentence; null where it may. */
export function openingRefused(quote: Condition | null, side: "buy" | "sell", isDemo: boolean): string | null {
  if (quote?.closeOnly) return closeOnlyWords(quote.symbol);
  return quote?.barred === side && !isDemo ? barredWords(quote.symbol, side) : null;
}

export const barredWords = (symbol: string, side: "buy" | "sell"): string =>
  `${symbol} can only be ${side === "buy" ? "sold" : "bought"} or closed at the moment: clients hold as much of it the other way as the house takes.`;
/** The sentence for what is not opened: it is closed alone, or nobody deals in it. */
export const closeOnlyWords = (symbol: string): string =>
  termsOf(symbol)?.state === "shown"
    ? `${symbol} is shown with its prices and not dealt in at the moment.`
    : `${symbol} can only be closed at the moment: no position is opened in it.`;
