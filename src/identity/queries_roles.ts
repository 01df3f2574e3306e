import { after, many, type Sql } from "../platform/database/db";
import { type RoleRequest, roleRequestRow } from "./schema_roles";

type Search = { status: string; limit: number; userId?: string | undefined; cursor?: string | undefined };

/** Who was to become an administrator, newest first. */
export const roleRequestsOf = (sql: Sql, { status, limit, userId, cursor }: Search): Promise<RoleRequest[]> =>
  many(
    roleRequestRow,
    sql`
      select r.id, r.user_id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, e.status, r.admin_id as "adminUserId",
        m.first_name || ' ' || m.last_name as administrator,
        coalesce(r.staff_role, 'owner') as "staffRole", r.reason, s.email as "decidedBy", d.reason as "decisionReason", d.created_at as "decidedAt",
        r.created_at as "createdAt"
      from role_requests r
      join users u on u.id = r.user_id
      join users m on m.id = r.admin_id
      left join role_decisions d on d.request_id = r.id
      left join users s on s.id = d.admin_id
      cross join lateral (select coalesce(d.decision, case when u.staff_role = coalesce(r.staff_role, 'owner') then 'lapsed' else 'pending' end) as status) e
      where (${status} = 'all' or e.status = ${status}) ${userId ? sql`and r.user_id = ${userId}` : sql``} ${after(sql, "r.created_at", "r.id", cursor)}
      order by r.created_at desc, r.id desc
      limit ${limit}
    `,
  );

/** The requests about a person that nobody decided yet. */
export const waitingRoleOf = (sql: Sql, userId: string) =>
  sql`select r.id from role_requests r where r.user_id = ${userId} and not exists (select from role_decisions d where d.request_id = r.id) limit 1`;
