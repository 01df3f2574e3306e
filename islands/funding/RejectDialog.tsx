import * as v from "valibot";
import { rejectDeposit, rejectWithdrawal } from "../../src/funding/schema";
import { text } from "../../src/lib/shapes";
import { askedText, isDeposit, type MoneyRequest, personOf } from "../../views/funding/request_words";
import { TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";

const SCHEMA = v.object({ reason: text(500, "A reason is required") });

/** What a rejection of this request means, how it is sent, and what is said when it is done. */
function rejectionOf(request: MoneyRequest) {
  const of = personOf(request);
  const [params, amount] = [{ id: request.id }, askedText(request)];
  return isDeposit(request)
    ? {
        consequence: `Credits nothing to ${of}.`,
        send: (reason: string) => sendOnce(rejectDeposit, { reason }, params),
        done: { title: "Deposit rejected", description: `${of} was told why.` },
      }
    : {
        consequence: `Returns ${amount} to the wallet of ${of}.`,
        send: (reason: string) => sendOnce(rejectWithdrawal, { reason }, params),
        done: { title: "Withdrawal rejected", description: `${amount} is back in the wallet of ${of}.` },
      };
}

/** Rejects a request for money with the reason that its owner will read. */
export function RejectDialog({ request, viewers, onClose }: { request: MoneyRequest; viewers: string | null; onClose: (done?: true) => void }) {
  const { consequence, send, done } = rejectionOf(request);
  return (
    <ActionDialog
      id="reject"
      title={`Reject ${askedText(request)}`}
      consequence={consequence}
      viewers={viewers}
      schema={SCHEMA}
      names={["reason"]}
      fields={(messages) => (
        <TextField
          id="reject-reason"
          name="reason"
          label="Reason"
          hint="The person reads it as you write it."
          rows={3}
          maxLength={500}
          error={messages.reason}
        />
      )}
      submit="Reject"
      busy="Rejecting..."
      danger
      send={async ({ reason }) => {
        await send(reason);
        toast(done);
      }}
      onClose={onClose}
    />
  );
}
