import { useState } from "react";
import * as v from "valibot";
import { changeStaffRole, createRole, listRoles, roleBody, type StaffRole } from "../../src/identity/schema_staff";
import { may } from "../../src/lib/may";
import { allPermissions, LEAST, type Permission } from "../../src/lib/permissions";
import { permissionGroups, permissionLine, RoleCard } from "../../views/identity/RoleCard";
import { Button } from "../../views/ui/Button";
import { Field, FieldMessage, TextField } from "../../views/ui/Field";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { LostNotice } from "../ui/LostNotice";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** The roles of staff, and the way to make and change those of the house's own. */
export function AdminRoles({ roles }: { roles: StaffRole[] }) {
  const { value, lost } = useLive(roles, () => call(listRoles), ["role", "person"]);
  const [asked, ask, close] = useAsked<{ role: StaffRole | null; like: StaffRole | null }>();
  const mayChange = may("roles.change");
  return (
    <div className="flex flex-col gap-3">
      {lost ? <LostNotice /> : null}
      {mayChange ? (
        <Button size="small" className="js-only self-start" onClick={() => ask({ role: null, like: null })}>
          New role
        </Button>
      ) : null}
      {value.map((role) => (
        <RoleCard key={role.id} role={role}>
          {mayChange ? (
            <span className="js-only flex gap-2">
              <Button size="small" variant="secondary" aria-label={`Copy the role ${role.name}`} onClick={() => ask({ role: null, like: role })}>
                Copy
              </Button>
              {role.builtIn ? null : (
                <Button size="small" variant="secondary" aria-label={`Change the role ${role.name}`} onClick={() => ask({ role, like: role })}>
                  Change
                </Button>
              )}
            </span>
          ) : null}
        </RoleCard>
      ))}
      {asked ? <RoleEditor key={asked.role?.id ?? `like ${asked.like?.id}`} {...asked} onClose={close} /> : null}
    </div>
  );
}

/** Those who change roles give no more than they have. */
const offered = () => allPermissions.filter((permission) => permission !== LEAST && may(permission));

function RoleEditor({ role, like, onClose }: { role: StaffRole | null; like: StaffRole | null; onClose: () => void }) {
  const [chosen, setChosen] = useState<readonly Permission[]>(() => like?.permissions.filter(may) ?? ["panel.own"]);
  const toggle = (permissions: readonly Permission[], on: boolean) =>
    setChosen((before) => (on ? [...new Set([...before, ...permissions])] : before.filter((each) => !permissions.includes(each))));
  const permissions = [LEAST, ...chosen.filter((each) => each !== LEAST)];
  return (
    <ActionDialog
      id="role-editor"
      title={role ? `Change the role ${role.name}` : "New role"}
      consequence={
        role && role.holders.length > 0
          ? `Counts from the next request on for ${role.holders.length === 1 ? "the one who has it" : `the ${role.holders.length} who have it`}.`
          : "It is given to people on their pages under Users."
      }
      schema={v.object({ name: roleBody.entries.name, reason: roleBody.entries.reason })}
      names={["name", "reason"]}
      fields={(messages) => (
        <>
          <Field id="role-name" name="name" label="Name" maxLength={60} autoComplete="off" defaultValue={role?.name ?? ""} error={messages.name} />
          <fieldset className="flex flex-col gap-4">
            <legend className="mb-2 text-product font-medium">What it lets do</legend>
            {messages.permissions ? <FieldMessage>{messages.permissions}</FieldMessage> : null}
            {permissionGroups(offered()).map(([group, own]) => (
              <Group key={group} {...{ group, own, chosen, toggle }} />
            ))}
          </fieldset>
          <TextField id="role-editor-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit={role ? "Change role" : "Make role"}
      busy="Saving..."
      mends
      send={async ({ name, reason }) => {
        if (role) await call(changeStaffRole, { id: role.id, name, permissions, version: role.version, reason });
        else await call(createRole, { name, permissions, reason });
        toast({ title: role ? "Role changed" : "Role made", description: name });
      }}
      onClose={onClose}
    />
  );
}

type GroupProps = {
  group: string;
  own: readonly Permission[];
  chosen: readonly Permission[];
  toggle: (permissions: readonly Permission[], on: boolean) => void;
};

/** The permissions of one group, and one box for all of them. */
function Group({ group, own, chosen, toggle }: GroupProps) {
  const all = own.every((permission) => chosen.includes(permission));
  return (
    <div role="group" aria-label={group} className="flex flex-col">
      <label className="flex min-h-11 items-center gap-3 border-b border-line text-table font-medium md:min-h-9">
        <input type="checkbox" className="size-5 accent-[var(--c-accent)]" checked={all} onChange={(event) => toggle(own, event.currentTarget.checked)} />
        {group}: all
      </label>
      <div className="grid sm:grid-cols-2 sm:gap-x-6">
        {own.map((permission) => (
          <label key={permission} className="flex min-h-11 items-center gap-3 text-table md:min-h-9">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-[var(--c-accent)]"
              checked={chosen.includes(permission)}
              onChange={(event) => toggle([permission], event.currentTarget.checked)}
            />
            {permissionLine(permission)}
          </label>
        ))}
      </div>
    </div>
  );
}

export default island("AdminRoles", AdminRoles);
