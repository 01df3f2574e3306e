import { Refusal } from "../lib/refusal";
import type { Db, Sql } from "../platform/db";
import { throttleOf } from "./queries";
import { faded, waitAfter } from "./rules";

/** Counts of failed tries, by account, by code, by network. */

const tooMany = (wait: number) => {
  const [count, unit] = wait < 60 ? [Math.ceil(wait), "second"] : [Math.ceil(wait / 60), "minute"];
  return new Refusal("too_many_requests", `Too many failed attempts. Please try again in ${count} ${unit}${count === 1 ? "" : "s"}.`, undefined, wait);
};

/** Refuses (too_many_requests) while a wait goes on. */
export async function refuseTooMany(sql: Sql, key: string) {
  const seen = await throttleOf(sql, key);
  const wait = seen ? waitAfter(faded(Number(seen.failures), seen.since), seen.since) : 0;
  if (wait > 0) throw tooMany(wait);
}

/** Counts a try before it is made, so that parallel guesses can't outrun the count; a success wipes it. */
export async function claimTry(sql: Db, key: string) {
  await sql.begin(async (tx) => {
    await tx`insert into throttles (key, failures, failed_at) values (${key}, 0, now()) on conflict do nothing`;
    await tx`select from throttles where key = ${key} for update`;
    await refuseTooMany(tx, key);
    await countFailure(tx, key);
  });
}

export async function countFailure(sql: Sql, key: string) {
  await sql`
    insert into throttles (key, failures, failed_at) values (${key}, 1, clock_timestamp())
    on conflict (key) do update set
      failures = least(1000, throttles.failures * power(0.5, greatest(0, extract(epoch from clock_timestamp() - throttles.failed_at)) / 600) + 1),
      failed_at = clock_timestamp()
  `;
}

export const forgetTries = async (sql: Sql, key: string) => {
  await sql`delete from throttles where key = ${key}`;
};
