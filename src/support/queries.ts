import * as v from "valibot";
import { type Entitled, mayDo } from "../lib/permissions";
import { after, item, items, many, one, type Sql } from "../platform/database/db";
import { fileRow, mergedRow, replyRow, type Thread, type Ticket, ticketRow } from "./schema";

type Page = { limit: number; cursor?: string | undefined };

/** The person's tickets, newest first. */
export const ticketsOf = (sql: Sql, userId: string, { limit, cursor }: Page): Promise<Ticket[]> =>
  items(
    ticketRow,
    sql`
      select ticket_owner_json(t) as item
      from support_tickets t
      where t.user_id = ${userId} ${after(sql, "t.created_at", "t.id", cursor)}
      order by t.created_at desc, t.id desc
      limit ${limit}
    `,
  );

/** One of the person's own tickets. */
export const ticketOf = (sql: Sql, userId: string, ticketId: string): Promise<Ticket | null> =>
  item(ticketRow, sql`select ticket_owner_json(t) as item from support_tickets t where t.id = ${ticketId} and t.user_id = ${userId}`);

const countRow = v.strictObject({ count: v.number() });
/** Tickets with an answer that their owner has not seen. */
export const unreadTicketsOf = async (sql: Sql, userId: string): Promise<number> =>
  (await one(countRow, sql`select count(*)::int as count from support_tickets where user_id = ${userId} and is_unread`))?.count ?? 0;

/** Replies and files of one ticket that are listed at most; of a longer conversation the newest. */
const MOST = 500;

/** What was said and sent after a ticket's first message, here and in those that were merged into it. The caller has made sure who reads it. */
export async function threadOf(sql: Sql, ticketId: string): Promise<Thread> {
  const from = sql`o.id as "ticketId", case when o.id <> ${ticketId} then o.subject end as "mergedFrom"`;
  const all = sql`
    (
      select id, user_id, subject, message, created_at from support_tickets where id = ${ticketId}
      union all
      select id, user_id, subject, message, created_at from support_tickets where merged_into = ${ticketId}
    ) o
  `;
  const [replies, files, merged] = await Promise.all([
    many(
      replyRow,
      sql`
        select m.id, ${from}, m.message, m.is_from_staff as "isFromStaff", u.first_name || ' ' || u.last_name as author, m.created_at as "createdAt"
        from ${all}
        cross join lateral (
          select id, author_id, is_from_staff, message, created_at from ticket_messages where ticket_id = o.id
          union all
          select o.id, o.user_id, false, o.message, o.created_at where o.id <> ${ticketId}
        ) m
        join users u on u.id = m.author_id
        order by m.created_at desc, m.id desc
        limit ${MOST}
      `,
    ),
    many(
      fileRow,
      sql`
        select f.id, ${from}, f.name, f.media_type as "mediaType", octet_length(f.content) as size, f.is_from_staff as "isFromStaff",
          u.first_name || ' ' || u.last_name as author, f.created_at as "createdAt"
        from ${all}
        join ticket_files f on f.ticket_id = o.id
        join users u on u.id = f.author_id
        order by f.created_at, f.id
        limit ${MOST}
      `,
    ),
    many(
      mergedRow,
      sql`select id, subject, merged_at as "mergedAt" from support_tickets where merged_into = ${ticketId} order by merged_at, created_at, id limit ${MOST}`,
    ),
  ]);
  return { replies: replies.reverse(), files, merged };
}

const contentRow = v.strictObject({ name: v.string(), mediaType: v.string(), content: v.instance(Uint8Array) });
/** A ticket's file, for its owner or for staff who see tickets. */
export const fileOf = (sql: Sql, ticketId: string, fileId: string, reader: Entitled & { id: string }) =>
  one(
    contentRow,
    sql`
      select f.name, f.media_type as "mediaType", f.content
      from ticket_files f
      join support_tickets t on t.id = f.ticket_id
      where f.id = ${fileId} and t.id = ${ticketId} and (t.user_id = ${reader.id} or ${mayDo(reader, "support.read")})
    `,
  );
