import { type Instrument, instruments } from "./schema";

/** How an instrument is dealt now, as far as pages and forms say it before an order; the database decides at the deal. Money is USD as decimal text. */
export type InstrumentTerms = {
  state: "tradable" | "close_only" | "hidden";
  minimum: string | null;
  step: string | null;
  maximum: string | null;
  /** The most leverage, n of 1:n. */
  leverage: number | null;
};
type Held = Record<string, InstrumentTerms>;

let held: Held = {};
let text: string | undefined;

/** Keeps the terms in force of the instruments that have any, for all that this process draws and tells. */
export function holdTerms(terms: Held): void {
  held = terms;
  text = Object.keys(terms).length > 0 ? JSON.stringify(terms) : undefined;
}
/** The same for the page's first element, from which the browser reads it; undefined where there are none. */
export const heldTerms = (): string | undefined => text;

function current(): Held {
  if (typeof document !== "undefined" && document.documentElement.dataset.instruments !== text)
    holdTerms(JSON.parse(document.documentElement.dataset.instruments ?? "{}") as Held);
  return held;
}

/** The instrument's terms; undefined where it is dealt as instruments are. */
export const termsOf = (symbol: string): InstrumentTerms | undefined => current()[symbol];

let offered: { by: Held; list: readonly Instrument[] } | undefined;
/** The instruments that lists show; the same list until terms change. */
export function offeredInstruments(): readonly Instrument[] {
  const by = current();
  if (offered?.by !== by) offered = { by, list: instruments.filter(isOffered) };
  return offered.list;
}

/** Whether lists show the instrument. */
export const isOffered = ({ symbol }: { symbol: string }): boolean => termsOf(symbol)?.state !== "hidden";
/** Whether no position may be opened in it. */
export const isCloseOnly = (symbol: string): boolean => (termsOf(symbol)?.state ?? "tradable") !== "tradable";
/** The sentence for it. */
export const closeOnlyWords = (symbol: string): string => `${symbol} can only be closed at the moment: no position is opened in it.`;
