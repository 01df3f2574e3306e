import AdminDeposits, { type QueueProps } from "../../islands/AdminDeposits";
import AdminWithdrawals from "../../islands/AdminWithdrawals";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { Filters } from "./Filters";

const STATUSES = [
  { id: "decided", label: "All decided" },
  { id: "approved", label: "Approved" },
  { id: "rejected", label: "Rejected" },
  { id: "cancelled", label: "Cancelled" },
] as const;

/** The Deposits tab. */
export const DepositsPage = (list: QueueProps<StaffDeposit>) => (
  <div className="flex flex-col gap-3">
    <QueueFilters tab="deposits" query={list.query} />
    <div>
      <AdminDeposits {...list} />
    </div>
  </div>
);

/** The Withdrawals tab. */
export const WithdrawalsPage = (list: QueueProps<StaffWithdrawal>) => (
  <div className="flex flex-col gap-3">
    <QueueFilters tab="withdrawals" query={list.query} />
    <div>
      <AdminWithdrawals {...list} />
    </div>
  </div>
);

const QueueFilters = ({ tab, query }: { tab: string; query: QueueProps<StaffDeposit>["query"] }) => (
  <Filters
    tab={tab}
    q={query.q}
    status={query.status}
    choices={STATUSES}
    searchLabel="Search by person, ID, address or hash"
    statusLabel="Status of the decided ones"
  />
);
