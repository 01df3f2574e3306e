import type { Side } from "../../src/trading/rules_prices";
import { amountAtRisk } from "../../src/trading/rules_risk";

/** The amount whose loss at the stop is so many per cent of the balance, or why there is none. Fetched when it is first asked for. */
export function sizeByRisk(side: Side, balance: string, perCent: string, price: string | null, stopLoss: string): { amount: string } | { why: string } {
  const amount = price && /^\d{1,12}(\.\d{1,8})?$/.test(stopLoss) ? amountAtRisk(side, balance, perCent, price, stopLoss) : null;
  if (amount !== null && Number(amount) > 0) return { amount };
  if (amount !== null) return { why: "This account has no balance to risk." };
  return { why: `Enter from 0.01 to 100 per cent, and a stop loss ${side === "buy" ? "below" : "above"} the price.` };
}
