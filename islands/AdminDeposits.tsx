import { useState } from "react";
import { rejectDeposit, staffDeposits, type StaffDeposit } from "../src/funding/schema";
import { DecidedDeposits, WaitingDeposits } from "../views/admin/DepositTable";
import { askedText, personOf } from "../views/admin/request_words";
import { call, newKey } from "./lib/api";
import { DepositApproval } from "./lib/DepositApproval";
import { island } from "./lib/island";
import { lookAgain, useLive } from "./lib/live_list";
import { ProofDialog } from "./lib/ProofDialog";
import { useNow, useQueue } from "./lib/queue";
import { QueueFrame, type QueueQuery } from "./lib/QueueFrame";
import { RejectDialog } from "./lib/RejectDialog";
import { toast } from "./lib/toasts";

export type QueueProps<R> = {
  waiting: R[];
  decided: R[];
  query: QueueQuery;
  me: string;
  now: string;
};

/** Deposits: what waits with its decision, then what was decided. Both follow what others do. */
export function AdminDeposits({ waiting, decided, query, me, now: first }: QueueProps<StaffDeposit>) {
  const { q } = query;
  const { value, lost } = useLive({ waiting, decided }, async () => {
    const [queue, done] = await Promise.all([call(staffDeposits, undefined, { query: { q, status: "pending" } }), call(staffDeposits, undefined, { query })]);
    return { waiting: queue, decided: done };
  });
  const [help, setHelp] = useState(false);
  const [proof, setProof] = useState<StaffDeposit | null>(null);
  const queue = useQueue({ rows: value.waiting, me, onHelp: () => setHelp(true) });
  const now = useNow(first);
  const close = () => {
    queue.close();
    void lookAgain();
  };
  return (
    <>
      <QueueFrame
        what="deposits"
        query={query}
        lost={lost}
        help={help}
        onHelp={setHelp}
        waiting={{
          count: value.waiting.length,
          table: (
            <WaitingDeposits rows={value.waiting} me={me} now={now} current={queue.current} onCurrent={queue.setCurrent} onAsk={queue.ask} onProof={setProof} />
          ),
        }}
        decided={{
          rows: value.decided,
          table: <DecidedDeposits rows={value.decided} onProof={setProof} />,
        }}
      />
      {queue.asked?.deed === "approve" ? <DepositApproval key={queue.asked.row.id} deposit={queue.asked.row} onClose={close} /> : null}
      {queue.asked?.deed === "reject" ? <Rejection key={queue.asked.row.id} deposit={queue.asked.row} onClose={close} /> : null}
      {proof?.proofOfPayment ? <ProofDialog key={proof.id} deposit={proof} path={proof.proofOfPayment} onClose={() => setProof(null)} /> : null}
    </>
  );
}

function Rejection({ deposit, onClose }: { deposit: StaffDeposit; onClose: () => void }) {
  const [key] = useState(newKey);
  return (
    <RejectDialog
      title={`Reject ${askedText(deposit)}`}
      consequence={`Credits nothing to ${personOf(deposit)}.`}
      send={async (reason) => {
        await call(rejectDeposit, { reason }, { params: { id: deposit.id }, idempotencyKey: key });
        toast({ title: "Deposit rejected", description: `${personOf(deposit)} was told why.` });
      }}
      onClose={onClose}
    />
  );
}

export default island("AdminDeposits", AdminDeposits);
