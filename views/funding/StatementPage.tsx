import PrintButton from "../../islands/ui/PrintButton";
import type { Statement, Transaction } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { instantText } from "../ui/instant";
import { Profit } from "../accounts/Profit";
import { groupedText } from "../ui/grouped";
import { Badge } from "../ui/Badge";
import { Card } from "../ui/Card";
import { Stat } from "../ui/Stat";
import { type Column, Table } from "../ui/Table";
import { lastDayOf, monthAfter, monthBefore, monthText, statementPath } from "./months";
import { TYPE_WORDS } from "./words";

type Props = { statement: Statement; person: string; brand: string; /** The current month: no statement goes beyond it. */ thisMonth: string };

const COLUMNS: Column<Transaction>[] = [
  {
    key: "at",
    title: "Time (UTC)",
    lead: true,
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} className="whitespace-nowrap">
        {instantText(createdAt)}
      </time>
    ),
  },
  {
    key: "type",
    title: "Type",
    cell: ({ type }) => (type === "correction" ? <Badge tone="warning">{TYPE_WORDS[type]}</Badge> : TYPE_WORDS[type]),
  },
  {
    key: "description",
    title: "Description",
    cell: ({ description }) => <span className="[overflow-wrap:anywhere] max-md:text-right">{groupedText(description)}</span>,
  },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => <Profit value={amount} /> },
  { key: "balance", title: "Balance", numeric: true, cell: ({ balanceAfter }) => <span className="tabular-nums">{displayMoney(balanceAfter)}</span> },
];

/** One account's month as the ledger has it; made to be printed. */
export function StatementPage({ statement, person, brand, thisMonth }: Props) {
  const { account, accountType, month, opening, moneyIn, moneyOut, closing, lines } = statement;
  const id = statement.accountId ?? "wallet";
  const name = accountType ? `${accountType} ${account}` : account;
  return (
    <div className="mx-auto flex w-full max-w-[64rem] flex-col gap-6 px-4 py-6 md:px-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <p className="text-table text-soft">{brand} statement of account</p>
          <h1 className="text-title font-semibold max-sm:text-heading">
            {name}, {monthText(month)}
          </h1>
          <p className="text-soft [overflow-wrap:anywhere]">{person}</p>
        </div>
        <div className="no-print flex flex-wrap items-center gap-4">
          <a href="/profile#statements" className={LINK}>
            Back to profile
          </a>
          <a href={`/api/transactions?format=csv&accountId=${id}&from=${month}-01&to=${lastDayOf(month)}`} className={LINK}>
            Download CSV
          </a>
          {lines.some(({ type }) => type === "trade" || type === "correction") ? (
            <a href={`/api/statements/proof?accountId=${id}&month=${month}`} download className={LINK}>
              Download the proof
            </a>
          ) : null}
          <PrintButton />
        </div>
      </div>
      <nav aria-label="Months" className="no-print flex justify-between gap-4 border-y border-line">
        <a href={statementPath(id, monthBefore(month))} className={LINK}>
          {monthText(monthBefore(month))}
        </a>
        {month < thisMonth ? (
          <a href={statementPath(id, monthAfter(month))} className={LINK}>
            {monthText(monthAfter(month))}
          </a>
        ) : null}
      </nav>
      <Card label="Summary" className="grid grid-cols-2 gap-x-6 gap-y-5 p-4 md:grid-cols-4 md:p-6">
        <Stat label="Opening balance">{displayMoney(opening)}</Stat>
        <Stat label="Money in">{displayMoney(moneyIn)}</Stat>
        <Stat label="Money out">{displayMoney(moneyOut)}</Stat>
        <Stat label="Closing balance">{displayMoney(closing)}</Stat>
      </Card>
      {lines.length ? (
        <Table caption={`Every movement of ${name} in ${monthText(month)}, oldest first`} columns={COLUMNS} rows={lines} rowKey={(line) => line.id} />
      ) : (
        <p className="py-6 text-center text-soft">Nothing moved in this month.</p>
      )}
      <p className="text-note text-soft">
        All amounts in US dollars, all times in UTC. The closing balance is the opening balance and every line above, as the ledger has them. A correction by an
        administrator is marked as such. What a closing brought is in the public log: its proof can be checked at /verify, by anyone.
      </p>
    </div>
  );
}

const LINK = "inline-flex min-h-11 items-center text-accent underline underline-offset-2";
