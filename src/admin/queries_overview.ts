import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import type { Day, Overview } from "./schema";

/** The business in figures. Amounts are USD; days are UTC. */

const overviewRow = v.strictObject({
  users: v.number(),
  registrations: v.number(),
  pendingDeposits: v.number(),
  pendingWithdrawals: v.number(),
  withdrawalsHeld: v.string(),
  openLive: v.number(),
  openDemo: v.number(),
  clientMoney: v.string(),
});

/** What there is at this moment. `withdrawalsHeld` is what clients asked to be paid, `clientMoney` all that is theirs in live money. */
export async function overviewOf(sql: Sql): Promise<Overview> {
  const row = await one(
    overviewRow,
    sql`
      select
        (select count(*) from users where role = 'user') as users,
        (select count(*) from users where registration_status = 'pending' and role = 'user') as registrations,
        (select count(*) from deposits where status = 'pending') as "pendingDeposits",
        (select count(*) from withdrawals where status = 'pending') as "pendingWithdrawals",
        (select coalesce(sum(amount), 0.00) from withdrawals where status = 'pending') as "withdrawalsHeld",
        o.live as "openLive", o.demo as "openDemo",
        (select coalesce(sum(balance), 0.00) from ledger_accounts where owner_id is not null and book = 'live') as "clientMoney"
      from (
        select count(*) filter (where not a.is_demo) as live, count(*) filter (where a.is_demo) as demo
        from positions p
        join trading_accounts a on a.id = p.account_id
        where p.status = 'open'
      ) o
    `,
  );
  if (!row) throw new Error("the overview answered nothing");
  return row;
}

const dayRow = v.strictObject({ day: v.string(), registrations: v.number(), deposits: v.string(), withdrawals: v.string(), revenue: v.string() });

/** So many days are drawn, today included. */
const DAYS = 30;

/**
 * The last thirty days, oldest first: who registered, what approvals credited and paid out, and what the house earned on live
 * accounts (clients' realised losses less profits, corrections included, less bonuses).
 */
export const daysOf = (sql: Sql): Promise<Day[]> =>
  many(
    dayRow,
    sql`
      with
        span as (select date_trunc('day', now(), 'UTC') - ${DAYS - 1} * interval '1 day' as since),
        registered as (
          select date_trunc('day', u.created_at, 'UTC') as at, count(*) as n from users u, span where u.created_at >= span.since and u.role = 'user' group by 1
        ),
        paid_in as (
          select date_trunc('day', d.decided_at, 'UTC') as at, sum(d.credited) as usd from deposits d, span
          where d.status = 'approved' and d.decided_at >= span.since
          group by 1
        ),
        paid_out as (
          select date_trunc('day', w.decided_at, 'UTC') as at, sum(w.amount) as usd from withdrawals w, span
          where w.status = 'approved' and w.decided_at >= span.since
          group by 1
        ),
        earned as (
          select date_trunc('day', e.created_at, 'UTC') as at, sum(p.amount) as usd
          from ledger_entries e, span, ledger_postings p, ledger_accounts a
          where e.created_at >= span.since and p.entry_id = e.id and a.id = p.account_id
            and a.book = 'live' and a.kind in ('house_pnl', 'house_adjustment', 'house_bonus')
          group by 1
        )
      select to_char(g.at at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(registered.n, 0) as registrations, coalesce(paid_in.usd, 0.00) as deposits,
        coalesce(paid_out.usd, 0.00) as withdrawals, coalesce(earned.usd, 0.00) as revenue
      from span
      cross join lateral (select span.since + n * interval '1 day' as at from generate_series(0, ${DAYS - 1}) n) g
      left join registered on registered.at = g.at
      left join paid_in on paid_in.at = g.at
      left join paid_out on paid_out.at = g.at
      left join earned on earned.at = g.at
      order by g.at
      limit ${DAYS}
    `,
  );
