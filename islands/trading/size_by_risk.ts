import { openingPrice } from "../../src/trading/rules";
import { priceText } from "../../src/lib/money";
import { pricesFor } from "../../src/trading/rules_prices";
import { amountAtRisk } from "../../src/trading/rules_risk";
import type { Order, Seen } from "./order_ways";

const PRICE = /^\d{1,12}(\.\d{1,8})?$/;

/**
 * The amount whose loss at the stop is so many per cent of the balance, from the price that the order waits for, or else from this moment's; or why
 * there is none. Fetched when it is first asked for.
 */
export function sizeByRisk(order: Order, balance: string, perCent: string, { account, quote }: Seen): { amount: string } | { why: string } {
  const { side, orderType, triggerPrice = "", stopLoss } = order;
  const price = orderType === "market" ? quote && priceText(openingPrice(side, pricesFor(account, quote))) : triggerPrice;
  const amount = price && PRICE.test(price) && PRICE.test(stopLoss) ? amountAtRisk(side, balance, perCent, price, stopLoss) : null;
  if (amount !== null && Number(amount) > 0) return { amount };
  if (amount !== null) return { why: "This account has no balance to risk." };
  return { why: `Enter from 0.01 to 100 per cent, and a stop loss ${side === "buy" ? "below" : "above"} the price.` };
}
