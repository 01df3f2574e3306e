import * as v from "valibot";
import type { Entitled } from "../lib/permissions";
import { many, one, type Sql } from "../platform/database/db";
import { type Notification, notificationRow, type NotificationType, type Unread } from "./schema";

/** More unread than this are not counted. */
const MOST_UNREAD = 1000;

type Filter = { status?: "all" | "unread" | undefined; type?: NotificationType | undefined; limit: number };

/** Who reads: told is what this person may know of. */
export type Reader = Entitled & { id: string };
const mayKnow = (sql: Sql, { permissions }: Entitled) => sql`news_permission(n.type, n.metadata) = any (${permissions}::text[])`;

/** What the reader has not read; what was there before the reader was an administrator's account counts as read. */
const isUnread = (sql: Sql, adminId: string) => sql`
  n.number > (select news_floor(${adminId}::uuid))
  and n.created_at >= (select created_at from users where id = ${adminId})
  and not exists (select from notification_reads r where r.admin_id = ${adminId} and r.number = n.number)
`;

const columns = (sql: Sql, adminId: string | null) => sql`
  n.number, n.id, n.type, n.title, n.message, n.user_id as "userId", n.related_id as "relatedId", n.priority, n.metadata, n.created_at as "createdAt",
  ${
    adminId === null
      ? sql`false as "isRead", null::timestamptz as "readAt"`
      : sql`
          not (${isUnread(sql, adminId)}) as "isRead",
          coalesce(
            (select r.read_at from notification_reads r where r.admin_id = ${adminId} and r.number = n.number),
            (select read_at from notification_readers where admin_id = ${adminId} and read_through >= n.number)
          ) as "readAt"`
  }
`;

const placed = (cursor: string | undefined) => (cursor && /^\d{1,15}$/.test(cursor) ? cursor : null);

/** A reader's notifications, newest first. `cursor` is the number of the last one seen. */
export const listOf = (sql: Sql, reader: Reader, { status, type, limit, cursor }: Filter & { cursor?: string | undefined }): Promise<Notification[]> =>
  many(
    notificationRow,
    sql`
      select ${columns(sql, reader.id)}
      from news_numbers(${reader.permissions}::text[], ${status === "unread" ? reader.id : null}::uuid, ${type ?? null}::text, ${placed(cursor)}::bigint, ${limit}) as l (number)
      cross join lateral (
        select n.number, n.id, n.type, n.title, n.message, n.user_id, n.related_id, n.priority, n.metadata, n.created_at
        from admin_notifications n where n.number = l.number
        limit 1
      ) n
      order by n.number desc
    `,
  );

const newsRow = v.strictObject({ ...notificationRow.entries, permission: v.string() });
/** A notification, and what one must be allowed to be told it. */
export type Told = v.InferOutput<typeof newsRow>;

/**
 * Those above a number, oldest first, up to `through`. Without a reader's marks: the same for everyone who may know of them. Without `demo`,
 * none of demo accounts' deals, of which nobody is told who is not looking.
 */
export const newsAfter = (sql: Sql, after: number, through: number, limit: number, demo = true): Promise<Told[]> =>
  many(
    newsRow,
    sql`
      select ${columns(sql, null)}, news_permission(n.type, n.metadata) as permission
      from admin_notifications n
      where n.number > ${after} and n.number <= ${through} ${demo ? sql`` : sql`and (n.metadata -> 'demo') is distinct from 'true'::jsonb`}
      order by n.number limit ${limit}
    `,
  );

/** A reader's own, above a number, oldest first. */
export const missedOf = (sql: Sql, reader: Reader, after: number, { status, type, limit }: Filter): Promise<Notification[]> =>
  many(
    notificationRow,
    sql`
      select ${columns(sql, reader.id)}
      from admin_notifications n
      where n.number > ${after} and ${mayKnow(sql, reader)}
        ${status === "unread" ? sql`and ${isUnread(sql, reader.id)}` : sql``}
        ${type ? sql`and n.type = ${type}` : sql``}
      order by n.number
      limit ${limit}
    `,
  );

export const notificationOf = (sql: Sql, reader: Reader, id: string): Promise<Notification | null> =>
  one(notificationRow, sql`select ${columns(sql, reader.id)} from admin_notifications n where n.id = ${id} and ${mayKnow(sql, reader)}`);

const unreadRow = v.strictObject({ count: v.number(), last: v.number() });

/** How many a reader has not read (what is of low priority is left out), and the last number there is. */
export async function unreadOf(sql: Sql, reader: Reader): Promise<Unread> {
  const row = await one(
    unreadRow,
    sql`
      select
        news_unread(${reader.id}::uuid, ${reader.permissions}::text[], ${MOST_UNREAD}) as count,
        coalesce((select max(number) from admin_notifications), 0) as last
    `,
  );
  return row ?? { count: 0, last: 0 };
}
