import { forgetAttempts } from "../audit/commands";
import { forgetChallenges } from "./commands_passkey_proof";
import { forgetOldDevices } from "./commands_devices";
import type { AppContext } from "../platform/app_context";
import { forgetAnswers } from "../platform/http/idempotency";

const EVERY = 3_600_000;

/**
 * Deletes expired sessions, old throttles, second factors never finished, unused devices, answers kept for repeats, and old refusals. Once an
 * hour and at the start. Returns the way to stop.
 */
export function startHousekeeping({ sql, log }: AppContext): () => void {
  const sweep = async () => {
    try {
      await sql`delete from sessions where expire < now()`;
      await sql`delete from throttles where failed_at < now() - interval '1 day'`;
      await sql`delete from two_factors where confirmed_at is null and created_at < now() - interval '1 day'`;
      await forgetChallenges(sql);
      await forgetOldDevices(sql);
      await forgetAnswers(sql);
      await forgetAttempts(sql);
    } catch (error) {
      log.warn("housekeeping failed, will try again", { error });
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY);
  return () => clearInterval(timer);
}
