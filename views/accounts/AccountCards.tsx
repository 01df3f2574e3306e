import type { TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { Badge, statusTone } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { accountName } from "./account_name";
import { Mode } from "./AccountSwitcher";
import { dateText } from "../ui/instant";

/** Where an account's details are shown. */
const detailsPath = (id: string) => `/dashboard?account=${id}`;

/** A person's trading accounts, each with its balance, the way to trade on it and the way to its details. */
export const AccountCards = ({ accounts }: { accounts: TradingAccount[] }) => (
  <ul aria-label="Your trading accounts" className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">
    {accounts.map((account) => (
      <li key={account.id} data-account={account.id} className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4">
        <div className="flex items-start justify-between gap-4">
          <div className="min-w-0">
            <h2 className="text-base font-semibold [overflow-wrap:anywhere]">{accountName(account)}</h2>
            <p className="text-table text-soft">
              {account.name ? `${account.accountType}, ` : ""}
              <span className="whitespace-nowrap">{`${account.accountNumber},`}</span>{" "}
              <span className="whitespace-nowrap">
                ID <span className="font-mono">{account.id.slice(0, 8)}</span>
              </span>
            </p>
          </div>
          <div className="flex gap-2">
            <Mode demo={account.isDemo} />
            <Badge tone={statusTone(account.status)} className="capitalize">
              {account.status}
            </Badge>
          </div>
        </div>
        <p>
          <span className="block text-table text-soft">Current Balance</span>
          <span className="text-[1.5rem] font-semibold leading-8 tracking-[-0.015em] tabular-nums">{displayMoney(account.balance)}</span>
        </p>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-2 text-table">
          <Fact name="Created" value={dateText(account.createdAt)} />
          <Fact name="Last Update" value={dateText(account.updatedAt)} />
        </dl>
        <div className="mt-auto grid grid-cols-2 gap-2">
          {account.status === "active" ? (
            <ButtonLink href={`/trading?account=${account.id}`} aria-label={`Trade on ${accountName(account)} ${account.accountNumber}`}>
              Trade
            </ButtonLink>
          ) : null}
          <ButtonLink href={detailsPath(account.id)} variant="secondary" aria-label={`Details of ${accountName(account)} ${account.accountNumber}`}>
            Details
          </ButtonLink>
        </div>
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
