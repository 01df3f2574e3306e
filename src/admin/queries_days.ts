import * as v from "valibot";
import { notFound } from "../lib/refusal";
import { type Db, item, many, one, type Sql } from "../platform/database/db";
import type { BoardArrays } from "../market/board_sql";
import { exposureOf } from "../trading/queries_staff";
import { priceText, subtract, sum } from "../lib/money";
import { instruments, pipOf } from "../market/rules_listed";
import { queuesOf } from "./queries_waits";
import { type ClosedDay, closedRow, type Closing, type DayBook, type DayLine, figuresRow, lineRow, moverRow } from "./schema_days";

/** What a day brought. All of it comes from `day_lines`, which reads the entries of that day and no others. */

/** So many clients are named. */
const MOVERS = 5;

const sumsRow = v.strictObject({ figures: figuresRow, byResult: v.array(moverRow), byMoney: v.array(moverRow) });
/** The day in sums, and of whom it moved most, by the house's result and by money in and out; its lines are read once for all of it. */
const sumsOf = (sql: Sql, day: string): Promise<v.InferOutput<typeof sumsRow> | null> => item(sumsRow, sql`select day_sums(${day}, ${MOVERS}) as item`);

export const closedDay = (sql: Sql, day: string): Promise<ClosedDay | null> =>
  one(
    closedRow,
    sql`
      select d.figures, d.floating, d.closed_at as "closedAt", u.first_name || ' ' || u.last_name as "closedBy", d.audit_id as entry, a.hash
      from closed_days d
      join users u on u.id = d.closed_by
      join admin_actions a on a.id = d.audit_id
      where d.day = ${day}
    `,
  );

const datesRow = v.strictObject({ today: v.string(), next: v.nullable(v.string()), behind: v.number() });
type Dates = v.InferOutput<typeof datesRow>;
/** Today's date, and which day is to be closed. Until a first one was, that is yesterday, if anything had been booked by then. */
export async function datesOf(sql: Sql): Promise<Dates> {
  const dates = await one(
    datesRow,
    sql`
      select n.today::text as today, case when n.next < n.today then n.next::text end as next, greatest(n.today - n.next, 0) as behind
      from (
        select t.today,
          coalesce(
            (select max(day) + 1 from closed_days),
            case when (select (created_at at time zone 'UTC')::date from users order by created_at limit 1) < t.today then t.today - 1 end
          ) as next
        from (select (now() at time zone 'UTC')::date as today) t
      ) n
    `,
  );
  if (!dates) throw new Error("the calendar answered nothing");
  return dates;
}

/** What the house would gain if all of clients' live positions closed now; null where one has no price. */
export async function floatingOf(sql: Sql, board: BoardArrays): Promise<string | null> {
  const held = await exposureOf(sql, "live", board);
  const profits = held.flatMap(({ profit }) => (profit === null ? [] : [profit]));
  return profits.length < held.length ? null : subtract("0.00", sum(profits));
}

const pips = () => JSON.stringify(instruments.map(({ symbol }) => ({ symbol, pip: priceText(pipOf(symbol)) })));
const endRow = v.strictObject({ profit: v.string(), unknown: v.number() });

/**
 * What the house would have gained if all of clients' live positions had closed as a day of the past ended: at the last mid price that the feed of
 * now recorded by then, and the spread of each account's tier, as the market's own of that moment is not kept for long. Null where there is no
 * such price. What was closed since is found by its fills.
 */
export async function floatingAt(sql: Sql, day: string): Promise<string | null> {
  const found = await one(
    endRow,
    sql`
      with ended as (select (${day}::date + 1)::timestamp at time zone 'UTC' as at),
        held as (
          select p.symbol, p.side, p.amount, p.open_price, p.account_id, p.group_version, p.terms_version from ended, positions p where p.status = 'open' and p.opened_at < ended.at
          union all
          select p.symbol, p.side, p.amount, p.open_price, p.account_id, p.group_version, p.terms_version
          from ended, fills f, positions p
          where f.kind = 'close' and f.created_at >= ended.at and p.id = f.position_id and p.opened_at < ended.at
        ),
        last as materialized (
          select s.symbol, c.close as mid
          from (select distinct symbol from held) s
          left join quotes q on q.symbol = s.symbol
          left join lateral (
            select k.close from candles k, ended
            where k.source = q.source and k.symbol = s.symbol and k.interval = '1d' and k.time < ended.at
            order by k.time desc
            limit 1
          ) c on true
        )
      select count(*) filter (where l.mid is null) as unknown,
        coalesce(sum(profit_of(h.side, h.amount, h.open_price, case h.side when 'buy' then x.account_bid else x.account_ask end)), 0.00)::text as profit
      from held h
      join trading_accounts a on a.id = h.account_id and not a.is_demo
      join account_types t on t.id = a.account_type_id
      join last l on l.symbol = h.symbol
      join json_to_recordset(${pips()}::text::json) as i (symbol text, pip numeric) on i.symbol = h.symbol
      cross join lateral account_price(l.mid, l.mid, i.pip, spread_of(t, h.group_version, h.symbol, markup_of(h.symbol, h.terms_version))) x
    `,
  );
  return found && found.unknown === 0 ? subtract("0.00", found.profit) : null;
}

/** A day with all that its page shows, of one moment; today's for null. Refuses (not_found) a day to come. */
export const dayBookOf = (sql: Db, asked: string | null, board: BoardArrays): Promise<DayBook> =>
  sql.begin("isolation level repeatable read read only", async (tx) => {
    const dates = await datesOf(tx);
    const { today } = dates;
    const day = asked ?? today;
    if (day > today) throw notFound();
    const sums = await sumsOf(tx, day);
    if (!sums) throw new Error("a day answered nothing");
    const closed = day === today ? null : await closedDay(tx, day);
    const closing: Closing = { next: dates.next, behind: dates.next ? dates.behind : 0 };
    return {
      day,
      today,
      ...sums,
      floating: day === today ? await floatingOf(tx, board) : closed ? null : await floatingAt(tx, day),
      closed,
      closing,
      queues: await queuesOf(tx),
    };
  });

type LineSearch = { part: string; method: string; since: string; cursor?: string | undefined; limit: number };

/** The lines of a figure, newest first; `cursor` is the id of the last one seen. */
export function dayLines(sql: Sql, day: string, { part, method, since, cursor, limit }: LineSearch): Promise<DayLine[]> {
  const [entry = "", last = ""] = cursor?.split("-") ?? [];
  return many(
    lineRow,
    sql`
      select l.entry_id || '-' || l.part as id, l.at, l.part, l.method, l.user_id as "userId", u.first_name || ' ' || u.last_name as name, u.email, l.memo, l.amount
      from day_lines(${day}) l
      left join users u on u.id = l.user_id
      where true
        ${part ? sql`and l.part = ${part}` : sql``}
        ${method ? sql`and l.method = ${method}` : sql``}
        ${since ? sql`and l.entry_id > (select (figures ->> 'lastEntry')::bigint from closed_days where day = ${day})` : sql``}
        ${cursor ? sql`and (l.entry_id, l.part) < (${entry}, ${last})` : sql``}
      order by l.entry_id desc, l.part desc
      limit ${limit}
    `,
  );
}
