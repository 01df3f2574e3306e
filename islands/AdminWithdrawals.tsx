import { rejectWithdrawal, staffWithdrawals, type StaffWithdrawal } from "../src/funding/schema";
import { askedText, personOf } from "../views/admin/request_words";
import { DecidedWithdrawals, WaitingWithdrawals } from "../views/admin/WithdrawalTable";
import { call } from "./lib/api";
import { island } from "./lib/island";
import { MoneyQueue, type QueueKind, type QueueProps } from "./lib/MoneyQueue";
import { WithdrawalApproval } from "./lib/WithdrawalApproval";

const KIND: QueueKind<StaffWithdrawal> = {
  what: "withdrawals",
  claim: "withdrawal",
  load: (query) => call(staffWithdrawals, undefined, { query }),
  waiting: (table) => <WaitingWithdrawals {...table} />,
  decided: (rows, query) => <DecidedWithdrawals rows={rows} query={query} />,
  approval: ({ request, ...rest }) => <WithdrawalApproval withdrawal={request} {...rest} />,
  rejection: {
    consequence: (withdrawal) => `Returns ${askedText(withdrawal)} to the wallet of ${personOf(withdrawal)}.`,
    send: (id, reason, key) => call(rejectWithdrawal, { reason }, { params: { id }, idempotencyKey: key }),
    done: (withdrawal) => ({ title: "Withdrawal rejected", description: `${askedText(withdrawal)} is back in the wallet of ${personOf(withdrawal)}.` }),
  },
};

/** The queue of withdrawals. */
export const AdminWithdrawals = (props: QueueProps<StaffWithdrawal>) => <MoneyQueue kind={KIND} {...props} />;

export default island("AdminWithdrawals", AdminWithdrawals);
