import { useSignals } from "@preact/signals-react/runtime";
import { isOffered } from "../../src/market/rules_terms";
import { midText, percentText } from "../../src/lib/quote_text";
import { dealDigitsOf, digitsOf, type Tier, type Watched } from "../../src/trading/rules_prices";
import { ownQuote } from "../../src/trading/rules_quote";
import { AlertButton } from "../../views/alerts/AlertButton";
import { platformPath } from "../../views/trading/tabs";
import { classes } from "../../views/ui/classes";
import { Delta } from "../../views/ui/Price";
import { accountNow, connected, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { LivePrice, useQuote, useStaleness } from "../runtime/live";
import { picking } from "../runtime/pick";
import { selectedSymbol } from "../runtime/selection";
import { relisted } from "../runtime/listed";
import { askAlert } from "../runtime/alert_asked";

type Item = Omit<Watched, "spark">;
type Props = { items: Item[]; /** Null: the market's own prices. */ account: (Tier & { id: string }) | null; symbol: string; tab: string };

/** Six pairs with the account's own prices; a press chooses one for the whole screen. */
export function MarketWatch({ items, account: given, symbol: first, tab }: Props) {
  useSignals();
  const here = useTradingStore({ symbol: first, quotes: items.map(({ quote }) => quote) });
  const account = given && accountNow(given, here);
  const chosen = here ? selectedSymbol.value : first;
  const shown = relisted.value === 0 ? items : items.filter(isOffered);
  return (
    <section aria-label="Market Watch" className="rounded-card border border-line bg-surface">
      <div className="flex min-h-12 items-center justify-between border-b border-line pl-4 pr-2">
        <h2 className="text-[0.9375rem] font-semibold">Market Watch</h2>
        <AlertButton symbol={chosen} onPress={() => askAlert(chosen)} />
      </div>
      <table className="w-full table-fixed text-table">
        <caption className="sr-only">Pairs with bid, ask and the day's change</caption>
        <thead>
          <tr className="text-note text-soft">
            <th scope="col" className="w-[28%] py-1.5 pl-4 pr-1 text-left font-medium">
              Pair
            </th>
            <th scope="col" className="px-1 py-1.5 text-right font-medium">
              Bid
            </th>
            <th scope="col" className="px-1 py-1.5 text-right font-medium">
              Ask
            </th>
            <th scope="col" className="w-[25%] py-1.5 pl-1 pr-4 text-right font-medium">
              Change
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((item) => (
            <Row key={item.symbol} item={item} account={account} tab={tab} chosen={item.symbol === chosen} here={here} />
          ))}
        </tbody>
      </table>
      <p role="status" className="border-t border-line px-4 py-2 text-note text-soft">
        {here && !connected.value ? "Reconnecting. These are the last prices." : account ? "The prices your account gets." : "The market's prices."}
      </p>
    </section>
  );
}

type RowProps = { item: Item; account: Props["account"]; tab: string; chosen: boolean; here: boolean };

/** One row follows one symbol's quote. */
function Row({ item, account, tab, chosen, here }: RowProps) {
  useSignals();
  const { symbol, dayOpen } = item;
  const quote = useQuote(symbol, item.quote, here);
  const stale = useStaleness(quote, here);
  const told = stale ?? (quote?.closeOnly ? "Close only" : null);
  const digits = digitsOf(symbol);
  const own = quote && ownQuote(account, quote);
  const price = (value: string) => <LivePrice value={value} digits={digits} decimals={dealDigitsOf(symbol)} />;
  const change = quote ? percentText(midText(quote.bid, quote.ask, digits), dayOpen) : "0.00";
  return (
    <tr
      data-symbol={symbol}
      title={told ?? undefined}
      className={classes("border-t border-line", chosen && "bg-accent-soft/60", stale && "text-soft")}
      onClick={picking(symbol)}
    >
      <th scope="row" className="py-0 pl-4 pr-1 text-left font-semibold">
        <a
          href={platformPath(account?.id ?? null, { tab, symbol })}
          aria-current={chosen ? "true" : undefined}
          className={classes(
            "inline-flex min-h-11 items-center whitespace-nowrap no-underline hover:underline md:min-h-9",
            chosen ? "text-accent" : "text-ink",
          )}
        >
          {symbol}
        </a>
      </th>
      <td data-cell="bid" className="px-1 text-right">
        {own ? price(own.bid) : "–"}
      </td>
      <td data-cell="ask" className="px-1 text-right">
        {own ? price(own.ask) : "–"}
      </td>
      <td data-cell="change" className="pl-1 pr-4 text-right">
        {told ? <span className="text-note">{told.split(", ").at(-1)}</span> : <Delta value={change} suffix="%" />}
      </td>
    </tr>
  );
}

export default island("MarketWatch", MarketWatch);
