import { type Quality, QUALITY_DAYS } from "../../src/trading/schema_quality";
import { Panel } from "../ui/Card";
import { Stat } from "../ui/Stat";
import { EmptyState } from "../ui/States";
import { Table } from "../ui/Table";

const count = (value: number) => value.toLocaleString("en-US");
const milliseconds = (value: string | null) => (value === null ? "Not measured" : `${Number(value).toLocaleString("en-US")} ms`);

/** How orders were filled, counted from the receipts of all accounts. */
export const ExecutionQualityPage = ({ books }: { books: Quality[] }) => (
  <div className="mx-auto flex w-full max-w-[64rem] flex-col gap-6 px-4 py-6 md:px-6">
    <div>
      <h1 className="text-title font-semibold">Execution quality</h1>
      <p className="mt-1 max-w-[44rem] text-soft">
        Every fill of the last {QUALITY_DAYS} days, on all accounts, counted from the same records that receipts are printed from. Nothing is left out.
      </p>
    </div>
    {books.length === 0 ? (
      <EmptyState icon="chart" title="No fills yet">
        {`Nothing was filled in the last ${QUALITY_DAYS} days, so there is nothing to measure.`}
      </EmptyState>
    ) : null}
    {books.map((book) => (
      <Book key={String(book.isDemo)} book={book} />
    ))}
  </div>
);

function Book({ book }: { book: Quality }) {
  const name = book.isDemo ? "Demo accounts" : "Live accounts";
  return (
    <Panel title={name}>
      <div className="grid grid-cols-2 gap-x-6 gap-y-6 md:grid-cols-3">
        <Stat label="Fills" note={`${count(book.opened)} opening, ${count(book.closed)} closing`}>
          {count(book.fills)}
        </Stat>
        <Stat label="Quote age, median" note="Age of the price when it was dealt on">
          {milliseconds(book.medianAge)}
        </Stat>
        <Stat label="Quote age, 99th percentile" note="One fill in a hundred was older">
          {milliseconds(book.worstAge)}
        </Stat>
        <Stat label="Latency, median" note={`From the command's arrival in the database to its fill; 99th percentile ${milliseconds(book.worstLatency)}`}>
          {milliseconds(book.medianLatency)}
        </Stat>
        <Stat label="Stop-outs" note="Closed below 50% margin level">
          {count(book.stopOuts)}
        </Stat>
        <Stat label="Corrections" note={`${count(book.correctionsAgainst)} below the market result`}>
          {count(book.corrections)}
        </Stat>
      </div>
      <h3 className="mb-1 mt-6 text-[0.9375rem] font-semibold">Slippage</h3>
      <Slippage book={book} />
    </Panel>
  );
}

/** Better and worse fills side by side: a fair engine passes both on. */
function Slippage({ book }: { book: Quality }) {
  const rows = [
    { name: "Better by more than 0.01%", fills: book.betterByMore, bar: "bg-gain" },
    { name: "Better by up to 0.01%", fills: book.better, bar: "bg-gain" },
    { name: "As requested", fills: book.asRequested, bar: "bg-soft" },
    { name: "Worse by up to 0.01%", fills: book.worse, bar: "bg-loss" },
    { name: "Worse by more than 0.01%", fills: book.worseByMore, bar: "bg-loss" },
  ];
  const total = rows.reduce((sum, { fills }) => sum + fills, 0);
  if (total === 0) return <p className="text-soft">No order named the price that its trader saw, so there is nothing to compare.</p>;
  return (
    <>
      <p className="mb-2 max-w-[44rem] text-soft">{verdictOf(book, total)}</p>
      <Table
        caption="Fills by their distance from the requested price"
        rowKey={({ name }) => name}
        rows={rows}
        columns={[
          { key: "name", title: "Compared with the requested price", lead: true, cell: ({ name }) => name },
          { key: "fills", title: "Fills", numeric: true, cell: ({ fills }) => count(fills) },
          { key: "share", title: "Share", numeric: true, cell: ({ fills }) => shareText(fills, total) },
          { key: "bar", title: "Share", cell: ({ fills, bar }) => <Bar share={fills / total} colour={bar} /> },
        ]}
      />
    </>
  );
}

const shareText = (part: number, total: number) => `${((part / total) * 100).toFixed(1)}%`;

/** Says what the counts say, and no more. */
function verdictOf({ better, betterByMore, worse, worseByMore, averageSlippage }: Quality, total: number): string {
  const [gains, losses] = [better + betterByMore, worse + worseByMore];
  const average = Number(averageSlippage ?? 0) / 100;
  const side = average > 0 ? "against the trader" : "in the trader's favour";
  const mean = average === 0 ? "The average is nil." : `The average is ${Math.abs(average).toFixed(5)}% of the price, ${side}.`;
  return `Fills with a requested price: ${count(total)}, of which ${count(gains)} better and ${count(losses)} worse. ${mean}`;
}

/** Drawn as SVG, since a page may carry no inline styles. */
const Bar = ({ share, colour }: { share: number; colour: string }) => (
  <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" className={`h-2 w-40 rounded-full bg-sunken ${colour.replace("bg-", "text-")}`}>
    <rect width={(share * 100).toFixed(2)} height="4" fill="currentColor" />
  </svg>
);
