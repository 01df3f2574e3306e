import * as v from "valibot";
import { text } from "../../src/lib/shapes";
import { TextField } from "../../views/ui/Field";
import { DeedDialog } from "./DeedDialog";

const SCHEMA = v.object({ reason: text(500, "A reason is required") });

type Props = { title: string; consequence: string; looking: string | null; send: (reason: string) => Promise<void>; onClose: () => void };

/** Rejects a request with the reason that its owner will read. */
export const RejectDialog = ({ title, consequence, looking, send, onClose }: Props) => (
  <DeedDialog
    id="reject"
    title={title}
    consequence={consequence}
    looking={looking}
    schema={SCHEMA}
    names={["reason"]}
    fields={(messages) => (
      <TextField id="reject-reason" name="reason" label="Reason" hint="The person reads it as you write it." rows={3} maxLength={500} error={messages.reason} />
    )}
    submit="Reject"
    busy="Rejecting..."
    danger
    send={({ reason }) => send(reason)}
    onClose={onClose}
  />
);
