import { many, type Sql } from "../platform/database/db";
import { type Quality, QUALITY_DAYS, qualityRow } from "./schema_quality";

/**
 * How orders were filled lately, from the receipts themselves: live accounts first, then demo; a book without fills has no row. Whole days are
 * read as they were written down, which this does for those that nobody has asked about; the rest is counted.
 */
export async function executionQuality(sql: Sql): Promise<Quality[]> {
  await sql`select quality_seal(${QUALITY_DAYS})`;
  return many(
    qualityRow,
    sql`
      with
        day as (select now() - make_interval(days => ${QUALITY_DAYS}) as since, (now() at time zone 'UTC')::date - n as day, n < ${QUALITY_DAYS} as is_whole from generate_series(0, ${QUALITY_DAYS}) n),
        part as (
          select k.is_demo, k.opened, k.closed, k.worse_by_more, k.worse, k.as_requested, k.better, k.better_by_more, k.slippage, k.stop_outs, k.ages, k.age_counts,
            k.latencies, k.latency_counts
          from day join quality_days k on k.day = day.day and day.is_whole
          union all
          select q.is_demo, q.opened, q.closed, q.worse_by_more, q.worse, q.as_requested, q.better, q.better_by_more, q.slippage, q.stop_outs, q.ages, q.age_counts,
            q.latencies, q.latency_counts
          from day
          cross join lateral quality_of(greatest(day.since, day.day::timestamp at time zone 'UTC'), (day.day + 1)::timestamp at time zone 'UTC') q
          where not day.is_whole or not exists (select from quality_days k where k.day = day.day)
        ),
        age as (select is_demo, value, sum(n) as n from part, unnest(ages, age_counts) as h (value, n) group by 1, 2),
        latency as (select is_demo, value, sum(n) as n from part, unnest(latencies, latency_counts) as h (value, n) group by 1, 2),
        age_up_to as (select is_demo, value, sum(n) over (partition by is_demo order by value) / sum(n) over (partition by is_demo) as share from age),
        latency_up_to as (select is_demo, value, sum(n) over (partition by is_demo order by value) / sum(n) over (partition by is_demo) as share from latency),
        correction as (
          select a.is_demo, count(*) as n, count(*) filter (where c.settled_profit < c.market_profit) as against
          from corrections c
          join fills f on f.position_id = c.position_id and f.kind = 'close'
          join positions p on p.id = c.position_id
          join trading_accounts a on a.id = p.account_id
          where f.created_at > now() - make_interval(days => ${QUALITY_DAYS})
          group by a.is_demo
        )
      select b.is_demo as "isDemo", b.opened + b.closed as fills, b.opened, b.closed, b."worseByMore", b.worse, b."asRequested", b.better, b."betterByMore",
        round(b.slippage / nullif(b."worseByMore" + b.worse + b."asRequested" + b.better + b."betterByMore", 0), 3) as "averageSlippage",
        (select min(value) from age_up_to u where u.is_demo = b.is_demo and u.share >= 0.5)::text as "medianAge",
        (select min(value) from age_up_to u where u.is_demo = b.is_demo and u.share >= 0.99)::text as "worstAge",
        (select min(value) from latency_up_to u where u.is_demo = b.is_demo and u.share >= 0.5)::text as "medianLatency",
        (select min(value) from latency_up_to u where u.is_demo = b.is_demo and u.share >= 0.99)::text as "worstLatency",
        b."stopOuts", coalesce(c.n, 0) as corrections, coalesce(c.against, 0) as "correctionsAgainst"
      from (
        select is_demo, sum(opened) as opened, sum(closed) as closed, sum(worse_by_more) as "worseByMore", sum(worse) as worse, sum(as_requested) as "asRequested",
          sum(better) as better, sum(better_by_more) as "betterByMore", sum(slippage) as slippage, sum(stop_outs) as "stopOuts"
        from part
        group by is_demo
        having sum(opened + closed) > 0
      ) b
      left join correction c on c.is_demo = b.is_demo
      order by b.is_demo
      limit 2
    `,
  );
}
