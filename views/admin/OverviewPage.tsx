import { may } from "../../src/lib/may";
import AdminOverview from "../../islands/admin/AdminOverview";
import type { Day, Overview } from "../../src/admin/schema";
import { displayMoney, sum } from "../../src/lib/money";
import type { Exposure } from "../../src/trading/schema_corrections";
import { Card } from "../ui/Card";
import { Icon } from "../ui/Icon";
import { BarChart } from "./BarChart";
import { dayAddress } from "./day_words";
import { ExposureTable } from "../trading/ExposureTables";
import { panelTab } from "../ui/staff/address";
import { ExportLink } from "../ui/staff/Filters";
import { Signed } from "../ui/Signed";

type Props = { overview: Overview; days: Day[]; exposure: Exposure[] };

/** The Overview tab: what there is, what waits, and the last thirty days. */
export function OverviewPage({ overview, days, exposure }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <h2 className="sr-only">Overview</h2>
      <AdminOverview overview={overview} />
      <p className="-mt-2 text-table text-soft">
        How long it waits, and what a day brought, stands under{" "}
        <a href={panelTab("today")} className="text-accent underline underline-offset-4">
          Today
        </a>
        .
      </p>
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-4">
        <Chart
          title="Registrations"
          total={String(days.reduce((all, { registrations }) => all + registrations, 0))}
          days={days}
          of={({ registrations }) => registrations}
        />
        <Chart title="Deposits" total={displayMoney(sum(days.map(({ deposits }) => deposits)))} days={days} of={({ deposits }) => Number(deposits)} />
        <Chart
          title="Withdrawals"
          total={displayMoney(sum(days.map(({ withdrawals }) => withdrawals)))}
          days={days}
          of={({ withdrawals }) => Number(withdrawals)}
        />
        <Chart
          title="Revenue"
          total={displayMoney(sum(days.map(({ revenue }) => revenue)), { sign: true })}
          days={days}
          of={({ revenue }) => Number(revenue)}
        />
      </div>
      <div className="-mb-3 flex justify-end">
        <ExportLink path="/api/admin/overview" query={{}} />
      </div>
      <DayTable days={days} />
      {exposure.length > 0 && may("trades.read") ? <ExposureTable rows={exposure} /> : null}
    </div>
  );
}

type ChartProps = { title: string; total: string; days: Day[]; of: (day: Day) => number };
const Chart = ({ title, total, days, of }: ChartProps) => (
  <Card label={`${title}, last 30 days`} className="p-4">
    <p className="text-table text-soft">{title}, last 30 days</p>
    <p className="whitespace-nowrap text-heading font-semibold tabular-nums">{total}</p>
    <BarChart values={days.map(of)} />
    <p className="mt-1 flex justify-between text-note text-soft">
      <span>{days[0]?.day}</span>
      <span>today</span>
    </p>
  </Card>
);

/** The same figures for who can't see the bars, or wants them exactly. */
const DayTable = ({ days }: { days: Day[] }) => (
  <details className="rounded-card border border-line bg-surface">
    <summary className="flex min-h-11 items-center gap-2 px-4 text-product font-medium">
      <Icon name="chevronDown" className="size-4" />
      The last 30 days as a table (UTC)
    </summary>
    <div className="overflow-x-auto border-t border-line px-4 pb-2">
      <table className="w-full text-table tabular-nums">
        <caption className="sr-only">The last 30 days, newest first</caption>
        <thead>
          <tr className="border-b border-line text-soft">
            <th scope="col" className="py-1.5 text-left font-medium">
              Day
            </th>
            {["Registrations", "Deposits", "Withdrawals", "Revenue"].map((name) => (
              <th key={name} scope="col" className="py-1.5 pl-3 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map(({ day, registrations, deposits, withdrawals, revenue }) => (
            <tr key={day} className="border-b border-line last:border-b-0">
              <th scope="row" className="whitespace-nowrap py-1.5 text-left font-normal">
                <a href={dayAddress(day)} className="inline-flex min-h-6 items-center text-ink underline-offset-4 hover:underline">
                  {day}
                </a>
              </th>
              <td className="py-1.5 pl-3 text-right lg:h-10 lg:py-0">{registrations}</td>
              <td className="py-1.5 pl-3 text-right lg:h-10 lg:py-0">{displayMoney(deposits)}</td>
              <td className="py-1.5 pl-3 text-right lg:h-10 lg:py-0">{displayMoney(withdrawals)}</td>
              <td className="py-1.5 pl-3 text-right lg:h-10 lg:py-0">
                <Signed value={revenue} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);
