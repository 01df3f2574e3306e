import { displayMoney } from "../../src/lib/money";
import { monthText } from "../funding/months";
import { ButtonLink } from "../ui/Button";
import { Card, Panel } from "../ui/Card";
import { Stat } from "../ui/Stat";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { TabPanel, Tabs } from "../ui/Tabs";
import { type CurvePoint, EquityCurve } from "./EquityCurve";
import { Profit } from "../accounts/Profit";

type Summary = {
  closed: number;
  won: number;
  lost: number;
  winRate: string;
  net: string;
  gained: string;
  given: string;
  factor: string | null;
  averageWin: string | null;
  averageLoss: string | null;
  best: string | null;
  worst: string | null;
  held: number | null;
  commission: string;
  swap: string;
};
type BySymbol = { symbol: string; closed: number; winRate: string; profit: string };
type ByMonth = { month: string; closed: number; profit: string };
type Props = { isDemo: boolean; summary: Summary; symbols: BySymbol[]; months: ByMonth[]; curve: CurvePoint[] };

const BOOKS = [
  { id: "live", label: "Live accounts" },
  { id: "demo", label: "Demo accounts" },
];

/** How a person traded: the record, the curve of what was booked, and where it came from. Live and demo never meet. */
export function AnalyticsPage({ isDemo, summary, symbols, months, curve }: Props) {
  const book = isDemo ? "demo" : "live";
  return (
    <div className="flex w-full flex-col gap-4 px-4 py-6 md:px-6">
      <div>
        <h1 className="text-title font-semibold">Performance</h1>
        <p className="text-soft">Your closed trades, as the ledger booked them.</p>
      </div>
      <div>
        <Tabs label="Performance" tabs={BOOKS} current={book} path="/analytics" param="book" />
        <TabPanel id={book}>
          {summary.closed === 0 ? (
            <EmptyState icon="trend" title="No closed trades yet" action={<ButtonLink href="/traders-portal">Open a trade</ButtonLink>}>
              {isDemo
                ? "Trades that you close on a demo account are counted here."
                : "Trades that you close on a live account are counted here. Demo trades have a tab of their own."}
            </EmptyState>
          ) : (
            <div className="flex flex-col gap-4">
              <Figures {...summary} />
              <Panel title="Result over time">
                <EquityCurve curve={curve} />
              </Panel>
              <div className="grid items-start gap-4 lg:grid-cols-2">
                <Panel title="By instrument">
                  <Table caption="Results by instrument, the best first" columns={SYMBOLS} rows={symbols} rowKey={({ symbol }) => symbol} />
                </Panel>
                <Panel title="By month">
                  <Table caption="Results by month, newest first" columns={MONTHS} rows={months} rowKey={({ month }) => month} />
                </Panel>
              </div>
            </div>
          )}
        </TabPanel>
      </div>
    </div>
  );
}

const result = (value: string | null) => (value === null ? "–" : <Profit value={value} />);

const Figures = ({ closed, won, lost, winRate, net, gained, given, factor, averageWin, averageLoss, best, worst, held, commission, swap }: Summary) => (
  <Card label="Figures" className="grid grid-cols-2 gap-x-6 gap-y-5 p-4 md:p-6 lg:grid-cols-4">
    <Stat label="Net Result" note={`${displayMoney(gained)} gained, ${displayMoney(given)} lost`}>
      <Profit value={net} />
    </Stat>
    <Stat label="Win Rate" note={`${won} won, ${lost} lost, of ${closed}`}>
      {winRate}%
    </Stat>
    <Stat label="Profit Factor" note="Gained for each dollar lost">
      {factor ?? "–"}
    </Stat>
    <Stat label="Average Holding Time">{held === null ? "–" : durationText(held)}</Stat>
    <Stat label="Average Win">{result(averageWin)}</Stat>
    <Stat label="Average Loss">{result(averageLoss)}</Stat>
    <Stat label="Best Trade">{result(best)}</Stat>
    <Stat label="Worst Trade">{result(worst)}</Stat>
    {Number(commission) === 0 ? null : (
      <Stat label="Commission" note="Beside the results">
        <Profit value={`-${commission}`} />
      </Stat>
    )}
    {Number(swap) === 0 ? null : (
      <Stat label="Swap" note="What nights brought beside the results">
        <Profit value={swap} />
      </Stat>
    )}
  </Card>
);

/** Seconds in the two largest units that say something. */
function durationText(seconds: number): string {
  const units: [number, string][] = [
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  const first = Math.max(
    0,
    units.findIndex(([size]) => seconds >= size),
  );
  const shown = units.slice(first, first + 2);
  let rest = seconds;
  const parts = shown.map(([size, name]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count ? `${count} ${name}` : "";
  });
  return parts.filter(Boolean).join(" ") || "0 s";
}

const SYMBOLS: Column<BySymbol>[] = [
  { key: "symbol", title: "Instrument", lead: true, cell: ({ symbol }) => symbol },
  { key: "closed", title: "Trades", numeric: true, cell: ({ closed }) => closed },
  { key: "rate", title: "Win rate", numeric: true, cell: ({ winRate }) => `${winRate}%` },
  { key: "profit", title: "Result", numeric: true, cell: ({ profit }) => <Profit value={profit} className="font-medium" /> },
];

const MONTHS: Column<ByMonth>[] = [
  { key: "month", title: "Month (UTC)", lead: true, cell: ({ month }) => monthText(month) },
  { key: "closed", title: "Trades", numeric: true, cell: ({ closed }) => closed },
  { key: "profit", title: "Result", numeric: true, cell: ({ profit }) => <Profit value={profit} className="font-medium" /> },
];
