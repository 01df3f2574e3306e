import { conflict, found, invalidField, Refusal } from "../lib/refusal";
import type { Db, Tx } from "../platform/database/db";
import type { Act, AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import { networkOf } from "../platform/http/request_context";
import { post } from "../mail/commands";
import { endSessions, lockSelf, refuseSelf, whereOf } from "./commands";
import { forgetRecoveryCodes, makeRecoveryCodes } from "./commands_codes";
import { type Proof, refuseWrongCode, refuseWrongPassword } from "./commands_proof";
import { lockStaff } from "./commands_standing";
import { findUser } from "./queries";
import { factorOf } from "./queries_two_factor";
import type { User } from "./schema";
import type { RecoveryCodes, Setup } from "./schema_two_factor";
import { keyAddress, newSecret, stepsOf } from "./totp";

/** The second factor of a person: set up, renewed, switched off by its owner, reset by staff or by the operator. Whatever changes it ends sessions. */

const ON_ALREADY = "Two-factor sign-in is on already.";
const NOT_ON = "Two-factor sign-in is not on.";

/** Begins with a new secret, which counts once a code of it was given. */
export async function beginTwoFactor({ sql, brand }: AppContext, me: Me, password: string): Promise<Setup> {
  await refuseWrongPassword(sql, me, password, "password");
  const secret = newSecret();
  const begun = await sql`
    insert into two_factors (user_id, secret) values (${me.id}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, created_at = now() where two_factors.confirmed_at is null
    returning user_id
  `;
  if (!begun.length) throw conflict(ON_ALREADY);
  return setupOf(brand.name, me.email, secret);
}

const setupOf = (brand: string, email: string, secret: string): Setup => ({ secret, address: keyAddress(brand, email, secret) });

/** What was begun and not confirmed yet; null where there is nothing. */
export async function begunTwoFactor({ sql, brand }: AppContext, me: Me): Promise<Setup | null> {
  const factor = await factorOf(sql, me.id);
  return factor && !factor.on ? setupOf(brand.name, me.email, factor.secret) : null;
}

/** Switches it on with a code of the new secret; the same code can't sign in afterwards. */
export async function confirmTwoFactor(app: AppContext, context: RequestContext, me: Me, code: string): Promise<RecoveryCodes> {
  const factor = await factorOf(app.sql, me.id);
  if (!factor) throw conflict("Begin with your password first.");
  if (factor.on) throw conflict(ON_ALREADY);
  const step = stepsOf(factor.secret, code, Date.now()).at(-1);
  if (step === undefined || code.length !== 6) throw invalidField("code", "This code is not right. Check the clock of your phone, and enter the next one.");
  const recoveryCodes = await changing(app, context, me, "two_factor.on", async (tx) => {
    const confirmed = await tx`
      update two_factors set confirmed_at = now(), last_step = ${step}
      where user_id = ${me.id} and secret = ${factor.secret} and confirmed_at is null
      returning user_id
    `;
    if (!confirmed.length) throw conflict(ON_ALREADY);
    await post(tx, me.id, "factor_added", { factor: "two_factor", ...whereOf(context) });
    return makeRecoveryCodes(tx, me.id);
  });
  tell(app, me.id, "Two-factor sign-in is on", "From now on signing in to your account takes a code from your authenticator app.");
  return { recoveryCodes };
}

/** New recovery codes; the old ones are worth nothing any more. */
export async function renewRecoveryCodes(app: AppContext, context: RequestContext, me: Me, proof: Proof): Promise<RecoveryCodes> {
  await refuseUnproven(app.sql, me, proof);
  const recoveryCodes = await changing(app, context, me, "two_factor.new_codes", async (tx) => {
    await refuseOff(tx, me.id);
    return makeRecoveryCodes(tx, me.id);
  });
  tell(app, me.id, "New recovery codes", "Your earlier recovery codes no longer work.");
  return { recoveryCodes };
}

export async function endTwoFactor(app: AppContext, context: RequestContext, me: Me, proof: Proof): Promise<void> {
  await refuseUnproven(app.sql, me, proof);
  await changing(app, context, me, "two_factor.off", async (tx) => {
    await forget(tx, me.id);
    await tx`select factor_removed(${me.id})`;
    await post(tx, me.id, "factor_removed", { factor: "two_factor", ...whereOf(context) });
  });
  tell(app, me.id, "Two-factor sign-in is off", "Signing in to your account takes the password alone. If it was not you, change your password at once.");
}

/** Password and code of somebody who is signed in. Refuses (conflict) where there is no second factor. */
async function refuseUnproven(sql: Db, me: Me, { password, code }: Proof) {
  await refuseWrongPassword(sql, me, password, "password");
  if (!(await factorOf(sql, me.id))?.on) throw conflict(NOT_ON);
  await refuseWrongCode(sql, me, code);
}

/** A change of the caller's own: under the person's lock, with the other sessions ended, and for staff with a line in the audit book. */
async function changing<T>(app: AppContext, context: RequestContext, me: Me, action: string, command: (tx: Tx) => Promise<T>): Promise<T> {
  const { ip, userAgent } = context;
  const done = await app.sql.begin(async (tx) => {
    const { role } = await lockSelf(tx, me);
    const result = await command(tx);
    await endSessions(tx, me.id, me.sessionId);
    if (role === "admin") await tx`select audit_append(${me.id}, ${me.id}, ${action}, '{}', '{}', '{}', '', ${ip}, ${userAgent})`;
    return { result };
  });
  app.log.info("second factor changed", { ...whoAsks(context), command: action });
  app.bus.publish("sessions", { userId: me.id, sessionId: null });
  return done.result;
}

async function refuseOff(tx: Tx, userId: string) {
  if (!(await factorOf(tx, userId))?.on) throw conflict(NOT_ON);
}

/** Refuses (conflict) where there is nothing to forget. */
async function forget(tx: Tx, userId: string): Promise<void> {
  const gone = await tx`delete from two_factors where user_id = ${userId} and confirmed_at is not null returning user_id`;
  if (!gone.length) throw conflict(NOT_ON);
  await forgetRecoveryCodes(tx, userId);
}

/** Codes and passkeys, for who has lost the devices. Refuses (conflict) where there are neither. */
async function forgetAll(tx: Tx, userId: string): Promise<void> {
  const keys = await tx`delete from passkeys where user_id = ${userId} returning id`;
  if (keys.length === 0 || (await factorOf(tx, userId))?.on) await forget(tx, userId);
}

/** Staff let a person in again who lost the phone and the recovery codes; the person signs in anew, by password alone. */
export async function resetTwoFactor(app: AppContext, act: Act, target: string, reason: string): Promise<{ user: User }> {
  refuseSelf(act.admin, target);
  await app.sql.begin(async (tx) => {
    await lockStaff(tx, act, target);
    found((await tx`select from users where id = ${target}`)[0] ?? null);
    await forgetAll(tx, target);
    await endSessions(tx, target);
    await tx`select factor_removed(${target})`;
    await post(tx, target, "factor_removed", { factor: "two_factor", by: "staff" });
    await tx`
      select audit_append(
        ${act.admin.id}, ${target}, 'user.two_factor_reset', '{}', '{"two_factor":true}', '{"two_factor":false}', ${reason}, ${act.ip}, ${act.userAgent}
      )
    `;
  });
  app.log.info("second factor reset by staff", { personId: target, adminId: act.admin.id, network: networkOf(act.ip) });
  tell(app, target, "Two-factor sign-in was reset", "An administrator switched it off. Sign in with your password, and set it up again under Profile.");
  app.bus.publish("sessions", { userId: target, sessionId: null });
  app.bus.publish("staff", { about: "person" });
  return { user: found(await findUser(app.sql, target)) };
}

/** The operator's last way, on the terminal: lets an administrator in by password alone. Refuses (not_found, conflict) who is none, or has no second factor. */
export async function resetAdminTwoFactor(sql: Db, email: string): Promise<{ email: string }> {
  return sql.begin(async (tx) => {
    const [admin] = await tx<{ id: string; email: string }[]>`
      select id, email from users where lower(email) = lower(${email}) and role = 'admin' for no key update
    `;
    if (!admin) throw new Refusal("not_found", `There is no administrator ${email}.`);
    await forgetAll(tx, admin.id);
    await endSessions(tx, admin.id);
    await tx`select factor_removed(${admin.id})`;
    await post(tx, admin.id, "factor_removed", { factor: "two_factor", by: "staff" });
    await tx`select audit_append(null, ${admin.id}, 'user.two_factor_reset', '{"by":"operator"}', '{"two_factor":true}', '{"two_factor":false}', '', '', '')`;
    return { email: admin.email };
  });
}

const tell = (app: AppContext, userId: string, title: string, message: string) =>
  app.bus.publish("notice", { userId, topic: "security", kind: "warning", title, message });
