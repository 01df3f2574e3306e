import { peopleMeant } from "../identity/queries";
import { containing, type Days, type Fragment, inOrder, item, items, many, onDays, one, type Sql, wordsIn } from "../platform/database/db";
import { GROUP, holds, idsFound, idsIn } from "../platform/database/search";
import type { QueryOf } from "../lib/endpoint";
import { agentRow, cannedRow, type StaffTicket, staffTicketRow, type staffTickets } from "./schema_inbox";

/** What tickets `t` are ordered by. */
const sortKeys = (sql: Sql) => ({
  created: sql`t.created_at`,
  updated: sql`t.updated_at`,
  waiting: sql`coalesce(t.waiting_since, 'infinity'::timestamptz)`,
  // Within a priority the oldest ticket is the most urgent.
  priority: sql`(array_position(array['low', 'medium', 'high', 'urgent'], t.priority) * 1e12 - extract(epoch from t.created_at))`,
});

export type TicketSearch = Omit<QueryOf<typeof staffTickets>, "limit" | "format" | "from" | "to"> & Days & { limit: number };

/** What a search means among tickets: by the owner's names, address or account number, the subject, the ticket's id. Null where it means very many. */
const ticketsFound = (sql: Sql, q: string): Promise<string[] | null> =>
  idsFound(sql, {
    people: (most) => peopleMeant(sql, q, most),
    of: (people, most) => {
      const ids = idsIn(q);
      return [
        people.length > 0 && sql`select id from support_tickets where user_id = any (${people}::uuid[]) limit ${most}`,
        ids && sql`select id from support_tickets where id between ${ids.first}::uuid and ${ids.last}::uuid limit ${most}`,
        q.length >= GROUP && sql`select id from support_tickets where ${holds(sql, sql`lower(subject)`, q)} limit ${most}`,
      ];
    },
  });

/** Holds tickets `t` of owners `u` to what a search found; where that is very many, by the same in each row. */
const heldTo = (sql: Sql, q: string, found: string[] | null): Fragment =>
  found === null ? sql`and (${wordsIn(sql, sql`u.search`, q)} or t.subject ilike ${containing(q)})` : sql`and t.id = any (${found}::uuid[])`;

/** Staff's tickets. `me` is who asks, for `assignee=me`. The search looks in names, addresses, subjects, and for a ticket's id. */
export async function staffTicketsOf(sql: Sql, me: string, search: TicketSearch): Promise<StaffTicket[]> {
  const { q, status, priority, category, assignee, sort, limit, cursor, from, to } = search;
  const found = q ? await ticketsFound(sql, q) : null;
  if (found?.length === 0) return [];
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys: sortKeys(sql), id: sql`t.id`, tables: sql`from support_tickets t` });
  const assigned = assignee === "me" ? me : assignee;
  return items(
    staffTicketRow,
    sql`
      select ticket_agent_json(t) as item
      from support_tickets t
      join users u on u.id = t.user_id
      where true
        ${status === "all" ? sql`` : status === "active" ? sql`and t.status in ('open', 'in_progress')` : sql`and t.status = ${status}`}
        ${priority === "all" ? sql`` : sql`and t.priority = ${priority}`}
        ${category === "all" ? sql`` : sql`and t.category = ${category}`}
        ${assignee === "all" ? sql`` : assignee === "none" ? sql`and t.assigned_to is null` : sql`and t.assigned_to = ${assigned}`}
        ${q ? heldTo(sql, q, found) : sql``}
        ${onDays(sql, sql`t.created_at`, { from, to })} ${rest}
      ${order}
      limit ${limit}
    `,
  );
}

export const staffTicketOf = (sql: Sql, ticketId: string): Promise<StaffTicket | null> =>
  item(staffTicketRow, sql`select ticket_agent_json(t) as item from support_tickets t where t.id = ${ticketId}`);

/** Administrators who can take a ticket, by name. */
export const agents = (sql: Sql) =>
  many(
    agentRow,
    sql`
      select id, first_name || ' ' || last_name as name, email
      from users
      where role = 'admin' and account_status <> 'banned'
      order by lower(first_name || ' ' || last_name), id
      limit 200
    `,
  );

const cannedColumns = (sql: Sql) => sql`c.id, c.title, c.body, u.first_name || ' ' || u.last_name as "updatedBy", c.updated_at as "updatedAt", c.version`;

export const cannedAnswers = (sql: Sql) =>
  many(cannedRow, sql`select ${cannedColumns(sql)} from canned_answers c join users u on u.id = c.updated_by order by lower(c.title) limit 200`);

export const cannedAnswer = (sql: Sql, id: string) =>
  one(cannedRow, sql`select ${cannedColumns(sql)} from canned_answers c join users u on u.id = c.updated_by where c.id = ${id}`);
