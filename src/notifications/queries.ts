import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import { type Notification, notificationRow, type NotificationType, type Unread } from "./schema";

/** More unread than this are not counted. */
const MOST_UNREAD = 1000;

type Filter = { status?: "all" | "unread" | undefined; type?: NotificationType | undefined; limit: number };

/** What the reader has not read; what was there before the reader was an administrator's account counts as read. */
const isUnread = (sql: Sql, adminId: string) => sql`
  n.number > coalesce((select read_through from notification_readers where admin_id = ${adminId}), 0)
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

/** An administrator's notifications, newest first. `cursor` is the number of the last one seen. */
export const listOf = (sql: Sql, adminId: string, { status, type, limit, cursor }: Filter & { cursor?: string | undefined }): Promise<Notification[]> =>
  many(
    notificationRow,
    sql`
      select ${columns(sql, adminId)}
      from admin_notifications n
      where true
        ${status === "unread" ? sql`and ${isUnread(sql, adminId)}` : sql``}
        ${type ? sql`and n.type = ${type}` : sql``}
        ${cursor && /^\d{1,15}$/.test(cursor) ? sql`and n.number < ${cursor}` : sql``}
      order by n.number desc
      limit ${limit}
    `,
  );

/** Those above a number, oldest first, up to `through`. Without a reader's marks: the same for everyone. */
export const newsAfter = (sql: Sql, after: number, through: number, limit: number): Promise<Notification[]> =>
  many(
    notificationRow,
    sql`select ${columns(sql, null)} from admin_notifications n where n.number > ${after} and n.number <= ${through} order by n.number limit ${limit}`,
  );

/** An administrator's own, above a number, oldest first. */
export const missedOf = (sql: Sql, adminId: string, after: number, { status, type, limit }: Filter): Promise<Notification[]> =>
  many(
    notificationRow,
    sql`
      select ${columns(sql, adminId)}
      from admin_notifications n
      where n.number > ${after}
        ${status === "unread" ? sql`and ${isUnread(sql, adminId)}` : sql``}
        ${type ? sql`and n.type = ${type}` : sql``}
      order by n.number
      limit ${limit}
    `,
  );

export const notificationOf = (sql: Sql, adminId: string, id: string): Promise<Notification | null> =>
  one(notificationRow, sql`select ${columns(sql, adminId)} from admin_notifications n where n.id = ${id}`);

const unreadRow = v.strictObject({ count: v.number(), last: v.number() });

/** How many an administrator has not read (what is of low priority is left out), and the last number there is. */
export async function unreadOf(sql: Sql, adminId: string): Promise<Unread> {
  const row = await one(
    unreadRow,
    sql`
      select
        (
          select count(*)
          from (select from admin_notifications n where n.priority <> 'low' and ${isUnread(sql, adminId)} order by n.number desc limit ${MOST_UNREAD}) u
        ) as count,
        coalesce((select max(number) from admin_notifications), 0) as last
    `,
  );
  return row ?? { count: 0, last: 0 };
}
