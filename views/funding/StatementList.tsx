import type { TradingAccount } from "../../src/accounts/schema";
import { monthBefore, monthOf, monthText, statementPath } from "./months";
import { accountName } from "../accounts/account_name";
import { Panel } from "../ui/Card";

type Props = {
  accounts: TradingAccount[];
  /** The current month, "2026-11". */
  month: string;
  /** When the person registered: there is nothing to state before. */
  since: string;
};

/** The way to each account's monthly statement. Demo accounts have none. */
export function StatementList({ accounts, month, since }: Props) {
  const live = accounts.filter(({ isDemo }) => !isDemo);
  const wallets = [
    { id: "wallet", name: "Wallet", since },
    ...live.map(({ id, name, accountType, accountNumber, createdAt }) => ({
      id,
      name: `${accountName({ name, accountType })} ${accountNumber}`,
      since: createdAt,
    })),
  ];
  return (
    <Panel title="Statements" id="statements">
      <ul className="flex flex-col divide-y divide-line">
        {wallets.map(({ id, name, since: from }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <span className="font-medium">{name}</span>
            <span className="flex flex-wrap gap-x-4">
              {months(month, from).map((each) => (
                <a
                  key={each}
                  href={statementPath(id, each)}
                  aria-label={`Statement of ${name}, ${monthText(each)}`}
                  className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-9"
                >
                  {monthText(each)}
                </a>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** This month, and the one before where there was something to state. */
const months = (month: string, since: string) => [month, monthBefore(month)].filter((each) => each === month || each >= monthOf(new Date(since)));
