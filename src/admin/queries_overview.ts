import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import type { Exposure } from "../trading/schema_corrections";
import type { Day, Overview } from "./schema";

/** The business in figures. Amounts are USD; days are UTC. */

const overviewRow = v.strictObject({
  users: v.number(),
  registrations: v.number(),
  pendingDeposits: v.number(),
  pendingWithdrawals: v.number(),
  withdrawalsHeld: v.string(),
  clientMoney: v.string(),
});

const total = (counts: number[]) => counts.reduce((all, count) => all + count, 0);

/**
 * What there is at this moment; of what clients hold, `held` tells. `withdrawalsHeld` is what clients asked to be paid, `clientMoney` all that is
 * theirs in live money.
 */
export async function overviewOf(sql: Sql, held: readonly Exposure[]): Promise<Overview> {
  const row = await one(
    overviewRow,
    sql`
      select
        people_of('user') as users,
        (select count(*) from users where registration_status = 'pending' and role = 'user') as registrations,
        (select count(*) from deposits where status = 'pending') as "pendingDeposits",
        (select count(*) from withdrawals where status = 'pending') as "pendingWithdrawals",
        (select coalesce(sum(amount), 0.00) from withdrawals where status = 'pending') as "withdrawalsHeld",
        -- Each entry sums to zero in its book, so clients hold what the house's accounts there lack.
        (select coalesce(-sum(balance), 0.00) from ledger_accounts where owner_id is null and book = 'live') as "clientMoney"
    `,
  );
  if (!row) throw new Error("the overview answered nothing");
  const openLive = total(held.map(({ live }) => live));
  return { ...row, openLive, openDemo: total(held.map(({ positions }) => positions)) - openLive };
}

const dayRow = v.strictObject({ day: v.string(), registrations: v.number(), deposits: v.string(), withdrawals: v.string(), revenue: v.string() });

/** So many days are drawn, today included. */
const DAYS = 30;

/**
 * The last thirty days, oldest first: who registered, what approvals credited and paid out, and what the house earned on live
 * accounts (clients' realised losses less profits, corrections included, less bonuses). Days that are over are read as they were written down,
 * which this does for those that nobody has asked about.
 */
export async function daysOf(sql: Sql): Promise<Day[]> {
  await sql`select house_days_seal(${DAYS - 1})`;
  return many(
    dayRow,
    sql`
      select to_char(d.day, 'YYYY-MM-DD') as day, h.registrations, h.deposits, h.withdrawals, h.revenue
      from (select (now() at time zone 'UTC')::date - n as day, n = 0 as lasts from generate_series(0, ${DAYS - 1}) n) d
      cross join lateral (
        select k.registrations, k.deposits, k.withdrawals, k.revenue from house_days k where k.day = d.day
        union all
        select o.registrations, o.deposits, o.withdrawals, o.revenue
        from house_day_of(d.day) o
        where not d.lasts and not exists (select from house_days k where k.day = d.day)
        union all
        select o.registrations, o.deposits, o.withdrawals, o.revenue from house_day_now() o where d.lasts
      ) h
      order by d.day
      limit ${DAYS}
    `,
  );
}
