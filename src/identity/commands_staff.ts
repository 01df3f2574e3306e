import { conflict, found, invalidField, Refusal } from "../lib/refusal";
import { builtInRoles, mayNot, type Permission, permissionsOf } from "../lib/permissions";
import type { Act, AppContext } from "../platform/app_context";
import type { Tx } from "../platform/database/db";
import { lacking, lockStaff } from "./commands_standing";
import { roleVersion, staffRoles } from "./queries_staff";
import type { StaffRole } from "./schema_staff";

/** The house's own roles of staff. Each command is one transaction with its line in the audit book. Locks: the people, the role, the book's head. */

const MOST = 50;

/** Nobody gives what he has not. */
export function refuseBeyond(act: Act, wanted: readonly Permission[]) {
  const [missing] = lacking(act.admin, wanted);
  if (missing) throw new Refusal("forbidden", mayNot(missing));
}

/** "Night desk" becomes night-desk. */
const idOf = (name: string) =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);

const note = (tx: Tx, act: Act, action: string, before: object, after: object, reason: string) => tx`
  select audit_append(
    ${act.admin.id}, null, ${action}, ${JSON.stringify({ role: (after as { id?: string }).id ?? null })}::text::json, ${JSON.stringify(before)}::text::json,
    ${JSON.stringify(after)}::text::json, ${reason}, ${act.ip}, ${act.userAgent}
  )
`;

const TAKEN = "There is a role of this name already.";
async function refuseTaken(tx: Tx, id: string, name: string, except: string | null = null) {
  const others = await tx`
    select from staff_roles where (id = ${id} or lower(name) = lower(${name})) and (${except}::text is null or id <> ${except}) limit 1
  `;
  if (others.length > 0) throw new Refusal("conflict", TAKEN, { name: TAKEN });
}

type New = { id?: string | undefined; name: string; permissions: Permission[]; reason: string };
type Changed = { id: string; name?: string | undefined; permissions?: Permission[] | undefined; version?: string | undefined; reason: string };

const roleOf = async (app: AppContext, id: string): Promise<StaffRole> => found((await staffRoles(app.sql)).find((role) => role.id === id) ?? null);

export async function createStaffRole(app: AppContext, act: Act, { name, permissions, reason, ...given }: New): Promise<StaffRole> {
  refuseBeyond(act, permissions);
  const id = given.id ?? idOf(name);
  if (id.length < 2) throw invalidField("name", "Give the role a name with two letters of a to z.");
  await app.sql.begin(async (tx) => {
    await lockStaff(tx, act, act.admin.id);
    await refuseTaken(tx, id, name);
    const [{ count } = { count: 0 }] = await tx<{ count: number }[]>`select count(*)::integer as count from staff_roles`;
    if (count >= MOST) throw conflict(`There are ${MOST} roles already.`);
    await tx`insert into staff_roles (id, name, permissions) values (${id}, ${name}, ${permissions as string[]})`;
    await note(tx, act, "role.create", {}, { id, name, permissions }, reason);
  });
  app.bus.publish("staff", { about: "role" });
  return roleOf(app, id);
}

/** Refuses (conflict) a built-in role, a name that another one has, and a version that does not stand any more. */
export async function changeOwnRole(app: AppContext, act: Act, { id, reason, version, ...changes }: Changed): Promise<StaffRole> {
  if ((builtInRoles as readonly string[]).includes(id)) throw conflict("A built-in role can't be changed. Make one of your own.");
  await app.sql.begin(async (tx) => {
    await lockStaff(tx, act, act.admin.id);
    const [stored] = await tx<{ id: string; name: string; permissions: string[]; version: string }[]>`
      select r.id, r.name, r.permissions, ${roleVersion(tx)} as version from staff_roles r where r.id = ${id} for no key update
    `;
    const { version: stands, ...before } = found(stored ?? null);
    const after = { id, name: changes.name ?? before.name, permissions: changes.permissions ?? before.permissions };
    // Neither what it let do nor what it shall is more than the actor's own.
    refuseBeyond(act, permissionsOf(id, [...before.permissions, ...after.permissions]));
    if (version !== undefined && version !== stands) throw conflict("This role was changed meanwhile. Look at it again before you change it.");
    await refuseTaken(tx, id, after.name, id);
    await tx`update staff_roles set name = ${after.name}, permissions = ${after.permissions}, updated_at = clock_timestamp() where id = ${id}`;
    await note(tx, act, "role.change", before, after, reason);
  });
  app.bus.publish("rights", { userId: null, staffRole: id });
  app.bus.publish("staff", { about: "role" });
  return roleOf(app, id);
}
