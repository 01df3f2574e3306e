import AccountSummary, { type SummaryProps } from "../../islands/accounts/AccountSummary";
import DealTools from "../../islands/trading/DealTools";
import PortalTabs from "../../islands/portal/PortalTabs";
import PriceChart from "../../islands/trading/PriceChart";
import OrderPanel from "../../islands/trading/OrderPanel";
import { sum } from "../../src/lib/money";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import type { SupportProps } from "../support/SupportPage";
import { PlainOrderLinks } from "../trading/PlainOrderLinks";
import { AccountHeading } from "../accounts/AccountHeading";
import type { Watched } from "../../src/trading/rules_prices";
import type { Standing } from "../identity/standing";
import { watchedLines } from "../../src/trading/rules_watched";
import type { PortalTab } from "./tabs";

type Props = Omit<SummaryProps, "accountId"> & {
  /** The account to trade on; null for a person who has none. */
  accountId: string | null;
  /** The page's address without its tab. */
  path: string;
  /** Null where the address names none: the chart on a phone, the first watchlist elsewhere. */
  tab: PortalTab | null;
  symbol: string;
  watched: Watched[];
  /** Instruments as cards, not as a dense list. */
  cards: boolean;
  /** Both only on the tab that shows them. */
  history: ClosedPosition[] | null;
  cancelled: Position[] | null;
  simulated: boolean;
  hasLayouts: boolean;
  /** Why that account can't trade yet; null when it can. */
  blocked: string | null;
  standing: Standing;
  support: SupportProps;
};

/** The first picture waits for it: one of less than this, or of nothing, would only come before it. */
export const DESK_HEAD_ID = "desk-head";

/** The trading screen: figures, chart, order panel, watchlists and positions. How they stand is up to the screen (`views/desk_css.ts`). */
export function PortalPage(props: Props) {
  const {
    financials,
    accounts,
    positions,
    accountId,
    path,
    tab,
    symbol,
    watched,
    cards,
    history,
    cancelled,
    simulated,
    hasLayouts,
    blocked,
    standing,
    support,
  } = props;
  const account = accounts.find(({ id }) => id === accountId);
  const item = watched.find((each) => each.symbol === symbol);
  const own = positions.filter((each) => each.accountId === accountId);
  const open = own.filter(({ status }) => status === "open");
  const strip = { open: open.length, profit: sum(open.map(({ profit }) => profit ?? "0.00")), path };
  return (
    <div id="desk" className="desk" data-view={tab ? "list" : "chart"}>
      <div id={DESK_HEAD_ID} className="desk-head">
        <AccountHeading title="Traders Portal" {...{ accounts, account, blocked }} />
        <AccountSummary financials={financials} accounts={accounts} positions={positions} accountId={accountId} />
      </div>
      <div className="desk-chart">
        <PriceChart symbol={symbol} accountId={accountId} picture={item?.spark ?? ""} simulated={simulated} hasLayouts={hasLayouts} />
      </div>
      {account ? (
        <div className="desk-order">
          <PlainOrderLinks account={account} symbol={symbol} quote={item?.quote ?? null} />
          <div className="desk-ticket js-only">
            <OrderPanel account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} strip={strip} />
          </div>
          <DealTools account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} positions={own} />
        </div>
      ) : (
        <div className="desk-order">
          <DealTools account={null} symbol={symbol} quote={null} blocked={null} positions={[]} />
        </div>
      )}
      <div id="lists" className="desk-panes">
        <PortalTabs
          {...{ path, tab, accountId, symbol, watched: watchedLines(watched), cards, accounts, positions, history, cancelled, financials, standing, support }}
        />
      </div>
    </div>
  );
}
