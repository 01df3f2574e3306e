import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";

/** How a person traded on live accounts, or on demo accounts: from closed positions, and from what the ledger booked for them. */

const nullableMoney = v.nullable(v.string());
const summaryRow = v.strictObject({
  closed: v.number(),
  won: v.number(),
  lost: v.number(),
  winRate: v.string(),
  net: v.string(),
  /** What the profitable ones brought, and what the others cost. */
  gained: v.string(),
  given: v.string(),
  /** Gained over given; null where nothing was lost. */
  factor: nullableMoney,
  averageWin: nullableMoney,
  averageLoss: nullableMoney,
  best: nullableMoney,
  worst: nullableMoney,
  /** How long a position was open on average, in seconds. */
  held: v.nullable(v.number()),
  /** What opening and closing cost beside the spread, of closed positions. */
  commission: v.string(),
  /** What nights brought beside that, of open positions, too. */
  swap: v.string(),
});
export type Summary = v.InferOutput<typeof summaryRow>;

/** The totals of the person's live, or demo, accounts: by instrument (`account_symbols`) or by day (`account_days`). */
const totalsOf = (sql: Sql, table: "account_symbols" | "account_days", userId: string, isDemo: boolean) => sql`
  from ${sql(table)} t
  join trading_accounts a on a.id = t.account_id
  where a.user_id = ${userId} and a.is_demo = ${isDemo}
`;

export async function summaryOf(sql: Sql, userId: string, isDemo: boolean): Promise<Summary> {
  const row = await one(
    summaryRow,
    sql`
      select s.closed, s.won, s.lost, coalesce(trim_scale(round(100.0 * s.won / nullif(s.closed, 0), 1)), 0) as "winRate", s.net, s.gained, s.given,
        round(s.gained / nullif(s.given, 0), 2) as factor, round(s.gained / nullif(s.won, 0), 2) as "averageWin", -round(s.given / nullif(s.lost, 0), 2) as "averageLoss",
        s.best, s.worst, s.held, s.commission,
        (select coalesce(sum(a.swap), 0.00) from trading_accounts a where a.user_id = ${userId} and a.is_demo = ${isDemo}) as swap
      from (
        select coalesce(sum(t.closed), 0)::integer as closed, coalesce(sum(t.won), 0)::integer as won, coalesce(sum(t.lost), 0)::integer as lost,
          coalesce(sum(t.gained - t.given), 0.00) as net, coalesce(sum(t.gained), 0.00) as gained, coalesce(sum(t.given), 0.00) as given,
          max(t.best) as best, min(t.worst) as worst, (extract(epoch from sum(t.held)) / nullif(sum(t.closed), 0))::integer as held,
          coalesce(sum(t.charges), 0.00) as commission
        ${totalsOf(sql, "account_symbols", userId, isDemo)}
      ) s
    `,
  );
  if (!row) throw new Error("an aggregate without a row");
  return row;
}

const symbolRow = v.strictObject({ symbol: v.string(), closed: v.number(), winRate: v.string(), profit: v.string() });
export type BySymbol = v.InferOutput<typeof symbolRow>;

/** What each instrument brought, the best first. */
export const bySymbolOf = (sql: Sql, userId: string, isDemo: boolean): Promise<BySymbol[]> =>
  many(
    symbolRow,
    sql`
      select t.symbol, sum(t.closed)::integer as closed, trim_scale(round(100.0 * sum(t.won) / sum(t.closed), 1)) as "winRate", sum(t.gained - t.given) as profit
      ${totalsOf(sql, "account_symbols", userId, isDemo)}
      group by t.symbol
      order by sum(t.gained - t.given) desc, t.symbol
      limit 100
    `,
  );

const monthRow = v.strictObject({ month: v.string(), closed: v.number(), profit: v.string() });
export type ByMonth = v.InferOutput<typeof monthRow>;

/** What each of the last twelve months with a closed position brought (UTC), the newest first. */
export const byMonthOf = (sql: Sql, userId: string, isDemo: boolean): Promise<ByMonth[]> =>
  many(
    monthRow,
    sql`
      select to_char(m.month, 'YYYY-MM') as month, m.closed, m.profit
      from (
        select date_trunc('month', t.day::timestamp) as month, sum(t.closed)::integer as closed, sum(t.profit) as profit
        ${totalsOf(sql, "account_days", userId, isDemo)}
        group by 1
        order by 1 desc
        limit 12
      ) m
      order by m.month desc
    `,
  );

const pointRow = v.strictObject({ at: v.string(), total: v.string() });
export type CurvePoint = v.InferOutput<typeof pointRow>;

/** Points of the curve, at most so many. */
const POINTS = 240;
/** So many closings stand in the curve one by one, the latest; of days before them it has the end. */
const SINGLE = 500;

/** The running total of what the ledger booked for closed positions, oldest first. */
export const curveOf = (sql: Sql, userId: string, isDemo: boolean): Promise<CurvePoint[]> =>
  many(
    pointRow,
    sql`
      with
        mine as (select id from trading_accounts where user_id = ${userId} and is_demo = ${isDemo}),
        latest as (
          select l.id, l.at, l.booked
          from mine
          cross join lateral account_latest(mine.id, ${SINGLE}) l
          order by l.at desc, l.id desc
          limit ${SINGLE}
        ),
        run as (
          select d.day, sum(d.booked) over w as total, row_number() over w as place
          from (select day, sum(booked) as booked from account_days where account_id in (select id from mine) group by day) d
          window w as (order by d.day rows unbounded preceding)
        ),
        -- Whole days before the latest, and how many points there are: of these no more is made than is drawn.
        drawn as (
          select days, days + single as points, greatest(1, (days + single) / ${POINTS}::integer) as every, (select total from run order by place desc limit 1) as total
          from (select count(*) as single, (min(at) at time zone 'UTC')::date as first from latest) l
          cross join lateral (select count(*) as days from run where day < l.first) d
        ),
        -- What was booked up to the end of each of these days, and up to each of the latest: all of it less what came after.
        point as (
          select place, (day + 1)::timestamp at time zone 'UTC' as at, total
          from run
          where place <= (select days from drawn) and (place % (select every from drawn) = 0 or place = (select points from drawn))
          union all
          select place, at, (select total from drawn) - after
          from (
            select at, (select points from drawn) + 1 - row_number() over w as place, sum(booked) over w - booked as after
            from latest
            window w as (order by at desc, id desc rows unbounded preceding)
          ) l
          where place % (select every from drawn) = 0 or place = (select points from drawn)
        )
      select at, total
      from point
      order by place
      limit ${2 * POINTS}
    `,
  );
