import { useState } from "react";
import { displayMoney } from "../../src/lib/money";
import type { ClosedPosition, Correction } from "../../src/trading/schema";
import { disputeCorrection, disputeForm } from "../../src/trading/schema_corrections";
import { instantText } from "../../views/ui/instant";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { history } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

type Props = { position: Pick<ClosedPosition, "id" | "symbol">; correction: Correction };

/** Objects to a settlement by an administrator, in the trader's own words; once sent, it says so. */
export function DisputeButton({ position: { id, symbol }, correction }: Props) {
  const [asked, setAsked] = useState(false);
  const [sent, setSent] = useState({ at: correction.disputedAt, ticketId: correction.ticketId ?? null });
  if (sent.at)
    return (
      <span className="text-note text-soft">
        {`Dispute sent ${instantText(sent.at)} UTC`}
        {sent.ticketId ? (
          <>
            {" · "}
            <a href={`/support?ticket=${sent.ticketId}`} className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-0">
              Support ticket
            </a>
          </>
        ) : null}
      </span>
    );
  return (
    <>
      <Button variant="secondary" size="small" className="js-only" aria-label={`Dispute the settlement of ${symbol}`} onClick={() => setAsked(true)}>
        Dispute
      </Button>
      {asked ? (
        <ActionDialog
          id={`dispute-${id}`}
          title={`Dispute the settlement of ${symbol}`}
          consequence={`${correction.administrator} settled it with ${displayMoney(correction.settledProfit, { sign: true })}; the market result was ${displayMoney(correction.marketProfit, { sign: true })}. Your objection opens a support ticket, goes to every administrator and stays on record.`}
          schema={disputeForm}
          names={["message"]}
          fields={({ message }) => <TextField id={`dispute-${id}-message`} name="message" label="What is wrong?" rows={5} maxLength={5000} error={message} />}
          submit="Send dispute"
          busy="Sending..."
          failed="Dispute failed"
          send={async (body) => {
            const { createdAt, ticketId } = await call(disputeCorrection, body, { params: { id } });
            setSent({ at: createdAt, ticketId });
            markSent(id, createdAt, ticketId);
            toast({ title: "Dispute sent", description: "It is a support ticket now: the answer comes there." });
          }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  );
}

/** What other islands of the page show of it. */
function markSent(positionId: string, disputedAt: string, ticketId: string) {
  history.value =
    history.value?.map((each) => (each.id === positionId && each.correction ? { ...each, correction: { ...each.correction, disputedAt, ticketId } } : each)) ??
    null;
}

export default island("DisputeButton", DisputeButton);
