import * as v from "valibot";
import type { BoardArrays } from "../market/board_sql";
import { placeOf } from "../lib/cursor";
import { type Days, type Fragment, inOrder, many, onDays, one, type Sql, within } from "../platform/database/db";
import { pageByProfit } from "./queries_by_profit";
import { found, liveFound } from "./queries_found";
import { onBoard } from "./queries_priced";
import { accountOfEach, floating, quoted, quotedFor } from "./queries_quoted";
import {
  type BookChoice,
  type Exposure,
  exposureRow,
  type MarginAccount,
  marginRow,
  type PositionOrder,
  type PositionSort,
  type StaffPosition,
  staffPositionRow,
} from "./schema_corrections";

/** What staff read of everybody's positions. In each query `p` is the position, `a` its account, `u` its owner. */

export type StaffSearch = Days & { q: string; limit: number; cursor?: string | undefined };

export const owner = (sql: Sql) => sql`
  u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, a.id as "accountId", a.account_number as "accountNumber",
  a.is_demo as "isDemo", p.symbol, p.side as type, p.amount
`;

type PositionSearch = StaffSearch & {
  /** Who looks; a file is nobody's. */
  by?: string;
  status: "open" | "pending";
  id?: string | undefined;
  sort?: PositionOrder;
  symbol?: string;
  account?: BookChoice;
  side?: "all" | "buy" | "sell";
  userId?: string | undefined;
};

const sortKeys = (sql: Sql): Record<PositionSort, Fragment> => ({
  created: sql`p.created_at`,
  name: sql`lower(u.first_name || ' ' || u.last_name)`,
  symbol: sql`p.symbol`,
  amount: sql`p.amount`,
  // One without a price stands where nothing is won or lost.
  profit: sql`coalesce(c.profit, 0)`,
});

/** As the statistics know it: of a state yet to be named they expect more rows than there are, and a plan of the few that are meant would be made anew each time. */
const inState = (sql: Sql, status: "open" | "pending") => (status === "open" ? sql`p.status = 'open'` : sql`p.status = 'pending'`);

const inBook = (sql: Sql, account: BookChoice) => (account === "all" ? sql`` : sql`and a.is_demo = ${account === "demo"}`);

/** Open positions (or waiting orders) of all accounts, newest first unless told. */
export async function staffPositionsOf(sql: Sql, search: PositionSearch, board: BoardArrays): Promise<StaffPosition[]> {
  const { by = null, q, limit, cursor, status, id, sort = "-created", symbol = "", account = "all", side = "all", userId, from, to } = search;
  const meant = q ? await liveFound(sql, q) : null;
  if (meant === "nothing") return [];
  const ofPosition = sql`
    where p.status in ('pending', 'open') and ${inState(sql, status)}
      ${id ? sql`and p.id = ${id}` : sql``}
      ${symbol ? sql`and p.symbol = ${symbol}` : sql``}
      ${side === "all" ? sql`` : sql`and p.side = ${side}`}
      ${userId ? sql`and p.user_id = ${userId}` : sql``}
      ${onDays(sql, sql`p.created_at`, { from, to })}
      ${meant ? meant.held : sql``}
  `;
  const asked = meant ? sql`` : found(sql, q);
  const tables = sql`
    from positions p
    join trading_accounts a on a.id = p.account_id
    join ledger_accounts l on l.id = a.ledger_account_id
    join users u on u.id = p.user_id
    ${onBoard(sql, board)}
  `;
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys: sortKeys(sql), id: sql`p.id`, tables });
  const shown = (page: Fragment, held: Fragment) => sql`
    ${page}
    select p.id, ${owner(sql)}, p.open_price as "openPrice", p.open_price as "entryPrice", p.volume, c.price as "currentPrice", p.stop_loss as "stopLoss", p.take_profit as "takeProfit",
      c.profit, l.balance, spread_of(t, version_for(p, t), p.symbol, 0) as "spreadsFrom", p.terms_version as "termsVersion", p.status, p.opened_at as "openedAt", p.created_at as "createdAt",
      exists (
        select from correction_requests r
        where r.position_id = p.id and not exists (select from correction_decisions d where d.request_id = r.id)
      ) as waits,
      case when a.is_demo then 0.00 else corrected_alone(${by}::uuid, p.user_id) end as "correctedAlone"
    ${tables}
    ${held}
    ${order}
  `;
  if (sort !== "profit" && sort !== "-profit")
    return many(staffPositionRow, sql`${shown(sql``, sql`${ofPosition} ${asked} ${inBook(sql, account)} ${rest}`)} limit ${limit}`);
  // All that is open is gone through, however much the house ever closed; then the page alone is priced as it shows it. Planned for each asking, as it would be
  // the first five times on each connection, it takes half as long again.
  return within(sql, async (tx) => {
    await tx.unsafe("set local enable_seqscan = off; set local plan_cache_mode = force_generic_plan");
    const last = cursor === undefined ? null : placeOf(cursor).id;
    const page = pageByProfit(tx, {
      ...{ board, limit, last, ofPosition },
      falls: sort === "-profit",
      ofAccount: account === "all" ? null : sql`true ${inBook(sql, account)}`,
      few: meant?.few ?? false,
      ofOwner: q && !meant ? sql`true ${asked}` : null,
    });
    return many(staffPositionRow, tx`${shown(page, sql`where p.id = any (array(select id from page))`)} limit ${limit}`);
  });
}

const countRow = v.strictObject({ count: v.number() });
export const countOpen = async (sql: Sql): Promise<number> =>
  (await one(countRow, sql`select count(*) as count from positions where status in ('pending', 'open') and status = 'open'`))?.count ?? 0;

/** What clients hold of each symbol, the largest holding first. */
export const exposureOf = (sql: Sql, account: BookChoice, board: BoardArrays): Promise<Exposure[]> =>
  many(
    exposureRow,
    sql`
      ${quoted(sql, board)}
      select p.symbol, coalesce(sum(p.amount) filter (where p.side = 'buy'), 0.00) as long, coalesce(sum(p.amount) filter (where p.side = 'sell'), 0.00) as short,
        sum(case p.side when 'buy' then p.amount else -p.amount end) as net, count(*) as positions, count(*) filter (where not a.is_demo) as live, sum(${floating(sql)}) as profit,
        coalesce(sum(case p.side when 'buy' then p.amount else -p.amount end) filter (where not a.is_demo), 0.00) as "liveNet", m.amount as limit
      from positions p
      ${accountOfEach(sql)}
      ${quotedFor(sql)}
      left join exposure_limits m on m.symbol = p.symbol
      where p.status in ('pending', 'open') and p.status = 'open' ${inBook(sql, account)}
      group by p.symbol, m.amount
      order by sum(p.amount) desc, p.symbol
      limit 100
    `,
  );

/** The accounts nearest to stop-out. One that holds a position without a price is left out: its equity can't be told. */
export const nearestToStopOut = (sql: Sql, account: BookChoice, limit: number, board: BoardArrays): Promise<MarginAccount[]> =>
  many(
    marginRow,
    sql`
      ${quoted(sql, board)}
      select a.id, u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, a.account_number as "accountNumber", a.is_demo as "isDemo",
        h.equity, h.margin, round(h.equity * 100 / h.margin, 2) as "marginLevel", h.positions
      from (
        select g.id, g.equity, g.margin, g.positions
        from (
          select a.id, l.balance - a.advance + sum(f.profit) as equity, sum(p.margin) as margin, count(*) as positions
          from positions p
          ${accountOfEach(sql)}
          join ledger_accounts l on l.id = a.ledger_account_id
          ${quotedFor(sql)}
          cross join lateral (select ${floating(sql)} as profit) f
          where p.status in ('pending', 'open') and p.status = 'open' ${inBook(sql, account)}
          group by a.id, a.advance, l.balance
          having sum(p.margin) > 0 and count(f.profit) = count(*)
        ) g
        -- Few of them are shown: whose they are is looked up of these alone.
        order by g.equity / g.margin, g.id
        limit ${limit}
      ) h
      join trading_accounts a on a.id = h.id
      join users u on u.id = a.user_id
      order by h.equity / h.margin, h.id
    `,
  );
