import type { Sql } from "../platform/database/db";
import type { AppContext, Attempt } from "../platform/app_context";

/** So many attempts of one person at one route are kept in an hour: who goes on and on fills no disk. */
const MOST_AN_HOUR = 100;

/** Keeps refused attempts, behind the answer: nobody waits for it, and where it fails the log has the attempt all the same. */
export const attemptKeeper =
  ({ sql, log }: Pick<AppContext, "sql" | "log">) =>
  (attempt: Attempt) =>
    void keepAttempt(sql, attempt).catch((error: unknown) => log.warn("a refused attempt could not be kept", { requestId: attempt.requestId, error }));

/** Keeps one, unless there are so many of that person and route already. */
export async function keepAttempt(sql: Sql, { userId, method, path, code, reason, ipAddress, requestId }: Attempt): Promise<void> {
  await sql`
    insert into refused_attempts (user_id, method, path, code, reason, ip_address, request_id)
    select ${userId}::uuid, ${method}, ${path}, ${code}, ${reason}, ${ipAddress}, ${requestId}
    where (
      select count(*) from refused_attempts where user_id = ${userId} and path = ${path} and created_at > now() - interval '1 hour'
    ) < ${MOST_AN_HOUR}
  `;
}

/** Throws out attempts that are older than ninety days. */
export const forgetAttempts = (sql: Sql) => sql`delete from refused_attempts where created_at < now() - interval '90 days'`;
