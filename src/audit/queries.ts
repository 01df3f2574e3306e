import * as v from "valibot";
import { folders, readTexts } from "../platform/files";
import { many, one, type Sql } from "../platform/db";
import { type AuditEntry, auditRow, type AuditVerdict } from "./schema";

type Filter = { q: string; status: string; limit: number; cursor?: string | undefined };

/** The book, newest first. `cursor` is the id of the last entry seen. `status` is the subject that an action begins with, or `all`. */
export const listAudit = (sql: Sql, { q, status, limit, cursor }: Filter): Promise<AuditEntry[]> => {
  const like = `%${q.replace(/[\\%_]/g, "\\$&")}%`;
  return many(
    auditRow,
    sql`
      select e.id::text as id, e.action, e.admin_user_id as "adminUserId", a.email as admin, e.target_user_id as "targetUserId", t.email as target,
        t.first_name || ' ' || t.last_name as "targetName", e.details, e.previous_state as "previousState", e.new_state as "newState", e.reason,
        e.ip_address as "ipAddress", e.user_agent as "userAgent", e.created_at as "createdAt"
      from admin_actions e
      left join users a on a.id = e.admin_user_id
      left join users t on t.id = e.target_user_id
      where (${status} = 'all' or split_part(e.action, '.', 1) = ${status})
        and (
          ${q} = '' or e.action ilike ${like} or e.reason ilike ${like} or a.email ilike ${like} or t.email ilike ${like}
          or t.first_name || ' ' || t.last_name ilike ${like} or e.target_user_id::text = ${q} or e.details::text ilike ${like}
        )
        ${cursor && /^\d{1,18}$/.test(cursor) ? sql`and e.id < ${cursor}::bigint` : sql``}
      order by e.id desc
      limit ${limit}
    `,
  );
};

const faultRow = v.strictObject({ id: v.pipe(v.number(), v.transform(String)), problem: v.string() });
const countRow = v.strictObject({ entries: v.number() });

/** At most so many faults are named: from the first on, everything is in doubt anyway. */
const NAMED = 20;

/** Recomputes the whole chain by the same check that `halyard verify` runs, and says where it breaks. */
export async function verifyAudit(sql: Sql): Promise<AuditVerdict> {
  const check = readTexts(folders.checks, "audit_chain.sql")[0];
  if (!check) throw new Error("sql/checks/audit_chain.sql is missing");
  const [faults, count] = await Promise.all([many(faultRow, sql.unsafe(check.text)), one(countRow, sql`select count(*) as entries from admin_actions`)]);
  return { ok: faults.length === 0, entries: count?.entries ?? 0, faults: faults.slice(0, NAMED) };
}
