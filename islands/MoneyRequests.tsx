import { useSignals } from "@preact/signals-react/runtime";
import type { Deposit, Withdrawal } from "../src/funding/schema";
import { DepositTable, WithdrawalTable } from "../views/funding/RequestTables";
import { useCancel } from "./lib/cancel";
import { island } from "./lib/island";
import { ProofUpload } from "./lib/ProofUpload";
import { deposits, refreshPurse, withdrawals } from "./lib/purse";

type Props = { deposits: Deposit[]; withdrawals: Withdrawal[] };

/** A person's own requests: what became of them, and what can still be done. */
export function MoneyRequests({ deposits: firstDeposits, withdrawals: firstWithdrawals }: Props) {
  useSignals();
  const deposit = useCancel("deposit");
  const withdrawal = useCancel("withdrawal");
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="own-deposits">
        <h2 id="own-deposits" className="mb-2 text-heading font-semibold">
          Deposits
        </h2>
        <DepositTable
          deposits={deposits.value ?? firstDeposits}
          busy={deposit.busy}
          onCancel={deposit.cancel}
          proof={(each) => <ProofUpload deposit={each} onSent={() => void refreshPurse()} />}
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
