import { useSignals } from "@preact/signals-react/runtime";
import { PriceBar } from "../../views/trading/PriceBar";
import { pricesFor, type Quote, type Side, type Tier } from "../../src/trading/rules_prices";
import { selectedSide, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useQuote, useStaleness } from "../runtime/live";
import { selectedSymbol } from "../runtime/selection";

type Props = { account: Tier; symbol: string; quote: Quote | null };

/** Both prices under the thumb of a phone; a press chooses the side and brings the order panel. */
export function OrderBar({ account, symbol: first, quote: firstQuote }: Props) {
  useSignals();
  const here = useTradingStore({ symbol: first, quotes: [firstQuote] });
  const symbol = here ? selectedSymbol.value : first;
  const quote = useQuote(symbol, symbol === first ? firstQuote : null, here);
  const stale = useStaleness(quote, here);
  const pick = (side: Side) => {
    selectedSide.value = side;
    document.getElementById("execute-trade")?.scrollIntoView({ block: "start" });
  };
  return <PriceBar symbol={symbol} prices={quote && pricesFor(account, quote)} stale={stale !== null} onPick={pick} />;
}

export default island("OrderBar", OrderBar);
