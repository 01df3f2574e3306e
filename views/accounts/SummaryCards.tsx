import type { ReactNode } from "react";
import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { classes } from "../ui/classes";
import { Icon } from "../ui/Icon";
import { Profit } from "./Profit";

type Money = { accountBalance: string; tradingBalance: string; totalProfit: string };

/** All of a person's live money, under a press: the screen is about the one account that it trades on. */
export const AllMoney = ({ accountBalance, tradingBalance, totalProfit, children }: Money & { children?: ReactNode }) => (
  <details data-menu="" className="relative">
    <summary className="menu-head">
      All money
      <Icon name="chevronDown" className="size-4" />
    </summary>
    <div
      role="group"
      aria-label="Summary"
      className="absolute right-0 top-full z-20 mt-1 grid w-64 gap-3 rounded-card border border-line bg-surface p-3 shadow-raised"
    >
      {children}
      <Figure name="Account Balance" note="Your wallet: live money on no account">
        {displayMoney(accountBalance)}
      </Figure>
      <Figure name="Trading Balance" note="On all live accounts">
        {displayMoney(tradingBalance)}
      </Figure>
      <Figure name="Total Profit" note="Of all closed live trades">
        <Profit value={totalProfit} />
      </Figure>
    </div>
  </details>
);

type Strip = { account: TradingAccount; equity: ReactNode; free: string; level: string; openPositions: number; children: ReactNode };

/** The chosen account in one line: what it holds, what is bound, what is free. Its name stands in the switcher; a phone shows what counts first. */
export const AccountStrip = ({ account, equity, free, level, openPositions, children }: Strip) => (
  <section aria-label={`Account ${account.accountNumber}`} className="desk-figures">
    <Figure name="Balance" className="max-md:hidden">
      {displayMoney(account.balance)}
    </Figure>
    <Figure name="Equity">{equity}</Figure>
    <Figure name="Used margin" className="max-md:hidden">
      {displayMoney(account.margin)}
    </Figure>
    <Figure name="Free margin">{displayMoney(free)}</Figure>
    <Figure name="Margin level" className="max-md:hidden">
      {level}
    </Figure>
    <Figure name="Open Positions" className="max-md:hidden">
      {openPositions}
    </Figure>
    {children}
  </section>
);

/** On a phone, what its line has no room for. */
export const MoreFigures = ({ account, level }: { account: TradingAccount; level: string }) => (
  <>
    <Figure name="Balance" className="md:hidden">
      {displayMoney(account.balance)}
    </Figure>
    <Figure name="Used margin" className="md:hidden">
      {displayMoney(account.margin)}
    </Figure>
    <Figure name="Margin level" className="md:hidden">
      {level}
    </Figure>
  </>
);

const Figure = ({ name, note, className, children }: { name: string; note?: string; className?: string; children: ReactNode }) => (
  <div role="group" aria-label={name} className={classes("min-w-0", className)}>
    <span className="figure-name">{name}</span>
    <span className="figure-value">{children}</span>
    {note ? <span className="block text-note text-soft">{note}</span> : null}
  </div>
);
