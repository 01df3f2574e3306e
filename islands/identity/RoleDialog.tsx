import { useEffect, useState } from "react";
import * as v from "valibot";
import type { User } from "../../src/identity/schema";
import { changeRole } from "../../src/identity/schema_roles";
import { listRoles, type StaffRole } from "../../src/identity/schema_staff";
import { may } from "../../src/lib/may";
import { text } from "../../src/lib/shapes";
import { SelectField, TextField } from "../../views/ui/Field";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { toast } from "../wire/toasts";

const NONE = "none";
const SCHEMA = v.object({ staffRole: v.string(), reason: text(500, "A reason is required") });
const BUILT_IN = [
  ["owner", "Owner"],
  ["support", "Support"],
  ["finance", "Finance"],
  ["dealing", "Dealing"],
  ["compliance", "Compliance"],
  ["auditor", "Auditor"],
] as const;

/** The roles that may be given; the built-in ones until the others have come. */
function useRoles(): Pick<StaffRole, "id" | "name" | "permissions">[] {
  const [roles, setRoles] = useState<StaffRole[] | null>(null);
  useEffect(() => {
    if (may("roles.read")) void attempt("The roles could not be read", () => call(listRoles)).then((list) => list && setRoles(list));
  }, []);
  return (roles ?? BUILT_IN.map(([id, name]) => ({ id, name, permissions: [] }))).filter(({ permissions }) => permissions.every(may));
}

/** Makes a trader an administrator of a role of staff, gives an administrator another one, or takes it away. */
export function RoleDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const name = `${user.firstName} ${user.lastName}`;
  const isStaff = user.role === "admin";
  const roles = useRoles();
  // Kept here: the roles of the house's own come later.
  const [chosen, setChosen] = useState(user.staffRole ?? "owner");
  return (
    <ActionDialog
      id="role"
      title={isStaff ? `Change the role of ${name}` : `Make ${name} an administrator`}
      consequence={
        isStaff
          ? `What ${name} may do is another from the next request on. Without a role of staff the person is signed out at once and keeps the own accounts.`
          : `${name} can then do what the role lets do, and confirms what others ask for from the second day on. Unless nobody else gives roles, somebody of them must confirm this first. Then the person is signed out and signs in anew.`
      }
      schema={SCHEMA}
      names={["staffRole", "reason"]}
      fields={(messages) => (
        <>
          <SelectField
            id="role-staff"
            name="staffRole"
            label="Role"
            value={chosen}
            onChange={({ currentTarget: { value } }) => setChosen(value)}
            error={messages.staffRole}
          >
            {roles.map(({ id, name: label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
            {isStaff ? <option value={NONE}>None: a trader again</option> : null}
          </SelectField>
          <TextField id="role-reason" name="reason" label="Reason" rows={3} maxLength={500} error={messages.reason} />
        </>
      )}
      submit={isStaff ? "Change role" : "Make administrator"}
      busy="Changing..."
      danger
      send={async ({ staffRole, reason }) => {
        const isNone = staffRole === NONE;
        const done = await call(changeRole, isNone ? { role: "user", reason } : { role: "admin", staffRole, reason }, { params: { id: user.id } });
        if ("status" in done)
          toast({ title: "Waiting for a second administrator", description: `${name} stays as before until another administrator confirms.` });
        else toast({ title: "Role changed", description: isNone ? `${name} is a trader.` : `${name} is an administrator.` });
      }}
      onClose={onClose}
    />
  );
}
