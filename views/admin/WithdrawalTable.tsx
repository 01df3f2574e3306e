import { Copyable } from "../../islands/lib/Copyable";
import type { StaffWithdrawal } from "../../src/funding/schema";
import { type AdminColumn, AdminTable, Person, Two } from "./AdminTable";
import { type Deed, Decide, Decision, Waiting, Way } from "./RequestCells";
import { askedText } from "./request_words";

type Queue = {
  rows: StaffWithdrawal[];
  me: string;
  now: number;
  current: string | null;
  onCurrent: (id: string) => void;
  onAsk: (deed: Deed, id: string) => void;
};

/** Withdrawals that wait; their money is held. */
export const WaitingWithdrawals = ({ rows, me, now, current, onCurrent, onAsk }: Queue) => (
  <AdminTable
    caption="Withdrawals that wait, newest first"
    columns={[
      ...FACTS,
      { key: "wait", title: "Waiting", cell: ({ createdAt }) => <Waiting since={createdAt} now={now} /> },
      { key: "actions", title: "Actions", numeric: true, cell: (request) => <Decide request={request} me={me} onAsk={onAsk} /> },
    ]}
    rows={rows}
    rowKey={({ id }) => id}
    current={current}
    onCurrent={onCurrent}
  />
);

/** Withdrawals that were approved, rejected or cancelled. */
export const DecidedWithdrawals = ({ rows }: { rows: StaffWithdrawal[] }) => (
  <AdminTable
    caption="Decided withdrawals, newest first"
    columns={[
      ...FACTS,
      {
        key: "hash",
        title: "Payout",
        cell: ({ transactionHash }) => (transactionHash ? <Copyable text={transactionHash} what="Transaction hash" /> : <span className="text-soft">–</span>),
      },
      { key: "decision", title: "Decision", roomy: true, cell: (request) => <Decision request={request} /> },
    ]}
    rows={rows}
    rowKey={({ id }) => id}
  />
);

const FACTS: AdminColumn<StaffWithdrawal>[] = [
  { key: "who", title: "Who", lead: true, roomy: true, cell: (withdrawal) => <Person {...withdrawal} /> },
  {
    key: "amount",
    title: "Amount",
    numeric: true,
    cell: (withdrawal) => <Two first={<span className="font-semibold">{askedText(withdrawal)}</span>} second="no fee" />,
  },
  { key: "way", title: "To", cell: (withdrawal) => <Way request={withdrawal} /> },
  { key: "time", title: "Promised", cell: ({ estimatedProcessingTime }) => <span className="text-note text-soft">{estimatedProcessingTime}</span> },
];
