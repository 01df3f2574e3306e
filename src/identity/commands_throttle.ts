import { Refusal } from "../lib/refusal";
import type { Db, Sql, Tx } from "../platform/database/db";
import { inTurn } from "../platform/turns";
import { throttlesOf } from "./queries";
import { faded, waitAfter } from "./rules";

/** Counts of failed tries: by network, account, device and session, and of registrations by network. */

/** One count: its key, the failures that are free, and whether it belongs to one person alone, whose success clears it. */
export type Count = { key: string; free: number; own?: true };

/** A count as it was before a try was claimed on it, and when that was. */
type Claim = { key: string; own: boolean; failures: string; failedAt: string; claimedAt: string };

const tooMany = (wait: number) => {
  const [count, unit] = wait < 60 ? [Math.ceil(wait), "second"] : [Math.ceil(wait / 60), "minute"];
  return new Refusal("too_many_requests", `Too many failed attempts. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}.`, undefined, wait);
};

/**
 * Counts a try before `judge` makes it, so that parallel guesses can't outrun the count. A refusal that `judge` returns is a failure and stays
 * counted; anything else is a success. If `judge` throws, the try is not counted. Within one program, tries on the first count are judged one
 * after the other, so that people of one network who sign in together are not taken for a guesser. Refuses (too_many_requests) while a wait
 * goes on.
 */
export const judged = <T>(sql: Db, counts: readonly [Count, ...Count[]], judge: () => Promise<T | Refusal>): Promise<T | Refusal> =>
  inTurn(counts[0].key, async () => {
    const claims = await claimTries(sql, counts);
    const verdict = await judge().catch(async (error: unknown) => {
      await giveBack(sql, claims);
      throw error;
    });
    if (!(verdict instanceof Refusal)) await succeed(sql, claims);
    return verdict;
  });

/** Counts something whether it succeeds or not; what could not be done because there was too much to do counts nothing. */
export async function counted<T>(sql: Db, count: Count, command: () => Promise<T>): Promise<T> {
  const claims = await claimTries(sql, [count]);
  return command().catch(async (error: unknown) => {
    if (error instanceof Refusal && error.code === "unavailable") await giveBack(sql, claims);
    throw error;
  });
}

/** Counts one more on each, all or none. Refuses (too_many_requests) while the wait of any goes on. */
function claimTries(sql: Db, counts: readonly Count[]): Promise<Claim[]> {
  const byKey = new Map(counts.map((count) => [count.key, count]));
  // One order for all who lock several.
  const keys = [...byKey.keys()].sort();
  return sql.begin(async (tx) => {
    await tx`insert into throttles (key, failures, failed_at) select unnest(${keys}::text[]), 0, now() on conflict do nothing`;
    const seen = await throttlesOf(tx, keys);
    const waits = seen.map(({ key, failures, since }) => waitAfter(faded(Number(failures), since), since, byKey.get(key)?.free));
    const wait = Math.max(...waits);
    if (wait > 0) throw tooMany(wait);
    const claimedAt = await count(tx, keys);
    return seen.map(({ key, failures, failedAt }) => ({ key, own: byKey.get(key)?.own ?? false, failures, failedAt, claimedAt }));
  });
}

async function count(tx: Tx, keys: string[]): Promise<string> {
  const [row] = await tx<{ claimedAt: string }[]>`
    with this as (
      select clock_timestamp() as moment
    ), counted as (
      update throttles t
      set failures = least(1000, t.failures * power(0.5, greatest(0, extract(epoch from this.moment - t.failed_at)) / 600) + 1), failed_at = this.moment
      from this
      where t.key = any(${keys})
    )
    select moment::text as "claimedAt" from this
  `;
  return row?.claimedAt ?? "";
}

async function succeed(sql: Sql, claims: Claim[]) {
  const ended = claims.filter(({ own }) => own).map(({ key }) => key);
  if (ended.length) await sql`delete from throttles where key = any(${ended})`;
  await giveBack(
    sql,
    claims.filter(({ own }) => !own),
  );
}

/** Takes the try back: where nobody tried since, the count is what it was before. */
async function giveBack(sql: Sql, claims: Claim[]) {
  for (const { key, failures, failedAt, claimedAt } of claims)
    await sql`
      update throttles
      set
        failures = case when failed_at = ${claimedAt}::timestamptz then ${failures}::numeric else greatest(0, failures - 1) end,
        failed_at = case when failed_at = ${claimedAt}::timestamptz then ${failedAt}::timestamptz else failed_at end
      where key = ${key}
    `;
}
