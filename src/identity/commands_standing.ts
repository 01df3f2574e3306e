import { conflict, notFound, Refusal } from "../lib/refusal";
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
};

type Deed = {
  action: string;
  target: string;
  reason: string;
  /** Reads what is, refuses what may not be, and answers what shall be. */
  decide: (now: Standing & { role: string }) => Partial<Standing> & { approved_by?: string; approved_at?: string };
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
  const user = await findUser(house.sql, deed.target);
  if (!user) throw notFound();
  return { user };
}

const json = (value: unknown) => JSON.stringify(value);
const pick = (from: object, like: object) => Object.fromEntries(Object.keys(like).map((key) => [key, (from as Record<string, unknown>)[key] ?? null]));

/**
 * Locks the target and all administrators in one order, so that two of them can't remove each other at once, and makes
 * sure that the actor is still one when the lock is had.
 */
async function lockStaff(tx: Tx, act: Act, target: string) {
  await tx`select from users where id = ${target} or role = 'admin' order by id for update`;
  const [actor] = await tx`select from users where id = ${act.admin.id} and role = 'admin' and account_status = 'active'`;
  if (!actor) throw new Refusal("forbidden", "Administrators only.");
}

async function standingOf(tx: Tx, userId: string): Promise<Standing & { role: string }> {
  const rows = await tx<(Standing & { role: string })[]>`
    select role, account_status, suspended_until, suspension_reason, registration_status, registration_reason, kyc_status
    from users where id = ${userId}
  `;
  if (!rows[0]) throw notFound();
  return rows[0];
}

async function refuseLastAdmin(tx: Tx, leaving: string) {
  const others = await tx`select from users where role = 'admin' and account_status = 'active' and id <> ${leaving} limit 1`;
  if (!others.length) throw conflict("This is the last active administrator.");
}

export const suspend = (house: House, act: Act, target: string, reason: string, until: string | null) =>
  decide(house, act, {
    action: "user.suspend",
    target,
    reason,
    expels: true,
    decide: (now) => {
      if (now.account_status === "banned") throw conflict("This account is banned.");
      return { account_status: "suspended", suspended_until: until, suspension_reason: reason };
    },
  });

export const ban = (house: House, act: Act, target: string, reason: string) =>
  decide(house, act, {
    action: "user.ban",
    target,
    reason,
    expels: true,
    decide: () => ({ account_status: "banned", suspended_until: null, suspension_reason: reason }),
  });

export const activate = (house: House, act: Act, target: string, reason: string) =>
  decide(house, act, {
    action: "user.activate",
    target,
    reason,
    decide: () => ({ account_status: "active", suspended_until: null, suspension_reason: null }),
  });

export const decideKyc = (house: House, act: Act, target: string, status: string, reason: string) =>
  decide(house, act, { action: "user.kyc", target, reason, decide: () => ({ kyc_status: status }) });

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
