import { useState } from "react";
import { approveWithdrawal, type StaffWithdrawal } from "../../src/funding/schema";
import { askedText, payoutLine, personOf } from "../../views/admin/request_words";
import { Field, TextField } from "../../views/ui/Field";
import { call, newKey } from "./api";
import { DeedDialog } from "./DeedDialog";
import { toast } from "./toasts";

/** Approves a withdrawal: the held money counts as paid out from then on. */
export function WithdrawalApproval({ withdrawal, onClose }: { withdrawal: StaffWithdrawal; onClose: () => void }) {
  const { id, method, walletAddress } = withdrawal;
  const [key] = useState(newKey);
  return (
    <DeedDialog
      id="approve"
      title={`Approve ${askedText(withdrawal)}`}
      consequence={
        <>
          <p className="font-medium">{payoutLine(withdrawal)}</p>
          <p className="mt-1 break-all font-mono text-table text-soft">{walletAddress}</p>
        </>
      }
      schema={approveWithdrawal.body}
      names={method === "crypto" ? ["notes", "transactionHash"] : ["notes"]}
      fields={(messages) => (
        <>
          {method === "crypto" ? (
            <Field
              id="approve-hash"
              name="transactionHash"
              label="Payout transaction hash (optional)"
              autoComplete="off"
              spellCheck={false}
              maxLength={128}
              error={messages.transactionHash}
            />
          ) : null}
          <TextField id="approve-notes" name="notes" label="Notes (optional, for staff)" rows={2} maxLength={500} error={messages.notes} />
        </>
      )}
      submit="Approve"
      busy="Approving..."
      begin="button"
      send={async ({ notes, transactionHash }) => {
        const body = { notes: notes ?? "", transactionHash: transactionHash || null };
        const done = await call(approveWithdrawal, body, { params: { id }, idempotencyKey: key });
        toast({ title: "Withdrawal approved", description: `${askedText(done)} to ${personOf(done)} is paid out.` });
      }}
      onClose={onClose}
    />
  );
}
