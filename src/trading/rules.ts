import { marginOf, priceText, profitOf } from "../lib/money";

/** Bid and ask in whole units of 10⁻⁸. */
export type Prices = { bid: number; ask: number };

/**
 * The account's own bid and ask: the market's, or mid ∓ half the tier's spread where that is wider. The mirror of SQL's
 * account_price, digit for digit. `pip` in units of 10⁻⁸ and 0 where no tier spread applies; `tierPips` as "3.3".
 */
export function accountPrice({ bid, ask }: Prices, pip: number, tierPips: string): Prices {
  const spread = (Math.round(Number(tierPips) * 10) * pip) / 10;
  if (spread <= ask - bid) return { bid, ask };
  const mid = Math.round((bid + ask) / 2);
  return { bid: mid - spread / 2, ask: mid + spread / 2 };
}

export const openingPrice = (side: "buy" | "sell", prices: Prices) => (side === "buy" ? prices.ask : prices.bid);
export const closingPrice = (side: "buy" | "sell", prices: Prices) => (side === "buy" ? prices.bid : prices.ask);

/** True where the closing side's price has reached the stop or the target. Prices in units of 10⁻⁸. */
export const stopReached = (side: "buy" | "sell", closing: number, stop: number) => (side === "buy" ? closing <= stop : closing >= stop);
export const targetReached = (side: "buy" | "sell", closing: number, target: number) => (side === "buy" ? closing >= target : closing <= target);

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
  scenarios: Scenario[];
  atStop: string | null;
  atTarget: string | null;
};

/**
 * What an order would mean, from the functions that the fill uses too: position size in units, the price it would get,
 * margin, the cost of the spread (closing at once), scenarios, results at stop and target. Money as decimal strings.
 */
export function preview(
  order: { side: "buy" | "sell"; amount: string; stop: number | null; target: number | null },
  prices: Prices,
  pip: number,
  leverage: number,
): Preview {
  const open = openingPrice(order.side, prices);
  const cost = profitOf(order.side, order.amount, open, closingPrice(order.side, prices));
  return {
    units: (Number(order.amount) / (open / 1e8)).toFixed(2),
    price: priceText(open),
    margin: marginOf(order.amount, leverage),
    spreadCost: cost.startsWith("-") ? cost.slice(1) : cost,
    scenarios: scenarios(order.side, order.amount, open, pip),
    atStop: order.stop === null ? null : profitOf(order.side, order.amount, open, order.stop),
    atTarget: order.target === null ? null : profitOf(order.side, order.amount, open, order.target),
  };
}

/** Why a position closed, in a person's words. */
export const CLOSE_REASONS: Record<string, string> = {
  trader: "Closed by you",
  stop_loss: "Stop loss reached",
  take_profit: "Take profit reached",
  stop_out: "Stop-out: margin level below 50%",
  admin: "Settled by administrator",
};
