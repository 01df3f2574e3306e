import type { House } from "../platform/house";
import { forgetAnswers } from "../platform/once";

const EVERY = 3_600_000;

/**
 * Throws out what has served its time: expired sessions, faded throttles, second factors that were begun and left, answers kept for repeats. Once an hour and at
 * the start. Returns the way to stop.
 */
export function keepHouse({ sql, log }: House): () => void {
  const sweep = async () => {
    try {
      await sql`delete from sessions where expire < now()`;
      await sql`delete from throttles where failed_at < now() - interval '1 day'`;
      await sql`delete from two_factors where confirmed_at is null and created_at < now() - interval '1 day'`;
      await forgetAnswers(sql);
    } catch (error) {
      log.warn("housekeeping failed, will try again", { error });
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY);
  return () => clearInterval(timer);
}
