import { staffWithdrawals, type StaffWithdrawal } from "../../src/funding/schema";
import { DecidedWithdrawals, WaitingWithdrawals } from "../../views/funding/WithdrawalTable";
import { call } from "../wire/api";
import { island } from "../runtime/island";
import { MoneyQueue, type QueueKind, type QueueProps } from "./MoneyQueue";
import { WithdrawalApproval } from "./WithdrawalApproval";

const KIND: QueueKind<StaffWithdrawal> = {
  what: "withdrawals",
  claim: "withdrawal",
  load: (query) => call(staffWithdrawals, undefined, { query }),
  waiting: (table) => <WaitingWithdrawals {...table} />,
  decided: (rows, query) => <DecidedWithdrawals rows={rows} query={query} />,
  approval: ({ request, ...rest }) => <WithdrawalApproval withdrawal={request} {...rest} />,
};

/** The queue of withdrawals. */
export const AdminWithdrawals = (props: QueueProps<StaffWithdrawal>) => <MoneyQueue kind={KIND} {...props} />;

export default island("AdminWithdrawals", AdminWithdrawals);
