import { useSignals } from "@preact/signals-react/runtime";
import type { StaffPosition } from "../../src/trading/schema_corrections";
import { dealPrice, standingOf } from "../../src/trading/rules_prices";
import { Profit } from "../../views/accounts/Profit";
import { quoteOf } from "../runtime/trading_store";
import { useTint } from "../runtime/live";

/** A position of whomever at the quote of this moment, or as the server last said. The component itself calls `useSignals()`. */
export function useFloating(position: StaffPosition, here: boolean) {
  const quote = here ? quoteOf(position.symbol).value : null;
  return { ...standingOf(position, position, quote), old: quote !== null && quote.stale };
}

type Cell = { position: StaffPosition; here: boolean };

/** What it would close at now. Reads one symbol's quote, so that a tick draws only the cells that it moves. */
export function FloatingPrice({ position, here }: Cell) {
  useSignals();
  const { price, old } = useFloating(position, here);
  const element = useTint(price);
  return (
    <span ref={element} className={old ? "text-soft" : ""}>
      {dealPrice(price, position.symbol)}
    </span>
  );
}

/** What it would bring now. */
export function FloatingProfit({ position, here }: Cell) {
  useSignals();
  const { profit, old } = useFloating(position, here);
  const element = useTint(profit);
  if (profit === null) return "–";
  return (
    <span ref={element} className={old ? "grayscale" : ""}>
      <Profit value={profit} />
    </span>
  );
}
