import { priceText } from "../../src/lib/money";
import type { Prices } from "../../src/trading/rules";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Price } from "../ui/Price";
import { dealDigitsOf, digitsOf, type Side } from "../../src/trading/rules_prices";

type Props = { symbol: string; prices: Prices | null; stale: boolean; onPick: (side: Side) => void };

/** Under the thumb on a phone, wherever on the page one is: both prices, and the way to the order panel with that side chosen. */
export function PriceBar({ symbol, prices, stale, onPick }: Props) {
  const price = (units: number | undefined) =>
    units === undefined ? "–" : <Price value={priceText(units)} digits={digitsOf(symbol)} decimals={dealDigitsOf(symbol)} />;
  return (
    <div
      role="group"
      data-bottom-bar=""
      aria-label={`Trade ${symbol}`}
      className="js-only sticky bottom-0 z-20 -mx-4 border-t border-line bg-surface px-4 pb-[max(0.5rem,env(safe-area-inset-bottom))] pt-1 md:-mx-6 md:px-6 lg:hidden"
    >
      <p className="text-center text-note text-soft">{symbol}</p>
      <div className={classes("grid grid-cols-2 gap-2", stale && "opacity-60")}>
        <Button variant="sell" onClick={() => onPick("sell")}>
          SELL {price(prices?.bid)}
        </Button>
        <Button variant="buy" onClick={() => onPick("buy")}>
          BUY {price(prices?.ask)}
        </Button>
      </div>
    </div>
  );
}
