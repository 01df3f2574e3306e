import type * as v from "valibot";
import type { Db, Sql } from "../platform/database/db";
import type { Me } from "../platform/app_context";
import type { deviceBody, ownDeviceBody } from "./schema_push";

/** Of one person; the oldest makes room. */
const MOST_OF_ONE = 20;
/** A device that failed this often in a row, and took nothing for a week, is dead. */
const DEAD_AFTER = 20;

type Kept = v.InferOutput<typeof ownDeviceBody>;

/**
 * Keeps a device for what staff are told, in place of what was known of it: one browser has one subscription, whoever signs in there.
 * What the same person wants there beside it stays.
 */
export const keepDevice = (sql: Db, me: Me, { kinds, ...device }: v.InferOutput<typeof deviceBody>, userAgent: string): Promise<void> =>
  keep(sql, me, device, userAgent, { kinds: [...new Set(kinds)] });

/** The same for what concerns its person. */
export const keepOwnDevice = (sql: Db, me: Me, device: Kept, userAgent: string): Promise<void> => keep(sql, me, device, userAgent, { own: true });

async function keep(sql: Db, me: Me, { endpoint, keys }: Kept, userAgent: string, { kinds, own }: { kinds?: string[]; own?: true }): Promise<void> {
  await sql.begin(async (tx) => {
    const [before] = await tx<{ kinds: string[]; own: boolean }[]>`select kinds, own from push_devices where endpoint = ${endpoint} and admin_id = ${me.id}`;
    await tx`
      insert into push_devices (admin_id, session_id, endpoint, p256dh, auth, kinds, own, user_agent)
      values (
        ${me.id}, ${me.sessionId}, ${endpoint}, ${keys.p256dh}, ${keys.auth}, ${kinds ?? before?.kinds ?? []}::text[], ${own ?? before?.own ?? false}, ${userAgent}
      )
      on conflict (endpoint) do update set
        admin_id = excluded.admin_id, session_id = excluded.session_id, p256dh = excluded.p256dh, auth = excluded.auth, kinds = excluded.kinds,
        own = excluded.own, user_agent = excluded.user_agent, failures = 0
    `;
    await tx`
      delete from push_devices
      where id in (select id from push_devices where admin_id = ${me.id} order by created_at desc, id offset ${MOST_OF_ONE})
    `;
  });
}

export const dropDevice = (sql: Sql, me: Me, endpoint: string) => sql`delete from push_devices where admin_id = ${me.id} and endpoint = ${endpoint}`;

/** Signed out there, or everywhere: nothing more comes to that device. */
export const dropDevicesOf = (sql: Sql, userId: string, sessionId: string | null) =>
  sql`delete from push_devices where admin_id = ${userId} and (${sessionId}::uuid is null or session_id = ${sessionId})`;

export const dropDead = (sql: Sql, id: string) => sql`delete from push_devices where id = ${id}`;

export const noteTold = (sql: Sql, id: string) => sql`update push_devices set told_at = now(), failures = 0 where id = ${id}`;

/** Counts a failure; too many in a row, over too long a time, end the device. */
export async function noteFailure(sql: Sql, id: string): Promise<void> {
  await sql`update push_devices set failures = failures + 1 where id = ${id}`;
  await sql`delete from push_devices where id = ${id} and failures >= ${DEAD_AFTER} and coalesce(told_at, created_at) < now() - interval '7 days'`;
}
