import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import { executionQuality } from "../trading/queries_quality";
import { type Figures, figures, holding, type Holding, INTEGRITY_DAYS, liabilityDay, type LiabilityDay } from "./schema";

const writtenRow = v.strictObject({ figures, measuredAt: v.string() });
export type Written = v.InferOutput<typeof writtenRow>;

/** The figures as they were last written down; null before the first time. */
export async function writtenFigures(sql: Sql): Promise<Written | null> {
  const [row] = await sql<{ figures: unknown; measuredAt: string }[]>`select figures, measured_at as "measuredAt" from integrity_figures`;
  // Those that an earlier program wrote are written anew within minutes.
  return v.is(writtenRow, row) ? row : null;
}

const timesRow = v.strictObject({ count: v.number(), median: v.nullable(v.number()), late: v.nullable(v.number()) });
const payoutTimes = (sql: Sql) =>
  one(
    timesRow,
    sql`
      select count(*) as count, percentile_disc(0.5) within group (order by w.took) as median, percentile_disc(0.95) within group (order by w.took) as late
      from (
        select round(extract(epoch from decided_at - created_at) * 1000)::bigint as took
        from withdrawals
        where status = 'approved' and decided_at > now() - make_interval(days => ${INTEGRITY_DAYS})
      ) w
    `,
  );

const referenceRow = v.strictObject({
  reference: v.string(),
  feed: v.string(),
  compared: v.number(),
  median: v.string(),
  late: v.string(),
  worst: v.string(),
});
const distances = (sql: Sql) =>
  many(
    referenceRow,
    sql`
      with up_to as (
        select reference, feed, distance, sum(n) as n,
          sum(sum(n)) over (partition by reference, feed order by distance) / sum(sum(n)) over (partition by reference, feed) as share
        from reference_days
        where day > (now() at time zone 'UTC')::date - ${INTEGRITY_DAYS}::integer
        group by 1, 2, 3
      )
      select reference, feed, sum(n)::bigint as compared, min(distance) filter (where share >= 0.5)::text as median,
        min(distance) filter (where share >= 0.95)::text as late, max(distance)::text as worst
      from up_to
      group by reference, feed
      order by reference, feed
    `,
  );

const pricesRow = v.strictObject({ since: v.nullable(v.string()), due: v.number(), fresh: v.number() });
const priceMinutes = (sql: Sql) =>
  one(
    pricesRow,
    sql`
      select min(at) as since, coalesce(sum(due), 0)::bigint as due, coalesce(sum(fresh), 0)::bigint as fresh
      from price_minutes where at > now() - make_interval(days => ${INTEGRITY_DAYS})
    `,
  );

const countRow = v.strictObject({ n: v.number() });
const staleRefusals = (sql: Sql) =>
  one(
    countRow,
    sql`select coalesce(sum(n), 0)::bigint as n from refusal_days where code = 'stale_price' and day > (now() at time zone 'UTC')::date - ${INTEGRITY_DAYS}::integer`,
  );

/** What the database knows of the page's figures; the books and the share of losing accounts are measured elsewhere. */
export async function measured(sql: Sql): Promise<Omit<Figures, "books" | "losing" | "log">> {
  const [quality, payouts, references, prices, stale] = await Promise.all([
    executionQuality(sql),
    payoutTimes(sql),
    distances(sql),
    priceMinutes(sql),
    staleRefusals(sql),
  ]);
  return {
    quality,
    payouts: payouts ?? { count: 0, median: null, late: null },
    references,
    prices: prices ?? { since: null, due: 0, fresh: 0 },
    stale: stale?.n ?? 0,
  };
}

const lastMinuteRow = v.strictObject({ at: v.string() });
/** The last minute whose prices were noted; null before the first. */
export const lastNotedMinute = async (sql: Sql): Promise<number | null> => {
  const row = await one(lastMinuteRow, sql`select at from price_minutes order by at desc limit 1`);
  return row && Date.parse(row.at);
};

/** What the operator last declared to hold; null where nothing is declared. */
export async function declaredHolding(sql: Sql): Promise<Holding | null> {
  const last = await one(holding, sql`select amount, evidence, link, created_at as "declaredAt" from holdings order by id desc limit 1`);
  return last?.amount ? last : null;
}

/** The newest days' trees of what is owed, newest first. */
export const liabilityDays = (sql: Sql, limit: number): Promise<LiabilityDay[]> =>
  many(
    liabilityDay,
    sql`
      select day::text as day, taken_at as "takenAt", total, size, encode(root, 'base64') as root
      from liability_days order by liability_days.day desc limit ${limit}
    `,
  );
