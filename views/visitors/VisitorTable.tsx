import type { ReactNode } from "react";
import type { Visitor, VisitorSnapshot } from "../../src/visitors/schema";
import { waitOf } from "../ui/staff/waits";
import { Badge } from "../ui/Badge";
import { Icon } from "../ui/Icon";
import { instantText } from "../ui/instant";
import { EmptyState } from "../ui/States";
import type { ListQuery } from "../ui/staff/address";
import { type AdminColumn, AdminTable } from "../ui/staff/AdminTable";
import { dayFields, ExportLink, FilterMenu } from "../ui/staff/Filters";
import { Flag } from "./Flag";

type Props = VisitorSnapshot & {
  notifications: number;
  now: number;
  query: ListQuery;
  /** The filters that their reader gave a name. */
  named: ReactNode;
  /** What came while somebody was in the list. */
  fresh: ReactNode;
  /** Whether the list is of days that were asked for, and not of this moment. */
  isPast: boolean;
};

/** Who is on the site: three figures in the line of the list's tools, and the last pages that were opened. */
export const VisitorTable = ({ online, today, notifications, recent, now, query, named, fresh, isPast }: Props) => (
  <div className="flex flex-col gap-1">
    <div className="relative flex min-w-0 flex-wrap items-center gap-x-5 gap-y-1">
      <Figure name="Online now" note="seen in the last 5 minutes" value={online} />
      <Figure name="Total today" note="since midnight, UTC" value={today} />
      <Figure name="Notifications" note="unread" value={notifications} />
      {query.at ? <FilterMenu at={query.at} query={{ from: query.from, to: query.to }} label="Days" fields={dayFields()} /> : null}
      {named}
      {fresh}
      <span className="md:ml-auto">
        <ExportLink path="/api/admin/visitors" query={{ from: query.from, to: query.to }} />
      </span>
    </div>
    <section aria-label={isPast ? "Visitors of these days" : "Recent visitors"}>
      {recent.length === 0 ? (
        <EmptyState icon="globe" title={isPast ? "No visitors on these days" : "No visitors yet"}>
          {isPast ? "Visits are kept for ninety days." : "Pages that people open appear here as it happens."}
        </EmptyState>
      ) : (
        <AdminTable
          caption={isPast ? "Pages that visitors opened" : "The last ten pages that visitors opened"}
          columns={columns(now, isPast)}
          rows={recent}
          rowKey={({ id }) => id}
        />
      )}
    </section>
    <p className="mt-2 text-note text-soft">
      Counted without cookies; who asks not to be tracked is not here. Addresses are erased after 30 days. The country is the visitor&rsquo;s time zone&rsquo;s,
      where no proxy names it.
    </p>
  </div>
);

const Figure = ({ name, note, value }: { name: string; note: string; value: number }) => (
  <span role="group" aria-label={name} data-tip={note} className="inline-flex min-h-11 items-center gap-1.5 text-table text-soft md:min-h-9">
    {name} <b className="text-product font-semibold tabular-nums text-ink">{value}</b>
    <span className="sr-only">{note}</span>
  </span>
);

const DEVICES = { mobile: ["phone", "Mobile"], tablet: ["device", "Tablet"], desktop: ["device", "Desktop"] } as const;

const columns = (now: number, isPast: boolean): AdminColumn<Visitor>[] => [
  {
    key: "page",
    title: "Page",
    lead: true,
    roomy: true,
    cell: ({ page, isNewVisitor }) => (
      <span className="inline-flex min-w-0 items-center gap-2">
        <span className="[overflow-wrap:anywhere]">{page.length > 120 ? `${page.slice(0, 120)}…` : page}</span>
        {isNewVisitor ? <Badge>New</Badge> : null}
      </span>
    ),
  },
  { key: "country", title: "Country", width: "lg:w-[12%]", cell: ({ country }) => <Flag country={country} /> },
  { key: "ip", title: "IP", width: "lg:w-[22%]", cell: ({ ip }) => <span className="font-mono text-table">{ip ?? "erased"}</span> },
  {
    key: "device",
    title: "Device",
    width: "lg:w-[14%]",
    cell: ({ device }) => (
      <span className="inline-flex items-center gap-1.5 align-middle">
        <Icon name={DEVICES[device][0]} className="size-4 text-soft" />
        {DEVICES[device][1]}
      </span>
    ),
  },
  {
    key: "time",
    title: "When",
    numeric: true,
    width: "lg:w-[14%]",
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} className="text-soft">
        {isPast ? `${instantText(timestamp).slice(0, 16)} UTC` : waitOf(timestamp, now).text}
      </time>
    ),
  },
];
