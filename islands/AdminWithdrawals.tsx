import { useState } from "react";
import { rejectWithdrawal, staffWithdrawals, type StaffWithdrawal } from "../src/funding/schema";
import { askedText, personOf } from "../views/admin/request_words";
import { DecidedWithdrawals, WaitingWithdrawals } from "../views/admin/WithdrawalTable";
import type { QueueProps } from "./AdminDeposits";
import { call, newKey } from "./lib/api";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { useNow, useQueue } from "./lib/queue";
import { QueueFrame } from "./lib/QueueFrame";
import { RejectDialog } from "./lib/RejectDialog";
import { toast } from "./lib/toasts";
import { WithdrawalApproval } from "./lib/WithdrawalApproval";

/** Withdrawals: what waits with its decision, then what was decided. Both follow what others do. */
export function AdminWithdrawals({ waiting, decided, query, me, now: first }: QueueProps<StaffWithdrawal>) {
  const { q } = query;
  const { value, lost } = useLive({ waiting, decided }, async () => {
    const [queue, done] = await Promise.all([
      call(staffWithdrawals, undefined, { query: { q, status: "pending" } }),
      call(staffWithdrawals, undefined, { query }),
    ]);
    return { waiting: queue, decided: done };
  });
  const [help, setHelp] = useState(false);
  const queue = useQueue({ rows: value.waiting, me, onHelp: () => setHelp(true) });
  const now = useNow(first);
  const close = () => {
    queue.close();
    void lookAgain();
  };
  return (
    <>
      <QueueFrame
        what="withdrawals"
        query={query}
        lost={lost}
        help={help}
        onHelp={setHelp}
        waiting={{
          count: value.waiting.length,
          table: <WaitingWithdrawals rows={value.waiting} me={me} now={now} current={queue.current} onCurrent={queue.setCurrent} onAsk={queue.ask} />,
        }}
        decided={{
          rows: value.decided,
          table: <DecidedWithdrawals rows={value.decided} />,
        }}
      />
      {queue.asked?.deed === "approve" ? <WithdrawalApproval key={queue.asked.row.id} withdrawal={queue.asked.row} onClose={close} /> : null}
      {queue.asked?.deed === "reject" ? <Rejection key={queue.asked.row.id} withdrawal={queue.asked.row} onClose={close} /> : null}
    </>
  );
}

function Rejection({ withdrawal, onClose }: { withdrawal: StaffWithdrawal; onClose: () => void }) {
  const [key] = useState(newKey);
  return (
    <RejectDialog
      title={`Reject ${askedText(withdrawal)}`}
      consequence={`Returns ${askedText(withdrawal)} to the wallet of ${personOf(withdrawal)}.`}
      send={async (reason) => {
        await call(rejectWithdrawal, { reason }, { params: { id: withdrawal.id }, idempotencyKey: key });
        toast({ title: "Withdrawal rejected", description: `${askedText(withdrawal)} is back in the wallet of ${personOf(withdrawal)}.` });
      }}
      onClose={onClose}
    />
  );
}

export default island("AdminWithdrawals", AdminWithdrawals);
