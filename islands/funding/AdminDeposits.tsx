import { useState } from "react";
import { staffDeposits, type StaffDeposit } from "../../src/funding/schema";
import { DecidedDeposits, WaitingDeposits } from "../../views/funding/DepositTable";
import { call } from "../wire/api";
import { DepositApproval } from "./DepositApproval";
import { island } from "../runtime/island";
import { MoneyQueue, type QueueKind, type QueueProps } from "./MoneyQueue";
import { ProofDialog } from "./ProofDialog";

const kindOf = (onProof: (deposit: StaffDeposit) => void): QueueKind<StaffDeposit> => ({
  what: "deposits",
  claim: "deposit",
  load: (query) => call(staffDeposits, undefined, { query }),
  waiting: (table) => <WaitingDeposits {...table} onProof={onProof} />,
  decided: (rows, query) => <DecidedDeposits rows={rows} query={query} onProof={onProof} />,
  onProof,
  approval: ({ request, ...rest }) => <DepositApproval deposit={request} {...rest} />,
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
