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
});
export type Summary = v.InferOutput<typeof summaryRow>;

const closedOf = (sql: Sql, userId: string, isDemo: boolean) => sql`
  from positions p
  join trading_accounts a on a.id = p.account_id
  where p.user_id = ${userId} and p.status = 'closed' and a.is_demo = ${isDemo}
`;

export async function summaryOf(sql: Sql, userId: string, isDemo: boolean): Promise<Summary> {
  const row = await one(
    summaryRow,
    sql`
      select s.closed, s.won, s.lost, coalesce(trim_scale(round(100.0 * s.won / nullif(s.closed, 0), 1)), 0) as "winRate", s.net, s.gained, s.given,
        round(s.gained / nullif(s.given, 0), 2) as factor, round(s.gained / nullif(s.won, 0), 2) as "averageWin", -round(s.given / nullif(s.lost, 0), 2) as "averageLoss",
        s.best, s.worst, s.held
      from (
        select count(*)::integer as closed, (count(*) filter (where p.profit > 0))::integer as won, (count(*) filter (where p.profit < 0))::integer as lost,
          coalesce(sum(p.profit), 0.00) as net, coalesce(sum(p.profit) filter (where p.profit > 0), 0.00) as gained,
          coalesce(-sum(p.profit) filter (where p.profit < 0), 0.00) as given, max(p.profit) as best, min(p.profit) as worst,
          extract(epoch from avg(p.closed_at - p.opened_at))::integer as held
        ${closedOf(sql, userId, isDemo)}
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
      select p.symbol, count(*)::integer as closed, trim_scale(round(100.0 * count(*) filter (where p.profit > 0) / count(*), 1)) as "winRate", sum(p.profit) as profit
      ${closedOf(sql, userId, isDemo)}
      group by p.symbol
      order by sum(p.profit) desc, p.symbol
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
      select to_char(date_trunc('month', p.closed_at at time zone 'UTC'), 'YYYY-MM') as month, count(*)::integer as closed, sum(p.profit) as profit
      ${closedOf(sql, userId, isDemo)}
      group by 1
      order by 1 desc
      limit 12
    `,
  );

const pointRow = v.strictObject({ at: v.string(), total: v.string() });
export type CurvePoint = v.InferOutput<typeof pointRow>;

/** Points of the curve, at most so many. */
const POINTS = 240;

/** The running total of what the ledger booked for closed positions, oldest first. */
export const curveOf = (sql: Sql, userId: string, isDemo: boolean): Promise<CurvePoint[]> =>
  many(
    pointRow,
    sql`
      select l.at, l.total
      from (
        select e.created_at as at, sum(p.amount) over w as total, row_number() over w as place, count(*) over () as places
        from trading_accounts t
        join ledger_postings p on p.account_id = t.ledger_account_id
        join ledger_entries e on e.id = p.entry_id and e.kind = 'trade_close'
        where t.user_id = ${userId} and t.is_demo = ${isDemo}
        window w as (order by p.entry_id, p.account_id)
      ) l
      where l.place = l.places or l.place % greatest(1, l.places / ${POINTS}) = 0
      order by l.place
      limit ${2 * POINTS}
    `,
  );
