import { Copyable } from "../../islands/ui/Copyable";
import type { StaffDeposit } from "../../src/funding/schema";
import { referenceOf } from "../../src/funding/rules";
import { displayMoney } from "../../src/lib/money";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";
import { type ListQuery, panelTab } from "../ui/staff/address";
import { Decision, decisionColumns, type QueueTable, requestWays, selectColumn, Way, Who } from "./RequestCells";
import { ClaimsLine } from "./OtherClaims";
import { askedText, creditText, personOf } from "./request_words";

type Seeing = { onProof: (deposit: StaffDeposit) => void };
const AT = panelTab("deposits");

/** Deposits that wait. */
export const WaitingDeposits = ({ onProof, ...table }: QueueTable<StaffDeposit> & Seeing) => (
  <AdminTable
    caption="Deposits that wait"
    swipe={requestWays(table)}
    sorting={{ at: AT, query: table.query }}
    columns={[selectColumn(table), ...facts(onProof, table.viewers), ...decisionColumns(table)]}
    rows={table.rows}
    rowKey={({ id }) => id}
    current={table.current}
    onCurrent={table.onCurrent}
  />
);

/** Deposits that were approved, rejected or cancelled. */
export const DecidedDeposits = ({ rows, query, onProof }: Seeing & { rows: StaffDeposit[]; query: ListQuery }) => (
  <AdminTable
    caption="Decided deposits"
    sorting={{ at: AT, query }}
    columns={[
      ...facts(onProof),
      { key: "decision", title: "Decision", sort: "status", roomy: true, width: "lg:w-[28%]", cell: (request) => <Decision request={request} /> },
    ]}
    rows={rows}
    rowKey={({ id }) => id}
  />
);

/** Of what is decided the bonus is told, too; of what waits there are the deeds. */
const facts = (onProof: Seeing["onProof"], viewers?: ReadonlyMap<string, string>): AdminColumn<StaffDeposit>[] => [
  {
    key: "who",
    title: "Who",
    sort: "name",
    lead: true,
    roomy: true,
    width: "lg:w-[17%]",
    cell: (deposit) => <Who request={deposit} viewers={viewers?.get(deposit.id)} />,
  },
  {
    key: "amount",
    title: "Amount",
    sort: "amount",
    numeric: true,
    width: viewers ? "lg:w-[14%]" : "lg:w-[18%]",
    cell: (deposit) => <Amount deposit={deposit} />,
  },
  { key: "way", title: "Method", width: "lg:w-[14.5%]", cell: (deposit) => <Way request={deposit} /> },
  { key: "evidence", title: "Evidence", cell: (deposit) => <Evidence deposit={deposit} onProof={onProof} /> },
];

function Amount({ deposit }: { deposit: StaffDeposit }) {
  const bonus = deposit.bonusApplied === "0.00" ? null : `bonus ${displayMoney(deposit.bonusApplied)}`;
  const second = [creditText(deposit)?.replace(" now", ""), bonus].filter(Boolean).join(", ");
  return <Two first={<span className="font-semibold">{askedText(deposit)}</span>} second={second} />;
}

/** What backs it: the transaction on its chain, the proof that was sent, the sender's note. */
function Evidence({ deposit, onProof }: Seeing & { deposit: StaffDeposit }) {
  const { transactionHash, outputIndex, proofOfPayment, notes, method } = deposit;
  if (!transactionHash && !proofOfPayment && !notes && method === "crypto") return <span className="text-soft">–</span>;
  return (
    <>
      <div className="flex items-center gap-x-2 max-lg:flex-col max-lg:items-end">
        {transactionHash ? (
          <span className="inline-flex shrink-0 items-center gap-1">
            <Copyable text={transactionHash} what="Transaction hash" />
            {outputIndex > 0 ? <span className="text-note text-soft">output {outputIndex}</span> : null}
          </span>
        ) : null}
        {method === "crypto" ? null : <span className="line shrink-0 text-note text-soft">{`Reference ${referenceOf(deposit.id)}`}</span>}
        {proofOfPayment ? (
          <button
            type="button"
            aria-label={`View proof of ${personOf(deposit)}`}
            onClick={() => onProof(deposit)}
            className="js-only inline-flex min-h-11 items-center whitespace-nowrap text-note font-medium text-accent underline-offset-4 hover:underline lg:min-h-5"
          >
            View proof
          </button>
        ) : null}
      </div>
      {notes || deposit.claims?.length ? (
        <div className="line whitespace-pre-line text-note text-soft [overflow-wrap:anywhere]">
          <ClaimsLine deposit={deposit} /> {notes}
        </div>
      ) : null}
    </>
  );
}
