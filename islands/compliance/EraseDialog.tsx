import { erasePerson } from "../../src/compliance/schema_privacy";
import type { User } from "../../src/identity/schema";
import { Field, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

/** Closes a client's account for good, as its owner would; with a second signature where the house asks for one. */
export function EraseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <ActionDialog
      id="erase"
      title={`Erase ${name}`}
      consequence={`Name, contacts, ways to sign in and documents of ${name} are gone, and nothing brings them back. What was booked and dealt stays, without a name, for as long as the law asks for it. A letter tells the client. Name nobody in the reason: it is kept.`}
      schema={erasePerson.body}
      names={["confirm", "reason"]}
      fields={(messages) => (
        <>
          <TextField id="erase-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />
          <Field id="erase-confirm" name="confirm" label="Write ERASE to confirm" autoComplete="off" error={messages.confirm} />
        </>
      )}
      submit="Erase"
      busy="Erasing..."
      danger
      send={async (body) => {
        const done = await call(erasePerson, body, { params: { id: user.id } });
        if (!tellWaiting(done)) toast({ title: "Account closed and erased" });
      }}
      onClose={onClose}
    />
  );
}
