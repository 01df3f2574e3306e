import { found } from "../lib/refusal";
import type { Db, Sql } from "../platform/database/db";
import type { AppContext, Me } from "../platform/app_context";
import { notificationOf, unreadOf } from "./queries";
import type { Notification, NotificationType, priorities, Unread } from "./schema";

export type News = {
  type: NotificationType;
  title: string;
  message: string;
  /** Whom it concerns. */
  userId: string | null;
  /** The object that it tells of: of each kind and object there is one notification, however often it is raised. */
  relatedId: string | null;
  priority?: (typeof priorities)[number];
  metadata?: Record<string, string | number | boolean | null>;
};

/**
 * Leaves news for staff in the command's own transaction `sql`: they are told when it commits, and never when it does not. Within a
 * second by themselves; at once where the caller publishes `raised` on the bus after the commit. In SQL: `perform notify_staff(…)`.
 */
export async function raise(sql: Sql, { type, title, message, userId, relatedId, priority = "medium", metadata = {} }: News): Promise<void> {
  await sql`select notify_staff(${type}, ${title}, ${message}, ${userId}::uuid, ${relatedId}::uuid, ${priority}, ${JSON.stringify(metadata)}::text::jsonb)`;
}

/** Marks one as read by this administrator. Refuses what does not exist. */
export async function markRead({ sql, bus }: AppContext, me: Me, id: string): Promise<Notification> {
  await sql`
    insert into notification_reads (admin_id, number)
    select ${me.id}, number from admin_notifications where id = ${id} and news_permission(type, metadata) = any (${me.permissions}::text[])
    on conflict do nothing
  `;
  const read = found(await notificationOf(sql, me, id));
  bus.publish("read", { adminId: me.id });
  return read;
}

/** Marks as read all up to a number, or all there are. Never takes a mark back. */
export async function markAllRead({ sql, bus }: AppContext, me: Me, through: number | null): Promise<Unread> {
  await sql`
    insert into notification_readers (admin_id, read_through)
    select ${me.id}, least(${through ?? Number.MAX_SAFE_INTEGER}::bigint, coalesce((select max(number) from admin_notifications), 0))
    on conflict (admin_id) do update set read_through = greatest(notification_readers.read_through, excluded.read_through), read_at = now()
  `;
  bus.publish("read", { adminId: me.id });
  return unreadOf(sql, me);
}

/** What is kept: a quarter of a year, of visitors and trades a week; and of either no more than so many of the newest. */
const KEPT = { news: { days: 90, most: 50_000 }, passing: { days: 7, most: 20_000 } };

/** Throws out notifications that have served their time. */
export async function forgetOld(sql: Db): Promise<void> {
  for (const { days, most, passing } of [
    { ...KEPT.news, passing: false },
    { ...KEPT.passing, passing: true },
  ])
    await sql`
      delete from admin_notifications
      where (type in ('visitor', 'trade')) = ${passing} and (
        created_at < now() - make_interval(days => ${days})
        or number <= (
          select number from admin_notifications where (type in ('visitor', 'trade')) = ${passing} order by number desc offset ${most} limit 1
        )
      )
    `;
}

/** Deletes all notifications but the newest, numbered or not, after a demonstration was filled with months at once. */
export async function keepNewest(sql: Db, count: number): Promise<void> {
  await sql.begin(async (tx) => {
    // The lock of notifications_take, so that nobody gives these numbers meanwhile.
    await tx`select pg_advisory_xact_lock(7215204)`;
    await tx`delete from notification_outbox where place not in (select place from notification_outbox order by place desc limit ${count})`;
    await tx`delete from order_news where place not in (select place from order_news order by place desc limit ${count})`;
    await tx`delete from admin_notifications where number not in (select number from admin_notifications order by number desc limit ${count})`;
  });
}
