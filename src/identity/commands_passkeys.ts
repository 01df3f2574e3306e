import { generateRegistrationOptions, verifyRegistrationResponse } from "@simplewebauthn/server";
import type { BodyOf } from "../lib/endpoint";
import { conflict, found, notFound, Refusal } from "../lib/refusal";
import { post } from "../mail/commands";
import { one, type Sql } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import { endSessions, enter, lockSelf, tellOfSignIn, whereOf } from "./commands";
import { knownDeviceOf } from "./commands_devices";
import { keepChallenge, newChallenge, partyAt, partyOf, proved, spendChallenge, WRONG } from "./commands_passkey_proof";
import { judged } from "./commands_throttle";
import { credentialsById, findUser, isProven } from "./queries";
import { credentialsOf, passkeyColumns, passkeysOf } from "./queries_passkeys";
import { FREE_TRIES } from "./rules";
import type { User } from "./schema";
import { type addPasskey as addCall, type Passkey, passkeyRow } from "./schema_passkeys";
import type { Assertion } from "./schema_assertion";

/** Passkeys (WebAuthn): added and removed with a fresh proof, and used to sign in, as the second step, or as a proof. */

const MOST = 20;
/** Whoever changes how one signs in has proved of late who is there. */
async function refuseUnproven(sql: Sql, me: Me) {
  if (!(await isProven(sql, me))) throw new Refusal("password_required", "Please confirm that it is you, and send this again.");
}

export const listPasskeys = async (app: AppContext, context: RequestContext, me: Me) => ({
  offered: partyOf(app.config, context.url) !== null,
  passkeys: await passkeysOf(app.sql, me.id),
});

/** What a device needs to make a passkey. Refuses (password_required) without a fresh proof, (conflict) beyond twenty. */
export async function beginPasskey(app: AppContext, context: RequestContext, me: Me) {
  const { sql } = app;
  const party = partyAt(app, context);
  await refuseUnproven(sql, me);
  const own = await credentialsOf(sql, me.id);
  if (own.length >= MOST) throw conflict("You have twenty passkeys. Remove one first.");
  const options = await generateRegistrationOptions({
    rpName: app.brand.name,
    rpID: party.id,
    userID: new TextEncoder().encode(me.id),
    userName: me.email,
    userDisplayName: `${me.firstName} ${me.lastName}`,
    challenge: newChallenge(),
    attestationType: "none",
    excludeCredentials: own.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await keepChallenge(sql, options.challenge, "add", me.id);
  return { ...options };
}

const REFUSED = "This passkey was not accepted. Please try again.";

/** Keeps a passkey that a device made. With it an administrator has a second factor; the other sessions, opened without, end. */
export async function addPasskey(app: AppContext, context: RequestContext, me: Me, { name, response }: BodyOf<typeof addCall>): Promise<Passkey> {
  const party = partyAt(app, context);
  await refuseUnproven(app.sql, me);
  const verified = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: (challenge) => spendChallenge(app.sql, challenge, "add", me.id),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    app.log.info("a new passkey was not accepted", { ...whoAsks(context), reason: String(error) });
    return null;
  });
  if (!verified?.verified) throw new Refusal("invalid", REFUSED);
  const { credential } = verified.registrationInfo;
  const made = await app.sql.begin(async (tx) => {
    const { role } = await lockSelf(tx, me);
    const passkey = await one(
      passkeyRow,
      tx`
        insert into passkeys (user_id, credential, public_key, counter, transports, name)
        values (${me.id}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter}, ${response.response.transports}::text[], ${name})
        on conflict (credential) do nothing
        returning ${passkeyColumns(tx)}
      `,
    );
    if (!passkey) throw conflict("This passkey is known already.");
    if (role === "admin") await endSessions(tx, me.id, me.sessionId);
    await post(tx, me.id, "factor_added", { factor: "passkey", name, ...whereOf(context) });
    await note(tx, context, me, role, "passkey.add", name);
    return passkey;
  });
  app.log.info("passkey added", whoAsks(context));
  app.bus.publish("staff", { about: "person" });
  tell(app, me.id, "A passkey was added", `Your account can be signed in to with '${name}' now.`);
  if (me.role === "admin" || me.heldBack) app.bus.publish("sessions", { userId: me.id, sessionId: null });
  return made;
}

const note = async (tx: Sql, { ip, userAgent }: RequestContext, me: Me, role: string, action: string, name: string) => {
  if (role === "admin")
    await tx`select audit_append(${me.id}, ${me.id}, ${action}, ${JSON.stringify({ name })}::text::json, '{}', '{}', '', ${ip}, ${userAgent})`;
};
const tell = ({ bus }: AppContext, userId: string, title: string, message: string) =>
  bus.publish("notice", { userId, topic: "security", kind: "warning", title, message });

export async function renamePasskey(sql: Sql, me: Me, id: string, name: string | undefined): Promise<Passkey> {
  return found(
    await one(
      passkeyRow,
      sql`update passkeys set name = coalesce(${name ?? null}, name) where id = ${id} and user_id = ${me.id} returning ${passkeyColumns(sql)}`,
    ),
  );
}

/** Refuses (password_required) without a fresh proof. */
export async function removePasskey(app: AppContext, context: RequestContext, me: Me, id: string): Promise<void> {
  await refuseUnproven(app.sql, me);
  const name = await app.sql.begin(async (tx) => {
    const { role } = await lockSelf(tx, me);
    const [gone] = await tx<{ name: string }[]>`delete from passkeys where id = ${id} and user_id = ${me.id} returning name`;
    if (!gone) throw notFound();
    await tx`select factor_removed(${me.id})`;
    await post(tx, me.id, "factor_removed", { factor: "passkey", name: gone.name, ...whereOf(context) });
    await note(tx, context, me, role, "passkey.remove", gone.name);
    return gone.name;
  });
  app.log.info("passkey removed", whoAsks(context));
  app.bus.publish("staff", { about: "person" });
  tell(app, me.id, "A passkey was removed", `'${name}' no longer signs in to your account.`);
}

/** Signs in by a passkey alone: the device is one factor, what it asked its owner the other. */
export async function signInByPasskey(app: AppContext, context: RequestContext, response: Assertion): Promise<User> {
  const { sql } = app;
  const verdict = await judged(sql, [{ key: `network:${context.network}`, free: FREE_TRIES }], async () => {
    const held = await proved(app, context, response, null);
    if (!held) return new Refusal("invalid_credentials", WRONG);
    return held;
  });
  if (verdict instanceof Refusal) throw verdict;
  const device = await knownDeviceOf(sql, context, verdict.userId);
  await sql.begin(async (tx) => {
    await tx`select from users where id = ${verdict.userId} for no key update`;
    const now = await credentialsById(tx, verdict.userId);
    const still = await tx`select from passkeys where id = ${verdict.id}`;
    if (!now || still.length === 0) throw new Refusal("invalid_credentials", WRONG);
    context.subject = now;
    await enter(tx, context, now, device, null);
  });
  app.log.info("signed in", { ...whoAsks(context), passkey: true });
  tellOfSignIn(app, context, verdict.userId);
  return found(await findUser(sql, verdict.userId));
}

/** Proves again who is there, by a passkey in the place of the password. Refuses (forbidden) another's. */
export async function confirmByPasskey(app: AppContext, context: RequestContext, me: Me, response: Assertion): Promise<void> {
  const verdict = await judged(app.sql, [{ key: `session:${me.sessionId}`, free: FREE_TRIES, own: true }], async () => {
    const held = await proved(app, context, response, me);
    return held ?? new Refusal("forbidden", WRONG);
  });
  if (verdict instanceof Refusal) throw verdict;
  await app.sql`update sessions set confirmed_at = now() where id = ${me.sessionId}`;
}
