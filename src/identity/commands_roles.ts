import { conflict, found, invalidField, notFound, Refusal } from "../lib/refusal";
import { type Permission, permissionsOf } from "../lib/permissions";
import type { Act, AppContext } from "../platform/app_context";
import type { Tx } from "../platform/database/db";
import { refuseSelf } from "./commands";
import { refuseBeyond } from "./commands_staff";
import { carryOut, type Decision, entitledOf, examine, lacking, lockStaff, othersWith, told } from "./commands_standing";
import { waitingRoleOf } from "./queries_roles";
import type { User } from "./schema";
import type { DeclinedRole, WaitingRole } from "./schema_roles";

/** Who is staff, in which role, and who ceases to be. Locks: the request, the people, the audit book's head. */

const roleOf = (staffRole: string | null) => (staffRole === null ? "user" : "admin");

/** Who becomes an administrator or ceases to be one signs in anew, under the rules of the new role. */
const change = (target: string, staffRole: string | null, reason: string, details: object = {}): Decision => ({
  action: "user.role",
  target,
  reason,
  details,
  decide: (now) => {
    const role = roleOf(staffRole);
    if (now.staff_role === staffRole)
      throw conflict(
        staffRole === null
          ? "This person is no administrator."
          : staffRole === "owner"
            ? "This person is an administrator already."
            : "This person has this role already.",
      );
    if (staffRole === null) return { role };
    if (now.role === "admin") return { role, staff_role: staffRole };
    if (now.registration_status !== "approved" || now.account_status !== "active")
      throw conflict("Only an active person with an approved registration can become an administrator.");
    if (!now.long_password) throw conflict("Administrators need a password of at least 12 characters. This person must choose a longer one first.");
    // Who becomes an administrator without more is an owner.
    return staffRole === "owner" ? { role } : { role, staff_role: staffRole };
  },
});

/** What the role lets do. Refuses (invalid) one that there is not. */
async function permissionsIn(tx: Tx, staffRole: string | null): Promise<readonly Permission[]> {
  if (staffRole === null) return [];
  const [row] = await tx<{ permissions: string[] | null }[]>`select permissions from staff_roles where id = ${staffRole}`;
  if (!row) throw invalidField("staffRole", "There is no such role.");
  return permissionsOf(staffRole, row.permissions);
}

/** What becomes of sessions and streams depends on whether the person is staff before and after. */
const between = (wasStaff: boolean, decision: Decision, staffRole: string | null): Decision => ({
  ...decision,
  expels: !wasStaff || staffRole === null,
  regrants: wasStaff && staffRole !== null,
});

/**
 * Gives or takes a role of staff. At once where it lets do nothing new, or where nobody beside the actor gives roles; else the others are
 * asked. Refuses (forbidden) to give what the actor may not do.
 */
export async function changeRole(app: AppContext, act: Act, target: string, staffRole: string | null, reason: string): Promise<{ user: User } | WaitingRole> {
  refuseSelf(act.admin, target);
  const asked = change(target, staffRole, reason);
  const done = await app.sql.begin(async (tx) => {
    await lockStaff(tx, act, target);
    const wanted = await permissionsIn(tx, staffRole);
    refuseBeyond(act, wanted);
    const before = await entitledOf(tx, target);
    const decision = between(before !== null, asked, staffRole);
    const isMore = lacking(before ?? { permissions: [] }, wanted).length > 0;
    if (staffRole !== null && isMore && (await othersWith(tx, "roles.give", [act.admin.id, target])).length > 0) return ask(tx, act, decision, staffRole);
    await carryOut(tx, act, decision);
    return decision;
  });
  if (!("status" in done)) return told(app, done);
  app.bus.publish("staff", { about: "person" });
  app.bus.publish("raised", {});
  return done;
}

/** With the people locked. Refuses (conflict) what could not be done, and what waits already. */
async function ask(tx: Tx, act: Act, decision: Decision, staffRole: string): Promise<WaitingRole> {
  const { target, reason } = decision;
  const { before } = await examine(tx, act, decision);
  if ((await waitingRoleOf(tx, target)).length > 0) throw conflict("This waits for another administrator already.");
  const [made] = await tx<{ id: string; createdAt: string }[]>`
    insert into role_requests (user_id, admin_id, reason, staff_role) values (${target}, ${act.admin.id}, ${reason}, ${staffRole})
    returning id, created_at as "createdAt"
  `;
  const { id, createdAt } = found(made ?? null);
  await note(tx, act, target, "user.role_ask", { requestId: id, ...(staffRole === "owner" ? {} : { staffRole }) }, reason, [
    before.role,
    "pending_second_approval",
  ]);
  return { status: "pending_second_approval", id, userId: target, staffRole, reason, createdAt };
}

const note = (tx: Tx, act: Act, target: string, action: string, details: object, reason: string, [before, after]: [string, string]) => tx`
  select audit_append(
    ${act.admin.id}, ${target}, ${action}, ${JSON.stringify(details)}::text::json, ${JSON.stringify({ role: before })}::text::json,
    ${JSON.stringify({ role: after })}::text::json, ${reason}, ${act.ip}, ${act.userAgent}
  )
`;

type Asked = { id: string; userId: string; adminId: string; staffRole: string; reason: string; decided: string | null };

/** The request, held until the command ends. Refuses who asked for it, and what is decided. */
async function hold(tx: Tx, act: Act, id: string): Promise<Asked> {
  await tx`select role_request_hold(${id})`;
  const [asked] = await tx<Asked[]>`
    select r.id, r.user_id as "userId", r.admin_id as "adminId", coalesce(r.staff_role, 'owner') as "staffRole", r.reason, d.decision as decided
    from role_requests r
    left join role_decisions d on d.request_id = r.id
    where r.id = ${id}
  `;
  if (!asked) throw notFound();
  if (asked.adminId === act.admin.id) throw new Refusal("forbidden", "You asked for this. Another administrator decides it.");
  if (asked.decided) throw conflict(`This is already ${asked.decided}.`);
  return asked;
}

const decided = (tx: Tx, act: Act, id: string, decision: "confirmed" | "declined", reason: string) =>
  tx`insert into role_decisions (request_id, admin_id, decision, reason) values (${id}, ${act.admin.id}, ${decision}, ${reason})`;

/**
 * The second administrator's yes. Refuses (forbidden) who is to have the role, what the actor may not do, and where one of the two became an
 * administrator within the last day; (conflict) where the one who asked may not give this role any more.
 */
export async function confirmRole(app: AppContext, act: Act, id: string): Promise<{ user: User }> {
  const decision = await app.sql.begin(async (tx) => {
    const { userId, adminId, staffRole, reason } = await hold(tx, act, id);
    refuseSelf(act.admin, userId);
    await lockStaff(tx, act, userId);
    await tx`select refuse_new_admin(${adminId}, ${act.admin.id})`;
    const wanted = await permissionsIn(tx, staffRole);
    refuseBeyond(act, wanted);
    const asker = await entitledOf(tx, adminId);
    if (!asker?.isActive) throw conflict("Who asked for this is no administrator any more. Ask for it yourself.");
    if (lacking(asker, ["roles.give", ...wanted]).length > 0) throw conflict("Who asked for this may not give this role any more. Ask for it yourself.");
    const wasStaff = (await entitledOf(tx, userId)) !== null;
    const asked = between(wasStaff, change(userId, staffRole, reason, { requestId: id, askedBy: adminId }), staffRole);
    await decided(tx, act, id, "confirmed", "");
    await carryOut(tx, act, asked);
    return asked;
  });
  return told(app, decision);
}

/** The second administrator's no. */
export async function declineRole(app: AppContext, act: Act, id: string, reason: string): Promise<DeclinedRole> {
  const userId = await app.sql.begin(async (tx) => {
    const asked = await hold(tx, act, id);
    await lockStaff(tx, act, asked.userId);
    await decided(tx, act, id, "declined", reason);
    const before = (await entitledOf(tx, asked.userId)) ? "admin" : "user";
    await note(tx, act, asked.userId, "user.role_decline", { requestId: id, askedBy: asked.adminId }, reason, ["pending_second_approval", before]);
    return asked.userId;
  });
  app.bus.publish("staff", { about: "person" });
  return { status: "declined", id, userId, reason };
}
