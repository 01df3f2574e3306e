import { midText } from "../../src/lib/quote_text";
import { digitsOf, type Quote } from "../../src/trading/rules_prices";

/** The middle of bid and ask as cards show it; null before the first quote. */
export const midOf = (quote: Quote | null): string | null => quote && midText(quote.bid, quote.ask, digitsOf(quote.symbol));

/** Why no order of now opens a position at its price; null where one does. */
export function standingWords(quote: Quote | null): string | null {
  if (quote?.closeOnly) return "Close only";
  return quote?.open === false ? "Market closed" : null;
}
