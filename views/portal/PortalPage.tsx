import AccountSummary, { type SummaryProps } from "../../islands/accounts/AccountSummary";
import AlertHost from "../../islands/alerts/AlertHost";
import OneClick from "../../islands/trading/OneClick";
import OrderBar from "../../islands/trading/OrderBar";
import OpenDemoAccount from "../../islands/accounts/OpenDemoAccount";
import PortalTabs from "../../islands/portal/PortalTabs";
import PriceChart from "../../islands/trading/PriceChart";
import QuickLinks from "../../islands/trading/QuickLinks";
import OrderPanel from "../../islands/trading/OrderPanel";
import type { ClosedPosition, Position } from "../../src/trading/schema";
import type { SupportProps } from "../support/SupportPage";
import { EmptyState } from "../ui/States";
import { PlainOrderLinks } from "../trading/PlainOrderLinks";
import { AccountHeading } from "../accounts/AccountHeading";
import type { Watched } from "../../src/trading/rules_prices";
import type { Standing } from "../identity/standing";
import type { PortalTab } from "./tabs";

type Props = Omit<SummaryProps, "accountId"> & {
  /** The account to trade on; null for a person who has none. */
  accountId: string | null;
  /** The page's address without its tab. */
  path: string;
  tab: PortalTab;
  symbol: string;
  watched: Watched[];
  /** Both only on the tab that shows them. */
  history: ClosedPosition[] | null;
  cancelled: Position[] | null;
  simulated: boolean;
  /** Why that account can't trade yet; null when it can. */
  blocked: string | null;
  standing: Standing;
  support: SupportProps;
};

/** The trading screen: figures, chart beside order panel, watchlists and positions. */
export function PortalPage(props: Props) {
  const { financials, accounts, positions, accountId, path, tab, symbol, watched, history, cancelled, simulated, blocked, standing, support } = props;
  const account = accounts.find(({ id }) => id === accountId);
  const item = watched.find((each) => each.symbol === symbol);
  return (
    <div className="flex w-full flex-col gap-4 px-4 pt-4 md:px-6 lg:pb-6">
      <AccountHeading title="Traders Portal" {...{ accounts, account, blocked }} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <AccountSummary financials={financials} accounts={accounts} positions={positions} accountId={accountId} />
          <PriceChart symbol={symbol} accountId={accountId} picture={item?.spark ?? ""} simulated={simulated} />
          {account ? <OneClick account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} /> : null}
        </div>
        {account ? (
          <div className="flex flex-col gap-4">
            <PlainOrderLinks account={account} symbol={symbol} quote={item?.quote ?? null} />
            <div className="js-only">
              <OrderPanel account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} />
            </div>
            <AlertHost symbol={symbol} />
            <QuickLinks positions={positions} accountId={account.id} />
          </div>
        ) : (
          <>
            <section aria-label="Execute Trade" className="rounded-card border border-line bg-surface">
              <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
                A demo account comes with $10,000 of virtual money.
              </EmptyState>
            </section>
            <AlertHost />
          </>
        )}
      </div>
      <div id="lists" className="scroll-mt-20">
        <PortalTabs {...{ path, tab, accountId, symbol, watched, accounts, positions, history, cancelled, financials, standing, support }} />
      </div>
      {account ? <OrderBar account={account} symbol={symbol} quote={item?.quote ?? null} /> : null}
    </div>
  );
}
