import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { displayPrice } from "../src/lib/money";
import { instrumentOf, type LiveQuote, listLiveQuotes } from "../src/market/schema";
import { instantText } from "../views/portal/instant";
import { digitsOf } from "../views/portal/model";
import { type Pairs, pairsOf, ScreenerCards, ScreenerTable } from "../views/trading/ScreenerLists";
import { platformPath } from "../views/trading/tabs";
import { Button } from "../views/ui/Button";
import { classes } from "../views/ui/classes";
import { Icon } from "../views/ui/Icon";
import { SimulatedLabel } from "../views/ui/Price";
import { EmptyState, Notice } from "../views/ui/States";
import { TabPanel, Tabs } from "../views/ui/Tabs";
import { call } from "./lib/api";
import { useDesk } from "./lib/desk";
import { useEvery } from "./lib/every";
import { island } from "./lib/island";
import { LivePrice } from "./lib/live";
import { noteInAddress, picking } from "./lib/pick";
import { selectedSymbol } from "./lib/selection";

const PAIRS = [
  { id: "major", label: "Major Pairs" },
  { id: "minor", label: "Minor Pairs" },
];

const look = () => call(listLiveQuotes);

type Props = { quotes: LiveQuote[]; pairs: Pairs; accountId: string | null; symbol: string; simulated: boolean };

/** The forex screener: every pair with the day's change and range, fetched anew every five seconds until that is switched off. */
export function Screener({ quotes: first, pairs: firstPairs, accountId, symbol, simulated }: Props) {
  useSignals();
  const here = useDesk({ symbol });
  const [pairs, setPairs] = useState(firstPairs);
  const [auto, setAuto] = useState(true);
  const { value: quotes, lost, busy, refresh } = useEvery(first, look, auto);
  const chosen = here ? selectedSymbol.value : symbol;
  const shown = quotes.filter((quote) => instrumentOf(quote.symbol)?.group === `forex-${pairs}`);
  const newest = quotes.reduce((latest, { lastUpdate }) => (lastUpdate > latest ? lastUpdate : latest), "");
  const list = {
    quotes: shown,
    chosen,
    hrefOf: (to: string, side?: "buy" | "sell") =>
      platformPath(accountId, side ? { tab: "trading", symbol: to, side } : { tab: "screener", symbol: to, pairs }),
    onPick: picking,
    price: (quote: LiveQuote, of: "bid" | "ask") => <LivePrice value={displayPrice(quote[of], digitsOf(quote.symbol))} digits={digitsOf(quote.symbol)} />,
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
          <Button look="secondary" size="small" disabled={busy} onClick={() => void refresh()}>
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
        The market's prices{newest ? `, ${instantText(newest).slice(11)} UTC` : ""}. Where your account's spread is wider, your order fills at its prices.
      </p>
    </section>
  );
}

export default island("Screener", Screener);
