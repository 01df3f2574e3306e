import { methodName, partName } from "../../src/admin/rules_days";
import type { DayBook, DayLine, DayMethod, DayPart } from "../../src/admin/schema_days";
import { displayMoney, sum } from "../../src/lib/money";
import { groupedText } from "../ui/grouped";
import { instantText } from "../ui/instant";
import { Delta } from "../ui/Price";
import { EmptyState } from "../ui/States";
import { panelTab, type ListQuery } from "../ui/staff/address";
import { type AdminColumn, AdminTable, ClientLink } from "../ui/staff/AdminTable";
import { Pager } from "../ui/staff/Filters";
import { dayAddress, dayName } from "./day_words";

type Query = { part: DayPart | ""; method: DayMethod | ""; since: string; cursor?: string | undefined };
type Props = { book: DayBook; lines: DayLine[]; query: Query; next: string | null };

const COLUMNS: AdminColumn<DayLine>[] = [
  { key: "at", title: "Time (UTC)", lead: true, cell: ({ at }) => <time dateTime={at}>{instantText(at).slice(11)}</time> },
  {
    key: "who",
    title: "Client",
    roomy: true,
    cell: ({ userId, name, email }) => (userId ? <ClientLink id={userId} name={name ?? ""} email={email ?? ""} /> : "–"),
  },
  { key: "part", title: "Figure", cell: ({ part, method }) => partName({ part, method: method as DayMethod | null }) },
  { key: "memo", title: "Booked as", roomy: true, cell: ({ memo }) => <span className="[overflow-wrap:anywhere]">{groupedText(memo)}</span> },
  { key: "amount", title: "USD", numeric: true, cell: ({ amount }) => <Delta value={displayMoney(amount)} /> },
];

/** The lines of the ledger that are in one figure of a day; they add up to it. */
export function DayLinesPage({ book, lines, query, next }: Props) {
  const { part, method, since, cursor } = query;
  const wanted = (book.figures.parts ?? []).filter((each) => (!part || each.part === part) && (!method || each.method === method));
  const title = since ? "Booked after the day was closed" : part ? partName({ part, method: method || null }) : methodName(null);
  const at: ListQuery = { day: book.day, part, method, since, cursor };
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-4">
        <h2 className="text-base font-semibold">{`${title}, ${dayName(book.day)}`}</h2>
        {since ? null : (
          <p className="text-table">
            <Delta value={displayMoney(sum(wanted.map(({ amount }) => amount)))} /> in {wanted.reduce((all, { count }) => all + count, 0)} lines
          </p>
        )}
        <a href={dayAddress(book.day)} className="inline-flex min-h-11 items-center text-table text-accent underline-offset-4 hover:underline md:min-h-8">
          All figures of the day
        </a>
      </div>
      {lines.length > 0 ? <AdminTable caption={title} columns={COLUMNS} rows={lines} rowKey={({ id }) => id} /> : <EmptyState title="No lines" />}
      <Pager at={panelTab("today")} query={at} next={next} />
    </div>
  );
}
