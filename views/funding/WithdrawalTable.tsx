import { Copyable } from "../../islands/ui/Copyable";
import type { StaffWithdrawal } from "../../src/funding/schema";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";
import { type ListQuery, panelTab } from "../ui/staff/address";
import { Decision, decisionColumns, type QueueTable, requestWays, selectColumn, Way, Who } from "./RequestCells";
import { askedText } from "./request_words";

const AT = panelTab("withdrawals");

/** Withdrawals that wait; their money is held. */
export const WaitingWithdrawals = (table: QueueTable<StaffWithdrawal>) => (
  <AdminTable
    caption="Withdrawals that wait"
    swipe={requestWays(table)}
    sorting={{ at: AT, query: table.query }}
    columns={[selectColumn(table), ...facts(table.viewers), ...decisionColumns(table)]}
    rows={table.rows}
    rowKey={({ id }) => id}
    current={table.current}
    onCurrent={table.onCurrent}
  />
);

/** Withdrawals that were approved, rejected or cancelled. */
export const DecidedWithdrawals = ({ rows, query }: { rows: StaffWithdrawal[]; query: ListQuery }) => (
  <AdminTable
    caption="Decided withdrawals"
    sorting={{ at: AT, query }}
    columns={[
      ...facts(),
      {
        key: "hash",
        title: "Payout",
        width: "lg:w-[11.5%]",
        cell: ({ transactionHash }) => (transactionHash ? <Copyable text={transactionHash} what="Transaction hash" /> : <span className="text-soft">–</span>),
      },
      { key: "decision", title: "Decision", sort: "status", roomy: true, width: "lg:w-[25%]", cell: (request) => <Decision request={request} /> },
    ]}
    rows={rows}
    rowKey={({ id }) => id}
  />
);

const facts = (viewers?: ReadonlyMap<string, string>): AdminColumn<StaffWithdrawal>[] => [
  {
    key: "who",
    title: "Who",
    sort: "name",
    lead: true,
    roomy: true,
    width: "lg:w-[17%]",
    cell: (withdrawal) => <Who request={withdrawal} viewers={viewers?.get(withdrawal.id)} />,
  },
  {
    key: "amount",
    title: "Amount",
    sort: "amount",
    numeric: true,
    width: "lg:w-[11.5%]",
    cell: (withdrawal) => <Two first={<span className="font-semibold">{askedText(withdrawal)}</span>} second="no fee" />,
  },
  { key: "way", title: "To", cell: (withdrawal) => <Way request={withdrawal} /> },
  {
    key: "time",
    title: "Promised",
    width: "lg:w-[16%]",
    cell: ({ estimatedProcessingTime }) => {
      const [review = "", ...then] = estimatedProcessingTime.split(", ");
      return <Two first={<span className="text-note text-soft">{review}</span>} second={then.join(", ")} />;
    },
  },
];
