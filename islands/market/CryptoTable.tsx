import { useSignals } from "@preact/signals-react/runtime";
import { isListedCoin } from "../../src/market/rules_listed";
import { listMarketData, type MarketItem } from "../../src/market/schema";
import { instantText } from "../../views/ui/instant";
import { digitsOf } from "../../src/trading/rules_prices";
import { Badge } from "../../views/ui/Badge";
import { Notice } from "../../views/ui/States";
import { call } from "../wire/api";
import { quoteOf, useTradingStore } from "../runtime/trading_store";
import { useEvery } from "../runtime/every";
import { island } from "../runtime/island";
import { LivePrice } from "../runtime/live";

const load = async () => (await call(listMarketData)).filter(({ symbol }) => isListedCoin(symbol));

/** Coins with the market's bid and ask: fetched anew every five seconds while the page is seen, and following the stream in between. */
export function CryptoTable({ items }: { items: MarketItem[] }) {
  const here = useTradingStore({});
  const { value, lost } = useEvery(items, load);
  if (value.length === 0) return <p className="px-4 py-12 text-center text-soft">Loading live market data...</p>;
  return (
    <>
      {lost ? (
        <Notice kind="warning" className="m-4">
          The prices could not be refreshed; these are the last ones. The next try follows in a few seconds.
        </Notice>
      ) : null}
      <table className="w-full text-table max-md:block">
        <caption className="sr-only">Cryptocurrency prices in US dollars</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b border-line text-soft">
            <th scope="col" className="px-4 py-2 text-left font-medium">
              Ticker
            </th>
            {COLUMNS.map(({ name }) => (
              <th key={name} scope="col" className="px-3 py-2 text-right font-medium">
                {name}
              </th>
            ))}
            <th scope="col" className="px-4 py-2 text-right font-medium">
              Status
            </th>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {value.map((item) => (
            <Row key={item.symbol} item={item} here={here} />
          ))}
        </tbody>
      </table>
    </>
  );
}

const COLUMNS = [
  { name: "Bid", side: "bid" },
  { name: "Ask", side: "ask" },
  { name: "High", side: "ask" },
  { name: "Low", side: "bid" },
] as const;

function Row({ item, here }: { item: MarketItem; here: boolean }) {
  useSignals();
  const { symbol } = item;
  const quote = here ? quoteOf(symbol).value : null;
  const newest = quote && quote.time >= item.timestamp ? { ...quote, timestamp: quote.time } : item;
  const { stale, timestamp } = newest;
  return (
    <tr
      data-symbol={symbol}
      className="border-b border-line last:border-b-0 max-md:grid max-md:grid-cols-4 max-md:gap-x-1.5 max-md:px-3 max-md:py-2.5 [&[data-stale]]:text-soft"
      data-stale={stale ? "" : undefined}
    >
      <th scope="row" className="px-4 py-2 text-left font-semibold max-md:col-span-2 max-md:px-0 max-md:py-0">
        {symbol}
      </th>
      {COLUMNS.map(({ name, side }) => (
        <td
          key={name}
          data-cell={name.toLowerCase()}
          className="px-3 py-2 text-right max-md:order-2 max-md:px-0 max-md:py-1 max-md:text-left max-md:text-note max-md:tracking-[-0.03em]"
        >
          <span className="block text-soft md:hidden">{name}</span>
          <LivePrice value={newest[side]} digits={digitsOf(symbol)} />
        </td>
      ))}
      <td className="px-4 py-2 text-right max-md:order-1 max-md:col-span-2 max-md:px-0 max-md:py-0">
        {stale ? <Badge tone="secondary">Stale, of {instantText(timestamp).slice(11)} UTC</Badge> : <Badge tone="gain">Live</Badge>}
      </td>
    </tr>
  );
}

export default island("CryptoTable", CryptoTable, { when: "visible" });
