import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge, statusTone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Mode } from "./AccountSwitcher";
import { dateText } from "./instant";

/** A person's trading accounts, each with its balance and the way to trade on it. */
export const AccountCards = ({ accounts }: { accounts: TradingAccount[] }) => (
  <ul className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
    {accounts.map((account) => (
      <li key={account.id} className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <h2 className="text-base font-semibold">{account.accountType}</h2>
            <p className="text-table text-soft [overflow-wrap:anywhere]">{account.accountNumber}</p>
          </div>
          <div className="flex gap-2">
            <Mode demo={account.isDemo} />
            <Badge tone={statusTone(account.status)}>{account.status}</Badge>
          </div>
        </div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-table">
          <Fact name="Balance" value={displayMoney(account.balance)} />
          <Fact name="Equity" value={displayMoney(account.equity)} />
          <Fact name="Leverage" value={account.leverage} />
          <Fact name="Created" value={dateText(account.createdAt)} />
        </dl>
        {account.status === "active" ? (
          <ButtonLink href={`/traders-portal?account=${account.id}`} look="secondary" aria-label={`Trade on ${account.accountType} ${account.accountNumber}`}>
            Trade
          </ButtonLink>
        ) : null}
      </li>
    ))}
  </ul>
);

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt className="text-soft">{name}</dt>
    <dd className="text-product font-medium tabular-nums">{value}</dd>
  </div>
);
