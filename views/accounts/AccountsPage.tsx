import AccountGrid from "../../islands/accounts/AccountGrid";
import OpenDemoAccount from "../../islands/accounts/OpenDemoAccount";
import PageLoader from "../../islands/accounts/PageLoader";
import type { AccountType, TradingAccount } from "../../src/accounts/schema";
import { displayMoney } from "../../src/lib/money";
import { pipsText } from "../../src/lib/quote_text";
import { AccountCards } from "./AccountCards";
import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";

/** A person's trading accounts, and the types there are. `accounts` is null while they are not there yet. */
export function AccountsPage({ accounts, types }: { accounts: TradingAccount[] | null; types: AccountType[] }) {
  const open = accounts?.filter(({ status }) => status === "active") ?? [];
  const closed = accounts?.filter(({ status }) => status === "closed") ?? [];
  return (
    <div className="flex w-full flex-col gap-8 px-4 py-6 md:px-6">
      <section aria-labelledby="accounts" className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <div>
            <h1 id="accounts" className="text-title font-semibold">
              Trading Accounts
            </h1>
            <p className="text-soft">Live and demo, each with its own balance.</p>
          </div>
          <ButtonLink href="/accounts/create" size="large" className="max-sm:w-full">
            <Icon name="plus" />
            Create New Trading Account
          </ButtonLink>
        </div>
        {accounts === null ? <PageLoader words="Loading your accounts..." cards={3} /> : open.length ? <AccountGrid accounts={open} /> : <None />}
        {closed.length ? (
          <details className="rounded-card border border-line bg-surface px-4">
            <summary className="flex min-h-11 items-center gap-2 text-soft hover:text-ink">
              <Icon name="chevronDown" className="size-4" />
              Closed accounts ({closed.length})
            </summary>
            <div className="pb-4 pt-2">
              <AccountCards accounts={closed} />
            </div>
          </details>
        ) : null}
      </section>
      <section aria-labelledby="types" className="flex flex-col gap-3">
        <h2 id="types" className="text-heading font-semibold">
          Available Account Types
        </h2>
        <div className="rounded-card border border-line bg-surface">
          <Table caption="Account types" columns={TYPES} rows={types} rowKey={({ id }) => id} />
        </div>
        <p className="text-table text-soft">Leverage is 'up to': an account starts at 1:100, and that is what counts for its margin.</p>
      </section>
    </div>
  );
}

const TYPES: Column<AccountType>[] = [
  { key: "name", title: "Name", lead: true, cell: ({ name }) => name },
  { key: "minimum", title: "Minimum deposit", numeric: true, cell: ({ minimumDeposit }) => displayMoney(minimumDeposit) },
  { key: "spread", title: "Spreads from", numeric: true, cell: ({ spreadsFrom }) => pipsText(spreadsFrom) },
  { key: "leverage", title: "Leverage", numeric: true, cell: ({ leverage }) => leverage },
  {
    key: "open",
    title: "New account",
    numeric: true,
    cell: ({ id, name }) => (
      <a
        href={`/accounts/create?type=${id}`}
        aria-label={`Open a ${name} account`}
        className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-8"
      >
        Open
      </a>
    ),
  },
];

const None = () => (
  <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
    A demo account comes with $10,000 of virtual money.
  </EmptyState>
);
