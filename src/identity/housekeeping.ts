import type { House } from "../platform/house";

const EVERY = 3_600_000;
/** A repeat with the same Idempotency-Key is answered for this long. */
const KEYS_KEPT = "7 days";

/**
 * Throws out what has served its time: expired sessions, faded throttles, answers kept for repeats. Once an hour and at
 * the start. Returns the way to stop.
 */
export function keepHouse({ sql, log }: House): () => void {
  const sweep = async () => {
    try {
      await sql`delete from sessions where expire < now()`;
      await sql`delete from throttles where failed_at < now() - interval '1 day'`;
      await sql`delete from idempotency where created_at < now() - ${KEYS_KEPT}::interval`;
    } catch (error) {
      log.warn("housekeeping failed, will try again", { error });
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY);
  return () => clearInterval(timer);
}
