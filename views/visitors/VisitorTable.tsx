import type { Visitor, VisitorSnapshot } from "../../src/visitors/schema";
import { waitOf } from "../ui/staff/waits";
import { Badge } from "../ui/Badge";
import { Icon } from "../ui/Icon";
import { Stat } from "../ui/Stat";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { Flag } from "./Flag";

type Props = VisitorSnapshot & { notifications: number; now: number };

/** Who is on the site: three figures, and the last pages that were opened. */
export const VisitorTable = ({ online, today, notifications, recent, now }: Props) => (
  <div className="flex flex-col gap-4">
    <div className="grid grid-cols-3 gap-4 rounded-card border border-line bg-surface p-4">
      <Stat label="Online now" note="seen in the last 5 minutes">
        {online}
      </Stat>
      <Stat label="Total today" note="since midnight, UTC">
        {today}
      </Stat>
      <Stat label="Notifications" note="unread">
        {notifications}
      </Stat>
    </div>
    <section aria-label="Recent visitors" className="rounded-card border border-line bg-surface">
      <h2 className="border-b border-line px-4 py-3 text-[0.9375rem] font-semibold">Recent visitors</h2>
      {recent.length === 0 ? (
        <EmptyState icon="globe" title="No visitors yet">
          Pages that people open appear here as it happens.
        </EmptyState>
      ) : (
        <Table caption="The last ten pages that visitors opened" columns={columns(now)} rows={recent} rowKey={({ id }) => id} />
      )}
    </section>
    <p className="text-note text-soft">
      Counted without cookies; who asks not to be tracked is not here. Addresses are erased after 30 days. The country is the visitor&rsquo;s time zone&rsquo;s,
      where no proxy names it.
    </p>
  </div>
);

const DEVICES = { mobile: ["phone", "Mobile"], tablet: ["device", "Tablet"], desktop: ["device", "Desktop"] } as const;

const columns = (now: number): Column<Visitor>[] => [
  {
    key: "page",
    title: "Page",
    lead: true,
    cell: ({ page, isNewVisitor }) => (
      <span className="inline-flex min-w-0 items-center gap-2">
        <span className="[overflow-wrap:anywhere]">{page.length > 120 ? `${page.slice(0, 120)}…` : page}</span>
        {isNewVisitor ? <Badge>New</Badge> : null}
      </span>
    ),
  },
  { key: "country", title: "Country", cell: ({ country }) => <Flag country={country} /> },
  { key: "ip", title: "IP", cell: ({ ip }) => <span className="font-mono text-table">{ip ?? "erased"}</span> },
  {
    key: "device",
    title: "Device",
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
    cell: ({ timestamp }) => (
      <time dateTime={timestamp} className="text-soft">
        {waitOf(timestamp, now).text}
      </time>
    ),
  },
];
