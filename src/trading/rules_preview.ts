import { commissionOf, marginOf, priceText, profitOf } from "../lib/money";
import { closingPrice, openingPrice, type Prices } from "./rules";

/** The price moves that the preview shows: in pips of a pair, as parts of the price for a coin. */
const MOVES = [
  { pips: 10, part: 0.001 },
  { pips: 20, part: 0.002 },
  { pips: 50, part: 0.005 },
  { pips: 100, part: 0.01 },
  { pips: 200, part: 0.02 },
] as const;

/** What a move for (`gain`) or against (`loss`) the position would bring, in USD. */
type Scenario = { move: string; gain: string; loss: string };

/**
 * The preview's scenarios. A pip is the instrument's own, so that yen pairs show moves that happen; with no pip (a coin)
 * the moves are 0.1% to 2% of the price.
 */
export function scenarios(side: "buy" | "sell", amount: string, open: number, pip: number): Scenario[] {
  return MOVES.map(({ pips, part }) => {
    const distance = pip > 0 ? pips * pip : Math.round(open * part);
    const up = profitOf(side, amount, open, open + distance);
    const down = profitOf(side, amount, open, Math.max(1, open - distance));
    return { move: pip > 0 ? `${pips} pips` : `${part * 100}%`, gain: side === "buy" ? up : down, loss: side === "buy" ? down : up };
  });
}

export type Preview = {
  units: string;
  price: string;
  margin: string;
  spreadCost: string;
  /** For opening it; "0.00" where the account deals without. */
  commission: string;
  scenarios: Scenario[];
  atStop: string | null;
  atTarget: string | null;
};

/**
 * What an order would mean, from the functions that the fill uses too: position size in units, the price it would get,
 * margin, the cost of the spread (closing at once), commission at its `rate` for each $100,000, scenarios, results at stop and target. Money as decimal strings.
 */
export function preview(
  order: { side: "buy" | "sell"; amount: string; stop: number | null; target: number | null },
  prices: Prices,
  pip: number,
  leverage: number,
  rate = "0.00",
): Preview {
  const open = openingPrice(order.side, prices);
  const cost = profitOf(order.side, order.amount, open, closingPrice(order.side, prices));
  return {
    units: (Number(order.amount) / (open / 1e8)).toFixed(2),
    price: priceText(open),
    margin: marginOf(order.amount, leverage),
    spreadCost: cost.startsWith("-") ? cost.slice(1) : cost,
    commission: commissionOf(order.amount, rate),
    scenarios: scenarios(order.side, order.amount, open, pip),
    atStop: order.stop === null ? null : profitOf(order.side, order.amount, open, order.stop),
    atTarget: order.target === null ? null : profitOf(order.side, order.amount, open, order.target),
  };
}
