import { useSignals } from "@preact/signals-react/runtime";
import { type ReactNode, useEffect } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { priceText } from "../../src/lib/money";
import { openingPrice, type Prices } from "../../src/trading/rules";
import { pricesFor, type Quote, type Side, type Tier } from "../../src/trading/rules_prices";
import { quoteOf, selectedSide, useTradingStore } from "../runtime/trading_store";
import { useCondition, useQuote, useStaleness } from "../runtime/live";
import { useOrder } from "./order";
import { noteInAddress } from "../runtime/pick";
import { selectedSymbol } from "../runtime/selection";

export type OrderPanelProps = {
  account: TradingAccount;
  symbol: string;
  quote: Quote | null;
  /** Why this account can't trade yet, in words; null when it can. */
  blocked: string | null;
};

/**
 * What every order panel is: the account's order in the chosen pair, and whether it can be sent. It is drawn anew when that changes, not
 * at each tick: `OwnPrices` shows the prices. `amount` is what the panel begins with, in USD. The component itself calls `useSignals()`.
 */
export function useOrderPanel(
  { account, symbol: first, quote: firstQuote, blocked, side: firstSide = "buy" }: OrderPanelProps & { side?: Side },
  amount?: string,
) {
  const here = useTradingStore({ symbol: first, quotes: [firstQuote] });
  // Another tab may choose another account: this page comes back with its own.
  useEffect(() => noteInAddress("account", account.id), [account.id]);
  const symbol = here ? selectedSymbol.value : first;
  const side = here ? selectedSide.value : firstSide;
  const begun = symbol === first ? firstQuote : null;
  const quote = useCondition(symbol, begun, here);
  const stale = useStaleness(quote, here);
  const order = useOrder({ accountId: account.id, symbol, side, here, amount });
  /** What this account would get at this moment. */
  const pricesNow = () => {
    const newest = (here && quoteOf(symbol).peek()) || begun;
    return newest && pricesFor(account, newest);
  };
  /** What the order would open at, at this moment. */
  const priceNow = () => {
    const prices = pricesNow();
    return prices && priceText(openingPrice(side, prices));
  };
  return {
    ...order,
    order: { ...order.fields, symbol, side, accountId: account.id },
    here,
    begun,
    priced: quote !== null,
    waits: quote !== null && !quote.open,
    refused: blocked ?? stale,
    priceNow,
  };
}

type OwnPricesProps = { account: Tier; symbol: string; quote: Quote | null; here: boolean; children: (prices: Prices | null) => ReactNode };

/** Draws with the account's own bid and ask, anew at each tick, and nothing around it. */
export function OwnPrices({ account, symbol, quote: first, here, children }: OwnPricesProps) {
  useSignals();
  const quote = useQuote(symbol, first, here);
  return children(quote && pricesFor(account, quote));
}
