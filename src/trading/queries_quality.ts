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
        part as (
          select k.is_demo, k.opened, k.closed, k.worse_by_more, k.worse, k.as_requested, k.better, k.better_by_more, k.slippage, k.stop_outs, k.ages, k.age_counts,
            k.latencies, k.latency_counts
          from quality_lately(${QUALITY_DAYS}) k
        ),
        age as (select is_demo, value, sum(n) as n from part, unnest(ages, age_counts) as h (value, n) group by 1, 2),
        latency as (select is_demo, value, sum(n) as n from part, unnest(latencies, latency_counts) as h (value, n) group by 1, 2),
        age_up_to as (select is_demo, value, sum(n) over (partition by is_demo order by value) / sum(n) over (partition by is_demo) as share from age),
        latency_up_to as (select is_demo, value, sum(n) over (partition by is_demo order by value) / sum(n) over (partition by is_demo) as share from latency)
      select b.is_demo as "isDemo", b.opened + b.closed as fills, b.opened, b.closed, b."worseByMore", b.worse, b."asRequested", b.better, b."betterByMore",
        round(b.slippage / nullif(b."worseByMore" + b.worse + b."asRequested" + b.better + b."betterByMore", 0), 3) as "averageSlippage",
        (select min(value) from age_up_to u where u.is_demo = b.is_demo and u.share >= 0.5)::text as "medianAge",
        (select min(value) from age_up_to u where u.is_demo = b.is_demo and u.share >= 0.99)::text as "worstAge",
        (select min(value) from latency_up_to u where u.is_demo = b.is_demo and u.share >= 0.5)::text as "medianLatency",
        (select min(value) from latency_up_to u where u.is_demo = b.is_demo and u.share >= 0.99)::text as "worstLatency",
        b."stopOuts", coalesce(c.settled, 0) as corrections, coalesce(c.against, 0) as "correctionsAgainst"
      from (
        select is_demo, sum(opened) as opened, sum(closed) as closed, sum(worse_by_more) as "worseByMore", sum(worse) as worse, sum(as_requested) as "asRequested",
          sum(better) as better, sum(better_by_more) as "betterByMore", sum(slippage) as slippage, sum(stop_outs) as "stopOuts"
        from part
        group by is_demo
        having sum(opened + closed) > 0
      ) b
      left join quality_corrections(${QUALITY_DAYS}) c on c.is_demo = b.is_demo
      order by b.is_demo
      limit 2
    `,
  );
}

/** Forgets the days that were written down, for a demonstration, which moves fills to other days: they are written down anew. */
export async function forgetDays(sql: Sql): Promise<void> {
  await sql`delete from quality_days`;
}
