import { displayMoney } from "../../src/lib/money";
import { dealPrice } from "../../src/trading/rules_prices";
import { orderWords } from "../../src/trading/rules_waiting";
import { endWords } from "../../src/trading/rules_words";
import type { Position } from "../../src/trading/schema";
import { instantText } from "../ui/instant";
import { type Column, Table } from "../ui/Table";

const COLUMNS: Column<Position>[] = [
  { key: "symbol", title: "Symbol", lead: true, cell: ({ symbol }) => symbol },
  { key: "order", title: "Order", cell: orderWords },
  { key: "amount", title: "Amount", numeric: true, cell: ({ amount }) => displayMoney(amount) },
  { key: "trigger", title: "Waited for", numeric: true, cell: ({ triggerPrice, symbol }) => (triggerPrice ? dealPrice(triggerPrice, symbol) : "the opening") },
  { key: "reason", title: "Reason", cell: (order) => <span className="max-md:text-right">{endWords(order)}</span> },
  { key: "placed", title: "Placed (UTC)", cell: ({ createdAt }) => <time dateTime={createdAt}>{instantText(createdAt)}</time> },
  {
    key: "receipt",
    title: "Receipt",
    cell: ({ id, symbol }) => (
      <a
        href={`/positions/${id}/receipt`}
        aria-label={`Receipt of the cancelled order on ${symbol}`}
        className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-6"
      >
        Receipt
      </a>
    ),
  },
];

/** Orders that ended unfilled, those placed last first, each with why. */
export const CancelledTable = ({ orders }: { orders: Position[] }) => (
  <Table
    caption="Cancelled orders, newest first"
    columns={COLUMNS}
    rows={orders}
    rowKey={({ id }) => id}
    className="md:max-lg:[&_td]:px-1.5 md:max-lg:[&_th]:px-1.5"
  />
);
