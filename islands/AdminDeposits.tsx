import { useState } from "react";
import { rejectDeposit, staffDeposits, type StaffDeposit } from "../src/funding/schema";
import { DecidedDeposits, WaitingDeposits } from "../views/admin/DepositTable";
import { personOf } from "../views/admin/request_words";
import { call } from "./lib/api";
import { DepositApproval } from "./lib/DepositApproval";
import { island } from "./lib/island";
import { MoneyQueue, type QueueKind, type QueueProps, toldWhy } from "./lib/MoneyQueue";
import { ProofDialog } from "./lib/ProofDialog";

const kindOf = (onProof: (deposit: StaffDeposit) => void): QueueKind<StaffDeposit> => ({
  what: "deposits",
  claim: "deposit",
  load: (query) => call(staffDeposits, undefined, { query }),
  waiting: (table) => <WaitingDeposits {...table} onProof={onProof} />,
  decided: (rows, query) => <DecidedDeposits rows={rows} query={query} onProof={onProof} />,
  approval: ({ request, ...rest }) => <DepositApproval deposit={request} {...rest} />,
  rejection: {
    consequence: (deposit) => `Credits nothing to ${personOf(deposit)}.`,
    send: (id, reason, key) => call(rejectDeposit, { reason }, { params: { id }, idempotencyKey: key }),
    done: (deposit) => ({ title: "Deposit rejected", description: toldWhy(deposit) }),
  },
});

/** The queue of deposits, with the proofs that were sent. */
export function AdminDeposits(props: QueueProps<StaffDeposit>) {
  const [proof, setProof] = useState<StaffDeposit | null>(null);
  const [kind] = useState(() => kindOf(setProof));
  return (
    <>
      <MoneyQueue kind={kind} {...props} />
      {proof?.proofOfPayment ? <ProofDialog key={proof.id} deposit={proof} path={proof.proofOfPayment} onClose={() => setProof(null)} /> : null}
    </>
  );
}

export default island("AdminDeposits", AdminDeposits);
