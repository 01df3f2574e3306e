import * as v from "valibot";
import { changeRole, type User } from "../../src/identity/schema";
import { text } from "../../src/lib/shapes";
import { TextField } from "../../views/ui/Field";
import { call } from "./api";
import { DeedDialog } from "./DeedDialog";
import { toast } from "./toasts";

const SCHEMA = v.object({ reason: text(500, "A reason is required") });

/** Makes a trader an administrator, or the reverse. */
export function RoleDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  const role = user.role === "admin" ? "user" : "admin";
  return (
    <DeedDialog
      id="role"
      title={role === "admin" ? `Make ${name} an administrator` : `Remove ${name} as administrator`}
      consequence={
        role === "admin"
          ? `${name} can then decide about everybody's money. The person is signed out and signs in anew.`
          : `${name} keeps the own accounts and is signed out of the back office at once.`
      }
      schema={SCHEMA}
      names={["reason"]}
      fields={(messages) => <TextField id="role-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />}
      submit={role === "admin" ? "Make administrator" : "Remove administrator"}
      busy="Changing..."
      danger
      send={async ({ reason }) => {
        await call(changeRole, { role, reason }, { params: { id: user.id } });
        toast({ title: "Role changed", description: role === "admin" ? `${name} is an administrator.` : `${name} is a trader.` });
      }}
      onClose={onClose}
    />
  );
}
