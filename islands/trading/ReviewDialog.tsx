import { type Exception, reviewBody, reviewException } from "../../src/trading/schema_exceptions";
import { exceptionText } from "../../views/trading/ExceptionTable";
import { dealText } from "../../views/trading/staff_words";
import { TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** Says that the exception was looked at, and what was found. */
export const ReviewDialog = ({ exception, onClose }: { exception: Exception; onClose: () => void }) => (
  <ActionDialog
    id="review"
    title={`Review: ${dealText(exception)}`}
    consequence={`${exception.firstName} ${exception.lastName}: ${exceptionText(exception)}. The note goes into the audit book with your name and can't be changed.`}
    schema={reviewBody}
    names={["note"]}
    fields={(messages) => <TextField id="review-note" name="note" label="Note" rows={3} maxLength={500} error={messages.note} />}
    submit="Mark as reviewed"
    busy="Saving..."
    send={async ({ note }) => {
      await call(reviewException, { note }, { params: { id: exception.id } });
      toast({ title: "Reviewed", description: `${dealText(exception)} is marked as reviewed.` });
    }}
    onClose={onClose}
  />
);
