import type { QueryOf } from "../lib/endpoint";
import { CHAT_MINUTES, PROMISED_HOURS } from "../lib/promises";
import { type Fragment, many, type Sql, wordsSaid } from "../platform/database/db";
import { chatSays, ticketSays } from "./queries_words";
import { type InboxRow, inboxRow, type supportInbox } from "./schema_inbox";

/** Tickets and chats in one list. */

export type InboxSearch = QueryOf<typeof supportInbox>;

const { low, medium, high, urgent } = PROMISED_HOURS.ticket;
/** Until when an answer was promised. */
const ticketDue = (sql: Sql) => sql`
  t.waiting_since + interval '1 hour'
    * case t.priority when 'low' then ${low}::integer when 'medium' then ${medium}::integer when 'high' then ${high}::integer else ${urgent}::integer end
`;
const chatDue = (sql: Sql) => sql`s.waiting_since + ${CHAT_MINUTES}::integer * interval '1 minute'`;
/** Who answered last in the chat `s`, where anybody did. */
const chatAgent = (sql: Sql) => sql`(select m.admin_user_id from chat_messages m where m.session_id = s.id and m.is_from_admin order by m.number desc limit 1)`;

/** An instant as microseconds of Unix time and back, exactly: so a cursor holds it. */
const micros = (sql: Sql, at: Fragment) => sql`(extract(epoch from ${at}) * 1000000)::bigint`;
const instant = (sql: Sql, place: string) => sql`(timestamptz 'epoch' + ${place}::bigint * interval '1 microsecond')`;

/**
 * What needs an answer, whose promise is broken longest first; or everything, or what is done with, what was touched last first. Each kind gives
 * its first rows alone, by an index. `me` is who asks, for `assignee=me`. `apart`: without those, and without what is `me`'s own.
 */
export function inboxOf(
  sql: Sql,
  me: string,
  { q, state, kind, priority, assignee, limit, cursor }: InboxSearch,
  apart: readonly string[] | null = null,
): Promise<InboxRow[]> {
  const waits = state === "waiting";
  const [place = "", last = ""] = cursor?.split("_") ?? [];
  const page = (key: Fragment, id: Fragment) => sql`
    ${cursor ? sql`and (${key}, ${id}) ${waits ? sql`>` : sql`<`} (${instant(sql, place)}, ${last}::uuid)` : sql``}
    order by ${key} ${waits ? sql`asc` : sql`desc`}, ${id} ${waits ? sql`asc` : sql`desc`}
    limit ${limit}
  `;
  const named = (id: Fragment, isSaid: (word: Fragment) => Fragment) => (q ? sql`and (${wordsSaid(sql, q, isSaid)} or ${id}::text = lower(${q}))` : sql``);
  const others = (id: Fragment) => (apart ? sql`and u.id <> ${me} and not ${id} = any (${[...apart]}::uuid[])` : sql``);
  const given = (to: Fragment) => (assignee === "all" ? sql`` : assignee === "none" ? sql`and ${to} is null` : sql`and ${to} = ${me}`);
  const ticketKey = waits ? ticketDue(sql) : sql`t.updated_at`;
  const tickets = sql`
    (
      select 'ticket' as kind, t.id, ${ticketKey} as key
      from support_tickets t join users u on u.id = t.user_id
      where ${{ waiting: sql`t.waiting_since is not null`, all: sql`true`, resolved: sql`t.status in ('resolved', 'closed')` }[state]}
        ${priority === "all" ? sql`` : sql`and t.priority = ${priority}`}
        ${named(sql`t.id`, (word) => ticketSays(sql, word))} ${given(sql`t.assigned_to`)} ${others(sql`t.id`)} ${page(ticketKey, sql`t.id`)}
    )
  `;
  const chatKey = waits ? chatDue(sql) : sql`s.last_at`;
  const chats = sql`
    (
      select 'chat' as kind, s.id, ${chatKey} as key
      from chat_sessions s join users u on u.id = s.user_id
      where ${{ waiting: sql`s.waiting_since is not null`, all: sql`true`, resolved: sql`s.ended_at is not null` }[state]}
        ${named(sql`s.id`, (word) => chatSays(sql, word))} ${given(chatAgent(sql))} ${others(sql`s.id`)} ${page(chatKey, sql`s.id`)}
    )
  `;
  // A chat has no priority.
  const wanted = kind === "ticket" || (kind === "all" && priority !== "all") ? tickets : kind === "chat" ? chats : sql`${tickets} union all ${chats}`;
  const key = sql`i.key`;
  return many(
    inboxRow,
    sql`
      select i.kind, i.id, u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, coalesce(t.subject, s.last_message) as text,
        t.priority, coalesce(t.status, case when s.ended_at is null then 'open' else 'ended' end) as status,
        coalesce(t.waiting_since, s.waiting_since) as since, coalesce(${ticketDue(sql)}, ${chatDue(sql)}) as due,
        coalesce(t.updated_at, s.last_at) as at, a.first_name || ' ' || a.last_name as "assigneeName", s.ended_at as "endedAt",
        ${micros(sql, key)} as place
      from (${wanted}) i
      left join support_tickets t on i.kind = 'ticket' and t.id = i.id
      left join chat_sessions s on i.kind = 'chat' and s.id = i.id
      join users u on u.id = coalesce(t.user_id, s.user_id)
      left join users a on a.id = case i.kind when 'ticket' then t.assigned_to else ${chatAgent(sql)} end
      order by i.key ${waits ? sql`asc` : sql`desc`}, i.id ${waits ? sql`asc` : sql`desc`}
      limit ${limit}
    `,
  );
}
