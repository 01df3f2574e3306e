import type { User } from "../../src/identity/schema";
import { releaseAccount } from "../../src/identity/schema_letters";
import { TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";

/** Opens an account again that its owner froze by a letter. */
export function ReleaseDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  return (
    <ActionDialog
      id="release"
      title={`Release the account of ${name}`}
      consequence={`${name} said that something was not them. Withdrawals and sign-ins work again after this. Make sure first that it is ${name} who asks.`}
      schema={releaseAccount.body}
      names={["reason"]}
      fields={(messages) => <TextField id="release-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />}
      submit="Release"
      busy="Releasing..."
      danger
      send={async ({ reason }) => {
        await call(releaseAccount, { reason }, { params: { id: user.id } });
        toast({ title: "Account released", description: `${name} (${user.email})` });
      }}
      onClose={onClose}
    />
  );
}
