import { useSignals } from "@preact/signals-react/runtime";
import { useDeferredValue, useEffect, useState } from "react";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import type { Watched } from "../../src/trading/rules_prices";
import type { Standing } from "../../views/identity/standing";
import { type PortalTab, portalTabs, tabOf } from "../../views/portal/tabs";
import { TabPanel, Tabs } from "../../views/ui/Tabs";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { onPortalKey } from "../runtime/portal_keys";
import { selectedSymbol } from "../runtime/selection";
import { askAlert } from "../runtime/alert_asked";
import type { Positions as PositionsList } from "../trading/Positions";
import type { SupportProps } from "../support/SupportPortal";
import { Watchlist } from "../market/Watchlist";

type PortalTabsProps = {
  tab: PortalTab;
  /** The page's address without its tab. */
  path: string;
  accountId: string | null;
  symbol: string;
  watched: Watched[];
  accounts: TradingAccount[];
  positions: Position[];
  /** Only where the page begins with its tab. */
  history: ClosedPosition[] | null;
  cancelled: Position[] | null;
  financials: Financials;
  standing: Standing;
  support: SupportProps;
};

const Positions = later(async () => ({ default: (await import("../trading/Positions")).Positions as typeof PositionsList }));
const TradeHistory = later(() => import("../trading/TradeHistory"));
const ProfileDashboard = later(() => import("./ProfileDashboard"));

const Watchlists = later(async () => ({ default: (await import("../watchlists/Watchlists")).Watchlists }));
const Support = later(async () => ({ default: (await import("../support/SupportPortal")).SupportPortal }));

const LATER: Partial<Record<PortalTab, { ready(): Promise<void> }>> = {
  positions: Positions,
  history: TradeHistory,
  profile: ProfileDashboard,
  support: Support,
  lists: Watchlists,
};

/** Watchlists, open positions and history. The tabs are links; where scripts run they change in place and write the address. */
export function PortalTabs(props: PortalTabsProps) {
  const { tab: first, path, accountId, symbol, watched, accounts, positions: firstPositions, history } = props;
  useSignals();
  const here = useTradingStore({ positions: firstPositions, ...(history ? { history } : {}), accounts, quotes: watched.map(({ quote }) => quote) });
  const [tab, setTab] = useState(first);
  const open = (here && positions.value) || firstPositions;
  // The press is answered first: the order panel is set, the lists follow.
  const chosen = useDeferredValue(here ? selectedSymbol.value : symbol);

  useEffect(() => {
    const back = () => setTab(tabOf(new URL(location.href).searchParams.get("tab")));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useEffect(() => showTab(tab), [tab]);
  useEffect(showList, []);
  const pick = (id: string) => {
    const address = new URL(location.href);
    for (const own of ["view", "ticket"]) address.searchParams.delete(own);
    address.searchParams.set("tab", id);
    window.history.pushState(null, "", address);
    setTab(tabOf(id));
  };
  useEffect(
    () =>
      onPortalKey((key) => {
        const at = portalTabs(0)[Number(key) - 1];
        if (!at) return;
        pick(at.id);
        document.getElementById(`tab-${at.id}`)?.focus();
      }),
    [],
  );
  return (
    <>
      <Tabs
        label="Traders Portal"
        tabs={portalTabs(open.filter((each) => each.accountId === accountId && each.status === "open").length)}
        current={tab}
        path={path}
        onPick={pick}
      />
      <TabPanel id={tab}>
        {tab === "forex" ? <Watchlist key="forex" label="Forex Watchlist" items={watched} chosen={chosen} here={here} onAlert={askAlert} /> : null}
        {tab === "crypto" ? <Watchlist key="crypto" label="Cryptocurrency" items={watched} chosen={chosen} here={here} onAlert={askAlert} /> : null}
        {tab === "positions" ? <Positions positions={firstPositions} accounts={accounts} accountId={accountId} /> : null}
        {tab === "history" ? <TradeHistory history={history} cancelled={props.cancelled} accountId={accountId} /> : null}
        {tab === "profile" ? <ProfileDashboard financials={props.financials} accounts={accounts} standing={props.standing} /> : null}
        {tab === "lists" ? <Watchlists items={watched} chosen={chosen} here={here} onAlert={askAlert} /> : null}
        {tab === "support" ? <Support {...props.support} /> : null}
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

/** A phone that an address with a tab brought here begins at its list, which stands far below the chart. */
function showList() {
  if (new URLSearchParams(location.search).has("tab") && !location.hash && !scrollY && innerWidth < 768) document.getElementById("lists")?.scrollIntoView();
}

export default island("PortalTabs", PortalTabs, { when: "idle", ready: async ({ tab }) => LATER[tab]?.ready() });
