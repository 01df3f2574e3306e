import { type BoardArrays, boardValue } from "../market/board_sql";
import type { Sql } from "../platform/database/db";

/** What all that is open would close at, by each symbol's few prices: for what runs over the whole book. In each part `p` is the position, `a` its account. */

/**
 * Each symbol's prices by each version of each tier, and of its own terms, that something open is closed by, once. The versions come as arrays, of which
 * the planner expects few: by a series of each it expects a hundred million rows, beside which it does not care how anything else is read.
 */
export const quoted = (sql: Sql, board: BoardArrays) => sql`
  with quoted as materialized (
    select b.symbol, t.id as tier, t.applied, g.version, i.applied as "termsApplied", n.version as "termsVersion",
      account_bid(b.bid, b.ask, b.pip, r.pips) as bid, account_ask(b.bid, b.ask, b.pip, r.pips) as ask
    from (select ${boardValue(sql, board)} as quotes) now
    cross join lateral unnest((now.quotes).symbols, (now.quotes).bids, (now.quotes).asks, (now.quotes).pips) as b (symbol, bid, ask, pip)
    cross join account_types t
    cross join lateral unnest(array(select generate_series(t.applied, t.version))) as g (version)
    join instruments i on i.symbol = b.symbol
    cross join lateral unnest(array(select generate_series(i.applied, i.version))) as n (version)
    cross join lateral (select spread_of(t, g.version, b.symbol, k.markup) as pips from (select markup_held(i, n.version) as markup offset 0) k offset 0) r
  )
`;
/** Those that a position would close at, as `x`. */
export const quotedFor = (sql: Sql) => sql`
  left join quoted x on x.symbol = p.symbol and x.tier = a.account_type_id and x.version = greatest(p.group_version, x.applied)
    and x."termsVersion" = greatest(p.terms_version, x."termsApplied")
`;
/** The account of each position by its key, whatever the planner guesses: what is open is few beside all accounts of the house. */
export const accountOfEach = (sql: Sql) => sql`
  cross join lateral (
    select id, user_id, account_number, is_demo, account_type_id, advance, ledger_account_id from trading_accounts where id = p.account_id offset 0
  ) a
`;
export const floating = (sql: Sql) => sql`profit_left(p.side, p.moved, p.amount, p.open_price, case p.side when 'buy' then x.bid else x.ask end)`;
