import { type BoardArrays, boardValue } from "../market/board_sql";
import { amountIn, containing, type Days, type Fragment, inOrder, many, onDays, type Sql, wordsIn } from "../platform/database/db";
import { onBoard } from "./queries_priced";
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

/** Holds a list to a search by person, account, symbol, amount or the position's id. */
export function found(sql: Sql, q: string) {
  if (!q) return sql``;
  const like = containing(q);
  const amount = amountIn(q);
  return sql`
    and (
      ${wordsIn(sql, sql`u.search`, q)} or a.account_number ilike ${like} or p.symbol ilike ${like}
      ${amount ? sql`or p.amount = ${amount}::numeric` : sql``}
      or p.id::text = ${q}
    )
  `;
}

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

const inBook = (sql: Sql, account: BookChoice) => (account === "all" ? sql`` : sql`and a.is_demo = ${account === "demo"}`);

/** Each symbol's prices by each version of each tier, and of its own terms, that something open is closed by, once: what is below runs over the whole book. */
const quoted = (sql: Sql, board: BoardArrays) => sql`
  with quoted as materialized (
    select b.symbol, t.id as tier, t.applied, g.version, i.applied as "termsApplied", n.version as "termsVersion", r.account_bid as bid, r.account_ask as ask
    from (select ${boardValue(sql, board)} as quotes) now
    cross join lateral unnest((now.quotes).symbols, (now.quotes).bids, (now.quotes).asks, (now.quotes).pips) as b (symbol, bid, ask, pip)
    cross join account_types t
    cross join lateral generate_series(t.applied, t.version) as g (version)
    join instruments i on i.symbol = b.symbol
    cross join lateral generate_series(i.applied, i.version) as n (version)
    cross join lateral account_price(b.bid, b.ask, b.pip, spread_of(t, g.version, b.symbol, markup_held(i, n.version))) r
  )
`;
/** Those that a position would close at, as `x`. */
const quotedFor = (sql: Sql) => sql`
  left join quoted x on x.symbol = p.symbol and x.tier = a.account_type_id and x.version = greatest(p.group_version, x.applied)
    and x."termsVersion" = greatest(p.terms_version, x."termsApplied")
`;
/** The account of each position by its key, whatever the planner guesses: what is open is few beside all accounts of the house. */
const accountOfEach = (sql: Sql) => sql`
  cross join lateral (
    select id, user_id, account_number, is_demo, account_type_id, advance, ledger_account_id from trading_accounts where id = p.account_id offset 0
  ) a
`;
const floating = (sql: Sql) => sql`profit_left(p.side, p.moved, p.amount, p.open_price, case p.side when 'buy' then x.bid else x.ask end)`;

/** Open positions (or waiting orders) of all accounts, newest first unless told. */
export function staffPositionsOf(sql: Sql, search: PositionSearch, board: BoardArrays): Promise<StaffPosition[]> {
  const { by = null, q, limit, cursor, status, id, sort = "-created", symbol = "", account = "all", side = "all", userId, from, to } = search;
  const asked = sql`
    where p.status in ('pending', 'open') and p.status = ${status} ${found(sql, q)} ${inBook(sql, account)}
      ${id ? sql`and p.id = ${id}` : sql``}
      ${symbol ? sql`and p.symbol = ${symbol}` : sql``}
      ${side === "all" ? sql`` : sql`and p.side = ${side}`}
      ${userId ? sql`and p.user_id = ${userId}` : sql``}
      ${onDays(sql, sql`p.created_at`, { from, to })}
  `;
  const priced = sql`
    from positions p
    join trading_accounts a on a.id = p.account_id
    join ledger_accounts l on l.id = a.ledger_account_id
    join users u on u.id = p.user_id
    ${onBoard(sql, board)}
  `;
  // All that is open is priced once for each instrument and tier; then the page alone, as it shows it.
  const byProfit = sort === "profit" || sort === "-profit";
  const tables = byProfit
    ? sql`
        from positions p
        ${accountOfEach(sql)}
        ${q ? sql`join users u on u.id = p.user_id` : sql``}
        ${quotedFor(sql)}
        left join lateral (select ${floating(sql)} as profit offset 0) c on true
      `
    : priced;
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys: sortKeys(sql), id: sql`p.id`, tables });
  return many(
    staffPositionRow,
    sql`
      ${byProfit ? sql`${quoted(sql, board)}, page as (select p.id ${tables} ${asked} ${rest} ${order} limit ${limit})` : sql``}
      select p.id, ${owner(sql)}, p.open_price as "openPrice", p.open_price as "entryPrice", p.volume, c.price as "currentPrice", p.stop_loss as "stopLoss", p.take_profit as "takeProfit",
        c.profit, l.balance, spread_of(t, version_for(p, t), p.symbol, 0) as "spreadsFrom", p.terms_version as "termsVersion", p.status, p.opened_at as "openedAt", p.created_at as "createdAt",
        exists (
          select from correction_requests r
          where r.position_id = p.id and not exists (select from correction_decisions d where d.request_id = r.id)
        ) as waits,
        case when a.is_demo then 0.00 else corrected_alone(${by}::uuid, p.user_id) end as "correctedAlone"
      ${priced}
      ${byProfit ? sql`where p.id = any (array(select id from page))` : sql`${asked} ${rest}`}
      ${order}
      limit ${limit}
    `,
  );
}

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
      select h.id, u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, h.number as "accountNumber", h.is_demo as "isDemo",
        h.equity, h.margin, round(h.equity * 100 / h.margin, 2) as "marginLevel", h.positions
      from (
        select a.id, a.user_id, a.account_number as number, a.is_demo, l.balance - a.advance + sum(f.profit) as equity, sum(p.margin) as margin, count(*) as positions
        from positions p
        ${accountOfEach(sql)}
        join ledger_accounts l on l.id = a.ledger_account_id
        ${quotedFor(sql)}
        cross join lateral (select ${floating(sql)} as profit) f
        where p.status in ('pending', 'open') and p.status = 'open' ${inBook(sql, account)}
        group by a.id, a.user_id, a.account_number, a.is_demo, a.advance, l.balance
        having sum(p.margin) > 0 and count(f.profit) = count(*)
      ) h
      join users u on u.id = h.user_id
      order by h.equity / h.margin, h.id
      limit ${limit}
    `,
  );
