import type { ReactNode } from "react";
import type { StaffRole } from "../../src/identity/schema_staff";
import { allPermissions, groupOfPermission, type Permission, permissionWords } from "../../src/lib/permissions";
import { Badge } from "../ui/Badge";
import { Icon } from "../ui/Icon";

/** Permissions by the groups in which they are shown. */
export const permissionGroups = (permissions: readonly Permission[]): [group: string, permissions: Permission[]][] => [
  ...Map.groupBy(
    allPermissions.filter((each) => permissions.includes(each)),
    groupOfPermission,
  ),
];
/** "Decide deposits": a permission as a line of its own. */
export const permissionLine = (permission: Permission): string => permissionWords(permission).replace(/^./, (letter) => letter.toUpperCase());

const summaryOf = ({ permissions, id }: StaffRole): string => {
  if (permissions.length === allPermissions.length) return "May do everything";
  if (id === "auditor") return "Reads everything, changes nothing";
  return `May do ${permissions.length} of ${allPermissions.length} things`;
};

/** One role: who has it, and what it lets do behind a press. */
export const RoleCard = ({ role, children }: { role: StaffRole; children?: ReactNode }) => (
  <article aria-label={role.name} className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4">
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-2 font-semibold [overflow-wrap:anywhere]">
          {role.name}
          {role.builtIn ? <Badge tone="secondary">built in</Badge> : null}
        </h3>
        <p className="text-table text-soft">{summaryOf(role)}</p>
      </div>
      {children}
    </div>
    {role.holders.length > 0 ? (
      <ul aria-label={`Who has the role ${role.name}`} className="flex flex-wrap gap-x-4 gap-y-1">
        {role.holders.map(({ id, firstName, lastName, email, accountStatus }) => (
          <li key={id} className="min-w-0 text-table [overflow-wrap:anywhere]">
            <a
              href={`/admin/users/${id}`}
              title={email}
              className="inline-flex min-h-11 items-center text-accent underline-offset-4 hover:underline md:min-h-6"
            >
              {`${firstName} ${lastName}`}
            </a>
            {accountStatus === "active" ? null : <span className="text-soft">{`, ${accountStatus}`}</span>}
          </li>
        ))}
      </ul>
    ) : (
      <p className="text-table text-soft">Nobody has it.</p>
    )}
    <details className="group">
      <summary className="inline-flex min-h-11 cursor-pointer items-center gap-1 text-table text-accent md:min-h-9">
        What it lets do
        <Icon name="chevronDown" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      <div className="grid gap-x-8 gap-y-3 pt-1 sm:grid-cols-2 lg:grid-cols-3">
        {permissionGroups(role.permissions).map(([group, permissions]) => (
          <div key={group}>
            <p className="text-note font-medium text-soft">{group}</p>
            <ul className="text-table">
              {permissions.map((permission) => (
                <li key={permission}>{permissionLine(permission)}</li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </details>
  </article>
);
