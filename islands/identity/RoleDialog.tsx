import * as v from "valibot";
import type { User } from "../../src/identity/schema";
import { changeRole } from "../../src/identity/schema_roles";
import { text } from "../../src/lib/shapes";
import { TextField } from "../../views/ui/Field";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { toast } from "../wire/toasts";

const SCHEMA = v.object({ reason: text(500, "A reason is required") });

/** Makes a trader an administrator, or the reverse. */
export function RoleDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  const role = user.role === "admin" ? "user" : "admin";
  return (
    <ActionDialog
      id="role"
      title={role === "admin" ? `Make ${name} an administrator` : `Remove ${name} as administrator`}
      consequence={
        role === "admin"
          ? `${name} can then decide about everybody's money, and confirms what others ask for from the second day on. Unless you are the only administrator, another one must confirm this first. Then the person is signed out and signs in anew.`
          : `${name} keeps the own accounts and is signed out of the back office at once.`
      }
      schema={SCHEMA}
      names={["reason"]}
      fields={(messages) => <TextField id="role-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />}
      submit={role === "admin" ? "Make administrator" : "Remove administrator"}
      busy="Changing..."
      danger
      send={async ({ reason }) => {
        const done = await call(changeRole, { role, reason }, { params: { id: user.id } });
        if ("status" in done)
          toast({ title: "Waiting for a second administrator", description: `${name} stays a trader until another administrator confirms.` });
        else toast({ title: "Role changed", description: role === "admin" ? `${name} is an administrator.` : `${name} is a trader.` });
      }}
      onClose={onClose}
    />
  );
}
