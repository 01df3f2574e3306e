import AccountGrid from "../../islands/accounts/AccountGrid";
import DashboardFigures from "../../islands/portal/DashboardFigures";
import DashboardTabs from "../../islands/portal/DashboardTabs";
import MoneyRequests from "../../islands/funding/MoneyRequests";
import OpenDemoAccount from "../../islands/accounts/OpenDemoAccount";
import Positions from "../../islands/trading/Positions";
import QuickActions from "../../islands/funding/QuickActions";
import type { TradingAccount } from "../../src/accounts/schema";
import type { BonusState, Deposit, PaymentDetails, Withdrawal } from "../../src/funding/schema";
import type { Overview } from "../../src/portal/schema";
import type { Position } from "../../src/trading/schema";
import { AccountDetails, type DetailsProps } from "./AccountDetails";
import Standing from "../../islands/identity/Standing";
import { BonusNote } from "../funding/BonusNote";
import { type HistoryProps, TransactionHistory } from "../funding/TransactionHistory";
import { ButtonLink } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { TabPanel } from "../ui/Tabs";
import type { DashboardTab } from "./dashboard_tabs";

type Props = {
  tab: DashboardTab;
  overview: Overview;
  registrationPending: boolean;
  accounts: TradingAccount[];
  positions: Position[];
  /** The account that the address names, in the place of the list of all. */
  details: DetailsProps | undefined;
  /** Null, and the lists empty, where the tab does not show them. */
  history: Omit<HistoryProps, "accounts"> | null;
  deposits: Deposit[];
  withdrawals: Withdrawal[];
  payments: PaymentDetails[];
  bonus: BonusState;
};

/** Where a trader lands: how things stand, what can be done next, and the lists behind the figures. */
export function DashboardPage({ tab, overview, registrationPending, accounts, positions, details, history, deposits, withdrawals, payments, bonus }: Props) {
  const { financials } = overview;
  return (
    <div className="flex w-full flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <div>
          <h1 className="text-title font-semibold [overflow-wrap:anywhere]">Welcome, {financials.firstName || "Trader"}</h1>
          <p className="text-soft">All your money: balances, accounts, requests and every movement.</p>
        </div>
        <QuickActions balance={financials.accountBalance} />
      </div>
      {registrationPending ? (
        <Standing
          part="notice"
          registration="pending"
          words="Demo trading works now, with virtual money at the same prices. Trading live, moving money into a live account and withdrawing wait for the approval."
        />
      ) : null}
      <BonusNote bonus={bonus} />
      <DashboardFigures overview={overview} accounts={accounts} />
      <div>
        <DashboardTabs current={tab} accounts={accounts} positions={positions} />
        <TabPanel id={tab}>
          {details ? <AccountDetails {...details} /> : tab === "accounts" ? <Accounts accounts={liveFirst(accounts)} /> : null}
          {tab === "positions" ? <Positions positions={positions} accounts={accounts} accountId={null} /> : null}
          {history ? <TransactionHistory {...history} accounts={accounts} /> : null}
          {tab === "requests" ? <MoneyRequests deposits={deposits} withdrawals={withdrawals} payments={payments} /> : null}
        </TabPanel>
      </div>
    </div>
  );
}

/** The accounts that are open. */
const liveFirst = (accounts: TradingAccount[]) => accounts.filter(({ status }) => status === "active").sort((a, b) => Number(a.isDemo) - Number(b.isDemo));

const Accounts = ({ accounts }: { accounts: TradingAccount[] }) => (
  <div className="flex flex-col items-start gap-4">
    <div className="w-full">{accounts.length ? <AccountGrid accounts={accounts} /> : <NoAccounts />}</div>
    <ButtonLink href="/accounts/create" variant="secondary">
      Create New Trading Account
    </ButtonLink>
  </div>
);

const NoAccounts = () => (
  <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
    A demo account comes with $10,000 of virtual money.
  </EmptyState>
);
