import { displayMoney } from "../../src/lib/money";
import { DisputeButton } from "../../islands/trading/DisputeButton";
import { CLOSE_REASONS } from "../../src/trading/rules_words";
import type { ClosedPosition } from "../../src/trading/schema";
import { Badge } from "../ui/Badge";
import { Signed } from "../ui/Signed";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { dealPrice, sideWord } from "../../src/trading/rules_prices";
import { instantText } from "../ui/instant";
import { Profit } from "../accounts/Profit";
import { SwapNote } from "./SwapNote";

const COLUMNS: Column<ClosedPosition>[] = [
  { key: "symbol", title: "Symbol", lead: true, brief: "1", cell: ({ symbol }) => symbol },
  { key: "type", title: "Type", brief: "1", cell: ({ type }) => <Badge tone={type === "buy" ? "gain" : "destructive"}>{sideWord(type)}</Badge> },
  { key: "amount", title: "Amount", numeric: true, brief: "2", cell: ({ amount }) => displayMoney(amount) },
  { key: "open", title: "Open price", numeric: true, cell: ({ openPrice, symbol }) => dealPrice(openPrice, symbol) },
  { key: "close", title: "Close price", numeric: true, cell: ({ closePrice, symbol }) => dealPrice(closePrice, symbol) },
  { key: "profit", title: "Profit", numeric: true, brief: "1-end", cell: (position) => <Brought position={position} /> },
  { key: "reason", title: "Reason", cell: (position) => <Reason position={position} /> },
  { key: "closed", title: "Closed (UTC)", brief: "2-end", cell: ({ closedAt }) => (closedAt ? <Instant at={closedAt} /> : "–") },
  { key: "receipt", title: "Receipt", cell: ({ id, symbol }) => <ReceiptLink id={id} symbol={symbol} /> },
];

/** Closed positions, newest first, each with why it closed and the way to its receipt. */
export const HistoryTable = ({ history }: { history: ClosedPosition[] }) =>
  history.length === 0 ? (
    <EmptyState icon="clock" title="No trade history">
      A position that you close appears here with its result and its receipt.
    </EmptyState>
  ) : (
    <>
      <Table
        caption="Trade history, newest first"
        columns={COLUMNS}
        rows={history}
        rowKey={({ id }) => id}
        className="md:max-lg:[&_td]:px-1.5 md:max-lg:[&_th]:px-1.5"
      />
      <a href="/execution-quality" className="inline-flex min-h-11 items-center px-3 text-table text-accent underline underline-offset-2">
        How all orders are filled: execution quality
      </a>
    </>
  );

/** The result, and beside it what was charged, and what its nights brought. */
const Brought = ({ position: { profit, charges, swap } }: { position: ClosedPosition }) => (
  <>
    <Profit value={profit ?? "0.00"} />
    {charges ? <span className="block text-note text-soft">{`Charges ${displayMoney(charges)}`}</span> : null}
    <SwapNote swap={swap} />
  </>
);

/** A settlement by an administrator shows who and why, the market's own result beside the settled one, and the way to object. */
function Reason({ position }: { position: ClosedPosition }) {
  const { closeReason, correction } = position;
  const words = CLOSE_REASONS[closeReason ?? ""] ?? "Closed";
  if (!correction) return words;
  return (
    <div className="flex max-w-xs flex-col items-start gap-1 max-md:items-end max-md:text-right">
      <Badge tone="warning">{words}</Badge>
      <span className="whitespace-pre-line [overflow-wrap:anywhere]">{correction.reason}</span>
      <span className="text-note text-soft [overflow-wrap:anywhere]">
        Settled <Signed value={correction.settledProfit} />, market result <Signed value={correction.marketProfit} />, by {correction.administrator}
      </span>
      <DisputeButton key={correction.disputedAt} position={position} correction={correction} />
    </div>
  );
}

/** Breaks between day and hour only. */
const Instant = ({ at }: { at: string }) => {
  const [day, hour] = instantText(at).split(" ");
  return (
    <time dateTime={at}>
      <span className="whitespace-nowrap">{day}</span> {hour}
    </time>
  );
};

const ReceiptLink = ({ id, symbol }: { id: string; symbol: string }) => (
  <a
    href={`/positions/${id}/receipt`}
    aria-label={`Receipt of ${symbol}`}
    className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-6"
  >
    Receipt
  </a>
);
