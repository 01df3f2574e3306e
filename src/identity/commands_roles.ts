import { conflict, found, notFound, Refusal } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Tx } from "../platform/database/db";
import { refuseSelf } from "./commands";
import { carryOut, type Decision, examine, isOnlyAdmin, lockStaff, told } from "./commands_standing";
import { waitingRoleOf } from "./queries_roles";
import type { User } from "./schema";
import type { DeclinedRole, WaitingRole } from "./schema_roles";

/** Who becomes an administrator, and who ceases to be one. Locks: the request, the people, the audit book's head. */

/** Either way the person signs in anew, under the rules of the new role. */
const change = (target: string, role: "user" | "admin", reason: string, details: object = {}): Decision => ({
  action: "user.role",
  target,
  reason,
  details,
  expels: true,
  decide: (now) => {
    if (now.role === role) throw conflict(role === "admin" ? "This person is an administrator already." : "This person is no administrator.");
    if (role === "user") return { role };
    if (now.registration_status !== "approved" || now.account_status !== "active")
      throw conflict("Only an active person with an approved registration can become an administrator.");
    if (!now.long_password) throw conflict("Administrators need a password of at least 12 characters. This person must choose a longer one first.");
    return { role };
  },
});

/** Makes an administrator a trader at once; a trader an administrator where the actor is the only one, else asks the others. */
export async function changeRole(app: AppContext, act: Act, target: string, role: "user" | "admin", reason: string): Promise<{ user: User } | WaitingRole> {
  refuseSelf(act.admin, target);
  const decision = change(target, role, reason);
  const waits = await app.sql.begin(async (tx) => {
    if (role === "admin") {
      await lockStaff(tx, act, target);
      if (!(await isOnlyAdmin(tx, act.admin.id))) return ask(tx, act, decision);
    }
    await carryOut(tx, act, decision);
    return null;
  });
  if (!waits) return told(app, decision);
  app.bus.publish("staff", { about: "person" });
  app.bus.publish("raised", {});
  return waits;
}

/** With the people locked. Refuses (conflict) what could not be done, and what waits already. */
async function ask(tx: Tx, act: Act, decision: Decision): Promise<WaitingRole> {
  const { target, reason } = decision;
  await examine(tx, act, decision);
  if ((await waitingRoleOf(tx, target)).length > 0) throw conflict("This waits for another administrator already.");
  const [made] = await tx<{ id: string; createdAt: string }[]>`
    insert into role_requests (user_id, admin_id, reason) values (${target}, ${act.admin.id}, ${reason}) returning id, created_at as "createdAt"
  `;
  const { id, createdAt } = found(made ?? null);
  await note(tx, act, target, "user.role_ask", { requestId: id }, reason, ["user", "pending_second_approval"]);
  return { status: "pending_second_approval", id, userId: target, reason, createdAt };
}

const note = (tx: Tx, act: Act, target: string, action: string, details: object, reason: string, [before, after]: [string, string]) => tx`
  select audit_append(
    ${act.admin.id}, ${target}, ${action}, ${JSON.stringify(details)}::text::json, ${JSON.stringify({ role: before })}::text::json,
    ${JSON.stringify({ role: after })}::text::json, ${reason}, ${act.ip}, ${act.userAgent}
  )
`;

type Asked = { id: string; userId: string; adminId: string; reason: string; decided: string | null };

/** The request, held until the command ends. Refuses who asked for it, and what is decided. */
async function hold(tx: Tx, act: Act, id: string): Promise<Asked> {
  await tx`select role_request_hold(${id})`;
  const [asked] = await tx<Asked[]>`
    select r.id, r.user_id as "userId", r.admin_id as "adminId", r.reason, d.decision as decided
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
 * The second administrator's yes. Refuses (forbidden) where one of the two became an administrator within the last day, or the one who asked
 * is none any more.
 */
export async function confirmRole(app: AppContext, act: Act, id: string): Promise<{ user: User }> {
  const decision = await app.sql.begin(async (tx) => {
    const { userId, adminId, reason } = await hold(tx, act, id);
    const asked = change(userId, "admin", reason, { requestId: id, askedBy: adminId });
    await lockStaff(tx, act, userId);
    await tx`select refuse_new_admin(${adminId}, ${act.admin.id})`;
    const [asker] = await tx`select from users where id = ${adminId} and role = 'admin' and account_status = 'active'`;
    if (!asker) throw conflict("Who asked for this is no administrator any more. Ask for it yourself.");
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
    await note(tx, act, asked.userId, "user.role_decline", { requestId: id, askedBy: asked.adminId }, reason, ["pending_second_approval", "user"]);
    return asked.userId;
  });
  app.bus.publish("staff", { about: "person" });
  return { status: "declined", id, userId, reason };
}
