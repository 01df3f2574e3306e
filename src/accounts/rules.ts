import { compare, displayMoney } from "../lib/money";
import type { Financials, TradingAccount } from "./schema";

/** The first of the accounts asked for that can be traded on; else the account for orders that name none: last traded on, else the oldest. */
export function chosenAccount(accounts: TradingAccount[], ...asked: (string | null)[]): TradingAccount | undefined {
  const active = accounts.filter(({ status }) => status === "active");
  const of = (wanted: string | null) => active.find(({ id }) => id === wanted);
  return asked.map(of).find((account) => account !== undefined) ?? active[0];
}

/** What a live account still lacks before it may trade, as the server would refuse it. */
export function blockOf({ registrationStatus }: { registrationStatus: string }, { isDemo, fundedTotal, minimumDeposit }: TradingAccount): string | null {
  if (isDemo) return null;
  if (registrationStatus !== "approved") return "Your registration is awaiting approval.";
  if (compare(fundedTotal, minimumDeposit) >= 0) return null;
  return `It can trade once ${displayMoney(minimumDeposit)} has been moved into it; so far it is ${displayMoney(fundedTotal)}.`;
}

/** A person's money of what is known of the person. */
export const financialsIn = ({ firstName, lastName, email, accountBalance, tradingBalance, totalProfit }: Financials): Financials => ({
  firstName,
  lastName,
  email,
  accountBalance,
  tradingBalance,
  totalProfit,
});
