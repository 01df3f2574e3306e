import type { ReactNode } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { Card } from "../ui/Card";
import { Delta } from "../ui/Price";
import { Stat } from "../ui/Stat";

/** A result in USD, with its sign and its mark. */
export const Profit = ({ value, className }: { value: string; className?: string }) => <Delta value={displayMoney(value)} className={className ?? ""} />;

type Cards = { accountBalance: string; tradingBalance: string; totalProfit: string; openPositions: number };

/** The portal's four figures. Demo money is in none of the sums. */
export const MoneyCards = ({ accountBalance, tradingBalance, totalProfit, openPositions }: Cards) => (
  <Card label="Summary" className="grid grid-cols-2 gap-x-6 gap-y-4 p-4 md:grid-cols-[repeat(4,auto)]">
    <Stat label="Account Balance">{displayMoney(accountBalance)}</Stat>
    <Stat label="Trading Balance">{displayMoney(tradingBalance)}</Stat>
    <Stat label="Total Profit">
      <Profit value={totalProfit} />
    </Stat>
    <Stat label="Open Positions">{openPositions}</Stat>
  </Card>
);

type Strip = { account: TradingAccount; equity: ReactNode; free: string; level: string };

/** The chosen account in one line: what it holds, what is bound, what is free. Its name stands in the switcher. */
export const AccountStrip = ({ account, equity, free, level }: Strip) => (
  <section aria-label={`Account ${account.accountNumber}`} className="px-4">
    <dl className="grid grid-cols-3 gap-x-6 gap-y-2 md:max-lg:grid-cols-5 lg:flex lg:flex-wrap lg:gap-x-8">
      <Figure name="Balance">{displayMoney(account.balance)}</Figure>
      <Figure name="Equity">{equity}</Figure>
      <Figure name="Used margin">{displayMoney(account.margin)}</Figure>
      <Figure name="Free margin">{displayMoney(free)}</Figure>
      <Figure name="Margin level">{level}</Figure>
    </dl>
  </section>
);

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="lg:min-w-[7.5rem]">
    <dt className="text-note text-soft">{name}</dt>
    <dd className="whitespace-nowrap font-medium tabular-nums">{children}</dd>
  </div>
);
