import { priceText } from "../lib/money";
import { pricesFor, type Quote, type Tier } from "./rules_prices";

/** The bid and ask that this account would get, as decimal strings; the market's own where there is no account. */
export function ownQuote(tier: Tier | null, quote: Pick<Quote, "symbol" | "bid" | "ask">): { bid: string; ask: string } {
  if (!tier) return quote;
  const { bid, ask } = pricesFor(tier, quote);
  return { bid: priceText(bid), ask: priceText(ask) };
}
