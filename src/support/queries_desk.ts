import { placeOf } from "../lib/cursor";
import { containing, item, items, many, one, type Sql } from "../platform/db";
import type { QueryOf } from "../lib/endpoint";
import { agentRow, cannedRow, type StaffTicket, staffTicketRow, type staffTickets } from "./schema_desk";

/** What tickets `t` are ordered by; the id makes each order whole. */
function sortKey(sql: Sql, by: string) {
  if (by === "updated") return sql`t.updated_at`;
  if (by === "waiting") return sql`coalesce(t.waiting_since, 'infinity'::timestamptz)`;
  // Of the same priority, who waits longest is the most urgent.
  if (by === "priority") return sql`(array_position(array['low', 'medium', 'high', 'urgent'], t.priority) * 1e12 - extract(epoch from t.created_at))`;
  return sql`t.created_at`;
}

export type TicketSearch = Omit<QueryOf<typeof staffTickets>, "limit" | "format"> & { limit: number };

/** The desk's tickets. `me` is who asks, for `assignee=me`. The search looks in names, addresses, subjects, and for a ticket's id. */
export function staffTicketsOf(sql: Sql, me: string, search: TicketSearch): Promise<StaffTicket[]> {
  const { q, status, priority, category, assignee, sort, limit, cursor } = search;
  const like = containing(q);
  const falls = sort.startsWith("-");
  const direction = falls ? sql`desc` : sql`asc`;
  const key = sortKey(sql, sort.replace("-", ""));
  const last = cursor === undefined ? null : placeOf(cursor).id;
  const assigned = assignee === "me" ? me : assignee;
  return items(
    staffTicketRow,
    sql`
      select ticket_staff_json(t) as item
      from support_tickets t
      join users u on u.id = t.user_id
      where true
        ${status === "all" ? sql`` : status === "active" ? sql`and t.status in ('open', 'in_progress')` : sql`and t.status = ${status}`}
        ${priority === "all" ? sql`` : sql`and t.priority = ${priority}`}
        ${category === "all" ? sql`` : sql`and t.category = ${category}`}
        ${assignee === "all" ? sql`` : assignee === "none" ? sql`and t.assigned_to is null` : sql`and t.assigned_to = ${assigned}`}
        ${
          q
            ? sql`and (u.email ilike ${like} or u.first_name || ' ' || u.last_name ilike ${like} or t.subject ilike ${like} or t.id::text = lower(${q}))`
            : sql``
        }
        ${last ? sql`and (${key}, t.id) ${falls ? sql`<` : sql`>`} (select ${key}, t.id from support_tickets t where t.id = ${last})` : sql``}
      order by ${key} ${direction}, t.id ${direction}
      limit ${limit}
    `,
  );
}

export const staffTicketOf = (sql: Sql, ticketId: string): Promise<StaffTicket | null> =>
  item(staffTicketRow, sql`select ticket_staff_json(t) as item from support_tickets t where t.id = ${ticketId}`);

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
