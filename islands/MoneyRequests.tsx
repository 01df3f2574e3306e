import { useSignals } from "@preact/signals-react/runtime";
import { useState } from "react";
import { cancelDeposit, cancelWithdrawal, type Deposit, type Withdrawal } from "../src/funding/schema";
import { DepositTable, WithdrawalTable } from "../views/funding/RequestTables";
import { call } from "./lib/api";
import { attempt } from "./lib/deed";
import { island } from "./lib/island";
import { ProofUpload } from "./lib/ProofUpload";
import { deposits, refreshPurse, withdrawals } from "./lib/purse";
import { toast } from "./lib/toasts";

type Props = { deposits: Deposit[]; withdrawals: Withdrawal[] };

/** A person's own requests: what became of them, and what can still be done. */
export function MoneyRequests({ deposits: firstDeposits, withdrawals: firstWithdrawals }: Props) {
  useSignals();
  const [busy, setBusy] = useState<string | null>(null);
  const cancel = async (id: string, title: string, deed: () => Promise<unknown>) => {
    setBusy(id);
    if (await attempt("Cancelling failed", deed)) toast({ title });
    await refreshPurse();
    setBusy(null);
  };
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="own-deposits">
        <h2 id="own-deposits" className="mb-2 text-heading font-semibold">
          Deposits
        </h2>
        <DepositTable
          deposits={deposits.value ?? firstDeposits}
          busy={busy}
          onCancel={(id) => void cancel(id, "Deposit cancelled", () => call(cancelDeposit, undefined, { params: { id } }))}
          proof={(deposit) => <ProofUpload deposit={deposit} onSent={() => void refreshPurse()} />}
        />
      </section>
      <section aria-labelledby="own-withdrawals">
        <h2 id="own-withdrawals" className="mb-2 text-heading font-semibold">
          Withdrawals
        </h2>
        <WithdrawalTable
          withdrawals={withdrawals.value ?? firstWithdrawals}
          busy={busy}
          onCancel={(id) =>
            void cancel(id, "Withdrawal cancelled, the money is back in your wallet", () => call(cancelWithdrawal, undefined, { params: { id } }))
          }
        />
      </section>
    </div>
  );
}

export default island("MoneyRequests", MoneyRequests);
