import { nameBody, nameSelf } from "../../src/identity/schema";
import { Field } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** Asks an administrator who shares a name with another for one's own. */
export default function NameDialog({ onClose }: { onClose: () => void }) {
  return (
    <ActionDialog
      id="name"
      title="Your name"
      consequence="Another administrator has the same name as you. Clients read it under your answers and corrections, and colleagues where you are at work: give yours."
      schema={nameBody}
      names={["firstName", "lastName"]}
      mends
      fields={(messages) => (
        <>
          <Field id="name-first" name="firstName" label="First name" autoComplete="given-name" maxLength={100} error={messages.firstName} />
          <Field id="name-last" name="lastName" label="Last name" autoComplete="family-name" maxLength={100} error={messages.lastName} />
        </>
      )}
      submit="Save"
      busy="Saving..."
      send={async (name) => {
        const { user } = await call(nameSelf, name);
        toast({ title: "Name saved", description: `You are ${user.firstName} ${user.lastName}.` });
      }}
      onClose={onClose}
    />
  );
}
