import type { TradingAccount } from "../../src/accounts/schema";
import { type Transaction, transactionTypes } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { accountName } from "../accounts/account_name";
import { instantText } from "../ui/instant";
import { Profit } from "../accounts/Profit";
import { groupedText } from "../ui/grouped";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Field, SelectField } from "../ui/Field";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { statementPath } from "./months";
import { TYPE_WORDS } from "./words";

/** What the list is narrowed to; empty means all. */
export type HistoryFilter = { type: string; accountId: string; from: string; to: string };
export type HistoryProps = {
  lines: Transaction[];
  filter: HistoryFilter;
  errors: Record<string, string>;
  /** Where older lines go on; null at the end. */
  next: string | null;
  accounts: TradingAccount[];
  /** The current month, "2026-11". */
  month: string;
};

const LINE_STATUS = { pending: "Pending", returned: "Returned" } as const;

const COLUMNS: Column<Transaction>[] = [
  { key: "type", title: "Type", lead: true, cell: ({ type }) => (type === "correction" ? <Badge tone="warning">{TYPE_WORDS[type]}</Badge> : TYPE_WORDS[type]) },
  {
    key: "description",
    title: "Description and account",
    cell: ({ description, account }) => (
      <span className="flex flex-col max-md:text-right">
        <span className="[overflow-wrap:anywhere]">{groupedText(description)}</span>
        <span className="text-note text-soft">{account}</span>
      </span>
    ),
  },
  { key: "status", title: "Status", cell: ({ status }) => (status === "completed" ? "Completed" : <Badge tone="secondary">{LINE_STATUS[status]}</Badge>) },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => <Profit value={amount} /> },
  { key: "balance", title: "Balance after", numeric: true, cell: ({ balanceAfter }) => <span className="tabular-nums">{displayMoney(balanceAfter)}</span> },
  {
    key: "at",
    title: "Time (UTC)",
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="lg:whitespace-nowrap">
        {instantText(createdAt)}
      </time>
    ),
  },
];

/** A person's movements of live money, newest first. Filters and pages are addresses, so that they need no script. */
export function TransactionHistory({ lines, filter, errors, next, accounts, month }: HistoryProps) {
  const narrowed = Object.values(filter).some(Boolean);
  return (
    <div className="flex flex-col gap-4">
      <Filters filter={filter} errors={errors} accounts={accounts} />
      <p className="flex flex-wrap gap-x-6">
        <a href={`/api/transactions?${searchOf(filter, { format: "csv" })}`} className={LINK}>
          Download CSV
        </a>
        <a href={statementPath(filter.accountId || "wallet", month)} className={LINK}>
          Monthly statement
        </a>
      </p>
      {lines.length ? (
        <Table caption="Transactions, newest first" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} />
      ) : (
        <EmptyState icon="receipt" title={narrowed ? "No transactions match" : "No transactions yet"}>
          {narrowed
            ? "Widen the dates, or choose all types and accounts."
            : "Each movement of live money appears here with the balance after it. Demo money is not part of it."}
        </EmptyState>
      )}
      {next ? (
        <a href={`/dashboard?${searchOf(filter, { tab: "transactions", cursor: next })}`} className={`${LINK} self-center`}>
          Older transactions
        </a>
      ) : null}
    </div>
  );
}

function Filters({ filter, errors, accounts }: Pick<HistoryProps, "filter" | "errors" | "accounts">) {
  const live = accounts.filter(({ isDemo }) => !isDemo);
  return (
    <form method="get" action="/dashboard" className="grid grid-cols-2 items-end gap-x-3 gap-y-4 md:gap-x-4 lg:grid-cols-[repeat(4,minmax(0,1fr))_auto]">
      <input type="hidden" name="tab" value="transactions" />
      <SelectField id="history-type" name="type" label="Type" defaultValue={filter.type} error={errors.type}>
        <option value="">All types</option>
        {transactionTypes.map((type) => (
          <option key={type} value={type}>
            {TYPE_WORDS[type]}
          </option>
        ))}
      </SelectField>
      <SelectField id="history-account" name="accountId" label="Account" defaultValue={filter.accountId} error={errors.accountId}>
        <option value="">All accounts</option>
        <option value="wallet">Wallet</option>
        {live.map(({ id, name, accountType, accountNumber }) => (
          <option key={id} value={id}>
            {accountName({ name, accountType })} {accountNumber}
          </option>
        ))}
      </SelectField>
      <Field id="history-from" name="from" type="date" label="From (UTC)" defaultValue={filter.from} error={errors.from} />
      <Field id="history-to" name="to" type="date" label="To (UTC)" defaultValue={filter.to} error={errors.to} />
      <Button type="submit" variant="secondary" className="max-lg:col-span-2">
        Filter
      </Button>
    </form>
  );
}

/** The filter as a query, what is empty left out. */
function searchOf(filter: HistoryFilter, more: Record<string, string>): string {
  const entries = Object.entries({ ...more, ...filter }).filter(([, value]) => value);
  return new URLSearchParams(entries).toString();
}

const LINK = "inline-flex min-h-11 items-center text-accent underline underline-offset-2";
