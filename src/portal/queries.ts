import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import type { AccountResult, MonthResult, TradeRecord } from "./schema";
import { monthRow, recordRow, resultRow } from "./schema_rows";

/**
 * The result of positions closed on a person's live accounts since the first of this month (UTC): in USD as the ledger booked it, so without
 * losses that the house carried; and in per cent of the money without it, null where there was none.
 */
export async function monthResultOf(sql: Sql, userId: string): Promise<MonthResult> {
  const row = await one(
    monthRow,
    sql`
      select m.profit, round(100 * m.profit / nullif(greatest(f.trading_balance - m.profit, 0), 0), 1) as percent
      from user_financials f
      cross join lateral (
        select coalesce(sum(d.booked), 0.00) as profit
        from account_days d
        join trading_accounts a on a.id = d.account_id
        where a.user_id = f.user_id and not a.is_demo and d.day >= date_trunc('month', now() at time zone 'UTC')
      ) m
      where f.user_id = ${userId}
    `,
  );
  return row ?? { profit: "0.00", percent: null };
}

/** How one account of the person's traded: closed positions, those with a profit, their share in per cent, and what all of them brought in USD. */
export async function accountResultOf(sql: Sql, userId: string, accountId: string): Promise<AccountResult> {
  const row = await one(
    resultRow,
    sql`
      select coalesce(sum(s.closed), 0)::integer as closed, coalesce(sum(s.won), 0)::integer as won,
        coalesce(trim_scale(round(100.0 * sum(s.won) / nullif(sum(s.closed), 0), 1)), 0) as "winRate", coalesce(sum(s.gained - s.given), 0.00) as realised
      from trading_accounts a
      join account_symbols s on s.account_id = a.id
      where a.user_id = ${userId} and a.id = ${accountId}
    `,
  );
  return row ?? { closed: 0, won: 0, winRate: "0", realised: "0.00" };
}

/** Whether a deposit of the person's was ever approved. */
export const hasDeposited = async (sql: Sql, userId: string): Promise<boolean> =>
  (await one(v.strictObject({ found: v.boolean() }), sql`select exists (select from deposits where user_id = ${userId} and status = 'approved') as found`))
    ?.found ?? false;

/** The person's record on live accounts, or on demo accounts. */
export async function recordOf(sql: Sql, userId: string, isDemo: boolean): Promise<TradeRecord> {
  const row = await one(
    recordRow,
    sql`
      select o.open, c.closed, c.won, coalesce(trim_scale(round(100.0 * c.won / nullif(c.closed, 0), 1)), 0) as "winRate"
      from (
        select count(*)::integer as open
        from positions p
        join trading_accounts a on a.id = p.account_id
        where p.user_id = ${userId} and p.status = 'open' and a.is_demo = ${isDemo}
      ) o
      cross join (
        select coalesce(sum(s.closed), 0)::integer as closed, coalesce(sum(s.won), 0)::integer as won
        from account_symbols s
        join trading_accounts a on a.id = s.account_id
        where a.user_id = ${userId} and a.is_demo = ${isDemo}
      ) c
    `,
  );
  return row ?? { open: 0, closed: 0, won: 0, winRate: "0" };
}
