import { useSyncExternalStore } from "react";
import type { CalendarRow } from "../../views/market/calendar_row";
import { titled } from "../../views/ui/titled";
import { Badge, type Tone } from "../../views/ui/Badge";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";

type Props = { rows: CalendarRow[]; now: string };

const TONES: Record<CalendarRow["impact"], Tone> = { high: "destructive", medium: "warning", low: "secondary" };
const never = () => () => {};

/** The calendar with the instants in UTC, and in a browser by the reader's own clock too. */
export function CalendarTable({ rows, now }: Props) {
  const here = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return <Table caption="Economic calendar, soonest first" columns={columns(here, Date.parse(now))} rows={rows} rowKey={({ id, at }) => `${id} ${at}`} />;
}

const FORMAT = { weekday: "short", day: "2-digit", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const UTC = new Intl.DateTimeFormat("en-US", { ...FORMAT, timeZone: "UTC" });
const local = () => new Intl.DateTimeFormat("en-US", { ...FORMAT, timeZoneName: "short" });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "in 3 d", "in 5 h", "in 12 min", "now". */
function untilText(at: string, now: number): string {
  const left = Date.parse(at) - now;
  if (left < MINUTE) return "now";
  if (left < HOUR) return `in ${Math.floor(left / MINUTE)} min`;
  return left < 2 * DAY ? `in ${Math.floor(left / HOUR)} h` : `in ${Math.floor(left / DAY)} d`;
}

const columns = (here: boolean, now: number): Column<CalendarRow>[] => [
  {
    key: "event",
    title: "Event",
    lead: true,
    cell: ({ title, rule }) => (
      <span>
        {title}
        <span className="block text-note font-normal text-soft">{rule}</span>
      </span>
    ),
  },
  { key: "currency", title: "Currency", cell: ({ currency }) => currency },
  { key: "impact", title: "Impact", cell: ({ impact }) => <Badge tone={TONES[impact]}>{titled(impact)}</Badge> },
  { key: "utc", title: "UTC", cell: ({ at }) => <time dateTime={at}>{UTC.format(new Date(at))}</time> },
  { key: "local", title: "Your time", cell: ({ at }) => <span className="text-soft">{here ? local().format(new Date(at)) : "–"}</span> },
  { key: "next", title: "Comes", numeric: true, cell: ({ at }) => untilText(at, now) },
];

export default island("CalendarTable", CalendarTable);
