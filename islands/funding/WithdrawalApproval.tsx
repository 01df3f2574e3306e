import { useRef } from "react";
import * as v from "valibot";
import { approveWithdrawal, type StaffWithdrawal } from "../../src/funding/schema";
import { askedText, payoutLine, personOf } from "../../views/funding/request_words";
import { Field, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { sendOnce } from "../wire/intent";
import { tellWaiting } from "../wire/waits";
import { toast } from "../wire/toasts";
import { TypedAmount, typedAmount, useTyped } from "./TypedAmount";

type Props = { withdrawal: StaffWithdrawal; confirmAbove: string; viewers: string | null; onClose: (done?: true) => void };

/** Approves a withdrawal: the held money counts as paid out from then on. */
export function WithdrawalApproval({ withdrawal, confirmAbove, viewers, onClose }: Props) {
  const waits = useRef(false);
  const { id, method, walletAddress } = withdrawal;
  const { asked, heard } = useTyped(withdrawal.amount, confirmAbove);
  const names = method === "crypto" ? (["notes", "transactionHash"] as const) : (["notes"] as const);
  return (
    <ActionDialog
      id="approve"
      title={`Approve ${askedText(withdrawal)}`}
      viewers={viewers}
      consequence={
        <>
          <p className="font-medium">{payoutLine(withdrawal)}</p>
          <p className="mt-1 break-all font-mono text-table text-soft">{walletAddress}</p>
        </>
      }
      schema={v.object({ ...approveWithdrawal.body.entries, confirmAmount: typedAmount(withdrawal, asked) })}
      names={asked ? ["confirmAmount", ...names] : names}
      fields={(messages) => (
        <>
          {asked ? <TypedAmount request={withdrawal} error={messages.confirmAmount} /> : null}
          {method === "crypto" ? (
            <Field
              id="approve-hash"
              name="transactionHash"
              label="Payout transaction hash (optional)"
              autoComplete="off"
              spellCheck="false"
              maxLength={128}
              error={messages.transactionHash}
            />
          ) : null}
          <TextField id="approve-notes" name="notes" label="Notes (optional, for staff)" rows={2} maxLength={500} error={messages.notes} />
        </>
      )}
      submit="Approve"
      busy="Approving..."
      begin={asked ? "field" : "button"}
      send={async ({ notes, transactionHash, confirmAmount }) => {
        const body = { notes: notes ?? "", transactionHash: transactionHash || null, ...(confirmAmount ? { confirmAmount } : {}) };
        const done = await heard(sendOnce(approveWithdrawal, body, { id }));
        if (tellWaiting(done)) {
          waits.current = true;
          return;
        }
        toast({ title: "Withdrawal approved", description: `${askedText(done)} to ${personOf(done)} is paid out.` });
      }}
      onClose={(done) => onClose(waits.current ? undefined : done)}
    />
  );
}
