import AccountSummary, { type SummaryProps } from "../../islands/AccountSummary";
import OrderBar from "../../islands/OrderBar";
import OpenDemoAccount from "../../islands/OpenDemoAccount";
import PortalTabs from "../../islands/PortalTabs";
import PriceChart from "../../islands/PriceChart";
import QuickDeeds from "../../islands/QuickDeeds";
import TradeTicket from "../../islands/TradeTicket";
import type { ClosedPosition } from "../../src/trading/schema";
import type { SupportProps } from "../support/SupportPage";
import { EmptyState, Notice } from "../ui/States";
import { AccountSwitcher } from "./AccountSwitcher";
import type { Watched } from "./model";
import type { Standing } from "./standing";
import type { PortalTab } from "./tabs";

type Props = Omit<SummaryProps, "accountId"> & {
  /** The account to trade on; null for a person who has none. */
  accountId: string | null;
  /** The page's address without its tab. */
  path: string;
  tab: PortalTab;
  symbol: string;
  watched: Watched[];
  /** Only on the tab that shows it. */
  history: ClosedPosition[] | null;
  simulated: boolean;
  /** Why that account can't trade yet; null when it can. */
  blocked: string | null;
  standing: Standing;
  support: SupportProps;
};

/** The trading screen: figures, chart beside order panel, watchlists and positions. */
export function PortalPage({ financials, accounts, positions, accountId, path, tab, symbol, watched, history, simulated, blocked, standing, support }: Props) {
  const account = accounts.find(({ id }) => id === accountId);
  const item = watched.find((each) => each.symbol === symbol);
  return (
    <div className="flex w-full flex-col gap-4 px-4 pt-4 md:px-6 md:pb-6">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="text-title font-semibold">Traders Portal</h1>
        {account ? <AccountSwitcher accounts={accounts} chosen={account} /> : null}
      </div>
      {blocked ? (
        <Notice kind="warning" title="This account can't trade yet.">
          {blocked}
        </Notice>
      ) : null}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <AccountSummary financials={financials} accounts={accounts} positions={positions} accountId={accountId} />
          <PriceChart symbol={symbol} accountId={accountId} picture={item?.spark ?? ""} simulated={simulated} />
        </div>
        {account ? (
          <div className="flex flex-col gap-4">
            <TradeTicket account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} />
            <QuickDeeds positions={positions} accountId={account.id} />
          </div>
        ) : (
          <section aria-label="Execute Trade" className="rounded-card border border-line bg-surface">
            <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
              A demo account comes with $10,000 of virtual money.
            </EmptyState>
          </section>
        )}
      </div>
      <div id="lists" className="scroll-mt-20">
        <PortalTabs {...{ path, tab, accountId, symbol, watched, accounts, positions, history, financials, standing, support }} />
      </div>
      {account ? <OrderBar account={account} symbol={symbol} quote={item?.quote ?? null} /> : null}
    </div>
  );
}
