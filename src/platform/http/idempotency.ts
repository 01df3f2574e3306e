import { Refusal, unauthorized } from "../../lib/refusal";
import type postgres from "postgres";
import { type Db, foretold, refusalOf, type Sql, type Tx } from "../database/db";
import type { By } from "../app_context";
import { type Idempotency, Reply, statusOf } from "./routes";

/** What our SQL commands answer: the status and the object; `repeated` where an Idempotency-Key was seen before. */
export type Done<T> = { status: number; answer: T; repeated?: boolean };

/** Hears what a command answers while that is still being written to the disk (`foretold`). */
export type Foretell<T> = (done: Done<T>) => void;

/** What a command's SQL function answered, in its column `done`. */
export async function done<T>(query: PromiseLike<readonly { done: unknown }[]>): Promise<T> {
  const [row] = await query;
  if (!row) throw new Error("a command answered nothing");
  return row.done as T;
}

type DoneBy = { done: unknown; userId: string; idle: number };

/**
 * The answer of a command whose statement looks the session up too, with its person; `foretell` hears it before it is sure (`foretold`). Refuses
 * (unauthorized) a session that opens nothing.
 */
export async function doneBy<T extends object>(by: By, query: postgres.PendingQuery<DoneBy[]>, foretell?: (done: T) => void): Promise<T & { userId: string }> {
  const row = foretell ? await foretold(query, ({ done }) => foretell(done as T)) : (await query)[0];
  if (!row) throw unauthorized();
  if ("used" in by) by.used(row.idle);
  return { ...(row.done as T), userId: row.userId };
}

/** A refusal that a repeat must hear again; one that says 'later', or asks for the password first, is no answer yet. */
const isFinal = (refusal: Refusal) => refusal.code !== "password_required" && ![401, 429, 503].includes(statusOf(refusal));

/**
 * Runs a command that honours an Idempotency-Key in SQL (once_begin, once_end), and remembers a refusal too, so that the
 * same key always hears the first answer.
 */
export async function once<T, D extends Done<T> = Done<T>>(
  sql: Db,
  by: By,
  key: Idempotency | null,
  command: () => Promise<D & Done<T>>,
): Promise<{ reply: Reply<T>; done: D }> {
  try {
    const done = await command();
    return { reply: new Reply(done.status, done.answer), done };
  } catch (error) {
    const refusal = refusalOf(error);
    if (key && refusal && isFinal(refusal)) await remember(sql, "id" in by ? by.id : (await by.meet()).id, key, refusal);
    throw refusal ?? error;
  }
}

/** Runs a command of several statements under the key, within their transaction: a repeat waits for the first one's end and hears its answer. */
export async function onceIn<T>(tx: Tx, userId: string, key: Idempotency | null, status: number, command: () => Promise<T>): Promise<Done<T>> {
  if (!key) return { status, answer: await command() };
  const [begun] = await tx<{ earlier: Done<T> | null }[]>`select once_begin(${userId}, ${key.key}, ${key.fingerprint}) as earlier`;
  if (begun?.earlier) return begun.earlier;
  const answer = await command();
  await tx`select once_end(${userId}, ${key.key}, ${status}, ${JSON.stringify(answer)}::text::json)`;
  return { status, answer };
}

async function remember(sql: Db, userId: string, { key, fingerprint }: Idempotency, { code, message, fields }: Refusal) {
  const answer = JSON.stringify(fields ? { message, code, fields } : { message, code });
  await sql`
    insert into idempotency (user_id, key, fingerprint, status, answer)
    values (${userId}, ${key}, ${fingerprint}, ${statusOf(new Refusal(code, message))}, ${answer}::text::json)
    on conflict do nothing
  `;
}

/** A repeat with the same key is answered for this long. */
const KEPT = "7 days";

/** Throws out the answers that no repeat will ask for any more. */
export const forgetAnswers = (sql: Sql) => sql`delete from idempotency where created_at < now() - ${KEPT}::interval`;
