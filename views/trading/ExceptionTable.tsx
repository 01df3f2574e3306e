import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import { dealPrice } from "../../src/trading/rules_prices";
import type { Exception, ExceptionReason } from "../../src/trading/schema_exceptions";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { AdminTable, Two } from "../ui/staff/AdminTable";
import type { ListQuery } from "../ui/staff/address";
import { account, dealAnd, minute, sortedList, who, words } from "./TradeTables";
import { resultText } from "./staff_words";

const REASONS: Record<ExceptionReason, string> = {
  outside_range: "outside the quoted range",
  old_tick: "on an old tick",
  slippage: "far from the requested price",
  correction: "settled by administrator",
};
const KINDS: Record<Exception["kind"], string> = { open: "Opening", close: "Closing", correction: "Correction" };

/** "Opening on an old tick, far from the requested price". */
export const exceptionText = ({ kind, reasons }: Pick<Exception, "kind" | "reasons">) =>
  `${KINDS[kind]} ${reasons.map((reason) => REASONS[reason]).join(", ")}`;

/** The figures that make it one. */
function figures({ symbol, price, quoteAgeMs, slippagePoints, low, high, settledProfit, marketProfit, reasons }: Exception): string {
  if (settledProfit !== null && marketProfit !== null) return `${resultText(settledProfit)}, market ${resultText(marketProfit)}`;
  const said = [`at ${dealPrice(price, symbol)}`];
  if (reasons.includes("outside_range") && low !== null && high !== null) said.push(`quoted ${dealPrice(low, symbol)} to ${dealPrice(high, symbol)}`);
  if (reasons.includes("old_tick")) said.push(`tick ${quoteAgeMs} ms old`);
  if (reasons.includes("slippage")) said.push(`slippage ${slippagePoints} × 0.01 %`);
  return said.join(", ");
}

type Props = { rows: Exception[]; query: ListQuery; me: string; onReview: (exception: Exception) => void };

/** The day's exceptions, and who looked at each. */
export const ExceptionTable = ({ rows, query, me, onReview }: Props) => (
  <AdminTable
    caption="Exceptions of the day"
    sorting={sortedList("exceptions", query)}
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      who,
      account,
      dealAnd(({ positionId }: Exception) => <Copyable text={positionId} what="Position ID" />),
      {
        key: "why",
        low: "brief",
        title: "Exception",
        sort: "created",
        roomy: true,
        cell: (row) => <Two first={`${exceptionText(row)}: ${figures(row)}`} second={minute(row.createdAt)} />,
      },
      {
        key: "review",
        title: "Review",
        roomy: true,
        width: "lg:w-[18%]",
        cell: (row) =>
          row.reviewedBy ? (
            <Two first={words(row.note ?? "")} second={`${row.reviewedBy}, ${minute(row.reviewedAt ?? row.createdAt)}`} />
          ) : row.userId === me ? (
            <Badge tone="secondary">your own</Badge>
          ) : !may("trades.review") ? (
            <Badge tone="secondary">not reviewed yet</Badge>
          ) : (
            <Button size="small" variant="secondary" data-opens="" aria-label={`Review ${row.firstName} ${row.symbol}`} onClick={() => onReview(row)}>
              Review
            </Button>
          ),
      },
    ]}
  />
);
