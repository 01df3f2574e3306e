import { priceText } from "../lib/money";
import { instruments, pipOf } from "../market/rules_listed";
import { type Days, inOrder, many, onDays, one, type Sql } from "../platform/database/db";
import { found } from "./queries_found";
import { owner, type StaffSearch } from "./queries_staff";
import { type Exception, type ExceptionOrder, exceptionRow, OLD_TICK_MS, SLIPPAGE_POINTS } from "./schema_exceptions";

/** In each query `e` is the exception, `p` its position, `a` the account, `u` its owner, `r` the review. */

type Search = StaffSearch & { sort?: ExceptionOrder; day?: string; review?: "all" | "open" | "done" };

const pips = () => JSON.stringify(instruments.map(({ symbol }) => ({ symbol, pip: priceText(pipOf(symbol)) })));

/**
 * Fills and corrections of some days or of one position. A fill's range is that of the mid prices of its tick's minute, in any source, and
 * half the spread beyond: the market's at its tick or the tier's, whichever is wider. An id is made of the position and the kind.
 */
const tables = (sql: Sql, which: { days: Days } | { id: string }) => {
  const between = (at: string) => ("days" in which ? onDays(sql, sql`${sql(at)}`, which.days) : sql``);
  const chosen = (position: string, kind: ReturnType<typeof sql>) =>
    "id" in which ? sql`and md5(${sql(position)}::text || ${kind})::uuid = ${which.id}` : sql``;
  return sql`
    from (
      select md5(f.position_id::text || f.kind)::uuid as id, f.position_id, f.kind, f.created_at, f.price, f.quote_age_ms, s.points,
        round(c.low - h.half, 8) as low, round(c.high + h.half, 8) as high, null::numeric as settled_profit, null::numeric as market_profit, null::uuid[] as by,
        array_remove(array[
          case when f.price < c.low - h.half - 0.00000001 or f.price > c.high + h.half + 0.00000001 then 'outside_range' end,
          case when f.quote_age_ms > ${OLD_TICK_MS} then 'old_tick' end, case when abs(s.points) > ${SLIPPAGE_POINTS} and (f.kind = 'close' or o.order_type = 'market') then 'slippage' end
        ], null) as reasons
      from fills f
      join positions o on o.id = f.position_id
      join json_to_recordset(${pips()}::text::json) as i (symbol text, pip numeric) on i.symbol = o.symbol
      cross join lateral (select round(f.slippage / f.requested_price * 10000, 3) as points) s
      cross join lateral (select greatest(f.ask - f.bid, f.tier_spread_pips * i.pip) / 2 as half) h
      cross join lateral (
        select min(k.low) as low, max(k.high) as high from candles k
        where k.symbol = o.symbol and k.interval = '1m' and k.time = date_trunc('minute', f.quote_at)
      ) c
      where true ${between("f.created_at")} ${chosen("f.position_id", sql`f.kind`)}
      union all
      select md5(k.position_id::text || 'correction')::uuid, k.position_id, 'correction', k.created_at, k.market_price, null, null, null, null, k.settled_profit,
        k.market_profit, array[k.admin_id, k.confirmed_by], array['correction']
      from corrections k
      where true ${between("k.created_at")} ${chosen("k.position_id", sql`'correction'`)}
    ) e
    join positions p on p.id = e.position_id
    join trading_accounts a on a.id = p.account_id
    join users u on u.id = p.user_id
    left join exception_reviews r on r.position_id = e.position_id and r.kind = e.kind
    left join users w on w.id = r.admin_id
  `;
};

const columns = (sql: Sql) => sql`
  e.id, e.position_id as "positionId", ${owner(sql)}, e.kind, e.reasons, e.price, e.quote_age_ms as "quoteAgeMs", e.points as "slippagePoints", e.low, e.high,
  e.settled_profit as "settledProfit", e.market_profit as "marketProfit", w.email as "reviewedBy", r.note, r.created_at as "reviewedAt",
  e.created_at as "createdAt"
`;

/** The exceptions of some days in UTC, of today where none is said; newest first unless told. */
export function exceptionsOf(sql: Sql, { sort = "-created", day, from, to, review = "all", cursor, ...search }: Search): Promise<Exception[]> {
  const only = day || (from || to ? "" : new Date().toISOString().slice(0, 10));
  const of = tables(sql, { days: only ? { from: only, to: only } : { from, to } });
  const keys = { created: sql`e.created_at`, name: sql`lower(u.first_name || ' ' || u.last_name)`, symbol: sql`p.symbol` };
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys, id: sql`e.id`, tables: of });
  return many(
    exceptionRow,
    sql`
      select ${columns(sql)}
      ${of}
      where cardinality(e.reasons) > 0 and (${review} = 'all' or (r.kind is null) = (${review} = 'open')) ${found(sql, search.q)} ${rest}
      ${order}
      limit ${search.limit}
    `,
  );
}

/** The exception of this id; null where there is none. */
export const exceptionById = (sql: Sql, id: string): Promise<Exception | null> =>
  one(exceptionRow, sql`select ${columns(sql)} ${tables(sql, { id })} where cardinality(e.reasons) > 0 limit 1`);

/** Whether this person made or confirmed the correction of this position. */
export const hasCorrected = async (sql: Sql, admin: string, positionId: string): Promise<boolean> =>
  (await sql`select from corrections where position_id = ${positionId} and ${admin} in (admin_id, confirmed_by) limit 1`).length > 0;
