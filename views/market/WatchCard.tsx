import type { ReactNode, Ref } from "react";
import { percentText } from "../../src/lib/quote_text";
import { instrumentOf } from "../../src/market/rules_listed";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { classes } from "../ui/classes";
import { Delta } from "../ui/Price";
import type { Quote, Side, Watched } from "../../src/trading/rules_prices";
import { Sparkline } from "./Sparkline";
import { midOf, standingWords } from "./watch_price";

type Props = {
  place?: Ref<HTMLLIElement>;
  item: Watched;
  quote: Quote | null;
  /** The instrument is the one in the order panel. */
  chosen: boolean;
  stale: string | null;
  price: ReactNode;
  /** Offers to set an alert. */
  onAlert: (symbol: string) => void;
  onPick: (symbol: string, side: Side) => void;
};

/** One instrument of a watchlist: name, price, the day's change, its day as a line, and the way to the order panel. */
export function WatchCard({ place, item, quote, chosen, stale, price, onAlert, onPick }: Props) {
  const { symbol, dayOpen, spark } = item;
  const mid = midOf(quote);
  const change = mid ? percentText(mid, dayOpen) : "0.00";
  const faded = stale !== null;
  const told = stale ?? standingWords(quote);
  return (
    <li
      ref={place}
      className={classes("far far-card flex flex-col gap-3 rounded-card border bg-surface p-4", chosen ? "border-accent" : "border-line")}
      aria-current={chosen ? "true" : undefined}
    >
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold">{symbol}</h3>
          <p className="truncate text-note text-soft">{instrumentOf(symbol)?.name}</p>
        </div>
        <Sparkline path={spark} rising={!change.startsWith("-")} className="h-8 w-24" />
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <span className={classes("text-heading", faded && "text-soft")}>{price}</span>
        <Delta value={change} suffix="%" className={classes("text-table", faded && "grayscale")} />
      </div>
      {told ? <p className="-mt-2 text-note text-warn">{told}</p> : null}
      <div className="js-only grid grid-cols-[1fr_1fr_auto] gap-2">
        <Button variant="secondary" size="small" aria-label={`SELL ${symbol}`} onClick={() => onPick(symbol, "sell")}>
          <span className="text-loss">SELL</span>
        </Button>
        <Button variant="secondary" size="small" aria-label={`BUY ${symbol}`} onClick={() => onPick(symbol, "buy")}>
          <span className="text-gain">BUY</span>
        </Button>
        <Button variant="secondary" size="small" className="px-2" aria-label={`Set an alert on ${symbol}`} onClick={() => onAlert(symbol)}>
          <Icon name="bell" className="size-4" />
        </Button>
      </div>
    </li>
  );
}
