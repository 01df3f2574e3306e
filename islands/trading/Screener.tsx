import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { priceUnits } from "../../src/lib/money";
import { instrumentOf, pipOf } from "../../src/market/rules_listed";
import { type LiveQuote, listLiveQuotes } from "../../src/market/schema";
import { instantText } from "../../views/ui/instant";
import { dealDigitsOf, digitsOf, type Tier } from "../../src/trading/rules_prices";
import { ownQuote } from "../../src/trading/rules_quote";
import { type Pairs, pairsOf, ScreenerCards, ScreenerTable } from "../../views/trading/ScreenerLists";
import { platformPath } from "../../views/trading/tabs";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { Icon } from "../../views/ui/Icon";
import { SimulatedLabel } from "../../views/ui/Price";
import { EmptyState, Notice } from "../../views/ui/States";
import { TabPanel, Tabs } from "../../views/ui/Tabs";
import { call } from "../wire/api";
import { accountNow, useTradingStore } from "../runtime/trading_store";
import { useEvery } from "../runtime/every";
import { island } from "../runtime/island";
import { LivePrice, useQuote } from "../runtime/live";
import { noteInAddress, picking } from "../runtime/pick";
import { selectedSymbol } from "../runtime/selection";

const PAIRS = [
  { id: "major", label: "Major Pairs" },
  { id: "minor", label: "Minor Pairs" },
];

const load = () => call(listLiveQuotes);

type Account = (Tier & { id: string }) | null;
type Props = { quotes: LiveQuote[]; pairs: Pairs; /** Null: the market's own prices. */ account: Account; symbol: string; simulated: boolean };

/**
 * The forex screener: every pair at the account's own prices, which move with the market, and with the day's change and range, fetched
 * anew every five seconds. Switched off, all of it stands still.
 */
export function Screener({ quotes: first, pairs: firstPairs, account: given, symbol, simulated }: Props) {
  useSignals();
  const here = useTradingStore({ symbol });
  const account = given && accountNow(given, here);
  const [pairs, setPairs] = useState(firstPairs);
  const [auto, setAuto] = useState(true);
  const { value: quotes, lost, busy, refresh } = useEvery(first, load, auto);
  const chosen = here ? selectedSymbol.value : symbol;
  const shown = quotes.filter((quote) => instrumentOf(quote.symbol)?.group === `forex-${pairs}`);
  const newest = quotes.reduce((latest, { lastUpdate }) => (lastUpdate > latest ? lastUpdate : latest), "");
  const accountId = account?.id ?? null;
  const list = {
    quotes: shown,
    chosen,
    hrefOf: (to: string, side?: "buy" | "sell") =>
      platformPath(accountId, side ? { tab: "trading", symbol: to, side } : { tab: "screener", symbol: to, pairs }),
    onPick: picking,
    price: (quote: LiveQuote, of: "bid" | "ask" | "spread") => <Own quote={quote} of={of} account={account} here={here} moving={auto} />,
  };
  return (
    <section aria-labelledby="screener" className="rounded-card border border-line bg-surface">
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-1">
        <h2 id="screener" className="text-[0.9375rem] font-semibold">
          Forex Screener
        </h2>
        {simulated ? <SimulatedLabel /> : null}
        <div className="js-only ml-auto flex items-center gap-2 max-sm:ml-0 max-sm:w-full max-sm:justify-between">
          <button
            type="button"
            role="switch"
            aria-checked={auto}
            onClick={() => setAuto(!auto)}
            className="inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-table text-ink"
          >
            <span aria-hidden="true" className={classes("flex h-5 w-9 items-center rounded-full p-0.5", auto ? "justify-end bg-accent" : "bg-control")}>
              <span className="size-4 rounded-full bg-paper" />
            </span>
            Auto-refresh
          </button>
          <Button variant="secondary" size="small" disabled={busy} onClick={() => void refresh()}>
            <Icon name="refresh" className="size-4" />
            Refresh
          </Button>
        </div>
      </div>
      <div className="px-4">
        <Tabs
          label="Pairs"
          tabs={PAIRS}
          current={pairs}
          path={platformPath(accountId, { symbol: chosen })}
          param="pairs"
          onPick={(id) => {
            setPairs(pairsOf(id));
            noteInAddress("pairs", id);
          }}
        />
      </div>
      <TabPanel id={pairs} className="!py-0">
        {lost ? (
          <Notice kind="warning" className="m-4">
            The prices could not be refreshed; these are the last ones.
          </Notice>
        ) : null}
        {shown.length === 0 ? (
          <EmptyState icon="clock" title="No prices yet">
            The feed has not quoted these pairs. They appear here by themselves.
          </EmptyState>
        ) : pairs === "major" ? (
          <ScreenerTable {...list} />
        ) : (
          <ScreenerCards {...list} />
        )}
      </TabPanel>
      <p className="border-t border-line px-4 py-2 text-note text-soft">
        {account ? "The prices your account gets" : "The market's prices"}
        {newest ? `, the day's change as of ${instantText(newest).slice(11)} UTC.` : "."}
        {auto ? "" : " They stand still: an order fills at the prices of its moment."}
      </p>
    </section>
  );
}

type OwnProps = { quote: LiveQuote; of: "bid" | "ask" | "spread"; account: Account; here: boolean; moving: boolean };

/** What the account gets now: by the stream or by the last fetch, whichever is newer. */
function Own({ quote, of, account, here, moving }: OwnProps) {
  useSignals();
  const { symbol } = quote;
  const streamed = useQuote(symbol, null, here, moving);
  const { bid, ask } = ownQuote(account, streamed && streamed.time > quote.lastUpdate ? streamed : quote);
  if (of === "spread") return ((priceUnits(ask) - priceUnits(bid)) / pipOf(symbol)).toFixed(2);
  return <LivePrice value={of === "bid" ? bid : ask} digits={digitsOf(symbol)} decimals={dealDigitsOf(symbol)} />;
}

export default island("Screener", Screener);
