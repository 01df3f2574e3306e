import { CHAT_MINUTES, PROMISED_HOURS } from "../lib/promises";
import { many, type Sql } from "../platform/database/db";
import { type Queue, queueRow } from "./schema_days";

/** What waits for staff, each queue with its oldest and with how many wait longer than was promised. Reads what waits and nothing else. */
export const queuesOf = (sql: Sql): Promise<Queue[]> => {
  const { deposit, withdrawal, contact, ticket } = PROMISED_HOURS;
  const summed = (queue: string, hours: number | null, unit = sql`interval '1 hour'`) => sql`
    ${queue}::text as queue, count(*) as waiting, min(w.since) as oldest,
    ${hours === null ? sql`null::bigint` : sql`count(*) filter (where w.since < now() - ${hours}::integer * ${unit})`} as late
  `;
  return many(
    queueRow,
    sql`
      select ${summed("registrations", null)} from (select created_at as since from users where registration_status = 'pending' and role = 'user') w
      union all
      select ${summed("documents", null)} from (select created_at as since from documents where status = 'pending' and content is not null) w
      union all
      select ${summed("deposits", deposit)} from (select created_at as since from deposits where status = 'pending') w
      union all
      select ${summed("withdrawals", withdrawal)} from (select created_at as since from withdrawals where status = 'pending') w
      union all
      select ${summed("corrections", null)}
      from (
        select r.created_at as since
        from correction_requests r
        join positions p on p.id = r.position_id and p.status = 'open'
        where not exists (select from correction_decisions d where d.request_id = r.id)
      ) w
      union all
      select 'tickets', count(*), min(t.waiting_since),
        count(*) filter (
          where t.waiting_since < now() - interval '1 hour'
            * case t.priority when 'low' then ${ticket.low}::integer when 'medium' then ${ticket.medium}::integer when 'high' then ${ticket.high}::integer else ${ticket.urgent}::integer end
        )
      from support_tickets t
      where t.waiting_since is not null
      union all
      select ${summed("chats", CHAT_MINUTES, sql`interval '1 minute'`)}
      from (select waiting_since as since from chat_sessions where waiting_since is not null) w
      union all
      select ${summed("contact", contact)} from (select created_at as since from contact_messages where status = 'new') w
      union all
      select ${summed("roles", null)}
      from (
        select r.created_at as since from role_requests r join users u on u.id = r.user_id and u.role <> 'admin'
        where not exists (select from role_decisions d where d.request_id = r.id)
      ) w
      limit 9
    `,
  );
};
