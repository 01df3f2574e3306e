import { item, many, one, type Sql } from "../platform/database/db";
import { type Evidence, evidenceRow, type QueueKind, type SavedFilter, savedFilterRow, type Snooze, snoozeRow } from "./schema_queues";

/** What staff's queues know beside their rows. */

const snoozeColumns = (sql: Sql) => sql`
  s.kind, s.object_id as "objectId", s.admin_id as "adminId", u.first_name || ' ' || u.last_name as name, s.until
`;

/** What is put away at this moment, what comes back first at the head. */
export const snoozes = (sql: Sql): Promise<Snooze[]> =>
  many(
    snoozeRow,
    sql`select ${snoozeColumns(sql)} from snoozes s join users u on u.id = s.admin_id where s.until > now() order by s.until, s.object_id limit 1000`,
  );

export const snoozeOf = (sql: Sql, adminId: string, objectId: string): Promise<Snooze | null> =>
  one(
    snoozeRow,
    sql`
      select ${snoozeColumns(sql)} from snoozes s join users u on u.id = s.admin_id
      where s.admin_id = ${adminId} and s.object_id = ${objectId}
      order by s.until desc
      limit 1
    `,
  );

/** An administrator's filters of one list. */
export const filtersOf = (sql: Sql, adminId: string, queue: string): Promise<SavedFilter[]> =>
  many(
    savedFilterRow,
    sql`select f.id, f.queue, f.name, f.query from saved_filters f where f.admin_id = ${adminId} and f.queue = ${queue} order by lower(f.name) limit 50`,
  );

/** Whose a request is, and where its money would go. */
const subjects = (sql: Sql, id: string) => ({
  deposit: sql`select r.user_id, null::text as address from deposits r where r.id = ${id}`,
  withdrawal: sql`select r.user_id, r.wallet_address as address from withdrawals r where r.id = ${id}`,
  registration: sql`select r.id as user_id, null::text as address from users r where r.id = ${id}`,
  correction: sql`select p.user_id, null::text as address from correction_requests r join positions p on p.id = r.position_id where r.id = ${id}`,
  dispute: sql`select p.user_id, null::text as address from disputes r join positions p on p.id = r.position_id where r.id = ${id}`,
  document: sql`select r.user_id, null::text as address from documents r where r.id = ${id}`,
  role: sql`select r.user_id, null::text as address from role_requests r where r.id = ${id}`,
  letter: sql`
    select coalesce(r.user_id, u.id) as user_id, null::text as address
    from contact_messages r left join users u on lower(u.email) = lower(r.email) where r.id = ${id}
  `,
});

/** What a decision should rest on; null where there is no such request. */
export const evidenceOf = (sql: Sql, kind: QueueKind, id: string): Promise<Evidence | null> =>
  item(
    evidenceRow,
    sql`
      with subject as (${subjects(sql, id)[kind]}),
      money as (
        select 'deposit' as kind, d.id, d.amount, d.currency, d.status, d.credited as usd, d.created_at, d.decided_at
        from subject s join deposits d on d.user_id = s.user_id
        union all
        select 'withdrawal', w.id, w.amount, w.currency, w.status, w.amount, w.created_at, w.decided_at
        from subject s join withdrawals w on w.user_id = s.user_id
      )
      select jsonb_build_object(
        'person', jsonb_build_object(
          'id', u.id, 'name', u.first_name || ' ' || u.last_name, 'email', u.email, 'createdAt', iso(u.created_at),
          'registrationStatus', u.registration_status, 'kycStatus', u.kyc_status, 'accountStatus', u.account_status, 'lastLoginAt', iso(u.last_login_at)
        ),
        'level', (
          select t.name from trading_accounts a join account_types t on t.id = a.account_type_id
          where a.user_id = u.id and not a.is_demo and a.status = 'active'
          order by t.place desc limit 1
        ),
        'wallet', (select l.balance::text from ledger_accounts l where l.id = ledger_account_of(u.id, 'wallet')),
        'deposits', (
          select jsonb_build_object('count', count(*), 'usd', coalesce(sum(usd), 0.00)::text) from money where kind = 'deposit' and status = 'approved'
        ),
        'withdrawals', (
          select jsonb_build_object('count', count(*), 'usd', coalesce(sum(usd), 0.00)::text) from money where kind = 'withdrawal' and status = 'approved'
        ),
        'rejected', (select count(*) from money where status = 'rejected'),
        'corrections', (select count(*) from corrections k join positions p on p.id = k.position_id where p.user_id = u.id),
        'disputes', (select count(*) from disputes d join positions p on p.id = d.position_id where p.user_id = u.id),
        'address', case when s.address is not null then jsonb_build_object(
          'paidBefore', (select count(*) from withdrawals w where w.wallet_address = s.address and w.user_id = u.id and w.status = 'approved'),
          'others', (select count(distinct w.user_id) from withdrawals w where w.wallet_address = s.address and w.user_id <> u.id)
        ) end,
        'open', (
          select coalesce(jsonb_agg(o.item), '[]') from (
            select jsonb_build_object('kind', kind, 'id', id, 'amount', amount::text, 'currency', currency, 'createdAt', iso(created_at)) as item
            from money where status = 'pending' and id <> ${id} order by created_at, id limit 10
          ) o
        ),
        'tickets', (
          select coalesce(jsonb_agg(o.item), '[]') from (
            select jsonb_build_object('id', t.id, 'subject', t.subject, 'createdAt', iso(t.created_at)) as item
            from support_tickets t where t.user_id = u.id and t.status in ('open', 'in_progress') order by t.created_at, t.id limit 10
          ) o
        ),
        'history', (
          select coalesce(jsonb_agg(o.item), '[]') from (
            select jsonb_build_object('kind', kind, 'id', id, 'amount', amount::text, 'currency', currency, 'status', status, 'at', iso(decided_at)) as item
            from money where status <> 'pending' and id <> ${id} order by decided_at desc, id limit 10
          ) o
        ),
        'notes', (
          select coalesce(jsonb_agg(o.item), '[]') from (
            select jsonb_build_object('body', n.body, 'administrator', a.first_name || ' ' || a.last_name, 'createdAt', iso(n.created_at)) as item
            from staff_notes n join users a on a.id = n.admin_id where n.user_id = u.id order by n.created_at desc, n.id limit 3
          ) o
        )
      ) as item
      from subject s
      join users u on u.id = s.user_id
    `,
  );

/** What a queue's page is drawn with beside its rows. */
export async function besideOf(sql: Sql, adminId: string, queue: string): Promise<{ snoozes: Snooze[]; filters: SavedFilter[] }> {
  const [away, filters] = await Promise.all([snoozes(sql), filtersOf(sql, adminId, queue)]);
  return { snoozes: away, filters };
}
