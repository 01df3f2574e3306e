import AccountOverview from "../../islands/accounts/AccountOverview";
import AlertHost from "../../islands/alerts/AlertHost";
import ChartGrid from "../../islands/trading/ChartGrid";
import MarketWatch from "../../islands/trading/MarketWatch";
import OneClick from "../../islands/trading/OneClick";
import OpenDemoAccount from "../../islands/accounts/OpenDemoAccount";
import PlatformTabs from "../../islands/trading/PlatformTabs";
import PlatformOrderPanel from "../../islands/trading/PlatformOrderPanel";
import Positions from "../../islands/trading/Positions";
import PriceChart from "../../islands/trading/PriceChart";
import Screener from "../../islands/trading/Screener";
import SupportPortal, { type SupportProps } from "../../islands/support/SupportPortal";
import type { TradingAccount } from "../../src/accounts/schema";
import type { LiveQuote } from "../../src/market/schema";
import type { Position } from "../../src/trading/schema";
import { AccountHeading } from "../accounts/AccountHeading";
import type { Side, Watched } from "../../src/trading/rules_prices";
import { Card } from "../ui/Card";
import { SimulatedLabel } from "../ui/Price";
import { PlainOrderLinks } from "../trading/PlainOrderLinks";
import { ChartSource } from "../trading/ChartFrame";
import { EmptyState } from "../ui/States";
import { TabPanel } from "../ui/Tabs";
import type { ChartChoice } from "../trading/ChartCell";
import type { Pairs } from "../trading/ScreenerLists";
import { MARKET_WATCH, platformPath, type PlatformTab } from "../trading/tabs";

type TradingProps = {
  tab: PlatformTab;
  accounts: TradingAccount[];
  /** The account to trade on; undefined for a person who has none. */
  account: TradingAccount | undefined;
  positions: Position[];
  symbol: string;
  side: Side;
  pairs: Pairs;
  watched: Watched[];
  /** Pairs alone; empty where the tab does not show them. */
  quotes: LiveQuote[];
  simulated: boolean;
  hasLayouts: boolean;
  /** Why that account can't trade yet; null when it can. */
  blocked: string | null;
  /** Null where the tab does not show it. */
  support: SupportProps | null;
};

/** The trading platform: the market and the account at the left, five tabs at the right. */
export function TradingPage(props: TradingProps) {
  const { tab, accounts, account, positions, symbol, watched, blocked } = props;
  const accountId = account?.id ?? null;
  const open = positions.filter((position) => position.accountId === accountId && position.status === "open").length;
  const items = watched
    .filter((each) => (MARKET_WATCH as readonly string[]).includes(each.symbol))
    .map(({ symbol: of, quote, dayOpen }) => ({ symbol: of, quote, dayOpen }));
  return (
    <div className="flex w-full flex-col gap-4 px-4 py-4 md:px-6 md:pb-6">
      <AccountHeading title="Trading Platform" {...{ accounts, account, blocked }} path={platformPath(null, { tab, symbol })} />
      <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <div className="min-w-0 lg:col-start-2 lg:row-start-1">
          <PlatformTabs tab={tab} accountId={accountId} symbol={symbol} open={open} />
          <TabPanel id={tab}>
            <Tab {...props} />
          </TabPanel>
        </div>
        <aside aria-label="Market and account" className="flex min-w-0 flex-col gap-4 lg:col-start-1 lg:row-start-1">
          <MarketWatch items={items} account={tierOf(account)} symbol={symbol} tab={tab} />
          {account ? <AccountOverview accountId={account.id} accounts={accounts} positions={positions} /> : tab === "trading" ? null : <NoAccount />}
        </aside>
      </div>
      <AlertHost />
    </div>
  );
}

/** What its prices depend on; null: the market's own. */
const tierOf = (account: TradingAccount | undefined) =>
  account ? { id: account.id, spreadsFrom: account.spreadsFrom, spreads: account.spreads ?? null } : null;

function Tab(props: TradingProps) {
  const { tab, account, accounts, positions, quotes, pairs, symbol, side, watched, simulated, hasLayouts, blocked, support } = props;
  const accountId = account?.id ?? null;
  const item = watched.find((each) => each.symbol === symbol);
  const chart = <PriceChart symbol={symbol} accountId={accountId} picture={item?.spark ?? ""} simulated={simulated} hasLayouts={hasLayouts} />;
  switch (tab) {
    case "screener":
      return (
        <div className="flex flex-col gap-4">
          <Screener {...{ quotes, pairs, symbol, simulated }} account={tierOf(account)} />
          {chart}
        </div>
      );
    case "trading":
      return (
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="min-w-0 max-xl:order-last">{chart}</div>
          {account ? (
            <div className="flex min-w-0 flex-col gap-4">
              <PlainOrderLinks account={account} symbol={symbol} quote={item?.quote ?? null} />
              <div className="js-only">
                <PlatformOrderPanel account={account} symbol={symbol} side={side} quote={item?.quote ?? null} blocked={blocked} />
              </div>
              <OneClick account={account} symbol={symbol} quote={item?.quote ?? null} blocked={blocked} />
            </div>
          ) : (
            <NoAccount />
          )}
        </div>
      );
    case "charts":
      return <Charts {...props} />;
    case "positions":
      return accountId ? <Positions positions={positions} accounts={accounts} accountId={accountId} /> : <EmptyState title="No open positions" />;
    case "support":
      return support ? <SupportPortal {...support} /> : null;
  }
}

const FIRST_CHARTS: ChartChoice[] = ["EUR/USD", "GBP/USD", "USD/JPY", "BTC/USD"].map((symbol) => ({ symbol, interval: "5m" }));

const Charts = ({ watched, simulated }: TradingProps) => (
  <div className="flex flex-col gap-3">
    {simulated ? <SimulatedLabel /> : null}
    <ChartGrid charts={FIRST_CHARTS} pictures={Object.fromEntries(watched.map(({ symbol, spark }) => [symbol, spark]))} />
    <p className="text-note text-soft">
      <ChartSource />
    </p>
  </div>
);

const NoAccount = () => (
  <Card label="No account">
    <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
      A demo account comes with $10,000 of virtual money.
    </EmptyState>
  </Card>
);
