import MoneyRequests from "../../islands/MoneyRequests";
import OpenDemoAccount from "../../islands/OpenDemoAccount";
import Positions from "../../islands/Positions";
import QuickActions from "../../islands/QuickActions";
import WalletFigure from "../../islands/WalletFigure";
import type { Financials, TradingAccount } from "../../src/accounts/schema";
import type { Deposit, Withdrawal } from "../../src/funding/schema";
import { displayMoney, sum } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { type HistoryProps, TransactionHistory } from "../funding/TransactionHistory";
import { ButtonLink } from "../ui/Button";
import { Card } from "../ui/Card";
import { Stat } from "../ui/Stat";
import { EmptyState, Notice } from "../ui/States";
import { TabPanel, Tabs } from "../ui/Tabs";
import { AccountCards } from "./AccountCards";
import { type DashboardTab, dashboardTabs } from "./dashboard_tabs";
import { Profit } from "./SummaryCards";

type Props = {
  tab: DashboardTab;
  financials: Financials;
  /** Realised on live accounts since the first of the month, in USD. */
  monthProfit: string;
  registrationPending: boolean;
  accounts: TradingAccount[];
  positions: Position[];
  /** Null, and the lists empty, where the tab does not show them. */
  history: Omit<HistoryProps, "accounts"> | null;
  deposits: Deposit[];
  withdrawals: Withdrawal[];
};

/** Where a trader lands: how things stand, what can be done next, and the lists behind the figures. */
export function DashboardPage({ tab, financials, monthProfit, registrationPending, accounts, positions, history, deposits, withdrawals }: Props) {
  const demo = accounts.filter(({ isDemo, status }) => isDemo && status === "active");
  const live = accounts.filter(({ isDemo, status }) => !isDemo && status === "active");
  return (
    <div className="flex w-full flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h1 className="text-title font-semibold [overflow-wrap:anywhere]">Welcome, {financials.firstName || "Trader"}</h1>
          <p className="text-soft">Here is how your accounts stand.</p>
        </div>
        <QuickActions balance={financials.accountBalance} />
      </div>
      {registrationPending ? (
        <Notice title="Your registration is awaiting approval.">
          Demo trading works now, with virtual money at the same prices. Trading live, moving money into a live account and withdrawing wait for the approval.
        </Notice>
      ) : null}
      <Card label="Summary" className="grid grid-cols-2 gap-x-6 gap-y-5 p-4 md:grid-cols-3 md:p-6 xl:grid-cols-5">
        <Stat label="Account Balance">
          <WalletFigure balance={financials.accountBalance} />
        </Stat>
        <Stat label="Trading Balance">{displayMoney(financials.tradingBalance)}</Stat>
        <Stat label="Total Profit">
          <Profit value={financials.totalProfit} />
        </Stat>
        <Stat label="Active Accounts" note={`${live.length} live, ${demo.length} demo`}>
          {live.length + demo.length}
        </Stat>
        <Stat label="Monthly P&L" note="Realised on live accounts, UTC month">
          <Profit value={monthProfit} />
        </Stat>
      </Card>
      {demo.length ? (
        <p className="flex flex-wrap items-baseline gap-x-2 px-1 text-soft">
          Demo balance, virtual money:
          <strong className="font-semibold tabular-nums text-ink">{displayMoney(sum(demo.map(({ balance }) => balance)))}</strong>
          It is in none of the figures above.
        </p>
      ) : null}
      <div>
        <Tabs label="Dashboard" tabs={dashboardTabs(accounts.length, positions.length)} current={tab} path="/dashboard" />
        <TabPanel id={tab}>
          {tab === "accounts" ? <Accounts accounts={accounts} /> : null}
          {tab === "positions" ? <Positions positions={positions} accounts={accounts} accountId={null} /> : null}
          {history ? <TransactionHistory {...history} accounts={accounts} /> : null}
          {tab === "requests" ? <MoneyRequests deposits={deposits} withdrawals={withdrawals} /> : null}
        </TabPanel>
      </div>
    </div>
  );
}

const Accounts = ({ accounts }: { accounts: TradingAccount[] }) => (
  <div className="flex flex-col items-start gap-4">
    <div className="w-full">{accounts.length ? <AccountCards accounts={accounts} /> : <NoAccounts />}</div>
    <ButtonLink href="/accounts/create" look="secondary">
      Create New Trading Account
    </ButtonLink>
  </div>
);

const NoAccounts = () => (
  <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
    A demo account comes with $10,000 of virtual money.
  </EmptyState>
);
