/** Bid and ask in whole units of 10⁻⁸. */
export type Prices = { bid: number; ask: number };

/**
 * The account's own bid and ask: the market's, or mid ∓ half the tier's spread where that is wider. The mirror of SQL's
 * account_price, digit for digit. `pip` in units of 10⁻⁸ and 0 where no tier spread applies; `tierPips` as "3.3", or "-3.3" where it is
 * fixed, whatever the market's; the instrument widens it by its `markup`.
 */
export function accountPrice({ bid, ask }: Prices, pip: number, tierPips: string, markup = 0): Prices {
  const own = Number(tierPips);
  const spread = (Math.round((Math.abs(own) + markup) * 10) * pip) / 10;
  if (pip === 0 || (own >= 0 && spread <= ask - bid)) return { bid, ask };
  const mid = Math.round((bid + ask) / 2);
  return { bid: mid - spread / 2, ask: mid + spread / 2 };
}

export const openingPrice = (side: "buy" | "sell", prices: Prices) => (side === "buy" ? prices.ask : prices.bid);
export const closingPrice = (side: "buy" | "sell", prices: Prices) => (side === "buy" ? prices.bid : prices.ask);

/** True where the closing side's price has reached the stop or the target. Prices in units of 10⁻⁸. */
export const stopReached = (side: "buy" | "sell", closing: number, stop: number) => (side === "buy" ? closing <= stop : closing >= stop);
export const targetReached = (side: "buy" | "sell", closing: number, target: number) => (side === "buy" ? closing >= target : closing <= target);
