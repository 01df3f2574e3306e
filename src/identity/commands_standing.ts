import { conflict, found, notFound, Refusal } from "../lib/refusal";
import { type Entitled, mayDo, type Permission, permissionsOf } from "../lib/permissions";
import type { Fragment, Sql, Tx } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import { onceIn } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/request_context";
import { together } from "../platform/http/together";
import type { Outcome } from "../lib/outcome";
import { endSessions, refuseSelf } from "./commands";
import { forgetDevice } from "./commands_devices";
import { findUser } from "./queries";
import type { User } from "./schema";

/** What staff decide about a person. Each command is one transaction with its line in the audit book. */

type Standing = {
  account_status: string;
  suspended_until: string | null;
  suspension_reason: string | null;
  registration_status: string;
  registration_reason: string | null;
  kyc_status: string;
  role: "user" | "admin";
  staff_role: string | null;
};

export type Decision = {
  action: string;
  target: string;
  reason: string;
  details?: object;
  /** Reads the present standing, refuses what is not allowed, and answers the new one. */
  decide: (now: Standing & { long_password: boolean }) => Partial<Standing> & { approved_by?: string | null; approved_at?: string | null };
  /** Sessions and open streams of the person end with it. */
  expels?: boolean;
  /** The person may do other things from now on: open streams begin anew. */
  regrants?: boolean;
  /** What else may forbid it: asked with the people locked, before anything is written. */
  forbids?: (tx: Tx) => Promise<void>;
  /** What the person reads of it at once, where signed in. */
  notice?: { title: string; message: string; kind: "info" | "warning" };
};

/** Carries a decision out and tells of it. Nobody decides about oneself. */
export async function decide(app: AppContext, act: Act, decision: Decision): Promise<{ user: User }> {
  refuseSelf(act.admin, decision.target);
  await app.sql.begin((tx) => carryOut(tx, act, decision));
  return told(app, decision);
}

/** What this decision would change, with the people locked. Refuses what may not be. */
export async function examine(tx: Tx, act: Act, { target, expels, decide: judge }: Decision) {
  await lockStaff(tx, act, target);
  const before = await standingOf(tx, target);
  const change = judge(before);
  if (expels && before.role === "admin" && (await isOnlyAdmin(tx, target))) throw conflict("This is the last active administrator.");
  const isOver = expels === true || (change.staff_role !== undefined && change.staff_role !== "owner");
  if (before.staff_role === "owner" && isOver && !(await isOtherOwner(tx, target))) throw conflict("This is the last active owner.");
  return { before, change };
}

/** Does it, with its line in the book. */
export async function carryOut(tx: Tx, act: Act, decision: Decision): Promise<void> {
  const { before, change } = await examine(tx, act, decision);
  await decision.forbids?.(tx);
  if (decision.expels) await endSessions(tx, decision.target);
  await tx`
    select person_decide(
      ${act.admin.id}, ${decision.target}, ${decision.action}, ${json(decision.details ?? {})}::text::json, ${json(pick(before, change))}::text::json,
      ${json(change)}::text::json, ${decision.reason}, ${act.ip}, ${act.userAgent}
    )
  `;
}

/** Tells the person's streams and the staff's lists, after the commit. Answers the person. */
export async function told(app: AppContext, decision: Decision): Promise<{ user: User }> {
  tell(app, decision);
  return { user: found(await findUser(app.sql, decision.target)) };
}

function tell(app: AppContext, { target, expels, regrants, notice }: Decision): void {
  if (regrants) app.bus.publish("rights", { userId: target, staffRole: null });
  if (expels) app.bus.publish("sessions", { userId: target, sessionId: null });
  if (notice) app.bus.publish("notice", { userId: target, topic: "security", ...notice });
  app.bus.publish("standing", { userId: target });
  app.bus.publish("staff", { about: "person" });
}

const json = (value: unknown) => JSON.stringify(value);
const pick = (from: object, like: object) => Object.fromEntries(Object.keys(like).map((key) => [key, (from as Record<string, unknown>)[key] ?? null]));

/**
 * Locks the target and all administrators in one order, so that two of them can't remove each other at once. Then makes sure that the actor
 * still is one and may do what the request began with, and that nobody decides about a colleague who may do more. The lock still lets others write rows that refer to these people: an audit entry does so while it holds the book's head, and
 * waiting there for us would be a deadlock.
 */
export async function lockStaff(tx: Tx, act: Act, target: string) {
  await tx`select from users where id = ${target} or role = 'admin' order by id for no key update`;
  const [actor, other] = await Promise.all([entitledOf(tx, act.admin.id), entitledOf(tx, target)]);
  if (!actor?.isActive) throw new Refusal("forbidden", "Administrators only.");
  if (actor.permissions.join() !== act.admin.permissions.join()) throw new Refusal("forbidden", "What you may do has changed meanwhile. Load the page again.");
  if (other && lacking(actor, other.permissions).length > 0) throw new Refusal("forbidden", `${other.name} may do what you may not. Ask an owner.`);
}

/** What of these somebody may not do. */
export const lacking = (who: Entitled, wanted: readonly Permission[]): Permission[] => wanted.filter((permission) => !mayDo(who, permission));

type StaffMember = Entitled & { id: string; name: string; isActive: boolean };

/** What somebody of the staff may do now; null for whoever is none. */
export async function entitledOf(tx: Sql, id: string): Promise<StaffMember | null> {
  const [row] = await staffWhere(tx, tx`u.id = ${id}`);
  return row ?? null;
}

/** The others who are active and may do this, however many of `except` there are. */
export async function othersWith(tx: Sql, permission: Permission, except: readonly string[]): Promise<StaffMember[]> {
  const staff = await staffWhere(tx, tx`u.account_status = 'active' and not u.id = any (${except as string[]}::uuid[])`);
  return staff.filter((each) => mayDo(each, permission));
}

async function staffWhere(tx: Sql, which: Fragment): Promise<StaffMember[]> {
  const rows = await tx<{ id: string; name: string; isActive: boolean; staffRole: string; stored: string[] | null }[]>`
    select u.id, u.first_name || ' ' || u.last_name as name, u.account_status = 'active' as "isActive", u.staff_role as "staffRole", r.permissions as stored
    from users u join staff_roles r on r.id = u.staff_role
    where u.role = 'admin' and ${which}
    order by u.id
  `;
  return rows.map(({ staffRole, stored, ...each }) => ({ ...each, permissions: permissionsOf(staffRole, stored) }));
}

/** Whether there is another active owner. With the people locked. */
const isOtherOwner = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx`select from users where staff_role = 'owner' and account_status = 'active' and id <> ${id} limit 1`).length > 0;

async function standingOf(tx: Tx, userId: string): Promise<Standing & { long_password: boolean }> {
  const rows = await tx<(Standing & { long_password: boolean })[]>`
    select role, staff_role, long_password, account_status, suspended_until, suspension_reason, registration_status, registration_reason, kyc_status
    from users where id = ${userId}
  `;
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Whether there is no other active administrator. With the people locked. */
export async function isOnlyAdmin(tx: Tx, id: string): Promise<boolean> {
  const others = await tx`select from users where role = 'admin' and account_status = 'active' and id <> ${id} limit 1`;
  return others.length === 0;
}

type Status = User["accountStatus"];

/** Refuses (conflict) a decision that was made on another status than the person's, because somebody was faster. */
function refuseOvertaken(now: Standing, shown: Status | undefined) {
  const isOver = now.account_status === "suspended" && now.suspended_until !== null && new Date(now.suspended_until) <= new Date();
  const status = isOver ? "active" : now.account_status;
  if (shown !== undefined && status !== shown) throw conflict(`This account is ${status} already.`);
}

export const suspend = (app: AppContext, act: Act, target: string, reason: string, until: string | null, shown?: Status) =>
  decide(app, act, {
    action: "user.suspend",
    target,
    reason,
    expels: true,
    decide: (now) => {
      refuseOvertaken(now, shown);
      if (now.account_status === "banned") throw conflict("This account is banned.");
      return { account_status: "suspended", suspended_until: until, suspension_reason: reason };
    },
  });

export const ban = (app: AppContext, act: Act, target: string, reason: string, shown?: Status) =>
  decide(app, act, {
    action: "user.ban",
    target,
    reason,
    expels: true,
    decide: (now) => {
      refuseOvertaken(now, shown);
      return { account_status: "banned", suspended_until: null, suspension_reason: reason };
    },
  });

export const activate = (app: AppContext, act: Act, target: string, reason: string, shown?: Status) =>
  decide(app, act, {
    action: "user.activate",
    target,
    reason,
    decide: (now) => {
      refuseOvertaken(now, shown);
      return { account_status: "active", suspended_until: null, suspension_reason: null };
    },
  });

const KYC_NOTICES: Record<string, { title: string; kind: "info" | "warning" }> = {
  verified: { title: "Your identity was verified", kind: "info" },
  rejected: { title: "Your identity check was rejected", kind: "warning" },
  pending: { title: "Your identity is checked again", kind: "info" },
};

export const decideKyc = (app: AppContext, act: Act, target: string, status: string, reason: string) =>
  decide(app, act, {
    action: "user.kyc",
    target,
    reason,
    decide: () => ({ kyc_status: status }),
    notice: { title: "", kind: "info", ...KYC_NOTICES[status], message: "Your profile says what comes next." },
  });

/** Ends one session of somebody else's. Refuses (not_found) one that is over already. */
export async function endSessionOf(app: AppContext, act: Act, sessionId: string): Promise<void> {
  const userId = await app.sql.begin(async (tx) => {
    const [session] = await tx<{ userId: string }[]>`select user_id as "userId" from sessions where id = ${sessionId}`;
    if (!session) throw notFound();
    refuseSelf(act.admin, session.userId);
    await lockStaff(tx, act, session.userId);
    const [ended] = await tx<{ ip: string; userAgent: string; device: string | null }[]>`
      delete from sessions where id = ${sessionId} returning sess ->> 'ip' as ip, sess ->> 'userAgent' as "userAgent", device_id as device
    `;
    if (!ended) throw notFound();
    await forgetDevice(tx, ended.device);
    await tx`
      select audit_append(
        ${act.admin.id}, ${session.userId}, 'user.end_session', ${json({ sessionIp: ended.ip, sessionDevice: ended.userAgent })}::text::json, '{}', '{}', '',
        ${act.ip}, ${act.userAgent}
      )
    `;
    return session.userId;
  });
  app.bus.publish("sessions", { userId, sessionId });
}

const refuseDecided = (now: Standing) => {
  if (now.registration_status !== "pending") throw conflict(`This registration is already ${now.registration_status}.`);
};

const approval = (act: Act, target: string): Decision => ({
  action: "registration.approve",
  target,
  reason: "",
  decide: (now) => {
    refuseDecided(now);
    return { registration_status: "approved", approved_by: act.admin.id, approved_at: new Date().toISOString() };
  },
  // Who waits for it looks at a page that says so still.
  notice: { title: "Registration approved", message: "You can trade live now, move money into a live account and withdraw.", kind: "info" },
});

export const approveRegistration = (app: AppContext, act: Act, target: string) => decide(app, act, approval(act, target));

/** Approves those who were selected, one transaction each, under the caller's Idempotency-Key. */
export const approveRegistrations = (app: AppContext, act: Act, ids: readonly string[], key: Idempotency | null): Promise<Outcome<{ id: string }>[]> =>
  together(
    app.sql,
    act.admin,
    key,
    ids.map((id) => ({ id })),
    ({ id }, own) =>
      app.sql.begin((tx) =>
        onceIn(tx, act.admin.id, own, 200, async () => {
          refuseSelf(act.admin, id);
          await carryOut(tx, act, approval(act, id));
          return { id };
        }),
      ),
    ({ answer: { id } }) => tell(app, approval(act, id)),
  );

export const rejectRegistration = (app: AppContext, act: Act, target: string, reason: string) => {
  const because = reason || "Registration does not meet requirements";
  return decide(app, act, {
    action: "registration.reject",
    target,
    reason: because,
    expels: true,
    decide: (now) => {
      refuseDecided(now);
      return { registration_status: "rejected", registration_reason: because };
    },
  });
};
