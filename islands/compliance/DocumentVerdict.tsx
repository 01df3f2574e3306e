import { approveDocument, askDocument, refusalBody, REASONS, rejectDocument, type StaffDocument } from "../../src/compliance/schema";
import { titleOf } from "../../views/compliance/DocumentRows";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

export type DocumentWord = "approve" | "reject" | "ask";
type Props = { word: DocumentWord; document: StaffDocument; onClose: (done?: true) => void };

/** Accepts a document, with the day on which it ends, or says why not, or asks for another. Rendered only while it is open. */
export function DocumentVerdict({ word, document, onClose }: Props) {
  const params = { id: document.id };
  const of = titleOf(document);
  const note = (message: string | undefined, hint: string) => (
    <TextField id="document-note" name="note" label="Note (optional)" hint={hint} rows={3} maxLength={500} error={message} />
  );
  if (word === "approve")
    return (
      <ActionDialog
        id="document-verdict"
        title={`Accept: ${of}`}
        consequence={
          document.kind === "identity"
            ? "Its owner counts as identified once no side of the document is open any more."
            : "Its owner is told, and it counts for the level from now on."
        }
        schema={approveDocument.body}
        names={["expiresOn", "note"]}
        fields={(messages) => (
          <>
            <Field
              id="document-ends"
              name="expiresOn"
              type="date"
              label="Ends on (optional)"
              hint="A letter reminds its owner 30 days before."
              error={messages.expiresOn}
            />
            {note(messages.note, "Its owner reads it.")}
          </>
        )}
        submit="Accept"
        busy="Accepting..."
        failed="Approval Failed"
        send={async (body) => {
          await call(approveDocument, body, { params });
          toast({ title: "Document accepted", description: of });
        }}
        onClose={onClose}
      />
    );
  const [title, done] = word === "reject" ? ["Reject", "Document rejected"] : ["Ask for another", "Another one was asked for"];
  return (
    <ActionDialog
      id="document-verdict"
      title={`${title}: ${of}`}
      consequence="Its owner is told the reason by letter and on the page of documents."
      schema={refusalBody}
      names={["reason", "note"]}
      fields={(messages) => (
        <>
          <SelectField id="document-reason" name="reason" label="Reason" defaultValue="unreadable" error={messages.reason}>
            {Object.entries(REASONS).map(([id, text]) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </SelectField>
          {note(messages.note, "Its owner reads it.")}
        </>
      )}
      submit={title}
      busy="Sending..."
      danger={word === "reject"}
      failed="Rejection Failed"
      send={async (body) => {
        await call(word === "reject" ? rejectDocument : askDocument, body, { params });
        toast({ title: done, description: of });
      }}
      onClose={onClose}
    />
  );
}
