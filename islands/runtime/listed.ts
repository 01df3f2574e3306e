import { signal } from "@preact/signals-react";
import { heldInstruments, holdInstruments } from "../../src/market/rules_listed";
import { offeredInstruments } from "../../src/market/rules_terms";
import type { Watched } from "../../src/trading/rules_prices";

/** The instruments of an open page, as staff list and change them meanwhile. */

/** How often they became others since the page came. Who reads it is drawn anew then. */
export const relisted = signal(0);

/** Takes the instruments as the stream tells them, in the lines of a page's first element. */
export function takeInstruments({ lines }: { lines: string }) {
  if (lines === heldInstruments()) return;
  holdInstruments(lines);
  relisted.value += 1;
}

/** What lists show by now of the page's items: what was hidden is gone, what is new has its price once the stream tells it. */
export function listedNow(items: Watched[]): Watched[] {
  if (relisted.value === 0) return items;
  const known = new Map(items.map((item) => [item.symbol, item]));
  return offeredInstruments().map(({ symbol }) => known.get(symbol) ?? { symbol, quote: null, dayOpen: "0", spark: "" });
}
