import * as v from "valibot";
import { placeOf } from "../lib/cursor";
import { containing, many, one, type Sql } from "../platform/db";
import type { By } from "../platform/house";
import { type Member, memberRow, pendingRow, sessionRow, type User, type UserOrder, userRow, type UserSort } from "./schema";

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

/** Whether a person of the table `people` signs in with a second factor. */
const hasTwoFactor = (sql: Sql, people: ReturnType<Sql>) =>
  sql`exists (select from two_factors f where f.user_id = ${people}.id and f.confirmed_at is not null)`;

const credentialsRow = v.strictObject({
  id: v.string(),
  password: v.string(),
  role: v.picklist(["user", "admin"]),
  accountStatus: v.picklist(["active", "suspended", "banned"]),
  registrationStatus: v.picklist(["pending", "approved", "rejected"]),
  suspendedUntil: v.nullable(v.string()),
  suspensionReason: v.nullable(v.string()),
  registrationReason: v.nullable(v.string()),
  twoFactor: v.boolean(),
});
export type Credentials = v.InferOutput<typeof credentialsRow>;

const credentials = (sql: Sql) => sql`
  id, password, role, account_status as "accountStatus", registration_status as "registrationStatus",
  suspended_until as "suspendedUntil", suspension_reason as "suspensionReason", registration_reason as "registrationReason",
  ${hasTwoFactor(sql, sql`users`)} as "twoFactor"
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
  heldBack: v.boolean(),
  idle: v.number(),
});

/** Whose session this is (session_person), if it still opens anything. With `admin2fa` an administrator without a second factor is held back. */
export const findMe = (sql: Sql, session: string, admin2fa: boolean) =>
  one(
    meRow,
    sql`
      select id, email, first_name as "firstName", last_name as "lastName", role, 'active' as "accountStatus", registration_status as "registrationStatus",
        session_id as "sessionId", ${admin2fa ? sql`role = 'admin' and not two_factor` : sql`false`} as "heldBack", idle
      from session_person(${session})
    `,
  );

/** Who acts, for the `from` of a deed's statement: somebody met already, or whose session this is. Without a row the deed is not done. */
export const actorValue = (sql: Sql, by: By) => ("session" in by ? sql`session_person(${by.session}) who` : sql`(select ${by.id}::uuid as id, 0 as idle) who`);

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

type Filter = { q: string; status: string; sort: UserOrder; limit: number; cursor?: string | undefined };

/** What each order goes by. A suspension that has passed is listed with the suspended ones: an index can't know the time. */
const sortKey = (sql: Sql, sort: UserSort) =>
  ({
    created: () => sql`u.created_at`,
    name: () => sql`lower(u.first_name || ' ' || u.last_name)`,
    email: () => sql`lower(u.email)`,
    status: () => sql`u.account_status`,
    kyc: () => sql`u.kyc_status`,
    role: () => sql`u.role`,
    balance: () => sql`u.balance`,
  })[sort]();

/** Where `search` may hold `q`: by its groups of letters, which are indexed, then letter by letter. One letter is looked for where words begin. */
function matching(sql: Sql, q: string) {
  if (!q) return sql``;
  const words = [...q].length === 1 ? ` ${q.toLowerCase()}` : q.toLowerCase();
  // The indexes are known by the literal numbers of letters.
  const among =
    [...words].length === 2 ? sql`letter_groups(u.search, 2) @> letter_groups(${words}, 2)` : sql`letter_groups(u.search, 3) @> letter_groups(${words}, 3)`;
  return sql`and ${among} and u.search like ${containing(words)}`;
}

/** People in the order asked for, each order made whole by the id. `cursor` is the last one seen, as `cursorOf` makes it. */
export async function listUsers(sql: Sql, { q, status, sort, limit, cursor }: Filter): Promise<User[]> {
  const falls = sort.startsWith("-");
  const by = sort.replace("-", "") as UserSort;
  const key = sortKey(sql, by);
  // Whoever is sorted by money and by nothing else is read from the wallets alone.
  const wallets = sql`select owner_id as id, balance from wallet_order`;
  const narrowed = q !== "" || status !== "all";
  const everyone =
    by !== "balance"
      ? sql`users u`
      : narrowed
        ? sql`(select w.balance, p.id, p.search, p.account_status, p.suspended_until from users p join (${wallets}) w on w.id = p.id) u`
        : sql`(${wallets}) u`;
  const direction = falls ? sql`desc` : sql`asc`;
  const last = cursor === undefined ? null : placeOf(cursor).id;
  // The page is chosen first, so that balances are added up for its people alone.
  return many(
    userRow,
    sql`
      with page as (
        select u.id, ${key} as place
        from ${everyone}
        where true ${matching(sql, q)}
          ${status === "all" ? sql`` : sql`and ${status} = case when u.account_status = 'suspended' and u.suspended_until <= now() then 'active' else u.account_status end`}
          ${last ? sql`and (${key}, u.id) ${falls ? sql`<` : sql`>`} (select ${key}, u.id from ${everyone} where u.id = ${last})` : sql``}
        order by ${key} ${direction}, u.id ${direction}
        limit ${limit}
      )
      select ${userColumns(sql)}
      from page p
      join users u on u.id = p.id
      join user_financials f on f.user_id = u.id
      order by p.place ${direction}, p.id ${direction}
      limit ${limit}
    `,
  );
}

/** A person with what only staff see. */
export const findMember = (sql: Sql, userId: string): Promise<Member | null> =>
  one(
    memberRow,
    sql`
      select ${userColumns(sql)}, u.suspension_reason as "suspensionReason", u.registration_reason as "registrationReason", a.email as "approvedBy",
        r.email as referrer, u.long_password as "longPassword", ${hasTwoFactor(sql, sql`u`)} as "twoFactor"
      from users u
      join user_financials f on f.user_id = u.id
      left join users a on a.id = u.approved_by
      left join users r on r.id = u.referred_by
      where u.id = ${userId}
    `,
  );

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
