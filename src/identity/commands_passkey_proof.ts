import { generateAuthenticationOptions, verifyAuthenticationResponse } from "@simplewebauthn/server";
import type { Config } from "../config";
import { Refusal } from "../lib/refusal";
import { MINUTE } from "../lib/time";
import type { Sql } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import { counted } from "./commands_throttle";
import { credentialsOf, type HeldPasskey, passkeyByCredential } from "./queries_passkeys";
import type { Assertion } from "./schema_assertion";

/** What a passkey's device is asked to sign, and whether it did (WebAuthn, section 7.2). */

/** For this long a device may take to sign. */
const GOOD_MS = 5 * MINUTE;
/** Challenges for one network in a short time, before each further one has to wait: each open sign-in page asks for one. */
const FREE_CHALLENGES = 200;

type Party = { id: string; origin: string };
type Purpose = "add" | "sign_in" | "confirm";

/**
 * Whom a passkey is for: the host of PUBLIC_URL; without that this very machine under its name. Null where browsers would refuse: on plain
 * http elsewhere, and under an address without a name.
 */
export function partyOf({ publicUrl }: Pick<Config, "publicUrl">, url: URL): Party | null {
  const at = publicUrl === null ? url : new URL(publicUrl);
  const isLocal = at.hostname === "localhost";
  if (publicUrl === null && !isLocal) return null;
  if (at.protocol !== "https:" && !isLocal) return null;
  return /^[\d.]+$|:/.test(at.hostname) ? null : { id: at.hostname, origin: at.origin };
}

const notOffered = () => new Refusal("unavailable_here", "Passkeys need https, or this machine's own name localhost.");
export const partyAt = ({ config }: AppContext, { url }: RequestContext): Party => {
  const party = partyOf(config, url);
  if (!party) throw notOffered();
  return party;
};

export const newChallenge = () => crypto.getRandomValues(new Uint8Array(32));
export async function keepChallenge(sql: Sql, challenge: string, purpose: Purpose, userId: string | null) {
  await sql`insert into passkey_challenges (challenge, purpose, user_id) values (${challenge}, ${purpose}, ${userId})`;
}
/** Uses a challenge up: of any number at once, one has it. */
export async function spendChallenge(sql: Sql, challenge: string, purpose: Purpose, userId: string | null): Promise<boolean> {
  const spent = await sql`
    delete from passkey_challenges
    where challenge = ${challenge} and purpose = ${purpose} and user_id is not distinct from ${userId}
      and created_at > now() - ${GOOD_MS} * interval '1 millisecond'
    returning challenge
  `;
  return spent.length > 0;
}
export const forgetChallenges = (sql: Sql) => sql`delete from passkey_challenges where created_at < now() - ${GOOD_MS} * interval '1 millisecond'`;

/** What a device signs; where somebody is signed in, one of theirs. */
export async function askPasskey(app: AppContext, context: RequestContext, me: Me | null) {
  const party = partyAt(app, context);
  const ask = async () => {
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      challenge: newChallenge(),
      userVerification: "required",
      allowCredentials: me ? (await credentialsOf(app.sql, me.id)).map((id) => ({ id })) : [],
    });
    await keepChallenge(app.sql, options.challenge, me ? "confirm" : "sign_in", me?.id ?? null);
    return { ...options };
  };
  return me ? ask() : counted(app.sql, { key: `passkeys:${context.network}`, free: FREE_CHALLENGES }, ask);
}

export const WRONG = "This passkey is not known here, or took too long. Please try again.";

/**
 * The passkey that signed, if it is known and its signature is right: the device asked its owner, too. Each challenge counts once. `me`: whose
 * it must be, where somebody is signed in.
 */
export async function proved(app: AppContext, context: RequestContext, response: Assertion, me: Me | null): Promise<HeldPasskey | null> {
  const { sql } = app;
  const party = partyAt(app, context);
  const held = await passkeyByCredential(sql, response.id);
  if (!held || (me && held.userId !== me.id)) return null;
  const verified = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: (challenge) => spendChallenge(sql, challenge, me ? "confirm" : "sign_in", me?.id ?? null),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: held.credential, publicKey: new Uint8Array(held.publicKey), counter: held.counter, transports: held.transports as never },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    app.log.info("a passkey was not accepted", { ...whoAsks(context), reason: String(error) });
    return null;
  });
  if (!verified?.verified) return null;
  const { newCounter } = verified.authenticationInfo;
  // A counter that does not grow is a copy's; devices that keep none say 0.
  const used = await sql`
    update passkeys set counter = ${newCounter}, used_at = now()
    where id = ${held.id} and (counter < ${newCounter} or ${newCounter} = 0) returning id
  `;
  return used.length > 0 ? held : null;
}

/** A passkey in the place of a code, after the right password. */
export async function isSecondStep(app: AppContext, context: RequestContext, userId: string, response: Assertion): Promise<boolean> {
  return (await proved(app, context, response, null))?.userId === userId;
}
