import type { LedgerLine } from "../../src/ledger/schema";
import { displayMoney } from "../../src/lib/money";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { instantText } from "./instant";
import { Profit } from "./SummaryCards";

const WORDS: Record<string, string> = { trade_close: "Trade result" };
const wordOf = (type: string) => WORDS[type] ?? type.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

const COLUMNS: Column<LedgerLine>[] = [
  { key: "type", title: "Type", lead: true, cell: ({ type }) => wordOf(type) },
  { key: "description", title: "Description", cell: ({ description }) => <span className="[overflow-wrap:anywhere]">{description}</span> },
  { key: "account", title: "Account", cell: ({ accountNumber }) => accountNumber ?? "Wallet" },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => <Profit value={amount} /> },
  { key: "balance", title: "Balance after", numeric: true, cell: ({ balanceAfter }) => displayMoney(balanceAfter) },
  { key: "at", title: "Time (UTC)", cell: ({ createdAt }) => <time dateTime={createdAt}>{instantText(createdAt)}</time> },
];

/** A person's movements of live money, newest first. */
export const TransactionTable = ({ lines }: { lines: LedgerLine[] }) =>
  lines.length === 0 ? (
    <EmptyState icon="receipt" title="No transactions yet">
      Each movement of live money appears here with the balance after it. Demo money is not part of it.
    </EmptyState>
  ) : (
    <Table caption="Transactions, newest first" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} />
  );
