import { many, type Sql } from "../platform/database/db";
import { type Quality, QUALITY_DAYS, qualityRow } from "./schema_quality";

/** How orders were filled lately, from the receipts themselves: live accounts first, then demo; a book without fills has no row. */
export const executionQuality = (sql: Sql): Promise<Quality[]> =>
  many(
    qualityRow,
    sql`
      select a.is_demo as "isDemo", count(*) as fills, count(*) filter (where f.kind = 'open') as opened, count(*) filter (where f.kind = 'close') as closed,
        count(*) filter (where s.points > 1) as "worseByMore", count(*) filter (where s.points > 0 and s.points <= 1) as worse,
        count(*) filter (where s.points = 0) as "asRequested", count(*) filter (where s.points < 0 and s.points >= -1) as better,
        count(*) filter (where s.points < -1) as "betterByMore", round(avg(s.points), 3) as "averageSlippage",
        (percentile_disc(0.5) within group (order by f.quote_age_ms))::text as "medianAge",
        (percentile_disc(0.99) within group (order by f.quote_age_ms))::text as "worstAge",
        round(percentile_disc(0.5) within group (order by f.latency_ms), 1)::text as "medianLatency",
        round(percentile_disc(0.99) within group (order by f.latency_ms), 1)::text as "worstLatency",
        count(*) filter (where f.reason = 'stop_out') as "stopOuts", count(c.position_id) as corrections,
        count(*) filter (where c.settled_profit < c.market_profit) as "correctionsAgainst"
      from fills f
      join positions p on p.id = f.position_id
      join trading_accounts a on a.id = p.account_id
      left join corrections c on c.position_id = f.position_id and f.kind = 'close'
      cross join lateral (select f.slippage / f.requested_price * 10000 as points) s
      where f.created_at > now() - make_interval(days => ${QUALITY_DAYS})
      group by a.is_demo
      order by a.is_demo
      limit 2
    `,
  );
