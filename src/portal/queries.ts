import * as v from "valibot";
import { type Fragment, item, one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { AccountResult } from "./schema";
import { monthRow, recordRow, resultRow } from "./schema_rows";

const standingRow = v.strictObject({
  financials: v.strictObject({
    firstName: v.string(),
    lastName: v.string(),
    email: v.string(),
    accountBalance: v.string(),
    tradingBalance: v.string(),
    totalProfit: v.string(),
  }),
  month: monthRow,
  live: recordRow,
  demo: recordRow,
});

/**
 * A person's money, month and records in one look at the accounts. The month's is the result of positions closed on live accounts since the first of
 * this month (UTC): in USD as the ledger booked it, so without losses that the house carried; and in per cent of the money without it, null where
 * there was none.
 */
export const standingOf = (sql: Sql, userId: string): Reading<v.InferOutput<typeof standingRow> | null> =>
  item(
    standingRow,
    sql`
      select json_build_object(
        'financials', json_build_object(
          'firstName', u.first_name, 'lastName', u.last_name, 'email', u.email, 'accountBalance', f.account_balance::text,
          'tradingBalance', f.trading_balance::text, 'totalProfit', f.total_profit::text
        ),
        'month', json_build_object(
          'profit', t.month::text, 'percent', round(100 * t.month / nullif(greatest(f.trading_balance - t.month, 0), 0), 1)::text
        ),
        'live', json_build_object('open', t.live_open, 'closed', t.live_closed, 'won', t.live_won, 'winRate', ${winRate(sql`t.live_won`, sql`t.live_closed`, sql)}),
        'demo', json_build_object('open', t.demo_open, 'closed', t.demo_closed, 'won', t.demo_won, 'winRate', ${winRate(sql`t.demo_won`, sql`t.demo_closed`, sql)})
      ) as item
      from users u
      join user_financials f on f.user_id = u.id
      cross join lateral (
        select
          coalesce(sum(d.booked) filter (where not a.is_demo), 0.00) as month,
          coalesce(sum(o.open) filter (where not a.is_demo), 0) as live_open, coalesce(sum(o.open) filter (where a.is_demo), 0) as demo_open,
          coalesce(sum(s.closed) filter (where not a.is_demo), 0) as live_closed, coalesce(sum(s.closed) filter (where a.is_demo), 0) as demo_closed,
          coalesce(sum(s.won) filter (where not a.is_demo), 0) as live_won, coalesce(sum(s.won) filter (where a.is_demo), 0) as demo_won
        from trading_accounts a
        cross join lateral (
          select count(*) as open from positions p where p.account_id = a.id and p.status in ('pending', 'open') and p.status = 'open'
        ) o
        cross join lateral (select sum(s.closed) as closed, sum(s.won) as won from account_symbols s where s.account_id = a.id) s
        cross join lateral (
          select sum(d.booked) as booked from account_days d where d.account_id = a.id and d.day >= date_trunc('month', now() at time zone 'UTC')
        ) d
        where a.user_id = u.id
      ) t
      where u.id = ${userId}
    `,
  );
const winRate = (won: Fragment, closed: Fragment, sql: Sql) => sql`coalesce(trim_scale(round(100.0 * ${won} / nullif(${closed}, 0), 1)), 0)::text`;

/** How one account of the person's traded: closed positions, those with a profit, their share in per cent, and what all of them brought in USD. */
export const accountResultOf = (sql: Sql, userId: string, accountId: string): Reading<AccountResult> =>
  one(
    resultRow,
    sql`
      select coalesce(sum(s.closed), 0)::integer as closed, coalesce(sum(s.won), 0)::integer as won,
        coalesce(trim_scale(round(100.0 * sum(s.won) / nullif(sum(s.closed), 0), 1)), 0) as "winRate", coalesce(sum(s.gained - s.given), 0.00) as realised
      from trading_accounts a
      join account_symbols s on s.account_id = a.id
      where a.user_id = ${userId} and a.id = ${accountId}
    `,
  ).map((row) => row ?? { closed: 0, won: 0, winRate: "0", realised: "0.00" });

/** Whether a deposit of the person's was ever approved. */
export const hasDeposited = (sql: Sql, userId: string): Reading<boolean> =>
  one(v.strictObject({ found: v.boolean() }), sql`select exists (select from deposits where user_id = ${userId} and status = 'approved') as found`).map(
    (row) => row?.found ?? false,
  );
