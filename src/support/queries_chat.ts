import * as v from "valibot";
import type { QueryOf } from "../lib/endpoint";
import { onDays, inOrder, item, items, one, type Sql, wordsSaid } from "../platform/database/db";
import { type ChatMessage, chatRow, type ChatSession, type listChat, type listSessions, sessionRow } from "./schema_chat";
import { chatSays } from "./queries_words";

export type Page = QueryOf<typeof listChat>;

/** Messages of a person's chats, or of one session: newest first, or with `after` oldest first what came since. */
export function messagesOf(sql: Sql, of: { userId: string } | { sessionId: string }, { limit, cursor, after }: Page): Promise<ChatMessage[]> {
  return items(
    chatRow,
    sql`
      select chat_json(m) as item
      from chat_messages m
      where ${"userId" in of ? sql`m.user_id = ${of.userId}` : sql`m.session_id = ${of.sessionId}`}
        ${cursor === undefined ? sql`` : sql`and m.number < ${cursor}`}
        ${after === undefined ? sql`` : sql`and m.number > ${after}`}
      order by m.number ${after === undefined ? sql`desc` : sql``}
      limit ${limit}
    `,
  );
}

export const messageOf = (sql: Sql, userId: string, number: number): Promise<ChatMessage | null> =>
  item(chatRow, sql`select chat_json(m) as item from chat_messages m where m.user_id = ${userId} and m.number = ${number}`);

const countRow = v.strictObject({ count: v.number() });
/** Staff's messages that this trader has not read. */
export const unreadOf = async (sql: Sql, userId: string): Promise<number> =>
  (await one(countRow, sql`select count(*)::int as count from chat_messages where user_id = ${userId} and is_from_admin and read_at is null`))?.count ?? 0;

const openRow = v.strictObject({ id: v.string() });
/** The person's session that is not ended. */
export const openSessionOf = async (sql: Sql, userId: string): Promise<string | null> =>
  (await one(openRow, sql`select id from chat_sessions where user_id = ${userId} and ended_at is null`))?.id ?? null;

export const sessionOf = (sql: Sql, sessionId: string): Promise<ChatSession | null> =>
  item(sessionRow, sql`select chat_session_json(s) as item from chat_sessions s where s.id = ${sessionId}`);

export type Search = Omit<QueryOf<typeof listSessions>, "limit" | "format"> & { limit: number };
const isUnread = (sql: Sql) =>
  sql`exists (select from chat_messages m where m.user_id = s.user_id and m.session_id = s.id and not m.is_from_admin and m.read_at is null)`;

/** The chats, the one that was spoken in last first. The cursor names a session. */
export function sessionsOf(sql: Sql, { q, status, from, to, limit, cursor }: Search): Promise<ChatSession[]> {
  const { rest, order } = inOrder(sql, { sort: "-last", cursor }, { keys: { last: sql`s.last_at` }, id: sql`s.id`, tables: sql`from chat_sessions s` });
  const of = { all: sql``, open: sql`and s.ended_at is null`, ended: sql`and s.ended_at is not null`, unread: sql`and ${isUnread(sql)}` };
  return items(
    sessionRow,
    sql`
      select chat_session_json(s) as item
      from chat_sessions s
      join users u on u.id = s.user_id
      where true ${of[status]} ${onDays(sql, sql`s.last_at`, { from, to })}
        ${q ? sql`and (${wordsSaid(sql, q, (word) => chatSays(sql, word))} or s.id::text = lower(${q}))` : sql``}
        ${rest}
      ${order}
      limit ${limit}
    `,
  );
}
