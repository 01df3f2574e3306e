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
/** The sentence for it. */
export const closeOnlyWords = (symbol: string): string => `${symbol} can only be closed at the moment: no position is opened in it.`;
