import { many, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { Activity } from "./schema";
import { activityRow } from "./schema_rows";

/** What a person did last, newest first: open, closed and cancelled positions, margin calls, deposits, withdrawals, transfers. */
export const activityOf = (sql: Sql, userId: string, limit: number): Reading<Activity[]> =>
  many(
    activityRow,
    sql`
      select r.id, r.kind, r.at, r.subject, r.amount, r.profit, r.status, r.is_demo as "isDemo"
      from (
        (
          select p.id, case p.status when 'open' then 'opened' else 'waiting' end as kind, coalesce(p.opened_at, p.created_at) as at,
            upper(p.side) || ' ' || p.symbol as subject, p.amount, null::numeric as profit, p.status, a.is_demo
          from positions p
          join trading_accounts a on a.id = p.account_id
          where p.user_id = ${userId} and p.status in ('pending', 'open')
          order by p.created_at desc
          limit ${limit}
        )
        union all
        (
          select p.id, 'closed', p.closed_at, upper(p.side) || ' ' || p.symbol, p.amount, p.profit, p.status, a.is_demo
          from positions p
          join trading_accounts a on a.id = p.account_id
          where p.user_id = ${userId} and p.status = 'closed'
          order by p.closed_at desc
          limit ${limit}
        )
        union all
        (
          select p.id, 'cancelled', p.created_at, upper(p.side) || ' ' || p.symbol, p.amount, null, p.status, a.is_demo
          from positions p
          join trading_accounts a on a.id = p.account_id
          where p.user_id = ${userId} and p.status = 'cancelled'
          order by p.created_at desc
          limit ${limit}
        )
        union all
        (
          select a.id, 'margin_call', e.created_at, format('%s: level %s%%, equity', a.account_number, margin_level(e.equity, e.used)), e.equity, null, 'open', a.is_demo
          from margin_events e
          join trading_accounts a on a.id = e.account_id
          where a.user_id = ${userId} and e.kind = 'margin_call'
          order by e.id desc
          limit ${limit}
        )
        union all
        (select id, 'deposit', created_at, currency, amount, null, status, false from deposits where user_id = ${userId} order by created_at desc limit ${limit})
        union all
        (select id, 'withdrawal', created_at, currency, amount, null, status, false from withdrawals where user_id = ${userId} order by created_at desc limit ${limit})
        union all
        (
          select x.id, 'transfer', x.created_at,
            coalesce(f.account_number, 'your wallet') || ' to ' || coalesce(t.account_number, 'your wallet'), x.amount, null, 'completed', false
          from transfers x
          left join trading_accounts f on f.id = x.from_account_id
          left join trading_accounts t on t.id = x.to_account_id
          where x.user_id = ${userId}
          order by x.created_at desc
          limit ${limit}
        )
      ) r
      order by r.at desc, r.id
      limit ${limit}
    `,
  );
