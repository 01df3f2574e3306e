import type { SubmitEvent } from "react";
import { displayMoney, priceText } from "../../src/lib/money";
import type { Prices } from "../../src/trading/rules";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { Delta, Price } from "../ui/Price";
import { dealDigitsOf, digitsOf, type Side } from "../../src/trading/rules_prices";

type Props = { accountId: string; symbol: string; prices: Prices | null; stale: boolean; onPick: (side: Side) => void };

/** Both prices under the thumb, wherever on the page one is, and the way to the order with that side chosen: to the form that needs no script where none comes. */
export function PriceBar({ accountId, symbol, prices, stale, onPick }: Props) {
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    onPick((event.nativeEvent.submitter as HTMLButtonElement).value as Side);
  };
  const price = (units: number | undefined) =>
    units === undefined ? "–" : <Price value={priceText(units)} digits={digitsOf(symbol)} decimals={dealDigitsOf(symbol)} />;
  return (
    <div role="group" aria-label={`Trade ${symbol}`} className={classes("pb-2", stale && "grayscale")}>
      <form action="/positions/new" data-late="again" onSubmit={onSubmit} className="grid grid-cols-2 gap-2">
        <input type="hidden" name="account" value={accountId} />
        <input type="hidden" name="symbol" value={symbol} />
        <Button type="submit" variant="sell" name="side" value="sell">
          SELL {price(prices?.bid)}
        </Button>
        <Button type="submit" variant="buy" name="side" value="buy">
          BUY {price(prices?.ask)}
        </Button>
      </form>
    </div>
  );
}

/** How many positions are open and what they bring at this moment; leads to their list. */
export const PositionStrip = ({ path, count, profit }: { path: string; count: number; profit: string }) => (
  <a
    href={`${path}${path.includes("?") ? "&" : "?"}tab=positions`}
    data-tab="positions"
    data-strip=""
    className="flex min-h-9 items-center justify-between gap-4 px-1 text-table text-ink no-underline"
  >
    <span>{count === 1 ? "1 open position" : `${count} open positions`}</span>
    {count ? <Delta value={displayMoney(profit)} className="font-semibold" /> : null}
  </a>
);
