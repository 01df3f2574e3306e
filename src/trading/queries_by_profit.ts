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
  /** Whether that leaves few of them, all of which are priced to the cent. */
  few: boolean;
  /** What is asked of its account `a`, or of its owner `u`; null where nothing is. */
  ofAccount: Fragment | null;
  ofOwner: Fragment | null;
};

/** So many positions, those of the first accounts by their random ids, tell from where on others may be on a page. */
const SAMPLE = 1_000;

/** What a position without a price brings is nothing. */
const profit = (sql: Sql) => sql`coalesce(c.profit, 0)`;

/**
 * A page's ids, `page`, behind `with … `. What a position brings goes by its account's tier, and to look up the account of each takes the longest of all; but
 * tiers differ by little. So of each it is first said what it brings at `most`, by the best of its symbol's prices, and only those are looked up and priced
 * to the cent that may belong to the page: what brings no more than the page's last is not on it. Where the smallest profit comes first, signs are turned
 * round, so that what brings the most is looked for. Even this takes long where very much is open, for numbers of PostgreSQL's own are slow to make floating: a sample
 * tells first what a page's last brings at least, and what was opened at too bad a price for its amount to reach that is passed by.
 */
export function pageByProfit(sql: Sql, asked: Asked): Fragment {
  const { board, falls, limit, last, ofPosition, few, ofAccount, ofOwner } = asked;
  const priced = sql`
    ${accountOfEach(sql)}
    ${ofOwner ? sql`join users u on u.id = p.user_id` : sql``}
    ${quotedFor(sql)}
    cross join lateral (select ${floating(sql)} as profit offset 0) c
  `;
  const order = falls ? sql`order by ${profit(sql)} desc, p.id desc` : sql`order by ${profit(sql)}, p.id`;
  return sql`
    ${quoted(sql, board)},
    ${last ? sql`ended as materialized (select p.id, ${profit(sql)} as profit from positions p ${priced} where p.id = ${last}),` : sql``}
    ${few ? sql`` : reachable(sql, asked, priced)}
    page as (
      select p.id
      from positions p
      ${priced}
      ${few ? ofPosition : sql`where p.ctid = any (array(select place from near))`}
        ${ofAccount ? sql`and ${ofAccount}` : sql``}
        ${ofOwner ? sql`and ${ofOwner}` : sql``}
        ${last ? sql`and (${profit(sql)}, p.id) ${falls ? sql`<` : sql`>`} (select profit, id from ended)` : sql``}
      ${order}
      limit ${limit}
    )
  `;
}

/** The places of those that may be on the page, `near`, and what leads there; `ended` is what the page before ended with. */
function reachable(sql: Sql, { falls, limit, last, ofPosition, ofAccount, ofOwner }: Asked, priced: Fragment): Fragment {
  const turned = (value: Fragment) => (falls ? value : sql`-(${value})`);
  const ended = sql`(select ${turned(sql`profit::float8`)} from ended)`;
  /** What closes a symbol's purchases and its sales at the better of its prices, or at the worse. */
  const closing = (better: boolean) => (better === falls ? { buy: sql`e."highBid"`, sell: sql`e."lowAsk"` } : { buy: sql`e."lowBid"`, sell: sql`e."highAsk"` });
  /** A profit at such prices, and beyond that by more than cents and binary fractions are rounded. */
  const bound = (better: boolean) => {
    const { buy, sell } = closing(better);
    const share = sql`case p.side when 'buy' then ${buy} / p.open_price::float8 - 1 else 1 - ${sell} / p.open_price::float8 end`;
    const beyond = better ? sql`+` : sql`-`;
    return sql`coalesce(p.amount::float8 * (${turned(share)} ${beyond} 1e-9), 0) ${beyond} 0.011`;
  };
  /** Of `rows` those that are sure to come after the page before, as many as a page holds; it is looked up whose they are one by one, until there are as many. */
  const first = (rows: Fragment, by: Fragment) => sql`
    select r.place, r.${by}
    from (select place, account_id, ${by} from ${rows} ${last ? sql`where most < ${ended}` : sql``} order by ${by} desc) r
    ${ofOwner ? sql`cross join lateral (select id, symbol, amount, user_id from positions where ctid = r.place offset 0) p` : sql``}
    ${ofAccount || ofOwner ? sql`cross join lateral (select is_demo, account_number from trading_accounts where id = r.account_id offset 0) a` : sql``}
    ${ofOwner ? sql`cross join lateral (select search from users where id = p.user_id offset 0) u` : sql``}
    where true ${ofAccount ? sql`and ${ofAccount}` : sql``} ${ofOwner ? sql`and ${ofOwner}` : sql``}
    order by r.${by} desc
    limit ${limit}
  `;
  const best = closing(true);
  // The bounds of a share of a price, from the price it is of: above it where the price rises, below where it falls.
  const [above, below] = [
    (price: Fragment) => sql`(${price} / (1 + b.share) * (1 + 1e-9))::numeric`,
    (price: Fragment) => sql`case when b.share < 1 then (${price} / (1 - b.share) * (1 - 1e-9))::numeric end`,
  ];
  const dear = falls ? { buy: above(best.buy), sell: below(best.sell) } : { buy: below(best.buy), sell: above(best.sell) };
  const [over, under] = [sql`>=`, sql`<=`];
  return sql`
    edges as materialized (
      select i.symbol, min(x.bid)::float8 as "lowBid", max(x.bid)::float8 as "highBid", min(x.ask)::float8 as "lowAsk", max(x.ask)::float8 as "highAsk"
      from instruments i
      left join quoted x on x.symbol = i.symbol
      group by i.symbol
    ),
    sampled as materialized (
      select p.place, p.account_id, p.amount, ${bound(true)} as most, ${bound(false)} as least
      -- Joined before they are asked for anything: the planner, which expects few to answer, would go through all symbols for each.
      from (
        select s.place, s.id, s.account_id, s.user_id, s.symbol, s.side, s.status, s.amount, s.open_price, s.created_at, e."lowBid", e."highBid", e."lowAsk", e."highAsk"
        from (
          -- Within one statement a row stays in the place where it was found.
          select ctid as place, id, account_id, user_id, symbol, side, status, amount, open_price, created_at
          from positions
          where status in ('pending', 'open')
          order by account_id
          limit ${SAMPLE}
        ) s
        join edges e on e.symbol = s.symbol
        offset 0
      ) p
      cross join lateral (select p."lowBid", p."highBid", p."lowAsk", p."highAsk") e
      ${ofPosition}
    ),
    -- What the page's last brings at least, and an amount that few are larger than.
    bar as materialized (
      select case when count(*) = ${limit} then min(least) else '-Infinity' end as least,
        (select percentile_disc(0.95) within group (order by amount) from sampled) as amount
      from (${first(sql`sampled`, sql`least`)}) f
    ),
    -- At such an open price no such amount reaches the bar; none is too bad for what need not gain.
    reach as materialized (
      select e.symbol, e."lowBid", e."highBid", e."lowAsk", e."highAsk", ${dear.buy} as "buyEnd", ${dear.sell} as "sellEnd"
      from edges e
      cross join (select case when least > 0.011 then (least - 0.011) / amount::float8 - 1e-9 end as share from bar) b
    ),
    rough as materialized (
      select r.place, r.account_id, r.most
      from reach e
      cross join lateral (
        select p.ctid as place, p.account_id, ${bound(true)} as most
        from positions p
        ${ofPosition} and p.symbol = e.symbol and case
          when p.amount <= (select amount from bar)
            and case p.side when 'buy' then p.open_price ${falls ? over : under} e."buyEnd" else p.open_price ${falls ? under : over} e."sellEnd" end
          then false
          else ${bound(true)} >= (select least from bar) ${last ? sql`and ${bound(false)} <= ${ended}` : sql``}
        end
        offset 0
      ) r
    ),
    first as materialized (${first(sql`rough`, sql`most`)}),
    reached as materialized (
      select min(${turned(profit(sql))})::float8 as profit, count(*) as places
      from positions p
      ${priced}
      where p.ctid = any (array(select place from first))
    ),
    -- Besides the first those that bring as much as one of them may, of which none is known to be another's, and those that may come before the page. Where there
    -- are fewer than a page holds there is none besides.
    near as (
      select place from first
      union all
      select place from rough
      where most >= coalesce((select profit from reached where places = ${limit}), ${last ? ended : sql`'Infinity'`})
        and (most <= (select min(most) from first) ${last ? sql`or most >= ${ended}` : sql``})
    ),
  `;
}
