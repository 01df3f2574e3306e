import type { Sql } from "../platform/database/db";
import type { RequestContext } from "../platform/http/routes";
import { cookieOf, hashOf, newToken, setCookie } from "./cookies";

/** Browsers in which somebody signed in before. The cookie opens nothing; it keeps strangers' guesses from locking its owner out. */

const COOKIE = "device";
/** In seconds; a sign-in begins it anew. */
const REMEMBERED = 365 * 86_400;
/** Of each person, the ones used last. */
const MOST = 20;

/** The browser's device where this address signed in before, or null. */
export async function knownDevice(sql: Sql, context: RequestContext, email: string): Promise<string | null> {
  const token = cookieOf(context, COOKIE);
  if (!token) return null;
  const [device] = await sql<{ id: string }[]>`
    select d.id
    from devices d
    join users u on u.id = d.user_id
    where d.token_hash = ${hashOf(token)} and lower(u.email) = lower(${email})
  `;
  return device?.id ?? null;
}

/** The same of a person who is known already. */
export async function knownDeviceOf(sql: Sql, context: RequestContext, userId: string): Promise<string | null> {
  const token = cookieOf(context, COOKIE);
  if (!token) return null;
  const [device] = await sql<{ id: string }[]>`select id from devices where token_hash = ${hashOf(token)} and user_id = ${userId}`;
  return device?.id ?? null;
}

/** Who signed in last in this browser; null where it was never seen, or forgotten. */
export async function lastPersonHere(sql: Sql, context: RequestContext): Promise<string | null> {
  const token = cookieOf(context, COOKIE);
  if (!token) return null;
  const [last] = await sql<{ person: string }[]>`
    select user_id as person from devices where token_hash = ${hashOf(token)} order by seen_at desc, id limit 1
  `;
  return last?.person ?? null;
}

/** Remembers the browser for who signs in, and puts its cookie on the answer. Several people of one browser share the cookie. */
export async function rememberDevice(sql: Sql, context: RequestContext, userId: string): Promise<string> {
  const shown = cookieOf(context, COOKIE);
  // Only a token that we gave out is accepted: a planted cookie is replaced.
  const ours = shown !== null && (await sql`select from devices where token_hash = ${hashOf(shown)} limit 1`).length > 0;
  const token = ours ? shown : newToken();
  const [device] = await sql<{ id: string }[]>`
    insert into devices (user_id, token_hash) values (${userId}, ${hashOf(token)})
    on conflict (user_id, token_hash) do update set seen_at = now()
    returning id
  `;
  await sql`
    delete from devices where user_id = ${userId} and id not in (
      select id from devices where user_id = ${userId} order by seen_at desc, id limit ${MOST}
    )
  `;
  setCookie(context, COOKIE, token, REMEMBERED);
  return (device as { id: string }).id;
}

/** Forgets a device without any session left: a person who ends a session does not trust its device. */
export const forgetDevice = async (sql: Sql, device: string | null) => {
  await sql`delete from devices where id = ${device} and not exists (select from sessions where device_id = devices.id)`;
};

/** Forgets all devices of a person but that of one session. */
export const forgetDevices = async (sql: Sql, userId: string, exceptOf: string | null) => {
  await sql`
    delete from devices
    where user_id = ${userId} and id is distinct from (select device_id from sessions where id = ${exceptOf})
  `;
};

/** Throws out what nobody came back with. */
export const forgetOldDevices = (sql: Sql) => sql`delete from devices where seen_at < now() - make_interval(secs => ${REMEMBERED})`;
