import type { ReactNode } from "react";
import { may } from "../../src/lib/may";
import { displayMoney, displayPrice, sum } from "../../src/lib/money";
import type { Exposure, MarginAccount } from "../../src/trading/schema_corrections";
import { Profit } from "../accounts/Profit";
import { Badge } from "../ui/Badge";
import { classes } from "../ui/classes";
import { type AdminColumn, AdminTable } from "../ui/staff/AdminTable";

/** Below these margin levels, in per cent, a trader is warned and a position is closed. */
const CALL = 100;
const STOP_OUT = 50;
/** From here on a level is worth a look. */
const NEAR = 150;

/** How much clients hold of each symbol, as sums and as bars: long to the right, short to the left of the middle. */
export function ExposureTable({ rows, capped = false, onLimit }: { rows: Exposure[]; capped?: boolean; onLimit?: (row: Exposure) => void }) {
  const most = Math.max(...rows.map(({ long, short }) => Math.max(Number(long), Number(short))), 1);
  const columns: AdminColumn<Exposure>[] = [
    { key: "symbol", title: "Symbol", lead: true, cell: ({ symbol }) => <span className="font-medium">{symbol}</span> },
    { key: "bar", title: "Short and long", cell: (row) => <Bar row={row} most={most} /> },
    { key: "net", title: "Net (USD)", numeric: true, cell: ({ net }) => <span className="font-medium">{displayMoney(net, { sign: true })}</span> },
    { key: "long", title: "Long", wide: true, numeric: true, cell: ({ long }) => displayMoney(long) },
    { key: "short", title: "Short", wide: true, numeric: true, cell: ({ short }) => displayMoney(short) },
    { key: "positions", title: "Open", wide: true, numeric: true, cell: ({ positions }) => positions.toLocaleString("en-US") },
    { key: "profit", title: "Clients' result", numeric: true, cell: ({ profit }) => (profit === null ? "–" : <Profit value={profit} />) },
    ...(onLimit ? [{ key: "limit", title: "Limit (live net)", numeric: true, cell: (row: Exposure) => <Limit row={row} onLimit={onLimit} /> }] : []),
  ];
  return (
    <Sums title="Exposure by symbol" capped={capped}>
      <AdminTable heads="box" caption="Exposure by symbol, the largest first" columns={columns} rows={rows} rowKey={({ symbol }) => symbol} />
    </Sums>
  );
}

/** Of the bound, in per cent; null where there is none. */
export const limitUse = ({ liveNet, limit }: Exposure): number | null =>
  limit === null ? null : Math.floor((Math.abs(Number(liveNet)) * 100) / Number(limit));
/** From here on, in per cent, a bound is worth a look; from its whole on it is reached. */
const NEAR_LIMIT = 80;

/** The bound, how much of it is used, and the way to change it. */
function Limit({ row, onLimit }: { row: Exposure; onLimit: (row: Exposure) => void }) {
  const use = limitUse(row);
  const tone = use === null || use < NEAR_LIMIT ? "text-soft" : use < 100 ? "text-warn" : "font-medium text-loss";
  const said = use === null || row.limit === null ? null : `${displayMoney(row.limit)}, ${use < 100 ? `${use} % used` : "reached"}`;
  if (!may("limits.change")) return <span className={classes("price-text", tone)}>{said ?? "–"}</span>;
  return (
    <button type="button" onClick={() => onLimit(row)} className={classes("min-h-6 whitespace-nowrap tabular-nums underline-offset-4 hover:underline", tone)}>
      <span className="sr-only">{`Limit of ${row.symbol}: `}</span>
      {said ?? "Set"}
    </button>
  );
}

/** All symbols in one line, where that has no room in lines that stand: figures that grow or a limit that is reached move nothing below it. */
export function ExposureTotals({ rows }: { rows: Exposure[] }) {
  const total = (of: (row: Exposure) => string | null) => sum(rows.map((row) => of(row) ?? "0.00"));
  const reached = rows.filter((row) => (limitUse(row) ?? 0) >= 100).map(({ symbol }) => symbol);
  return (
    <span
      data-totals=""
      className="grid min-w-0 grid-cols-2 items-center gap-x-4 whitespace-nowrap text-table font-normal tabular-nums max-xl:w-full md:grid-cols-3 xl:flex xl:overflow-hidden"
    >
      <span>{rows.reduce((all, { positions }) => all + positions, 0).toLocaleString("en-US")} open</span>
      <span>long {displayMoney(total(({ long }) => long))}</span>
      <span>short {displayMoney(total(({ short }) => short))}</span>
      <span>
        net{" "}
        {displayMoney(
          total(({ net }) => net),
          { sign: true },
        )}
      </span>
      <span>
        clients' result <Profit value={total(({ profit }) => profit)} />
      </span>
      <span className="truncate text-warn max-xl:min-h-5">{rows.some(({ profit }) => profit === null) ? "some without a price" : ""}</span>
      <b className="truncate font-semibold text-loss max-xl:col-span-full max-xl:min-h-5">{reached.length > 0 ? `Limit reached: ${reached.join(", ")}` : ""}</b>
    </span>
  );
}

/** A box that scrolls is reached by the keyboard. */
const SCROLLING = { tabIndex: 0, className: "h-72 overflow-y-auto" } as const;

/** A table over the others, no more air than they have. Capped it has one height and scrolls by itself: what it stands over stays in sight, and in its place. */
const Sums = ({ title, capped, children }: { title: string; capped: boolean; children: ReactNode }) => (
  <div className="min-w-0 rounded-card border border-line bg-surface px-2 py-1.5">
    <h2 className="px-2 py-1 text-product font-semibold">{title}</h2>
    <section aria-label={title} {...(capped ? SCROLLING : {})}>
      {children}
    </section>
  </div>
);

const WIDTH = 120;

function Bar({ row: { long, short }, most }: { row: Exposure; most: number }) {
  const half = WIDTH / 2;
  const right = (Number(long) / most) * half;
  const left = (Number(short) / most) * half;
  return (
    <svg viewBox={`0 0 ${WIDTH} 12`} aria-hidden="true" className="h-5 w-30 max-lg:ml-auto">
      <rect x={half - left} y="2" width={left} height="8" className="fill-control" />
      <rect x={half} y="2" width={right} height="8" className="fill-accent" />
      <path d={`M${half} 0V12`} className="stroke-ink" strokeWidth="1" />
    </svg>
  );
}

/** Accounts with the thinnest margin. */
export const MarginTable = ({ rows }: { rows: MarginAccount[] }) => (
  <Sums title="Nearest to stop-out" capped>
    {rows.length === 0 ? (
      <p className="px-2 py-1 text-table text-soft">No account has margin in use.</p>
    ) : (
      <AdminTable heads="box" caption="Accounts nearest to stop-out, the nearest first" columns={MARGIN} rows={rows} rowKey={({ id }) => id} />
    )}
  </Sums>
);

const MARGIN: AdminColumn<MarginAccount>[] = [
  {
    key: "who",
    title: "Who",
    lead: true,
    cell: ({ userId, firstName, lastName, email }) => (
      <a
        href={`/admin/users/${userId}`}
        data-tip={email}
        className="inline-block min-h-6 min-w-20 font-medium text-ink underline-offset-4 [overflow-wrap:anywhere] hover:underline"
      >
        {`${firstName} ${lastName}`}
      </a>
    ),
  },
  {
    key: "account",
    title: "Account",
    cell: ({ accountNumber, isDemo }) => (
      <span className="inline-flex flex-wrap items-center gap-1.5">
        <Badge tone={isDemo ? "secondary" : "default"}>{isDemo ? "Demo" : "Live"}</Badge> <span className="text-note text-soft">{accountNumber}</span>
      </span>
    ),
  },
  { key: "level", title: "Margin level", numeric: true, cell: (row) => <Level row={row} /> },
  { key: "equity", title: "Equity", numeric: true, cell: ({ equity }) => displayMoney(equity) },
  { key: "margin", title: "Used margin", wide: true, numeric: true, cell: ({ margin }) => displayMoney(margin) },
];

/** The level, in colour and words where it is wrong. */
function Level({ row: { marginLevel } }: { row: MarginAccount }) {
  const level = Number(marginLevel);
  const tone = level < CALL ? "rounded-full bg-loss-soft px-2 text-loss" : level < NEAR ? "rounded-full bg-warn-soft px-2 text-warn" : "";
  const word = level < STOP_OUT ? ", stop-out" : level < CALL ? ", margin call" : "";
  return (
    <span className={classes("price-text", tone)}>
      {displayPrice(marginLevel, 2)}%{word}
    </span>
  );
}
