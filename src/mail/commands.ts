import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import { GOOD_FOR, GIVEN_UP_MS, PAGE_OF, type Purpose, waitAfter } from "./rules";

/** What became of a letter that was given to the mail server. */
export type Outcome = { to: "sent" | "failed" | "again"; answer: string };

const takenRow = v.strictObject({
  id: v.string(),
  userId: v.nullable(v.string()),
  address: v.string(),
  kind: v.string(),
  facts: v.record(v.string(), v.unknown()),
  attempts: v.number(),
  /** How often it was being given to the server when its program died. */
  handed: v.number(),
  createdAt: v.string(),
  firstName: v.nullable(v.string()),
});
export type TakenLetter = v.InferOutput<typeof takenRow>;

/**
 * Takes the letter that has been due the longest, for `leaseMs`: until then nobody else takes it, whichever program asks. One that is killed
 * meanwhile leaves it to be sent after that, under the same Message-ID.
 */
export const takeLetter = (sql: Sql, leaseMs: number): Promise<TakenLetter | null> =>
  one(
    takenRow,
    sql`
      with taken as (
        update letters
        set attempts = attempts + 1, due_at = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
        where id = (select id from letters where status = 'waiting' and due_at <= clock_timestamp() order by due_at limit 1 for update skip locked)
        returning id, user_id, address, kind, facts, attempts, handed, created_at
      )
      select t.id, t.user_id as "userId", t.address, t.kind, t.facts, t.attempts, t.handed, t.created_at as "createdAt", u.first_name as "firstName"
      from taken t left join users u on u.id = t.user_id
    `,
  );

/** Notes that the server is about to have it whole: whoever dies before the outcome is noted leaves this behind. */
export const noteHanded = (sql: Sql, id: string) => sql`update letters set handed = handed + 1 where id = ${id} and status = 'waiting'`;

/** Notes what became of it; what is to be tried again after a day of tries has failed. */
export async function settleLetter(sql: Sql, { id, attempts }: Pick<TakenLetter, "id" | "attempts">, { to, answer }: Outcome): Promise<void> {
  const said = plain(answer);
  if (to === "again")
    await sql`
      update letters
      set answer = ${said}, handed = 0, due_at = clock_timestamp() + ${waitAfter(attempts)} * interval '1 millisecond',
        status = case when created_at < clock_timestamp() - ${GIVEN_UP_MS} * interval '1 millisecond' then 'failed' else 'waiting' end,
        ended_at = case when created_at < clock_timestamp() - ${GIVEN_UP_MS} * interval '1 millisecond' then clock_timestamp() end
      where id = ${id} and status = 'waiting'
    `;
  else await sql`update letters set answer = ${said}, status = ${to}, ended_at = clock_timestamp() where id = ${id} and status = 'waiting'`;
}

/** A server's words as one line that can be kept and shown. */
const plain = (answer: string) =>
  answer
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
    .toWellFormed()
    .trim()
    .slice(0, 500);

/** Where no mail server is set, letters stay here, and say so. */
export const keepUnsent = (sql: Sql, why: string) =>
  sql`update letters set status = 'kept', answer = ${why}, ended_at = clock_timestamp() where status = 'waiting' and due_at <= clock_timestamp()`;

/** 256 random bits as a link carries them. */
const newToken = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** What is kept of a token; of anything else a hash that no token has. */
export const hashOfToken = (token: string) => new Bun.CryptoHasher("sha256").update(TOKEN.test(token) ? token : "").digest("hex");

export type Links = Partial<Record<Purpose, string>>;

/**
 * Makes the links that this letter brings: good from now on, and readable in this answer alone. A letter that was taken back meanwhile gets
 * none (`letters_end` holds its row).
 */
export async function makeLinks(sql: Sql, letter: { id: string; userId: string | null }, wanted: readonly Purpose[], base: string): Promise<Links> {
  if (letter.userId === null || wanted.length === 0) return {};
  const made = wanted.map((purpose) => ({ purpose, token: newToken() }));
  const kept = await sql`
    with letter as (
      select id, user_id from letters where id = ${letter.id} and status <> 'recalled' for no key update
    )
    insert into letter_links (hash, letter_id, user_id, purpose, expires_at)
    select k.hash, l.id, l.user_id, k.purpose, clock_timestamp() + k.ms * interval '1 millisecond'
    from letter l, unnest(
      ${made.map(({ token }) => hashOfToken(token))}::text[], ${wanted as string[]}::text[], ${wanted.map((purpose) => GOOD_FOR[purpose])}::float8[]
    ) as k (hash, purpose, ms)
    returning hash
  `;
  if (kept.length === 0) return {};
  return Object.fromEntries(made.map(({ purpose, token }) => [purpose, `${base}${PAGE_OF[purpose]}?token=${token}`]));
}

/** Leaves a letter for a person in the caller's transaction. In SQL: `perform letter_post(…)`. */
export async function post(tx: Sql, userId: string, kind: string, facts: object = {}, address: string | null = null): Promise<void> {
  await tx`select letter_post(${userId}, ${kind}, ${JSON.stringify(facts)}::text::jsonb, ${address})`;
}

/** Letters are kept for ninety days. */
export async function forgetLetters(sql: Sql): Promise<void> {
  // The last one to who left goes with the address.
  await sql`
    delete from letters
    where status <> 'waiting' and (created_at < now() - interval '90 days' or (kind = 'account_closed' and ended_at < now() - interval '1 day'))
  `;
  await sql`delete from letter_links where expires_at < now() - interval '30 days'`;
}

/** On the first days of a month (UTC; `at`, an instant, else now), leaves the statement of the month before. */
export async function postStatements(sql: Sql, at: string | null = null): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select letter_statements((date_trunc('month', today) - interval '1 month')::date) as count
    from (select coalesce(${at}::timestamptz, now()) at time zone 'UTC' as today) t
    where extract(day from today) <= 3
  `;
  return row?.count ?? 0;
}
