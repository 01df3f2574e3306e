import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import type { Financials, TradingAccount } from "../src/accounts/schema";
import { instrumentOf, isForex } from "../src/market/schema";
import type { ClosedPosition, Position } from "../src/trading/schema";
import { HistoryTable } from "../views/portal/HistoryTable";
import { digitsOf, type Watched } from "../views/portal/model";
import { type PortalTab, portalTabs, tabOf } from "../views/portal/tabs";
import { midOf, WatchCard } from "../views/portal/WatchCard";
import { TabPanel, Tabs } from "../views/ui/Tabs";
import { history, positions, selectedSide, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { LivePrice, useQuote, useStaleness } from "./lib/live";
import { ProfileDashboard } from "./lib/ProfileDashboard";
import { selectedSymbol } from "./lib/selection";
import { Positions } from "./Positions";

export type PortalTabsProps = {
  tab: PortalTab;
  /** The page's address without its tab. */
  path: string;
  accountId: string | null;
  symbol: string;
  watched: Watched[];
  accounts: TradingAccount[];
  positions: Position[];
  history: ClosedPosition[];
  financials: Financials;
  /** Where the person's registration stands, in words. */
  registration: string;
};

/** Watchlists, open positions and history. The tabs are links; where scripts run they change in place and write the address. */
export function PortalTabs(props: PortalTabsProps) {
  const { tab: first, path, accountId, symbol, watched, accounts, positions: firstPositions, history: firstHistory } = props;
  useSignals();
  const here = useDesk({ positions: firstPositions, history: firstHistory, accounts, quotes: watched.map(({ quote }) => quote) });
  const [tab, setTab] = useState(first);
  const open = (here && positions.value) || firstPositions;
  const closed = (here && history.value) || firstHistory;
  const chosen = here ? selectedSymbol.value : symbol;
  const mine = <T extends { accountId: string }>(list: T[]) => list.filter((each) => each.accountId === accountId);

  useEffect(() => {
    const back = () => setTab(tabOf(new URL(location.href).searchParams.get("tab")));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useEffect(() => showTab(tab), [tab]);
  const pick = (id: string) => {
    const address = new URL(location.href);
    address.searchParams.set("tab", id);
    window.history.pushState(null, "", address);
    setTab(tabOf(id));
  };
  const list = (forex: boolean) => watched.filter((each) => isForexSymbol(each.symbol) === forex);
  return (
    <>
      <Tabs label="Traders Portal" tabs={portalTabs(mine(open).length)} current={tab} path={path} onPick={pick} />
      <TabPanel id={tab}>
        {tab === "forex" ? <Watchlist label="Forex Watchlist" items={list(true)} chosen={chosen} here={here} /> : null}
        {tab === "crypto" ? <Watchlist label="Cryptocurrency" items={list(false)} chosen={chosen} here={here} /> : null}
        {tab === "positions" ? <Positions positions={firstPositions} accounts={accounts} accountId={accountId} /> : null}
        {tab === "history" ? <HistoryTable history={mine(closed)} /> : null}
        {tab === "profile" ? <ProfileDashboard financials={props.financials} accounts={accounts} registration={props.registration} /> : null}
      </TabPanel>
    </>
  );
}

/** On a phone the row of tabs is wider than the screen: the chosen one is brought into it. */
function showTab(id: string) {
  const tab = document.getElementById(`tab-${id}`);
  const row = tab?.closest("nav");
  if (tab && row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - row.clientWidth / 4;
}

function isForexSymbol(symbol: string): boolean {
  const instrument = instrumentOf(symbol);
  return instrument !== undefined && isForex(instrument);
}

type ListProps = { label: string; items: Watched[]; chosen: string; here: boolean };

const Watchlist = ({ label, items, chosen, here }: ListProps) => (
  <ul aria-label={label} className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 2xl:grid-cols-5">
    {items.map((item) => (
      <LiveCard key={item.symbol} item={item} chosen={item.symbol === chosen} here={here} />
    ))}
  </ul>
);

/** One card follows one symbol's quote. */
function LiveCard({ item, chosen, here }: { item: Watched; chosen: boolean; here: boolean }) {
  useSignals();
  const quote = useQuote(item.symbol, item.quote, here);
  const stale = useStaleness(quote, here);
  const mid = midOf(quote);
  return (
    <WatchCard
      item={item}
      quote={quote}
      chosen={chosen}
      stale={stale}
      price={mid ? <LivePrice value={mid} digits={digitsOf(item.symbol)} /> : "–"}
      onPick={(symbol, side) => {
        selectedSymbol.value = symbol;
        selectedSide.value = side;
      }}
    />
  );
}

export default island("PortalTabs", PortalTabs);
