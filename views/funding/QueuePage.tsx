import type { ReactNode } from "react";
import AdminDeposits from "../../islands/funding/AdminDeposits";
import AdminWithdrawals from "../../islands/funding/AdminWithdrawals";
import type { QueueProps } from "../../islands/funding/MoneyQueue";
import SavedFilters from "../../islands/ui/SavedFilters";
import type { SavedFilter } from "../../src/admin/schema_queues";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { panelTab } from "../ui/staff/address";
import { SearchForm } from "../ui/staff/Filters";

type Named = { filters: SavedFilter[] };

/** The Deposits tab. */
export const DepositsPage = ({ filters, ...list }: QueueProps<StaffDeposit> & Named) => (
  <Queue tab="deposits" query={list.query} filters={filters}>
    <AdminDeposits {...list} />
  </Queue>
);

/** The Withdrawals tab. */
export const WithdrawalsPage = ({ filters, ...list }: QueueProps<StaffWithdrawal> & Named) => (
  <Queue tab="withdrawals" query={list.query} filters={filters}>
    <AdminWithdrawals {...list} />
  </Queue>
);

/** The search stands over both lists: it narrows what waits as well. */
const Queue = ({ tab, query, filters, children }: Named & { tab: string; query: QueueProps<StaffDeposit>["query"]; children: ReactNode }) => (
  <div className="flex flex-col gap-3">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <SearchForm at={panelTab(tab)} query={query} label="Search by person, ID, address or hash" />
      <SavedFilters queue={tab} query={query} filters={filters} />
    </div>
    <div>{children}</div>
  </div>
);
