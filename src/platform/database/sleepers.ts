import type { Db } from "./db";
import type { Log } from "../log";

const EVERY = 30_000;
/** A transaction of ours asks its next question within milliseconds; where none has come for so long, in ms, its program sleeps. */
const PATIENCE = 60_000;

/**
 * Cuts off the sessions of programs that froze in the middle of a transaction: their locks would stop the people concerned until they wake.
 * What they had begun is undone; awake again, they answer 503. Every program looks after the others. Returns the way to stop.
 */
export function cutSleepers(sql: Db, log: Log): () => void {
  const timer = setInterval(() => void check(sql, log), EVERY);
  return () => clearInterval(timer);
}

async function check(sql: Db, log: Log): Promise<void> {
  try {
    const cut = await cutIdle(sql, PATIENCE);
    if (cut > 0) log.warn("sessions that slept in the middle of a transaction were cut off", { cut });
  } catch (error) {
    log.warn("sleeping sessions could not be looked for, will try again", { error });
  }
}

/** Cuts off our sessions that have been idle in a transaction for `patience` ms; says how many. Another's, say of psql, are left alone. */
export async function cutIdle(sql: Db, patience: number): Promise<number> {
  const { count } = await sql`
    select pg_terminate_backend(pid)
    from pg_stat_activity
    where datname = current_database() and usename = current_user and application_name like 'halyard%'
      and state like 'idle in transaction%' and state_change < clock_timestamp() - ${patience} * interval '1 millisecond'
  `;
  return count;
}
