import * as v from "valibot";
import { one, type Sql } from "../platform/db";

const monthRow = v.strictObject({ profit: v.string() });

/** What a person's live accounts have realised since the first of this month (UTC), in USD. */
export async function monthProfitOf(sql: Sql, userId: string): Promise<string> {
  const row = await one(
    monthRow,
    sql`
      select coalesce(sum(p.profit), 0.00)::text as profit
      from positions p
      join trading_accounts a on a.id = p.account_id
      where p.user_id = ${userId} and p.status = 'closed' and not a.is_demo
        and p.closed_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC'
    `,
  );
  return row?.profit ?? "0.00";
}
