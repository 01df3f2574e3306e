import * as v from "valibot";
import { confirmCorrection, type CorrectionRequest, declineBody, declineCorrection, listCorrections } from "../../src/trading/schema_corrections";
import { TraderSees } from "../../views/trading/TraderSees";
import type { Verdict } from "../../views/trading/TradeTables";
import { dealText, resultText } from "../../views/trading/staff_words";
import { TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { sendOnce } from "../wire/intent";
import { useLive } from "../runtime/live_list";
import { toast } from "../wire/toasts";

type Props = { verdict: Verdict; request: CorrectionRequest; administrator: string; onClose: () => void };

/** The second administrator's word on a correction against the client. */
export const CorrectionVerdict = ({ verdict, ...props }: Props) => (verdict === "confirm" ? <Confirm {...props} /> : <Decline {...props} />);

type Own = Omit<Props, "verdict">;

function Confirm({ request, administrator, onClose }: Own) {
  const { value: waiting } = useLive([request], () => call(listCorrections, undefined, { query: { q: request.positionId } }), ["trade", "correction"], {
    every: 2000,
  });
  const market = waiting.find(({ id }) => id === request.id)?.marketNow ?? null;
  return (
    <ActionDialog
      id="verdict"
      title={`Confirm: ${dealText(request)}`}
      consequence={
        <>
          Closes the position of {request.firstName} {request.lastName} with <strong className="whitespace-nowrap">{resultText(request.settledProfit)}</strong>.
          Market result now: <strong className="whitespace-nowrap">{resultText(market)}</strong>; the one at the moment of closing goes on record.
        </>
      }
      schema={v.object({})}
      names={[]}
      fields={() => (
        <TraderSees
          administrator={`${request.administrator}, confirmed by ${administrator}`}
          reason={request.reason}
          settled={request.settledProfit}
          market={market}
        />
      )}
      submit="Confirm"
      busy="Confirming..."
      danger
      begin="button"
      send={async () => {
        const { profit } = await sendOnce(confirmCorrection, undefined, { id: request.id });
        toast({ title: "Correction confirmed", description: `${dealText(request)} closed with ${resultText(profit)}.` });
      }}
      onClose={onClose}
    />
  );
}

function Decline({ request, onClose }: Own) {
  return (
    <ActionDialog
      id="verdict"
      title={`Decline: ${dealText(request)}`}
      consequence={`The position of ${request.firstName} ${request.lastName} stays open, as the market has it.`}
      schema={declineBody}
      names={["reason"]}
      fields={(messages) => (
        <TextField id="verdict-reason" name="reason" label="Reason (optional, for staff)" rows={3} maxLength={500} error={messages.reason} />
      )}
      submit="Decline"
      busy="Declining..."
      send={async ({ reason }) => {
        await sendOnce(declineCorrection, { reason: reason ?? "" }, { id: request.id });
        toast({ title: "Correction declined", description: `${dealText(request)} stays open.` });
      }}
      onClose={onClose}
    />
  );
}
