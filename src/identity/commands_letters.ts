import { found, Refusal } from "../lib/refusal";
import { hashOfToken, post } from "../mail/commands";
import { leavingOf, linkOwner } from "../mail/queries";
import type { Sql } from "../platform/database/db";
import type { Act, AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import { whoAsks } from "../platform/http/refused";
import { hashPassword } from "../platform/password";
import { inTurn } from "../platform/turns";
import { lockSelf, refuseSelf, whereOf } from "./commands";
import { lockStaff } from "./commands_standing";
import { chooseNotices } from "./commands_notices";
import { type Proof, proveSelf } from "./commands_proof";
import { counted } from "./commands_throttle";
import { findUser } from "./queries";
import { isLongPassword } from "./rules";
import type { User } from "./schema";
import type { EmailTopic } from "./schema_notices";
import { refuseWeakPassword } from "./weak_passwords";

/** What begins with a letter, and what the links in letters do. */

/** How many letters one network may ask for before each further one has to wait, and how many go to one address or person. */
const FREE_ASKS = 30;
const FREE_LETTERS = 3;

export const OVER = "This link has been used, has expired, or was not copied whole. Ask for a new letter.";

/**
 * Asks for a letter with a new password. Whether anybody has the address is looked up later, by the program that leads (`resets_take`), so the
 * same is done here in either case. One network that asks too often is refused (too_many_requests); what is asked too often for one address is
 * dropped without a word, or strangers could make its owner wait.
 */
export async function forgotPassword({ sql, log }: AppContext, context: RequestContext, email: string): Promise<void> {
  await counted(sql, { key: `forgot:${context.network}`, free: FREE_ASKS }, async () => {
    const ask = () => sql`insert into reset_asks (email, ip) values (${email}, ${context.ip})`;
    await counted(sql, { key: `forgotten:${email.toLowerCase()}`, free: FREE_LETTERS }, ask).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === "too_many_requests")) throw error;
    });
  });
  log.info("a new password was asked for", whoAsks(context));
}

/** Looks up who asked, and leaves them their letters. Called by the program that leads. */
export const takeResets = (sql: Sql) => sql`select resets_take()`;

const linkRefused = () => new Refusal("link_over", OVER);

/** The role, name and address of a link's person: what a new password may not be made of. Refuses (link_over). */
async function ownerOf(sql: Sql, token: string) {
  const id = await linkOwner(sql, token, "reset");
  const owner = id && (await findUser(sql, id));
  if (!owner) throw linkRefused();
  return owner;
}

/**
 * Chooses a new password by a letter's link. Ends every session and stream; the second factor stays. Refuses (link_over, invalid). Uses of one
 * link take turns: the first of many costs a hash, the others find it over, so that no link keeps others from signing in.
 */
export async function resetPassword(app: AppContext, context: RequestContext, token: string, next: string): Promise<void> {
  const { sql, bus, log } = app;
  const owner = await inTurn(`link:${hashOfToken(token)}`, async () => {
    const whose = await ownerOf(sql, token);
    refuseWeakPassword(next, whose.role, whose);
    const hash = await hashPassword(next);
    await sql`
      select password_reset(
        ${hashOfToken(token)}, ${hash}, ${isLongPassword(next)}, ${told(context)}::text::jsonb, ${context.ip}, ${context.userAgent}
      )
    `;
    return whose;
  });
  // Whose password is another is no guesser any more.
  await sql`delete from throttles where key = ${`account:${owner.email.toLowerCase()}`}`;
  log.info("password reset by letter", { ...whoAsks(context), person: owner.id });
  bus.publish("sessions", { userId: owner.id, sessionId: null });
  bus.publish("staff", { about: "person" });
}

const told = (context: RequestContext) => JSON.stringify(whereOf(context));
type Done = { person: string };
const only = (rows: readonly Done[]): string => rows[0]?.person ?? "";

/** Confirms the address that a letter went to. Refuses (link_over), and (conflict, account_frozen) a change that can't be. */
export async function verifyEmail({ sql, bus }: AppContext, context: RequestContext, token: string): Promise<User> {
  const person = only(
    await sql<Done[]>`
    select email_verify(${hashOfToken(token)}, ${told(context)}::text::jsonb, ${context.ip}, ${context.userAgent}) as person
  `,
  );
  bus.publish("standing", { userId: person });
  bus.publish("staff", { about: "person" });
  return found(await findUser(sql, person));
}

/** Sends the letter again by which the caller's address is verified. Refuses (too_many_requests); does nothing where it is verified. */
export async function sendVerification({ sql }: AppContext, me: Me): Promise<void> {
  const user = found(await findUser(sql, me.id));
  if (user.isEmailVerified) return;
  await counted(sql, { key: `letters:${me.id}`, free: FREE_LETTERS }, () => sql.begin((tx) => post(tx, me.id, "verify_email")));
}

/** Asks for another address. Refuses (forbidden, code_required) without a right proof, (conflict) a taken one, (account_frozen). */
export async function changeEmail(app: AppContext, context: RequestContext, me: Me, { email, ...proof }: Proof & { email: string }) {
  const { sql, config, log, bus } = app;
  await proveSelf(sql, me, proof, "password");
  const pending = config.smtp !== null;
  await counted(sql, { key: `letters:${me.id}`, free: FREE_LETTERS }, () =>
    sql.begin(async (tx) => {
      await lockSelf(tx, me);
      await tx`select email_ask(${me.id}, ${email}, ${pending}, ${told(context)}::text::jsonb, ${context.ip}, ${context.userAgent})`;
    }),
  );
  log.info("another address was asked for", whoAsks(context));
  if (!pending) bus.publish("staff", { about: "person" });
  return { pending };
}

/** Ends what the sessions of a person show, after the commit that ended them. */
function ended({ bus }: AppContext, userId: string) {
  bus.publish("sessions", { userId, sessionId: null });
  bus.publish("raised", {});
  bus.publish("staff", { about: "person" });
}

/** Takes a change of address back, by the letter to the old one. Refuses (link_over), and (conflict) where somebody else has it by now. */
export async function takeBackEmail(app: AppContext, context: RequestContext, token: string): Promise<void> {
  const person = only(await app.sql<Done[]>`select email_take_back(${hashOfToken(token)}, ${context.ip}, ${context.userAgent}) as person`);
  app.log.warn("a change of address was taken back", { ...whoAsks(context), person });
  ended(app, person);
}

/** 'This was not me'. Refuses (link_over). */
export async function freezeAccount(app: AppContext, context: RequestContext, token: string): Promise<void> {
  const person = only(await app.sql<Done[]>`select account_freeze(${hashOfToken(token)}, ${context.ip}, ${context.userAgent}) as person`);
  app.log.warn("an account was frozen by its owner", { ...whoAsks(context), person });
  ended(app, person);
}

/** Opens an account again that its owner froze. Refuses (conflict) one that is not frozen. */
export async function releaseAccount(app: AppContext, act: Act, target: string, reason: string): Promise<{ user: User }> {
  refuseSelf(act.admin, target);
  await app.sql.begin(async (tx) => {
    await lockStaff(tx, act, target);
    await tx`select account_release(${act.admin.id}, ${target}, ${reason}, ${act.ip}, ${act.userAgent})`;
  });
  app.bus.publish("staff", { about: "person" });
  return { user: found(await findUser(app.sql, target)) };
}

/** Sends no more letters of the topic that this one was of. The same link does it again, to no harm. Refuses (link_over). */
export async function leaveTopic(sql: Sql, token: string): Promise<EmailTopic> {
  const leaving = await leavingOf(sql, token);
  if (!leaving?.topic) throw linkRefused();
  await chooseNotices(sql, leaving.userId, { email: { [leaving.topic]: false } });
  return leaving.topic;
}
