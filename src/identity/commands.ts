import * as v from "valibot";
import type { Config } from "../config";
import { conflict, found, invalidField, notFound, Refusal } from "../lib/refusal";
import { signInEmail } from "../lib/shapes";
import type { Bus } from "../platform/bus";
import type { Db, Sql, Tx } from "../platform/db";
import type { House, Me } from "../platform/house";
import type { Visit } from "../platform/http";
import type { Log } from "../platform/log";
import { hashPassword, verifyPassword } from "../platform/password";
import { proveCode } from "./commands_codes";
import { claimTry, countFailure, forgetTries, refuseTooMany } from "./commands_throttle";
import { endSession, openSession } from "./gate";
import { type Credentials, credentialsByEmail, credentialsById, findUser } from "./queries";
import { isLongPassword, networkOf, refuseSignIn, refuseWeakPassword } from "./rules";
import { type loginBody, password, type registerBody, type User } from "./schema";

type Registration = v.InferOutput<typeof registerBody>;

/** Registers a person, opens the Starter demo account and a session. Refuses a taken address. */
export async function registerPerson(house: House, visit: Visit, form: Registration): Promise<User> {
  refuseWeakPassword(form.password, "user");
  const hash = await hashPassword(form.password);
  const userId = await house.sql.begin(async (tx) => {
    const referrer = form.referralCode ? await referrerOf(tx, form.referralCode) : null;
    const person = await insertPerson(tx, {
      ...form,
      hash,
      long: isLongPassword(form.password),
      referrer,
      role: "user",
      source: referrer ? "referral" : "direct",
    });
    await openSession(tx, visit, person, "user");
    return person;
  });
  house.bus.publish("raised", {});
  house.bus.publish("staff", { about: "person" });
  return found(await findUser(house.sql, userId));
}

async function referrerOf(sql: Sql, code: string): Promise<string> {
  const rows = await sql<{ id: string }[]>`select id from users where referral_code = upper(${code})`;
  if (!rows[0]) throw invalidField("referralCode", "This referral code is not known. Check it, or leave the field empty.");
  return rows[0].id;
}

type NewPerson = {
  firstName: string;
  lastName: string;
  email: string;
  hash: string;
  long: boolean;
  referrer: string | null;
  role: "user" | "admin";
  source: string;
};

async function insertPerson(sql: Sql, person: NewPerson): Promise<string> {
  const status = person.role === "admin" ? "approved" : "pending";
  const rows = await sql<{ id: string }[]>`
    insert into users (email, password, first_name, last_name, referral_code, referred_by, registration_source, registration_status, role, last_login_at,
      long_password)
    values (
      ${person.email}, ${person.hash}, ${person.firstName}, ${person.lastName}, ${referralCode()}, ${person.referrer}, ${person.source},
      ${status}, ${person.role}, ${person.role === "admin" ? null : sql`now()`}, ${person.long}
    )
    on conflict (lower(email)) do nothing
    returning id
  `;
  const id = rows[0]?.id;
  if (!id) throw new Refusal("conflict", "An account with this email already exists.", { email: "An account with this email already exists." });
  await sql`select person_open(${id})`;
  return id;
}

/** Ten characters that can be read aloud: no 0, O, 1, I. */
function referralCode(): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => letters[byte % 32]).join("");
}

const wrongPassword = () => new Refusal("invalid_credentials", "Invalid email or password");
const ASKS_CODE = "Enter the code from your authenticator app.";
const asksCode = () => new Refusal("two_factor_required", ASKS_CODE, { code: ASKS_CODE });
export const WRONG_CODE = "This code is not right, or was used already. Wait for the next one.";

/**
 * Signs a person in with a new session. A wrong password and an unknown address fail alike, in the same time; both
 * count against the account's address and the client's network, and so does a wrong code. Whoever has a second factor is
 * asked for it (two_factor_required) when the password was right; that is a failed try of the account until the code comes.
 */
export async function signIn(house: House, visit: Visit, form: v.InferOutput<typeof loginBody>): Promise<User> {
  const { sql } = house;
  const account = `account:${form.email.toLowerCase()}`;
  const network = `network:${networkOf(visit.ip)}`;
  await refuseTooMany(sql, network);
  await claimTry(sql, account);
  const person = await credentialsByEmail(sql, form.email);
  if (!(await verifyPassword(form.password, person?.password ?? null)) || !person) {
    await countFailure(sql, network);
    throw wrongPassword();
  }
  if (person.twoFactor && !form.code) throw asksCode();
  if (person.twoFactor && !(await proveCode(sql, person.id, form.code))) {
    await countFailure(sql, network);
    throw new Refusal("invalid_credentials", WRONG_CODE, { code: WRONG_CODE });
  }
  await forgetTries(sql, account);
  await sql.begin(async (tx) => {
    // Checking a password takes a while, in which staff may have decided, or its owner chosen another: what counts is what is under the lock.
    await tx`select from users where id = ${person.id} for update`;
    const now = (await credentialsById(tx, person.id)) ?? person;
    if (now.password !== person.password) throw wrongPassword();
    if (now.twoFactor && !person.twoFactor) throw asksCode();
    refuseSignIn(now, new Date());
    await tx`update users set last_login_at = now(), account_status = 'active', long_password = ${isLongPassword(form.password)} where id = ${person.id}`;
    await openSession(tx, visit, person.id, now.role);
  });
  house.bus.publish("notice", {
    userId: person.id,
    topic: "security",
    kind: "info",
    title: "New sign-in",
    message: `Somebody signed in to your account from ${visit.ip || "an unknown address"}. If it was not you, end that session under Profile and change your password.`,
  });
  return found(await findUser(sql, person.id));
}

export async function signOut(house: House, visit: Visit) {
  const ended = await endSession(house.sql, visit);
  if (ended) house.bus.publish("sessions", ended);
}

/** Ends one of the caller's own sessions. */
export async function endOwnSession(sql: Sql, bus: Bus, me: Me, sessionId: string) {
  const rows = await sql`delete from sessions where id = ${sessionId} and user_id = ${me.id} returning id`;
  if (!rows.length) throw notFound();
  bus.publish("sessions", { userId: me.id, sessionId });
}

/** Ends all sessions of a person but one, in the caller's transaction; publish after it commits. */
export const endSessions = (sql: Sql, userId: string, except: string | null = null) =>
  sql`delete from sessions where user_id = ${userId} and (${except}::uuid is null or id <> ${except})`;

/** Takes the password again before something delicate; good for fifteen minutes (rules of withdrawals). */
export async function confirmPassword(sql: Db, me: Me, password: string) {
  await refuseWrongPassword(sql, me, password, "password");
  await sql`update sessions set confirmed_at = now() where id = ${me.sessionId}`;
}

/** The caller's own password, with the throttle of sign-in. Refuses (forbidden) a wrong one, on the field. */
export async function refuseWrongPassword(sql: Db, me: Me, password: string, field: string): Promise<Credentials> {
  const key = `account:${me.email.toLowerCase()}`;
  await claimTry(sql, key);
  const person = await credentialsById(sql, me.id);
  if (!person || !(await verifyPassword(password, person.password)))
    throw new Refusal("forbidden", "This is not your current password.", { [field]: "This is not your current password." });
  await forgetTries(sql, key);
  return person;
}

/** Locks the caller's own row. Refuses (unauthorized) whose session was ended while the password was checked. */
export async function lockSelf(tx: Tx, me: Me): Promise<{ role: "user" | "admin" }> {
  const [person] = await tx<{ role: "user" | "admin" }[]>`select role from users where id = ${me.id} for update`;
  const [session] = await tx`select from sessions where id = ${me.sessionId}`;
  if (!person || !session) throw new Refusal("unauthorized", "Unauthorized");
  return person;
}

/** Changes the caller's password and ends the caller's other sessions. */
export async function changePassword(house: House, me: Me, current: string, next: string) {
  refuseWeakPassword(next, me.heldBack ? "admin" : me.role, "newPassword");
  await refuseWrongPassword(house.sql, me, current, "currentPassword");
  const hash = await hashPassword(next);
  await house.sql.begin(async (tx) => {
    await lockSelf(tx, me);
    await tx`update users set password = ${hash}, long_password = ${isLongPassword(next)}, updated_at = now() where id = ${me.id}`;
    await endSessions(tx, me.id, me.sessionId);
    await tx`update sessions set confirmed_at = now() where id = ${me.sessionId}`;
  });
  house.bus.publish("sessions", { userId: me.id, sessionId: null });
}

type NewAdmin = { email: string; password: string; name?: string | undefined };

/** What an administrator signs in with. Refuses (invalid) what is no address, as every form does. */
export function adminEmail(text: string): string {
  const email = v.safeParse(signInEmail, text);
  if (!email.success) throw invalidField("email", email.issues[0].message);
  return email.output;
}

/** Refuses (invalid) a password that is unfit for an administrator, or could not be given at sign-in. */
export function refuseUnfitPassword(text: string) {
  refuseWeakPassword(text, "admin");
  const held = v.safeParse(password, text);
  if (!held.success) throw invalidField("password", held.issues[0].message);
}

/** A name of two words or more. Refuses (invalid) half a name. */
export function adminName(text = "Site Administrator"): { firstName: string; lastName: string } {
  const [firstName = "", ...others] = text.trim().split(/\s+/);
  const lastName = others.join(" ");
  if (!firstName || !lastName || firstName.length > 100 || lastName.length > 100)
    throw invalidField("name", "The name must be a first and a last name, at most 100 characters each.");
  return { firstName, lastName };
}

async function heldToRules(admin: NewAdmin) {
  const name = adminName(admin.name);
  const email = adminEmail(admin.email);
  refuseUnfitPassword(admin.password);
  return { ...name, email, hash: await hashPassword(admin.password), long: true, referrer: null, role: "admin", source: "operator" } as const;
}

/** The audit book says that nobody of the staff did it, but the operator. */
async function insertAdmin(tx: Tx, person: NewPerson): Promise<void> {
  const id = await insertPerson(tx, person);
  await tx`select audit_append(null, ${id}, 'user.create_admin', '{"by":"operator"}', '{}', '{"role":"admin"}', '', '', '')`;
}

/** Makes an administrator. Refuses a taken address, and what the rules of addresses, passwords and names refuse. */
export async function createAdmin(sql: Db, admin: NewAdmin): Promise<{ email: string }> {
  const person = await heldToRules(admin);
  await sql.begin((tx) => insertAdmin(tx, person));
  return { email: person.email };
}

/**
 * Sees to it that there is an administrator: the configured one, who is made where nobody has that address and never changed, else,
 * where there is none at all, admin@localhost with a random password, which is returned to be printed once. Warns where one more is
 * made beside others, and where the configured address is a trader's.
 */
export async function ensureFirstAdmin(sql: Db, configured: Config["admin"], log: Log): Promise<{ email: string; password: string } | null> {
  const before = await whoIsThere(sql, configured?.email ?? "");
  if (configured ? before.role !== null : before.admins > 0) {
    if (before.role === "user") warnOfTrader(log);
    return null;
  }
  const admin = configured ?? { email: "admin@localhost", password: Buffer.from(crypto.getRandomValues(new Uint8Array(15))).toString("base64url") };
  const person = await heldToRules(admin);
  const found = await sql.begin(async (tx) => {
    // One program at a time, so that two that start together do not both make one.
    await tx`lock table users in share row exclusive mode`;
    const there = await whoIsThere(tx, admin.email);
    if (there.role !== null || (!configured && there.admins > 0)) return null;
    await insertAdmin(tx, person);
    return there;
  });
  if (found && found.admins > 0) log.warn("one more administrator was made by ADMIN_EMAIL, beside those that there are", { administrators: found.admins + 1 });
  return found && !configured ? admin : null;
}

/** How many administrators there are, and the role of who has this address. */
async function whoIsThere(sql: Sql, email: string): Promise<{ admins: number; role: "user" | "admin" | null }> {
  const [row] = await sql<{ admins: number; role: "user" | "admin" | null }[]>`
    select (select count(*)::integer from users where role = 'admin') as admins, (select role from users where lower(email) = lower(${email})) as role
  `;
  return row ?? { admins: 0, role: null };
}

const warnOfTrader = (log: Log) =>
  log.warn("nobody was made an administrator by ADMIN_EMAIL: it is a trader's address; set it to another, or let an administrator give the trader the role");

/** Nobody decides about himself or herself. */
export function refuseSelf(me: Me, targetId: string) {
  if (me.id === targetId) throw conflict("You can't decide this about yourself. Ask another administrator.");
}
