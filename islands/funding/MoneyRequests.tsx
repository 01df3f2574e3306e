import { useSignals } from "@preact/signals-react/runtime";
import type { Deposit, PaymentDetails, Withdrawal } from "../../src/funding/schema";
import { WaitingPayments } from "../../views/funding/PaymentInstructions";
import { DepositTable, WithdrawalTable } from "../../views/funding/RequestTables";
import { useCancel } from "./cancel";
import { island } from "../runtime/island";
import { ProofUpload } from "./ProofUpload";
import { deposits, refreshWallet, withdrawals } from "./wallet";

type Props = { deposits: Deposit[]; withdrawals: Withdrawal[]; payments: PaymentDetails[] };

/** A person's own requests: what became of them, and what can still be done. */
export function MoneyRequests({ deposits: firstDeposits, withdrawals: firstWithdrawals, payments }: Props) {
  useSignals();
  const deposit = useCancel("deposit");
  const withdrawal = useCancel("withdrawal");
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="own-deposits">
        <h2 id="own-deposits" className="mb-2 text-heading font-semibold">
          Deposits
        </h2>
        <WaitingPayments deposits={deposits.value ?? firstDeposits} payments={payments} />
        <DepositTable
          deposits={deposits.value ?? firstDeposits}
          busy={deposit.busy}
          onCancel={deposit.cancel}
          proof={(each) => <ProofUpload deposit={each} onSent={() => void refreshWallet()} />}
        />
      </section>
      <section aria-labelledby="own-withdrawals">
        <h2 id="own-withdrawals" className="mb-2 text-heading font-semibold">
          Withdrawals
        </h2>
        <WithdrawalTable withdrawals={withdrawals.value ?? firstWithdrawals} busy={withdrawal.busy} onCancel={withdrawal.cancel} />
      </section>
    </div>
  );
}

export default island("MoneyRequests", MoneyRequests);
