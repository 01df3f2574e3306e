import type { User } from "../../src/identity/schema";
import { resetTwoFactor } from "../../src/identity/schema_two_factor";
import { TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";

/** Resets the second factor of a person who lost the phone and the recovery codes: the password alone is enough again. */
export function TwoFactorDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <ActionDialog
      id="two-factor"
      title={`Reset two-factor sign-in of ${name}`}
      consequence={`Signs ${name} out everywhere; then the password alone is enough. Make sure first that it is ${name} who asks.`}
      schema={resetTwoFactor.body}
      names={["reason"]}
      fields={(messages) => <TextField id="two-factor-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />}
      submit="Reset"
      busy="Resetting..."
      danger
      send={async ({ reason }) => {
        await call(resetTwoFactor, { reason }, { params: { id: user.id } });
        toast({ title: "Two-factor sign-in reset", description: `${name} (${user.email})` });
      }}
      onClose={onClose}
    />
  );
}
