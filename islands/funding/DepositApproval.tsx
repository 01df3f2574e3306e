import { useEffect, useState, useRef } from "react";
import * as v from "valibot";
import { depositForecast, type DepositForecast } from "../../src/admin/schema";
import { approveDeposit, type StaffDeposit } from "../../src/funding/schema";
import { displayMoney } from "../../src/lib/money";
import { OtherClaims } from "../../views/funding/OtherClaims";
import { approvalLine, askedText, personOf } from "../../views/funding/request_words";
import { TextField } from "../../views/ui/Field";
import { Skeleton } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { ActionDialog } from "../ui/ActionDialog";
import { sendOnce } from "../wire/intent";
import { tellWaiting } from "../wire/waits";
import { toast } from "../wire/toasts";
import { TypedAmount, typedAmount, useTyped } from "./TypedAmount";

type Props = { deposit: StaffDeposit; confirmAbove: string; viewers: string | null; onClose: (done?: true) => void };

/** Approves a deposit. The button works once the dialog says what it will credit and pay at this moment. */
export function DepositApproval({ deposit, confirmAbove, viewers, onClose }: Props) {
  const waits = useRef(false);
  const { id } = deposit;
  const { asked, heard } = useTyped(deposit.creditsUsd ?? deposit.amount, confirmAbove);
  const [forecast, setForecast] = useState<DepositForecast | null>(null);
  useEffect(() => {
    let here = true;
    call(depositForecast, undefined, { params: { id } })
      .then((known) => here && setForecast(known))
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (!here) return;
        tellRefusal("Error", error);
        onClose();
      });
    return () => {
      here = false;
    };
    // Asked once, when the dialog opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [id]);
  return (
    <ActionDialog
      id="approve"
      title={`Approve ${askedText(deposit)}`}
      viewers={viewers}
      consequence={
        <>
          {forecast ? <p className="mb-2 font-medium">{approvalLine(deposit, forecast)}</p> : <Skeleton className="mb-2 h-6 w-full" />}
          <OtherClaims deposit={deposit} />
        </>
      }
      ready={forecast !== null}
      schema={v.object({ notes: approveDeposit.body.entries.notes, confirmAmount: typedAmount(deposit, asked) })}
      names={asked ? ["confirmAmount", "notes"] : ["notes"]}
      fields={(messages) => (
        <>
          {asked ? <TypedAmount request={deposit} error={messages.confirmAmount} /> : null}
          <TextField id="approve-notes" name="notes" label="Notes (optional, for staff)" rows={2} maxLength={500} error={messages.notes} />
        </>
      )}
      submit="Approve"
      busy="Approving..."
      begin={asked ? "field" : "button"}
      send={async ({ notes, confirmAmount }) => {
        const done = await heard(sendOnce(approveDeposit, { notes: notes ?? "", ...(confirmAmount ? { confirmAmount } : {}) }, { id }));
        if (tellWaiting(done)) {
          waits.current = true;
          return;
        }
        const bonus = done.bonusApplied === "0.00" ? "" : ` and ${displayMoney(done.bonusApplied)} of bonuses`;
        toast({ title: "Deposit approved", description: `${displayMoney(done.credited ?? done.amount)}${bonus} credited to ${personOf(done)}.` });
      }}
      onClose={(done) => onClose(waits.current ? undefined : done)}
    />
  );
}
