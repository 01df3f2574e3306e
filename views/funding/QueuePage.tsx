import AdminDeposits from "../../islands/funding/AdminDeposits";
import AdminWithdrawals from "../../islands/funding/AdminWithdrawals";
import type { QueueProps } from "../../islands/funding/MoneyQueue";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";

/** The Deposits tab. */
export const DepositsPage = (list: QueueProps<StaffDeposit>) => <AdminDeposits {...list} />;

/** The Withdrawals tab. */
export const WithdrawalsPage = (list: QueueProps<StaffWithdrawal>) => <AdminWithdrawals {...list} />;
