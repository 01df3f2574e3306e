import { useSignals } from "@preact/signals-react/runtime";
import { PriceBar } from "../views/portal/PriceBar";
import { pricesFor, type Quote, type Side, type Tier } from "../views/portal/model";
import { selectedSide, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { useQuote, useStaleness } from "./lib/live";
import { selectedSymbol } from "./lib/selection";

type Props = { account: Tier; symbol: string; quote: Quote | null };

/** Both prices under the thumb of a phone; a press chooses the side and brings the order panel. */
export function OrderBar({ account, symbol: first, quote: firstQuote }: Props) {
  useSignals();
  const here = useDesk({ symbol: first, quotes: [firstQuote] });
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
