import { priceText, priceUnits } from "../../src/lib/money";
import { pipOf } from "../../src/market/rules_listed";
import type { OneClickTerms } from "./one_click_terms";

/** The largest distance from this price, as a price, that the terms allow. Prices as decimal text. */
export function slippageOf({ pips, percent }: OneClickTerms, symbol: string, price: string): string {
  const pip = pipOf(symbol);
  return priceText(Math.round(pip > 0 ? Number(pips) * pip : (priceUnits(price) / 100) * Number(percent)));
}

/** "1 pip", or "0.05%" for a coin. */
export const boundText = ({ pips, percent }: OneClickTerms, symbol: string): string =>
  pipOf(symbol) > 0 ? `${pips} ${Number(pips) === 1 ? "pip" : "pips"}` : `${percent}%`;

/** A second press within so many ms is the first one's echo. */
const DOUBLE_MS = 400;

/**
 * Lets presses through one by one: none while one is being answered, and none so soon after another that it is its echo. `pressed` is when the person
 * pressed, in ms of the page's clock: a page that is busy hears of it late.
 */
export function pressGate(clock: () => number = () => performance.now()) {
  let last = Number.NEGATIVE_INFINITY;
  let busy = false;
  return async (act: () => Promise<void>, pressed = clock()): Promise<boolean> => {
    if (busy || pressed - last < DOUBLE_MS) return false;
    [last, busy] = [clock(), true];
    try {
      await act();
    } finally {
      busy = false;
    }
    return true;
  };
}
