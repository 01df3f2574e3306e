import type { BoardArrays } from "../market/board_sql";
import type { Fragment, Sql } from "../platform/database/db";
import { accountOfEach, floating, quoted, quotedFor } from "./queries_quoted";

/** Which positions stand first by what they would bring now, without the account of each. */

type Asked = {
  board: BoardArrays;
  /** Whether the largest profit comes first. */
  falls: boolean;
  limit: number;
  /** The position that the page before ended with. */
  last: string | null;
  /** What is asked of the position `p`. */
  ofPosition: Fragment;
  /** What is asked of its account `a`; null where nothing is. */
  ofAccount: Fragment | null;
  /** What a search asks of its owner `u`, too; with one all are looked up, since few may be meant. */
  ofOwner: Fragment | null;
};

/** What a position without a price brings is nothing. */
const profit = (sql: Sql) => sql`coalesce(c.profit, 0)`;

/**
 * A page's ids, `page`, behind `with … `. What a position brings goes by its account's tier, and to look up the account of each takes the longest of all; but
 * tiers differ by little. So of each it is first said what it brings at `most`, by the best of its symbol's prices, and only those are looked up and priced
 * to the cent that may belong to the page: what brings no more than the page's last is not on it. Where the smallest profit comes first, signs are turned
 * round, so that what brings the most is looked for.
 */
export function pageByProfit(sql: Sql, { board, falls, limit, last, ofPosition, ofAccount, ofOwner }: Asked): Fragment {
  const turned = (value: Fragment) => (falls ? value : sql`-(${value})`);
  const priced = sql`
    ${accountOfEach(sql)}
    ${ofOwner ? sql`join users u on u.id = p.user_id` : sql``}
    ${quotedFor(sql)}
    cross join lateral (select ${floating(sql)} as profit offset 0) c
  `;
  const order = falls ? sql`order by ${profit(sql)} desc, p.id desc` : sql`order by ${profit(sql)}, p.id`;
  const ended = sql`(select ${turned(sql`profit::float8`)} from ended)`;
  /** A profit at the better of a symbol's prices, or at the worse, and beyond that by more than cents and binary fractions are rounded. */
  const bound = (better: boolean) => {
    const rises = better === falls ? [sql`e."highBid"`, sql`e."lowAsk"`] : [sql`e."lowBid"`, sql`e."highAsk"`];
    const share = sql`case p.side when 'buy' then ${rises[0] as Fragment} / n.opened - 1 else 1 - ${rises[1] as Fragment} / n.opened end`;
    const beyond = better ? sql`+` : sql`-`;
    return sql`coalesce(n.amount * (${turned(share)} ${beyond} 1e-9), 0) ${beyond} 0.011`;
  };
  const rough = sql`
    edges as materialized (
      select symbol, min(bid)::float8 as "lowBid", max(bid)::float8 as "highBid", min(ask)::float8 as "lowAsk", max(ask)::float8 as "highAsk" from quoted group by symbol
    ),
    -- Within one statement a row stays in the place where it was found.
    rough as materialized (
      select p.ctid as place, p.account_id, ${bound(true)} as most ${last ? sql`, ${bound(false)} as least` : sql``}
      from positions p
      -- Made floating once for both bounds: that takes longer than to reckon with them.
      cross join lateral (select p.amount::float8 as amount, p.open_price::float8 as opened offset 0) n
      left join edges e on e.symbol = p.symbol
      ${ofPosition}
    ),
    -- As many as a page holds of those that are sure to come after the one before.
    first as (
      select r.place
      from (select place, account_id, most from rough ${last ? sql`where most < ${ended}` : sql``} order by most desc) r
      ${ofAccount ? sql`cross join lateral (select is_demo from trading_accounts where id = r.account_id offset 0) a where ${ofAccount}` : sql``}
      order by r.most desc
      limit ${limit}
    ),
    reached as materialized (
      select min(${turned(profit(sql))})::float8 as profit, count(*) as places
      from positions p
      ${priced}
      where p.ctid = any (array(select place from first))
    )
  `;
  const near = sql`
    where p.ctid = any (array(
      select place from rough
      where most >= coalesce((select profit from reached where places = ${limit}), '-Infinity') ${last ? sql`and least <= ${ended}` : sql``}
    ))
  `;
  return sql`
    ${quoted(sql, board)},
    ${last ? sql`ended as materialized (select p.id, ${profit(sql)} as profit from positions p ${priced} where p.id = ${last}),` : sql``}
    ${ofOwner ? sql`` : sql`${rough},`}
    page as (
      select p.id
      from positions p
      ${priced}
      ${ofOwner ? sql`${ofPosition} and ${ofOwner}` : near}
        ${ofAccount ? sql`and ${ofAccount}` : sql``}
        ${last ? sql`and (${profit(sql)}, p.id) ${falls ? sql`<` : sql`>`} (select profit, id from ended)` : sql``}
      ${order}
      limit ${limit}
    )
  `;
}
