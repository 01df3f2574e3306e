import * as v from "valibot";
import type { Config } from "../config";
import { conflict, found, invalidField, notFound, Refusal } from "../lib/refusal";
import { signInEmail } from "../lib/shapes";
import { post } from "../mail/commands";
import type { Bus } from "../platform/cluster/bus";
import type { Db, Sql, Tx } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import type { Log } from "../platform/log";
import { hashNewcomer, hashPassword, pauseAsIfHashed, verifyPassword } from "../platform/password";
import { asksCode, proveCode, wrongCode } from "./commands_codes";
import { isSecondStep, WRONG } from "./commands_passkey_proof";
import { forgetDevice, forgetDevices, knownDevice } from "./commands_devices";
import { type Proof, proveSelf } from "./commands_proof";
import { type Count, counted, judged } from "./commands_throttle";
import { endSession, openSession } from "./authenticator";
import { type Credentials, credentialsByEmail, credentialsById, findUser } from "./queries";
import { FREE_TRIES, FREE_TRIES_ELSEWHERE, isLongPassword, refuseSignIn } from "./rules";
import { type loginBody, password, type registerBody, type User } from "./schema";
import { refuseWeakPassword } from "./weak_passwords";

type Registration = v.InferOutput<typeof registerBody>;

/**
 * Registers a person, opens the Starter demo account and a session. Refuses a taken address, and one network's registrations beyond a number.
 * What is refused anyway is not hashed, and takes as long all the same.
 */
export async function registerPerson(app: AppContext, context: RequestContext, form: Registration): Promise<User> {
  const { sql, config } = app;
  refuseWeakPassword(form.password, "user", form);
  const network = { key: `registration:${context.network}`, free: config.registrationsPerNetwork };
  const { hash, referrer } = await counted(sql, network, async () => {
    try {
      const referrer = form.referralCode ? await referrerOf(sql, form.referralCode) : null;
      if (await credentialsByEmail(sql, form.email)) throw takenAddress();
      return { referrer, hash: await hashNewcomer(form.password) };
    } catch (error) {
      if (error instanceof Refusal && error.code !== "unavailable") await pauseAsIfHashed();
      throw error;
    }
  });
  const userId = await sql.begin(async (tx) => {
    const person = await insertPerson(tx, {
      ...form,
      hash,
      long: isLongPassword(form.password),
      referrer,
      role: "user",
      source: referrer ? "referral" : "direct",
    });
    await openSession(tx, context, person, "user");
    await post(tx, person, "verify_email");
    return person;
  });
  app.log.info("registered", { ...whoAsks(context), person: userId });
  app.bus.publish("raised", {});
  app.bus.publish("staff", { about: "person" });
  return found(await findUser(app.sql, userId));
}

const TAKEN = "An account with this email already exists.";
const takenAddress = () => new Refusal("conflict", TAKEN, { email: TAKEN });

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
  country: string | null;
};

async function insertPerson(sql: Sql, person: NewPerson): Promise<string> {
  const isAdmin = person.role === "admin";
  const rows = await sql<{ id: string }[]>`
    insert into users (email, password, first_name, last_name, referral_code, referred_by, registration_source, last_login_at, long_password, country
      ${isAdmin ? sql`, registration_status, role` : sql``})
    values (
      ${person.email}, ${person.hash}, ${person.firstName}, ${person.lastName}, ${referralCode()}, ${person.referrer}, ${person.source},
      ${isAdmin ? null : sql`now()`}, ${person.long}, ${person.country}${isAdmin ? sql`, 'approved', 'admin'` : sql``}
    )
    on conflict (lower(email)) do nothing
    returning id
  `;
  const id = rows[0]?.id;
  if (!id) throw takenAddress();
  await sql`select person_open(${id})`;
  return id;
}

/** Ten characters that can be read aloud: no 0, O, 1, I. */
function referralCode(): string {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  return Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) => letters[byte % 32]).join("");
}

const wrongPassword = () => new Refusal("invalid_credentials", "Invalid email or password");

/**
 * Signs a person in with a new session. A wrong password and an unknown address fail alike, in the same time, and so does a wrong code.
 * Whoever has a second factor is asked for it (two_factor_required) when the password was right. A failure counts against the client's network
 * and, with a higher limit, against the address. In a browser that signed in here before it counts against that browser alone, so that
 * strangers can't lock its owner out.
 */
export async function signIn(app: AppContext, context: RequestContext, form: v.InferOutput<typeof loginBody>): Promise<User> {
  const { sql } = app;
  const device = await knownDevice(sql, context, form.email);
  const person = await judged(sql, triesOf(context, form.email, device), async () => {
    const found = await credentialsByEmail(sql, form.email);
    if (found) context.subject = found;
    if (!(await verifyPassword(form.password, found?.password ?? null)) || !found) return wrongPassword();
    if (!found.twoFactor) return found;
    if (form.passkey) return (await isSecondStep(app, context, found.id, form.passkey)) ? found : wrongPasskey();
    if (!form.code) throw found.hasCodes ? asksCode("two_factor_required") : asksPasskey();
    return (await proveCode(sql, found.id, form.code, device)) ? found : wrongCode("invalid_credentials");
  });
  if (person instanceof Refusal) throw person;
  await sql.begin(async (tx) => {
    // While a password is checked, staff may decide about its owner, or the owner may change it: so the row is read again under its lock.
    await tx`select from users where id = ${person.id} for no key update`;
    const now = (await credentialsById(tx, person.id)) ?? person;
    if (now.password !== person.password) throw wrongPassword();
    if (now.twoFactor && !person.twoFactor) throw asksCode("two_factor_required");
    await enter(tx, context, now, device, isLongPassword(form.password));
  });
  app.log.info("signed in", { ...whoAsks(context), secondFactor: person.twoFactor });
  tellOfSignIn(app, context, person.id);
  return found(await findUser(sql, person.id));
}

/**
 * Opens a session for somebody who proved who it is, with the person held. Refuses who may not sign in. A browser that was never seen is told
 * by letter. `long`: whether the password that was given is fit for an administrator; null where none was.
 */
export async function enter(tx: Tx, context: RequestContext, now: Credentials, device: string | null, long: boolean | null): Promise<void> {
  refuseSignIn(now, new Date());
  if (now.frozen && device === null) throw frozen();
  await tx`select sign_in_note(id, coalesce(${long}, long_password)) from users where id = ${now.id}`;
  await openSession(tx, context, now.id, now.role);
  if (device === null) await post(tx, now.id, "new_device", whereOf(context));
}

export const tellOfSignIn = ({ bus }: AppContext, { ip }: RequestContext, userId: string) =>
  bus.publish("notice", {
    userId,
    topic: "security",
    kind: "info",
    title: "New sign-in",
    message: `Somebody signed in to your account from ${ip || "an unknown address"}. If it was not you, end that session under Profile and change your password.`,
  });

const ASKS_PASSKEY = "Sign in with your passkey: the password alone does not open this account.";
const asksPasskey = () => new Refusal("two_factor_required", ASKS_PASSKEY, { code: ASKS_PASSKEY });
const wrongPasskey = () => new Refusal("invalid_credentials", WRONG, { code: WRONG });

/** A freeze forgets all devices, so whoever signs in from one that is known did so before. */
const frozen = () =>
  new Refusal("account_frozen", "This account is frozen, since its owner told us of something that was not them. Choose a new password to open it.");

/** What a try to sign in counts against. */
const triesOf = (context: RequestContext, email: string, device: string | null): [Count, ...Count[]] =>
  device
    ? [{ key: `device:${device}`, free: FREE_TRIES, own: true }]
    : [
        { key: `network:${context.network}`, free: FREE_TRIES },
        { key: `account:${email.toLowerCase()}`, free: FREE_TRIES_ELSEWHERE },
      ];

/** Ends the visit's session, and has its browser forget what it kept of this site: the next at the same machine finds nothing. */
export async function signOut(app: AppContext, context: RequestContext) {
  const ended = await endSession(app.sql, context);
  context.headers.set("Clear-Site-Data", '"cache", "storage"');
  if (!ended) return;
  app.log.info("signed out", { ...whoAsks(context), person: ended.userId });
  app.bus.publish("sessions", ended);
}

/** Ends one of the caller's own sessions, and forgets the device that it was on. */
export async function endOwnSession(sql: Sql, bus: Bus, me: Me, sessionId: string) {
  const [ended] = await sql<{ device: string | null }[]>`
    delete from sessions where id = ${sessionId} and user_id = ${me.id} returning device_id as device
  `;
  if (!ended) throw notFound();
  await forgetDevice(sql, ended.device);
  bus.publish("sessions", { userId: me.id, sessionId });
}

/** Ends all sessions of a person but one and forgets their devices, in the caller's transaction; publish after it commits. */
export async function endSessions(sql: Sql, userId: string, except: string | null = null) {
  await forgetDevices(sql, userId, except);
  await sql`delete from sessions where user_id = ${userId} and (${except}::uuid is null or id <> ${except})`;
}

/** Ends everybody's sessions, in the caller's transaction. */
export const endAllSessions = (tx: Tx) => tx`delete from sessions`;

/** Locks the caller's own row. Refuses (unauthorized) whose session was ended while the password was checked. */
export async function lockSelf(tx: Tx, me: Me): Promise<{ role: "user" | "admin" }> {
  const [person] = await tx<{ role: "user" | "admin" }[]>`select role from users where id = ${me.id} for no key update`;
  const [session] = await tx`select from sessions where id = ${me.sessionId}`;
  if (!person || !session) throw new Refusal("unauthorized", "Unauthorized");
  return person;
}

/** Changes the caller's password and ends the caller's other sessions. */
export async function changePassword(app: AppContext, context: RequestContext, me: Me, { password, code, next }: Proof & { next: string }) {
  refuseWeakPassword(next, me.heldBack ? "admin" : me.role, me, "newPassword");
  await proveSelf(app.sql, me, { password, code }, "currentPassword");
  const hash = await hashPassword(next);
  await app.sql.begin(async (tx) => {
    await lockSelf(tx, me);
    await tx`update users set password = ${hash}, long_password = ${isLongPassword(next)}, updated_at = now() where id = ${me.id}`;
    await endSessions(tx, me.id, me.sessionId);
    await tx`update sessions set confirmed_at = now() where id = ${me.sessionId}`;
    await post(tx, me.id, "password_changed", whereOf(context));
  });
  app.bus.publish("sessions", { userId: me.id, sessionId: null });
}

/** When and from where something was done, as letters tell it. */
export const whereOf = ({ ip, userAgent }: Pick<RequestContext, "ip" | "userAgent">) => ({
  at: `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
  ip,
  userAgent,
});

type NewAdmin = { email: string; password: string; name?: string | undefined };

/** What an administrator signs in with. Refuses (invalid) what is no address, as every form does. */
export function adminEmail(text: string): string {
  const email = v.safeParse(signInEmail, text);
  if (!email.success) throw invalidField("email", email.issues[0].message);
  return email.output;
}

/** Refuses (invalid) a password that is unfit for an administrator, or could not be given at sign-in. */
export function refuseUnfitPassword(text: string, email: string) {
  refuseWeakPassword(text, "admin", { email });
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
  refuseUnfitPassword(admin.password, email);
  return { ...name, email, hash: await hashPassword(admin.password), long: true, referrer: null, role: "admin", source: "operator", country: null } as const;
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
 * Sees to it that there is an administrator. The configured one is made where nobody has that address, and never changed. With neither that
 * nor any other, admin@localhost gets a random password, which is returned to be printed once. Logs a warning where the configured one is made
 * beside others, or where the address is a trader's.
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
