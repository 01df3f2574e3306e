import { displayPrice } from "../../src/lib/money";
import { Panel } from "../ui/Card";
import { classes } from "../ui/classes";
import { Delta, Price, SimulatedLabel } from "../ui/Price";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { TabPanel, Tabs } from "../ui/Tabs";
import { instantText } from "../ui/instant";
import { Sparkline } from "./Sparkline";

/** One instrument's last day. `change`, `volatility` and the range's width in per cent, `place` from 0 (low) to 1 (high). */
export type Analysed = {
  symbol: string;
  name: string;
  crypto: boolean;
  digits: number;
  change: number;
  range: { low: number; high: number; last: number; place: number; width: number };
  volatility: number | null;
  spark: string;
};
export type AnalysisProps = {
  analysed: Analysed[];
  /** Each row's correlation with each symbol; null where it is not known. */
  correlation: { symbols: string[]; rows: (number | null)[][] };
  /** Of the first and the last candle that was read; null without any. */
  since: string | null;
  until: string;
  simulated: boolean;
};

const GROUPS = [
  { id: "all", label: "All" },
  { id: "forex", label: "Forex" },
  { id: "crypto", label: "Crypto" },
] as const;
type AnalysisGroup = (typeof GROUPS)[number]["id"];
export const groupOf = (name: string | null): AnalysisGroup => GROUPS.find(({ id }) => id === name)?.id ?? "all";

const MOVERS = 5;
const percent = (value: number) => value.toFixed(2).replace(/^-(0\.00)$/, "$1");
const hundredths = (value: number) => percent(value).replace("-", "−");

/** The last day's movers, ranges, volatility and correlations, computed from candles. */
export function MarketAnalysisPage({ analysed, correlation, since, until, simulated, group }: AnalysisProps & { group: AnalysisGroup }) {
  const shown = analysed.filter(({ crypto }) => group === "all" || crypto === (group === "crypto"));
  const movers = [...shown].sort((a, b) => b.change - a.change);
  return (
    <div className="mx-auto flex w-full max-w-[80rem] flex-col gap-6 px-4 py-6 md:px-6">
      <div>
        <div className="flex flex-wrap items-center gap-x-4">
          <h1 className="text-title font-semibold">Market Analysis</h1>
          {simulated ? <SimulatedLabel /> : null}
        </div>
        <p className="mt-1 max-w-[46rem] text-soft">
          {since
            ? `Computed from this platform's own 15-minute candles of mid prices, ${instantText(since).slice(0, 16)} to ${instantText(until).slice(0, 16)} UTC. It says what was, not what will be, and is no advice.`
            : "Computed from this platform's own candles."}
        </p>
      </div>
      {analysed.length === 0 ? (
        <EmptyState icon="chart" title="No prices yet">
          As soon as the market has quoted for a while, its movers, ranges and correlations stand here.
        </EmptyState>
      ) : (
        <>
          <div>
            <Tabs label="Instruments" tabs={[...GROUPS]} current={group} path="/market-analysis" />
            <TabPanel id={group} className="flex flex-col gap-6">
              <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
                <Movers title="Top gainers" list={movers.filter(({ change }) => change > 0).slice(0, MOVERS)} none="Nothing has gained." />
                <Movers
                  title="Top losers"
                  list={movers
                    .filter(({ change }) => change < 0)
                    .reverse()
                    .slice(0, MOVERS)}
                  none="Nothing has lost."
                />
              </div>
              <Panel title="Ranges and volatility">
                <div className="-m-4 md:-mx-1 md:-my-2 md:overflow-x-auto">
                  <Table
                    caption="Ranges and volatility, the most restless first"
                    columns={RANGES}
                    rows={byVolatility(shown)}
                    rowKey={({ symbol }) => symbol}
                    className="md:max-lg:[&_td]:px-1.5 md:max-lg:[&_th]:px-1.5"
                  />
                </div>
              </Panel>
            </TabPanel>
          </div>
          <Correlation {...correlation} />
        </>
      )}
    </div>
  );
}

const byVolatility = (list: Analysed[]) => [...list].sort((a, b) => (b.volatility ?? -1) - (a.volatility ?? -1));

const TradeLink = ({ symbol }: { symbol: string }) => (
  <a
    href={`/traders-portal?symbol=${encodeURIComponent(symbol)}`}
    className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2 md:min-h-8"
  >
    {symbol}
  </a>
);

const Movers = ({ title, list, none }: { title: string; list: Analysed[]; none: string }) => (
  <Panel title={title}>
    {list.length === 0 ? <p className="text-soft">{none}</p> : null}
    <ol className="-my-2 flex flex-col">
      {list.map(({ symbol, name, change, spark }) => (
        <li key={symbol} className="flex items-center gap-4 border-b border-line py-1.5 last:border-b-0">
          <span className="min-w-0 flex-1">
            <TradeLink symbol={symbol} />
            <span className="block truncate text-note text-soft">{name}</span>
          </span>
          <Sparkline path={spark} rising={change >= 0} className="h-8 w-20" />
          <Delta value={percent(change)} suffix="%" className="w-20 text-right" />
        </li>
      ))}
    </ol>
  </Panel>
);

const RANGES: Column<Analysed>[] = [
  { key: "symbol", title: "Symbol", lead: true, cell: ({ symbol }) => <TradeLink symbol={symbol} /> },
  { key: "last", title: "Last", numeric: true, cell: ({ range, digits }) => <Price value={range.last.toFixed(digits)} digits={digits} /> },
  { key: "change", title: "Change", numeric: true, cell: ({ change }) => <Delta value={percent(change)} suffix="%" /> },
  { key: "low", title: "Low", numeric: true, cell: ({ range, digits }) => displayPrice(range.low.toFixed(digits), digits) },
  { key: "place", title: "Last in the range", cell: ({ range }) => <RangeBar place={range.place} /> },
  { key: "high", title: "High", numeric: true, cell: ({ range, digits }) => displayPrice(range.high.toFixed(digits), digits) },
  { key: "width", title: "Range", numeric: true, cell: ({ range }) => `${percent(range.width)}%` },
  {
    key: "volatility",
    title: "Volatility a day",
    numeric: true,
    cell: ({ volatility }) => (volatility === null ? "Not known yet" : `${percent(volatility)}%`),
  },
];

/** Low at the left, high at the right, the last price between them. */
const RangeBar = ({ place }: { place: number }) => (
  <svg viewBox="0 0 100 12" role="img" aria-label={`${Math.round(place * 100)}% of the way from low to high`} className="h-3 w-28">
    <rect x="0" y="5" width="100" height="2" rx="1" className="fill-line" />
    <circle cx={4 + place * 92} cy="6" r="4" className="fill-accent" />
  </svg>
);

/** In words too, so that colour is not the only sign. */
function Correlation({ symbols, rows }: AnalysisProps["correlation"]) {
  return (
    <Panel title="Correlation">
      <p className="mb-4 max-w-[46rem] text-soft">
        How two instruments moved with each other from candle to candle: 1.00 together, −1.00 opposite, 0.00 without relation. Positions in instruments that
        move together are one larger risk.
      </p>
      <div className="overflow-x-auto">
        <table className="w-full text-table tabular-nums">
          <caption className="sr-only">Correlation of 15-minute returns</caption>
          <thead>
            <tr>
              <th scope="col" className="text-left font-normal">
                <span className="sr-only">Instrument</span>
              </th>
              {symbols.map((symbol) => (
                <th key={symbol} scope="col" className="px-2 py-2 text-right font-medium text-soft">
                  {symbol}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, n) => (
              <tr key={symbols[n]}>
                <th scope="row" className="sticky left-0 bg-surface py-1 pr-3 text-left font-medium">
                  <TradeLink symbol={symbols[n] ?? ""} />
                </th>
                {row.map((value, m) => (
                  <td key={symbols[m]} className="p-0.5">
                    <span className={classes("block min-w-16 rounded-sm px-2 py-1.5 text-right", n === m ? "text-soft" : toneOf(value))}>
                      {value === null ? "–" : hundredths(value)}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

const STRONG = 0.7;
const SOME = 0.3;

function toneOf(value: number | null): string {
  if (value === null || Math.abs(value) < SOME) return "text-soft";
  const strong = Math.abs(value) >= STRONG;
  if (value > 0) return strong ? "bg-gain-soft font-semibold text-gain" : "bg-gain-soft text-ink";
  return strong ? "bg-loss-soft font-semibold text-loss" : "bg-loss-soft text-ink";
}
