import { useSignals } from "@preact/signals-react/runtime";
import { type ReactNode, useEffect, useState } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { openingRefused } from "../../src/market/rules_terms";
import type { Prices } from "../../src/trading/rules";
import { ORDER_TYPE_WORDS, pricesFor, type Quote, type Side, sideWord, type Tier } from "../../src/trading/rules_prices";
import { OrderTypes } from "../../views/trading/OrderFields";
import { Button } from "../../views/ui/Button";
import { accountNow, quoteOf, selectedSide, useTradingStore } from "../runtime/trading_store";
import { useCondition, useQuote, useStaleness } from "../runtime/live";
import { kept } from "../runtime/kept";
import { later } from "../runtime/later";
import { useOrder } from "./order";
import { noteInAddress } from "../runtime/pick";
import { selectedSymbol } from "../runtime/selection";

const OrderTerms = later(() => import("./OrderTerms"));

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
  { account: given, symbol: first, quote: firstQuote, blocked, side: firstSide = "buy" }: OrderPanelProps & { side?: Side },
  amount?: string,
) {
  const here = useTradingStore({ symbol: first, quotes: [firstQuote] });
  const account = accountNow(given, here);
  // Another tab may choose another account: this page comes back with its own.
  useEffect(() => noteInAddress("account", account.id), [account.id]);
  const symbol = here ? selectedSymbol.value : first;
  const side = here ? selectedSide.value : firstSide;
  const begun = symbol === first ? firstQuote : null;
  const quote = useCondition(symbol, begun, here);
  const stale = useStaleness(quote, here);
  const seen = () => ({ account, quote: (here && quoteOf(symbol).peek()) || begun });
  const { fields, set, ...rest } = useOrder({ accountId: account.id, symbol, side, here, amount, seen });
  const [more, setMore] = useState(false);
  const order = { ...fields, symbol, side, accountId: account.id };
  const isMarket = fields.orderType === "market";
  const terms = (part: "price" | "rest") => <OrderTerms {...{ part, order, errors: rest.errors, seen }} onField={set} />;
  return {
    ...rest,
    account,
    set,
    order,
    here,
    begun,
    seen,
    priced: quote !== null,
    /** The market is closed, and the order waits for its opening. */
    waits: quote !== null && !quote.open && isMarket,
    refused: blocked ?? openingRefused(quote, side, account.isDemo) ?? stale,
    /** Market, limit, stop, stop-limit, with the price that it waits for. */
    kind: (
      <>
        {kept(OrderTypes, { key: "types", values: fields, onField: set }, () => fields.orderType)}
        {isMarket ? null : terms("price")}
      </>
    ),
    /** What moves the stop loss, until when the order waits, and what it does, in words. */
    terms:
      !isMarket || more || fields.trailingDistance || fields.breakEvenAt ? (
        terms("rest")
      ) : (
        <Button variant="quiet" size="small" onClick={() => setMore(true)}>
          More: risk, trailing stop
        </Button>
      ),
    /** What a waiting order's button says; null for one at the market. */
    deed: isMarket ? null : `Place ${sideWord(side)} ${ORDER_TYPE_WORDS[fields.orderType].toLowerCase()} ${symbol}`,
  };
}

type OwnPricesProps = { account: Tier; symbol: string; quote: Quote | null; here: boolean; children: (prices: Prices | null) => ReactNode };

/** Draws with the account's own bid and ask, anew at each tick, and nothing around it. */
export function OwnPrices({ account, symbol, quote: first, here, children }: OwnPricesProps) {
  useSignals();
  const quote = useQuote(symbol, first, here);
  return children(quote && pricesFor(account, quote));
}
