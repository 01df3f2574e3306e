import { useSignals } from "@preact/signals-react/runtime";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import { watchedIn } from "../../src/trading/rules_watched";
import type { Standing } from "../../views/identity/standing";
import { PhoneTabs } from "../../views/portal/PhoneTabs";
import { FOOT, namedTab, type PortalTab, portalTabs, SIDE } from "../../views/portal/tabs";
import { TabPanel, Tabs } from "../../views/ui/Tabs";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { listedNow } from "../runtime/listed";
import { onPortalKey } from "../runtime/portal_keys";
import { useWorkstation } from "../runtime/screen";
import { selectedSymbol } from "../runtime/selection";
import { askAlert } from "../runtime/alert_asked";
import type { Positions as PositionsList } from "../trading/Positions";
import type { SupportProps } from "../support/SupportPortal";
import { WatchCard, Watchlist } from "../market/Watchlist";

type PortalTabsProps = {
  /** Null where the address names none. */
  tab: PortalTab | null;
  /** The page's address without its tab. */
  path: string;
  accountId: string | null;
  symbol: string;
  /** The instruments (`src/trading/rules_watched.ts`). */
  watched: string;
  cards: boolean;
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
const DeskEdges = later(() => import("./DeskEdges"));
const Support = later(async () => ({ default: (await import("../support/SupportPortal")).SupportPortal }));

const LATER: Partial<Record<PortalTab, { ready(): Promise<void> }>> = {
  positions: Positions,
  waiting: Positions,
  history: TradeHistory,
  profile: ProfileDashboard,
  support: Support,
  lists: Watchlists,
};

const isSide = (tab: PortalTab) => SIDE.includes(tab);

/**
 * Watchlists, open positions and history. The tabs are links; where scripts run they change in place and write the address. At a workstation the
 * watchlists stand beside the chart and the others below it, each with a row of tabs of its own; a phone shows one list, or the chart.
 */
export function PortalTabs(props: PortalTabsProps) {
  const { tab: first, path, accountId, symbol, watched: lines, accounts, positions: firstPositions, history } = props;
  useSignals();
  const watched = useMemo(() => watchedIn(lines), [lines]);
  const here = useTradingStore({ positions: firstPositions, ...(history ? { history } : {}), accounts, quotes: watched.map(({ quote }) => quote) });
  const [tab, setTab] = useState(first);
  const open = (here && positions.value) || firstPositions;
  // The press is answered first: the order panel is set, the lists follow.
  const chosen = useDeferredValue(here ? selectedSymbol.value : symbol);
  const wide = useWorkstation();
  const shown = tab ?? "forex";
  const [side, setSide] = useState<PortalTab>(isSide(shown) ? shown : "forex");
  const [foot, setFoot] = useState<PortalTab>(isSide(shown) ? "positions" : shown);

  const show = (next: PortalTab | null) => {
    setTab(next);
    if (next) (isSide(next) ? setSide : setFoot)(next);
  };
  useEffect(() => {
    const back = () => show(namedTab(new URL(location.href).searchParams.get("tab")));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  useEffect(() => showTab(shown), [shown]);
  useEffect(() => {
    document.getElementById("desk")?.setAttribute("data-view", tab ? "list" : "chart");
  }, [tab]);
  const pick = (id: string) => {
    const next = namedTab(id);
    const address = new URL(location.href);
    for (const own of ["view", "ticket", "tab"]) address.searchParams.delete(own);
    address.hash = "";
    if (next) address.searchParams.set("tab", next);
    window.history.pushState(null, "", address);
    show(next);
  };
  useEffect(
    () =>
      onPortalKey((key) => {
        const at = portalTabs(0)[Number(key) - 1];
        if (!at) return;
        pick(at.id);
        const tabs = document.querySelectorAll<HTMLElement>(`[id$="tab-${at.id}"]`);
        [...tabs].find((each) => each.checkVisibility())?.focus();
      }),
    [],
  );
  // The strip of open positions, the toast of an order, and a phone's own tabs lead here from elsewhere on the page.
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-tab]") : null;
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey || link.pathname !== location.pathname) return;
      event.preventDefault();
      pick(link.dataset.tab ?? "");
      scrollTo(0, 0);
      if (link.hash) void import("./show_row").then(({ showRow }) => showRow(link.hash.slice(1)));
    };
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);

  const mine = open.filter((each) => each.accountId === accountId);
  const count = mine.filter(({ status }) => status === "open").length;
  const all = portalTabs(count);
  const row = (label: string, within: string, current: PortalTab, of = all) => <Tabs {...{ label, within, current, path }} tabs={of} onPick={pick} />;
  const list = { items: listedNow(watched), chosen, here, cards: props.cards, onAlert: askAlert };
  const contentOf = (of: PortalTab): ReactNode => {
    if (of === "forex") return <Watchlist key="forex" label="Forex Watchlist" {...list} />;
    if (of === "crypto") return <Watchlist key="crypto" label="Cryptocurrency" {...list} />;
    if (of === "lists") return <Watchlists {...list} />;
    if (of === "positions" || of === "waiting")
      return <Positions positions={firstPositions} accounts={accounts} accountId={accountId} only={of === "waiting" ? of : null} />;
    if (of === "history") return <TradeHistory history={history} cancelled={props.cancelled} accountId={accountId} />;
    if (of === "profile") return <ProfileDashboard financials={props.financials} accounts={accounts} standing={props.standing} />;
    return <Support {...props.support} />;
  };
  const panel = (of: PortalTab) => (
    <TabPanel id={of} scrolls={wide}>
      {contentOf(of)}
    </TabPanel>
  );
  return (
    <>
      <div className="desk-tabs">{row("Traders Portal", "", shown)}</div>
      {wide || isSide(shown) ? (
        <div className="desk-side">
          {wide ? (
            <div className="desk-side-tabs">
              {row(
                "Watchlists",
                "side-",
                side,
                all.filter(({ id }) => isSide(id as PortalTab)),
              )}
            </div>
          ) : null}
          {panel(wide ? side : shown)}
        </div>
      ) : null}
      {wide || !isSide(shown) ? (
        <div className="desk-foot">
          {wide ? (
            <div className="desk-foot-tabs">
              {row(
                "Positions and orders",
                "foot-",
                foot,
                FOOT.flatMap((id) => all.filter((each) => each.id === id)),
              )}
            </div>
          ) : null}
          {panel(wide ? foot : shown)}
        </div>
      ) : null}
      {wide ? <DeskEdges /> : null}
      <PhoneTabs path={path} tab={tab} open={count} waiting={mine.length - count} />
    </>
  );
}

/** On a phone the row of tabs is wider than the screen: the chosen one is brought into it. */
function showTab(id: string) {
  const tab = document.getElementById(`tab-${id}`);
  const row = tab?.closest("nav");
  if (tab && row) row.scrollLeft = tab.offsetLeft - row.offsetLeft - row.clientWidth / 4;
}

export default island("PortalTabs", PortalTabs, {
  when: "idle",
  ready: ({ tab, cards }) => Promise.all([tab && LATER[tab]?.ready(), cards && WatchCard.ready()]),
});
