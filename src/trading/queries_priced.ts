import { type BoardArrays, boardValue } from "../market/board_sql";
import type { Sql } from "../platform/database/db";

/** What each position would close at, and bring, on the quotes of `board`, as `c.price` and `c.profit`; each worked out once, however often it is named. */
export const onBoard = (sql: Sql, board: BoardArrays) => sql`
  join account_types t on t.id = a.account_type_id
  left join (
    select b.symbol, b.bid, b.ask, b.pip
    from (select ${boardValue(sql, board)} as quotes) now
    cross join lateral unnest((now.quotes).symbols, (now.quotes).bids, (now.quotes).asks, (now.quotes).pips) as b (symbol, bid, ask, pip)
  ) b on b.symbol = p.symbol
  left join instruments listed on listed.symbol = p.symbol
  -- By itself, as spread_of, which names it twice, is written into this statement only where that is a column.
  left join lateral (
    select case p.status when 'pending' then listed.markup else markup_held(listed, p.terms_version) end as markup
    offset 0
  ) k on true
  left join lateral (select spread_of(t, version_for(p, t), p.symbol, k.markup) as pips offset 0) spread on true
  left join lateral (
    select case p.side when 'buy' then account_bid(b.bid, b.ask, b.pip, spread.pips) else account_ask(b.bid, b.ask, b.pip, spread.pips) end as price
    offset 0
  ) w on true
  left join lateral (select w.price, profit_left(p.side, p.moved, p.amount, p.open_price, w.price) as profit offset 0) c on true
`;
