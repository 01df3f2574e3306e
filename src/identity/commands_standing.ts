import { conflict, found, notFound, Refusal } from "../lib/refusal";
import type { Tx } from "../platform/db";
import type { Act, House } from "../platform/house";
import { endSessions, refuseSelf } from "./commands";
import { findUser } from "./queries";
import type { User } from "./schema";

/** What staff decide about a person. Each deed is one transaction with its line in the audit book. */

type Standing = {
  account_status: string;
  suspended_until: string | null;
  suspension_reason: string | null;
  registration_status: string;
  registration_reason: string | null;
  kyc_status: string;
  role: "user" | "admin";
};

type Deed = {
  action: string;
  target: string;
  reason: string;
  /** Reads what is, refuses what may not be, and answers what shall be. */
  decide: (now: Standing & { long_password: boolean }) => Partial<Standing> & { approved_by?: string; approved_at?: string };
  /** Sessions and open streams of the person end with it. */
  expels?: boolean;
};

async function decide(house: House, act: Act, deed: Deed): Promise<{ user: User }> {
  refuseSelf(act.admin, deed.target);
  await house.sql.begin(async (tx) => {
    await lockStaff(tx, act, deed.target);
    const before = await standingOf(tx, deed.target);
    const change = deed.decide(before);
    if (deed.expels && before.role === "admin") await refuseLastAdmin(tx, deed.target);
    await tx`update users set ${tx({ ...change, updated_at: new Date() })} where id = ${deed.target}`;
    if (deed.expels) await endSessions(tx, deed.target);
    await tx`
      select audit_append(
        ${act.admin.id}, ${deed.target}, ${deed.action}, '{}', ${json(pick(before, change))}::text::json, ${json(change)}::text::json,
        ${deed.reason}, ${act.ip}, ${act.userAgent}
      )
    `;
  });
  if (deed.expels) house.bus.publish("sessions", { userId: deed.target, sessionId: null });
  house.bus.publish("staff", { about: "person" });
  return { user: found(await findUser(house.sql, deed.target)) };
}

const json = (value: unknown) => JSON.stringify(value);
const pick = (from: object, like: object) => Object.fromEntries(Object.keys(like).map((key) => [key, (from as Record<string, unknown>)[key] ?? null]));

/**
 * Locks the target and all administrators in one order, so that two of them can't remove each other at once, and makes
 * sure that the actor is still one when the lock is had.
 */
export async function lockStaff(tx: Tx, act: Act, target: string) {
  await tx`select from users where id = ${target} or role = 'admin' order by id for update`;
  const [actor] = await tx`select from users where id = ${act.admin.id} and role = 'admin' and account_status = 'active'`;
  if (!actor) throw new Refusal("forbidden", "Administrators only.");
}

async function standingOf(tx: Tx, userId: string): Promise<Standing & { long_password: boolean }> {
  const rows = await tx<(Standing & { long_password: boolean })[]>`
    select role, long_password, account_status, suspended_until, suspension_reason, registration_status, registration_reason, kyc_status
    from users where id = ${userId}
  `;
  if (!rows[0]) throw notFound();
  return rows[0];
}

async function refuseLastAdmin(tx: Tx, leaving: string) {
  const others = await tx`select from users where role = 'admin' and account_status = 'active' and id <> ${leaving} limit 1`;
  if (!others.length) throw conflict("This is the last active administrator.");
}

type Status = User["accountStatus"];

/** Refuses (conflict) a decision that was made on another status than the person's, because somebody was faster. */
function refuseOvertaken(now: Standing, shown: Status | undefined) {
  const isOver = now.account_status === "suspended" && now.suspended_until !== null && new Date(now.suspended_until) <= new Date();
  const status = isOver ? "active" : now.account_status;
  if (shown !== undefined && status !== shown) throw conflict(`This account is ${status} already.`);
}

export const suspend = (house: House, act: Act, target: string, reason: string, until: string | null, shown?: Status) =>
  decide(house, act, {
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

export const ban = (house: House, act: Act, target: string, reason: string, shown?: Status) =>
  decide(house, act, {
    action: "user.ban",
    target,
    reason,
    expels: true,
    decide: (now) => {
      refuseOvertaken(now, shown);
      return { account_status: "banned", suspended_until: null, suspension_reason: reason };
    },
  });

export const activate = (house: House, act: Act, target: string, reason: string, shown?: Status) =>
  decide(house, act, {
    action: "user.activate",
    target,
    reason,
    decide: (now) => {
      refuseOvertaken(now, shown);
      return { account_status: "active", suspended_until: null, suspension_reason: null };
    },
  });

export const decideKyc = (house: House, act: Act, target: string, status: string, reason: string) =>
  decide(house, act, { action: "user.kyc", target, reason, decide: () => ({ kyc_status: status }) });

/** Makes a person an administrator, or an administrator a trader; either signs in anew, under the rules of the new role. */
export const changeRole = (house: House, act: Act, target: string, role: "user" | "admin", reason: string) =>
  decide(house, act, {
    action: "user.role",
    target,
    reason,
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

/** Ends one session of somebody else's. Refuses (not_found) one that is over already. */
export async function endSessionOf(house: House, act: Act, sessionId: string): Promise<void> {
  const userId = await house.sql.begin(async (tx) => {
    const [session] = await tx<{ userId: string }[]>`select user_id as "userId" from sessions where id = ${sessionId}`;
    if (!session) throw notFound();
    refuseSelf(act.admin, session.userId);
    await lockStaff(tx, act, session.userId);
    const [ended] = await tx<{ ip: string; userAgent: string }[]>`
      delete from sessions where id = ${sessionId} returning sess ->> 'ip' as ip, sess ->> 'userAgent' as "userAgent"
    `;
    if (!ended) throw notFound();
    await tx`
      select audit_append(
        ${act.admin.id}, ${session.userId}, 'user.end_session', ${json({ sessionIp: ended.ip, sessionDevice: ended.userAgent })}::text::json, '{}', '{}', '',
        ${act.ip}, ${act.userAgent}
      )
    `;
    return session.userId;
  });
  house.bus.publish("sessions", { userId, sessionId });
}

const refuseDecided = (now: Standing) => {
  if (now.registration_status !== "pending") throw conflict(`This registration is already ${now.registration_status}.`);
};

export const approveRegistration = (house: House, act: Act, target: string) =>
  decide(house, act, {
    action: "registration.approve",
    target,
    reason: "",
    decide: (now) => {
      refuseDecided(now);
      return { registration_status: "approved", approved_by: act.admin.id, approved_at: new Date().toISOString() };
    },
  });

export const rejectRegistration = (house: House, act: Act, target: string, reason: string) => {
  const because = reason || "Registration does not meet requirements";
  return decide(house, act, {
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
