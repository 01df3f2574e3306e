import { mayDo, mayNot, type Permission } from "../lib/permissions";
import { conflict, found, notFound, Refusal } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { Sql, Tx } from "../platform/database/db";
import { onceIn } from "../platform/http/idempotency";
import type { Idempotency } from "../platform/http/request_context";
import { Reply } from "../platform/http/routes";
import { entitledOf, othersWith } from "./commands_standing";
import type { SignedDeed, WaitingSignature } from "./schema_signatures";

/**
 * Deeds that take a second person. Locks: one deed about one object is asked for at a time; who decides holds the request, then what the deed
 * itself holds, and last the audit book's head.
 */

/** A deed of this kind: what it changes, and how it is done. `B` is what it is asked with, as JSON. */
export type Deed<B extends object = object, T = unknown> = {
  kind: string;
  deed: SignedDeed;
  /** What both must be allowed. */
  permission: Permission;
  /** What it is about: of one there waits one. */
  object: (body: B) => string;
  title: (body: B, before: object) => string;
  /** What is there now. Refuses (not_found) what it is not about. */
  before: (sql: Sql, body: B) => Promise<object>;
  after: (body: B, before: object) => object;
  /** The body with the version that stands, where it names none: who does it refuses what was changed after `before` was looked at. */
  seen?: (sql: Sql, body: B) => Promise<B>;
  /** Whom it concerns: that person neither asks for it nor signs it. */
  person?: (sql: Sql, body: B) => Promise<string | null>;
  /** Who else neither asks for it nor signs it, as whom it would pay, and what that person is told. */
  barred?: (sql: Sql, body: B) => Promise<{ id: string; why: string } | null>;
  /** USD, where the rule begins above an amount; null: not known, and so above any. */
  worth?: (sql: Sql, body: B) => Promise<string | null>;
  /** Refuses what could not be done, before it waits. */
  fit?: (sql: Sql, body: B) => Promise<void>;
  /** Whether the rule means it at all. */
  counts?: (body: B, before: object) => boolean;
  /** Whether it takes two whatever the rule says: nobody may do it alone. */
  always?: (sql: Sql, body: B) => Promise<boolean>;
  /** Does it, in the signer's transaction. */
  run: (tx: Tx, act: Act, body: B) => Promise<T>;
  /** Whom doing it paid who had no say in it; null: nobody. */
  paid?: (answer: T) => string | null;
  /** What of that the signer is answered; all of it where this is not said. */
  shown?: (answer: T) => object;
  /** After the commit. */
  told?: (answer: T) => void;
};

const SIGN: Permission = "signatures.sign";

/** Whether the rule of this deed is on for so much. With `rules` it always is. */
async function isRuled<B extends object, T>(tx: Sql, deed: Deed<B, T>, body: B, before: object): Promise<boolean> {
  if (deed.counts && !deed.counts(body, before)) return false;
  if (deed.deed === "rules" || (await deed.always?.(tx, body))) return true;
  const worth = deed.worth ? await deed.worth(tx, body) : null;
  const [rule] = await tx<{ on: boolean }[]>`
    select is_on and (above is null or ${worth}::numeric is null or ${worth}::numeric > above) as on from signature_rules where deed = ${deed.deed}
  `;
  return rule?.on ?? false;
}

const note = (tx: Tx, act: Act, person: string | null, action: string, details: object, before: object, after: object, reason: string) => tx`
  select audit_append(
    ${act.admin.id}, ${person}, ${action}, ${JSON.stringify(details)}::text::json, ${JSON.stringify(before)}::text::json, ${JSON.stringify(after)}::text::json,
    ${reason}, ${act.ip}, ${act.userAgent}
  )
`;

/** Whether the rule of this deed is on at all: one look, before anything is held. */
async function isOn<B extends object, T>(sql: Sql, { deed, always }: Deed<B, T>, body: B): Promise<boolean> {
  if (deed === "rules" || (await always?.(sql, body))) return true;
  return (await sql`select from signature_rules where deed = ${deed} and is_on`).length > 0;
}

type Asked<B extends object> = {
  body: B;
  reason?: string;
  key?: Idempotency | null;
  /** What else may refuse it, before it waits. */
  first?: () => Promise<void>;
};

type Two = { before: object; person: string | null; barred: { id: string; why: string } | null };
/** Whom it concerns and what it would change, where it takes two; null where the actor may do it alone, as whoever has no second person must. */
async function needsTwo<B extends object, T>(tx: Sql, act: Act, deed: Deed<B, T>, body: B): Promise<Two | null> {
  const before = await deed.before(tx, body);
  if (!(await isRuled(tx, deed, body, before))) return null;
  const person = (await deed.person?.(tx, body)) ?? null;
  const barred = (await deed.barred?.(tx, body)) ?? null;
  return (await hasSigner(tx, deed.permission, [act.admin.id, person, barred?.id])) ? { before, person, barred } : null;
}

/** Whether somebody beside these could sign what takes this permission. */
async function hasSigner(sql: Sql, permission: Permission, beside: (string | null | undefined)[]): Promise<boolean> {
  const others = await othersWith(
    sql,
    permission,
    beside.filter((id) => typeof id === "string"),
  );
  return others.some((other) => mayDo(other, SIGN));
}

/** Whether the actor may not do it alone, as things stand. */
export const takesTwo = async <B extends object, T>(sql: Sql, act: Act, deed: Deed<B, T>, body: B): Promise<boolean> =>
  (await isOn(sql, deed, body)) && (await needsTwo(sql, act, deed, body)) !== null;

/** Refuses (second_approval) what is decided among many and takes two: it is asked for by itself. */
export async function refuseTwo<B extends object, T>(sql: Sql, act: Act, deed: Deed<B, T>, body: B): Promise<void> {
  if (await takesTwo(sql, act, deed, body)) throw new Refusal("second_approval", "This takes a second signature. Do it by itself, and somebody else signs.");
}

/** Asks for a second signature, where the rules want one and there is somebody who could give it; null where the actor goes on alone. */
async function ask<B extends object, T>(tx: Tx, act: Act, deed: Deed<B, T>, { body, reason = "", first }: Asked<B>): Promise<WaitingSignature | null> {
  const object = deed.object(body);
  const two = await needsTwo(tx, act, deed, body);
  if (two === null) return null;
  const { before, person, barred } = two;
  // The first of the two signs as well.
  if (person === act.admin.id) throw new Refusal("forbidden", "This is about yourself. Somebody else asks for it.");
  if (barred?.id === act.admin.id) throw new Refusal("forbidden", barred.why);
  await deed.fit?.(tx, body);
  await first?.();
  await tx`select pg_advisory_xact_lock(hashtextextended(${`${deed.kind} ${object}`}, 7215220))`;
  const waits = await tx`
    select from signatures s
    where s.kind = ${deed.kind} and s.object = ${object} and s.expires_at > clock_timestamp()
      and not exists (select from signature_decisions d where d.signature_id = s.id)
    limit 1
  `;
  if (waits.length > 0) throw conflict("This waits for a second signature already.");
  const title = deed.title(body, before).slice(0, 300);
  const after = deed.after(body, before);
  const json = (value: object) => JSON.stringify(value);
  const [made] = await tx<{ id: string; createdAt: string; expiresAt: string }[]>`
    insert into signatures (deed, kind, permission, object, title, admin_id, user_id, body, before, after, reason)
    values (
      ${deed.deed}, ${deed.kind}, ${deed.permission}, ${object}, ${title}, ${act.admin.id}, ${person}, ${json(body)}::text::jsonb,
      ${json(before)}::text::jsonb, ${json(after)}::text::jsonb, ${reason}
    )
    returning id, created_at as "createdAt", expires_at as "expiresAt"
  `;
  const { id, ...times } = found(made ?? null);
  await note(tx, act, person, "signature.ask", { signatureId: id, deed: deed.deed, title }, before, { ...after, status: "pending_second_approval" }, reason);
  return { status: "pending_second_approval", id, deed: deed.deed, title, ...times };
}

/**
 * Does what `alone` does, or asks for a second signature first (202), as the rules say. Under the caller's key a repeat hears the first answer.
 * `alone` is given the body as it was judged: with a version where the deed has one and somebody else could sign, so that nothing is done alone to
 * what takes two by then.
 */
export async function doOrAsk<B extends object, T, R>(
  app: AppContext,
  act: Act,
  deed: Deed<B, T>,
  given: Asked<B>,
  alone: (body: B) => Promise<R>,
): Promise<R | Reply<WaitingSignature>> {
  if (!(await isOn(app.sql, deed, given.body))) return alone(given.body);
  const asked = await app.sql
    .begin((tx) =>
      onceIn(tx, act.admin.id, given.key ?? null, 202, async () => {
        const body = deed.seen ? await deed.seen(tx, given.body) : given.body;
        const waits = await ask(tx, act, deed, { ...given, body });
        // Nothing is kept under the key: what is done alone keeps its own answer.
        if (waits === null) throw new GoOn((await hasSigner(tx, deed.permission, [act.admin.id])) ? body : given.body);
        return waits;
      }),
    )
    .catch((error: unknown) => {
      if (error instanceof GoOn) return error;
      throw error;
    });
  if (asked instanceof GoOn) return alone(asked.body as B);
  if (!asked.repeated) {
    app.bus.publish("staff", { about: "signature" });
    app.bus.publish("raised", {});
  }
  return new Reply(asked.status, asked.answer);
}

/** The actor goes on alone. */
class GoOn extends Error {
  constructor(readonly body: object) {
    super();
  }
}

type Held = {
  id: string;
  kind: string;
  deed: SignedDeed;
  permission: Permission;
  title: string;
  adminId: string;
  userId: string | null;
  body: object;
  before: object;
  after: object;
  reason: string;
  decided: string | null;
  isOver: boolean;
};

/** What waits, held until the command ends. Refuses who signs what he asked for, whom it concerns, who may not, and what is decided or over. */
async function hold(tx: Tx, act: Act, id: string, word: "sign" | "decline"): Promise<Held> {
  await tx`select signature_hold(${id})`;
  const [held] = await tx<Held[]>`
    select s.id, s.kind, s.deed, s.permission, s.title, s.admin_id as "adminId", s.user_id as "userId", s.body, s.before, s.after, s.reason,
      d.decision as decided, s.expires_at <= clock_timestamp() as "isOver"
    from signatures s
    left join signature_decisions d on d.signature_id = s.id
    where s.id = ${id}
  `;
  if (!held) throw notFound();
  if (word === "sign" && held.adminId === act.admin.id) throw new Refusal("forbidden", "You asked for this. Somebody else signs it.");
  if (held.userId === act.admin.id) throw new Refusal("forbidden", "This is about yourself. Somebody else signs it.");
  if (!mayDo(act.admin, held.permission)) throw new Refusal("forbidden", mayNot(held.permission));
  if (held.decided) throw conflict(`This is already ${held.decided}.`);
  if (held.isOver) throw conflict("Nobody signed this within a day, so it is over. It can be asked for again.");
  return held;
}

const decided = (tx: Tx, act: Act, id: string, decision: "signed" | "declined", reason: string) =>
  tx`insert into signature_decisions (signature_id, admin_id, decision, reason) values (${id}, ${act.admin.id}, ${decision}, ${reason})`;

/** Compares as JSON does, whatever the order of keys. */
const isSame = (a: unknown, b: unknown): boolean => Bun.deepEquals(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));

/**
 * The second person's yes: the deed is done in the same transaction. Refuses (forbidden) where one of the two became an administrator within the
 * last day, and where it would pay the one who asked; (conflict) where the one who asked may not do it any more, and where what it would change is another by now.
 */
export async function signDeed(app: AppContext, deeds: readonly Deed[], act: Act, id: string): Promise<object> {
  const { answer, deed } = await app.sql.begin(async (tx) => {
    const held = await hold(tx, act, id, "sign");
    await tx`select refuse_new_admin(${held.adminId}, ${act.admin.id})`;
    const asker = await entitledOf(tx, held.adminId);
    if (!asker?.isActive || !mayDo(asker, held.permission)) throw conflict("Who asked for this may not do it any more. Ask for it yourself.");
    const known = deeds.find(({ kind }) => kind === held.kind);
    if (!known) throw conflict("This program can't do that any more. Decline it.");
    if (!isSame(await known.before(tx, held.body), held.before)) throw conflict("What this would change is another by now. Decline it, and ask again.");
    await decided(tx, act, id, "signed", "");
    const done = await known.run(tx, act, held.body);
    if (known.paid?.(done) === held.adminId) throw new Refusal("forbidden", "This would pay who asked for it. Decline it, and ask for it yourself.");
    await note(
      tx,
      act,
      held.userId,
      "signature.sign",
      { signatureId: id, deed: held.deed, title: held.title, askedBy: held.adminId },
      held.before,
      held.after,
      held.reason,
    );
    return { answer: done, deed: known };
  });
  deed.told?.(answer);
  app.bus.publish("staff", { about: "signature" });
  app.bus.publish("raised", {});
  return deed.shown ? deed.shown(answer) : (answer as object);
}

/** The second person's no, or the first's, who takes it back. */
export async function declineDeed(app: AppContext, act: Act, id: string, reason: string) {
  await app.sql.begin(async (tx) => {
    const held = await hold(tx, act, id, "decline");
    await decided(tx, act, id, "declined", reason);
    const details = { signatureId: id, deed: held.deed, title: held.title, askedBy: held.adminId };
    const action = held.adminId === act.admin.id ? "signature.take_back" : "signature.decline";
    await note(tx, act, held.userId, action, details, { status: "pending_second_approval" }, { status: "declined" }, reason);
  });
  app.bus.publish("staff", { about: "signature" });
  return { status: "declined" as const, id, reason };
}
