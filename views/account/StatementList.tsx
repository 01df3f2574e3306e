import type { TradingAccount } from "../../src/accounts/schema";
import { monthBefore, monthText, statementPath } from "../funding/months";
import { Panel } from "../ui/Card";

type Props = {
  accounts: TradingAccount[];
  /** The current month, "2026-11". */
  month: string;
};

/** The way to each account's monthly statement. Demo accounts have none. */
export function StatementList({ accounts, month }: Props) {
  const live = accounts.filter(({ isDemo }) => !isDemo);
  const purses = [{ id: "wallet", name: "Wallet" }, ...live.map(({ id, accountType, accountNumber }) => ({ id, name: `${accountType} ${accountNumber}` }))];
  return (
    <Panel title="Statements" id="statements">
      <ul className="flex flex-col divide-y divide-line">
        {purses.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 py-1">
            <span className="font-medium">{name}</span>
            <span className="flex flex-wrap gap-x-4">
              {[month, monthBefore(month)].map((each) => (
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
