import type { ReactNode } from "react";
import AdminDeposits from "../../islands/funding/AdminDeposits";
import AdminWithdrawals from "../../islands/funding/AdminWithdrawals";
import type { QueueProps } from "../../islands/funding/MoneyQueue";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { panelTab } from "../ui/staff/address";
import { SearchForm } from "../ui/staff/Filters";

/** The Deposits tab. */
export const DepositsPage = (list: QueueProps<StaffDeposit>) => (
  <Queue tab="deposits" query={list.query}>
    <AdminDeposits {...list} />
  </Queue>
);

/** The Withdrawals tab. */
export const WithdrawalsPage = (list: QueueProps<StaffWithdrawal>) => (
  <Queue tab="withdrawals" query={list.query}>
    <AdminWithdrawals {...list} />
  </Queue>
);

/** The search stands over both lists: it narrows what waits as well. */
const Queue = ({ tab, query, children }: { tab: string; query: QueueProps<StaffDeposit>["query"]; children: ReactNode }) => (
  <div className="flex flex-col gap-3">
    <div className="flex">
      <SearchForm at={panelTab(tab)} query={query} label="Search by person, ID, address or hash" />
    </div>
    <div>{children}</div>
  </div>
);
