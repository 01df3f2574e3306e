import * as v from "valibot";
import { many, one, type Sql } from "../platform/db";
import { pendingRow, sessionRow, type User, userRow } from "./schema";

/** The columns of `userRow`. A suspension whose time has passed is over, whatever the column says. */
const userColumns = (sql: Sql) => sql`
  u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.profile_image_url as "profileImageUrl",
  u.referral_code as "referralCode", u.referred_by as "referredBy", u.is_email_verified as "isEmailVerified",
  u.registration_status as "registrationStatus", u.approved_at as "approvedAt", u.registration_source as "registrationSource",
  f.account_balance as "accountBalance", f.trading_balance as "tradingBalance", f.total_profit as "totalProfit",
  u.credit_score as "creditScore", u.risk_level as "riskLevel", u.trading_experience as "tradingExperience",
  case when u.account_status = 'suspended' and u.suspended_until <= now() then 'active' else u.account_status end as "accountStatus",
  u.kyc_status as "kycStatus", u.is_vip as "isVip", u.role, u.last_login_at as "lastLoginAt", u.suspended_until as "suspendedUntil",
  u.created_at as "createdAt", u.updated_at as "updatedAt"
`;

export const findUser = (sql: Sql, userId: string): Promise<User | null> =>
  one(userRow, sql`select ${userColumns(sql)} from users u join user_financials f on f.user_id = u.id where u.id = ${userId}`);

const credentialsRow = v.strictObject({
  id: v.string(),
  password: v.string(),
  role: v.picklist(["user", "admin"]),
  accountStatus: v.picklist(["active", "suspended", "banned"]),
  registrationStatus: v.picklist(["pending", "approved", "rejected"]),
  suspendedUntil: v.nullable(v.string()),
  suspensionReason: v.nullable(v.string()),
  registrationReason: v.nullable(v.string()),
});
export type Credentials = v.InferOutput<typeof credentialsRow>;

const credentials = (sql: Sql) => sql`
  id, password, role, account_status as "accountStatus", registration_status as "registrationStatus",
  suspended_until as "suspendedUntil", suspension_reason as "suspensionReason", registration_reason as "registrationReason"
`;
export const credentialsByEmail = (sql: Sql, email: string) =>
  one(credentialsRow, sql`select ${credentials(sql)} from users where lower(email) = lower(${email})`);
export const credentialsById = (sql: Sql, userId: string) => one(credentialsRow, sql`select ${credentials(sql)} from users where id = ${userId}`);

const meRow = v.strictObject({
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  role: v.picklist(["user", "admin"]),
  accountStatus: v.string(),
  registrationStatus: v.string(),
  sessionId: v.string(),
  idle: v.number(),
});

/** Whose session this is, if it still opens anything: role and status as they are now. `idle` is seconds since it was last noted as used. */
export const findMe = (sql: Sql, sid: string) =>
  one(
    meRow,
    sql`
      select u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.role, 'active' as "accountStatus",
        u.registration_status as "registrationStatus", s.id as "sessionId", extract(epoch from now() - s.seen_at)::integer as idle
      from sessions s
      join users u on u.id = s.user_id
      where s.sid = ${sid}
        and s.expire > now()
        and u.registration_status <> 'rejected'
        and (u.account_status = 'active' or (u.account_status = 'suspended' and u.suspended_until <= now()))
    `,
  );

export const sessionsOf = (sql: Sql, userId: string, current: string) =>
  many(
    sessionRow,
    sql`
      select id, id = ${current} as current, sess ->> 'ip' as ip, sess ->> 'userAgent' as "userAgent",
        created_at as "createdAt", seen_at as "seenAt", expire as "expiresAt"
      from sessions
      where user_id = ${userId} and expire > now()
      order by seen_at desc
      limit 100
    `,
  );

const throttleRow = v.strictObject({ failures: v.string(), since: v.number() });
export const throttleOf = (sql: Sql, key: string) =>
  one(throttleRow, sql`select failures, extract(epoch from clock_timestamp() - failed_at)::float8 as since from throttles where key = ${key}`);

/** Newest first. `cursor` is the creation time and id of the last one seen, as `cursorOf` makes it. */
export const listUsers = (sql: Sql, filter: { q: string; status: string; limit: number; cursor?: string | undefined }) => {
  const [before, beforeId] = filter.cursor?.split("_") ?? [];
  const like = `%${filter.q.replace(/[\\%_]/g, "\\$&")}%`;
  return many(
    userRow,
    sql`
      select ${userColumns(sql)}
      from users u
      join user_financials f on f.user_id = u.id
      where (${filter.q} = '' or u.email ilike ${like} or u.first_name || ' ' || u.last_name ilike ${like} or u.id::text = ${filter.q})
        and (${filter.status} = 'all' or ${filter.status} = case when u.account_status = 'suspended' and u.suspended_until <= now() then 'active' else u.account_status end)
        ${before && beforeId ? sql`and (u.created_at, u.id) < (${before}::timestamptz, ${beforeId}::uuid)` : sql``}
      order by u.created_at desc, u.id desc
      limit ${filter.limit}
    `,
  );
};

export const listPending = (sql: Sql) =>
  many(
    pendingRow,
    sql`
      select id, first_name as "firstName", last_name as "lastName", email, created_at as "createdAt", registration_source as "registrationSource"
      from users
      where registration_status = 'pending' and role = 'user'
      order by created_at desc, id
      limit 100
    `,
  );
