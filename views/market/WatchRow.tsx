import type { ReactNode, Ref } from "react";
import { percentText } from "../../src/lib/quote_text";
import { instrumentOf } from "../../src/market/rules_listed";
import type { Quote, Side, Watched } from "../../src/trading/rules_prices";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { Delta } from "../ui/Price";
import { Sparkline } from "./Sparkline";
import { midOf, standingWords } from "./watch_price";

type Props = {
  place?: Ref<HTMLLIElement>;
  item: Watched;
  quote: Quote | null;
  /** The instrument is the one in the order panel. */
  chosen: boolean;
  stale: string | null;
  bid: ReactNode;
  ask: ReactNode;
  /** Offers to set an alert. */
  onAlert: (symbol: string) => void;
  onPick: (symbol: string, side: Side) => void;
  onChart: (symbol: string) => void;
};

/**
 * One instrument of a dense watchlist: its day as a line, the market's bid and ask, the day's change. The symbol leads to the chart, a price to the
 * order, which is dealt at the account's own: so the buttons' names say whose price theirs is.
 */
export function WatchRow({ place, item, quote, chosen, stale, bid, ask, onAlert, onPick, onChart }: Props) {
  const { symbol, dayOpen, spark } = item;
  const mid = midOf(quote);
  const change = mid ? percentText(mid, dayOpen) : "0.00";
  const faded = stale !== null;
  const told = stale ?? standingWords(quote);
  return (
    <li ref={place} className="far-row watch-row" aria-current={chosen ? "true" : undefined}>
      <h2 className="min-w-0">
        <button type="button" data-tip="" className="watch-symbol" onClick={() => onChart(symbol)}>
          <span>{symbol}</span>
          <span aria-hidden="true" className={told ? "hidden" : "watch-name"}>
            {instrumentOf(symbol)?.name}
          </span>
          {told ? <span className="block text-note font-normal leading-4 whitespace-normal text-warn">{told}</span> : null}
        </button>
      </h2>
      <Sparkline path={spark} rising={!change.startsWith("-")} className="h-6 w-full" />
      <button type="button" className={classes("watch-price", faded && "text-soft")} onClick={() => onPick(symbol, "sell")}>
        <span className="sr-only">{`SELL ${symbol}, market price `}</span>
        {bid}
      </button>
      <button type="button" className={classes("watch-price", faded && "text-soft")} onClick={() => onPick(symbol, "buy")}>
        <span className="sr-only">{`BUY ${symbol}, market price `}</span>
        {ask}
      </button>
      <Delta value={change} suffix="%" className="justify-self-end text-note" />
      <button type="button" aria-label={`Set an alert on ${symbol}`} className="js-only watch-bell" onClick={() => onAlert(symbol)}>
        <Icon name="bell" className="size-4" />
      </button>
    </li>
  );
}
