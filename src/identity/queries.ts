import * as v from "valibot";
import { containing, type Days, type Fragment, inOrder, many, onDays, one, type Sql, type Tx, wordsIn } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { By } from "../platform/app_context";
import { hasPasskey } from "./queries_passkeys";
import { type Member, memberRow, pendingRow, sessionRow, type User, type UserOrder, userRow, type UserSort } from "./schema";

/** The columns of `userRow`. A suspension whose time has passed is over, whatever the column says. */
const userColumns = (sql: Sql) => sql`
  u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.profile_image_url as "profileImageUrl",
  u.referral_code as "referralCode", u.referred_by as "referredBy", u.is_email_verified as "isEmailVerified",
  u.registration_status as "registrationStatus", u.approved_at as "approvedAt", u.registration_source as "registrationSource",
  f.account_balance as "accountBalance", f.trading_balance as "tradingBalance", f.total_profit as "totalProfit",
  u.credit_score as "creditScore", u.risk_level as "riskLevel", u.trading_experience as "tradingExperience",
  case when u.account_status = 'suspended' and u.suspended_until <= now() then 'active' else u.account_status end as "accountStatus",
  u.kyc_status as "kycStatus", u.is_vip as "isVip", u.country, u.role, u.staff_role as "staffRole", u.last_login_at as "lastLoginAt", u.suspended_until as "suspendedUntil",
  u.created_at as "createdAt", u.updated_at as "updatedAt"
`;

export const findUser = (sql: Sql, userId: string): Reading<User | null> =>
  one(userRow, sql`select ${userColumns(sql)} from users u join user_financials f on f.user_id = u.id where u.id = ${userId}`);

/** Whether a person of the table `people` signs in with a second factor. */
const hasTwoFactor = (sql: Sql, people: Fragment) => sql`exists (select from two_factors f where f.user_id = ${people}.id and f.confirmed_at is not null)`;

const credentialsRow = v.strictObject({
  id: v.string(),
  password: v.string(),
  role: v.picklist(["user", "admin"]),
  accountStatus: v.picklist(["active", "suspended", "banned"]),
  registrationStatus: v.picklist(["pending", "approved", "rejected"]),
  suspendedUntil: v.nullable(v.string()),
  suspensionReason: v.nullable(v.string()),
  registrationReason: v.nullable(v.string()),
  /** The password alone does not open the account. */
  twoFactor: v.boolean(),
  /** The second factor may be a code. */
  hasCodes: v.boolean(),
  frozen: v.boolean(),
});
export type Credentials = v.InferOutput<typeof credentialsRow>;

const credentials = (sql: Sql) => sql`
  id, password, role, account_status as "accountStatus", registration_status as "registrationStatus",
  suspended_until as "suspendedUntil", suspension_reason as "suspensionReason", registration_reason as "registrationReason",
  (${hasTwoFactor(sql, sql`users`)} or (role = 'admin' and ${hasPasskey(sql, sql`users`)})) as "twoFactor", ${hasTwoFactor(sql, sql`users`)} as "hasCodes",
  frozen_at is not null as frozen
`;
export const credentialsByEmail = (sql: Sql, email: string) =>
  one(credentialsRow, sql`select ${credentials(sql)} from users where lower(email) = lower(${email})`);
export const credentialsById = (sql: Sql, userId: string) => one(credentialsRow, sql`select ${credentials(sql)} from users where id = ${userId}`);

/** What a session says of its person. */
export const meColumns = {
  id: v.string(),
  email: v.string(),
  firstName: v.string(),
  lastName: v.string(),
  role: v.picklist(["user", "admin"]),
  accountStatus: v.string(),
  registrationStatus: v.string(),
};
const meRow = v.strictObject({
  ...meColumns,
  sessionId: v.string(),
  heldBack: v.boolean(),
  idle: v.number(),
  country: v.nullable(v.string()),
  staffRole: v.nullable(v.string()),
  /** What a role of the house's own lets do. */
  stored: v.nullable(v.array(v.string())),
});

export type Found = v.InferOutput<typeof meRow>;

/** Whose session this is (session_person), if it still opens anything. With `admin2fa` an administrator without a second factor is held back. */
export const findMe = (sql: Sql, session: string, admin2fa: boolean) =>
  one(
    meRow,
    sql`
      select p.id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.role, 'active' as "accountStatus",
        p.registration_status as "registrationStatus", p.session_id as "sessionId",
        ${admin2fa ? sql`p.role = 'admin' and not p.two_factor` : sql`false`} as "heldBack", p.idle, u.country, u.staff_role as "staffRole",
        r.permissions as stored
      from session_person(${session}) p
      join users u on u.id = p.id
      left join staff_roles r on r.id = u.staff_role
    `,
  );

/** The actor, for the `from` of a command's statement: the person already known, or the session's. Without a row the command is not done. */
export const actorValue = (sql: Sql, by: By) => ("session" in by ? sql`session_person(${by.session}) who` : sql`(select ${by.id}::uuid as id, 0 as idle) who`);

/** Whether a session proved who is there (a sign-in, or `POST /api/auth/confirm`) less than fifteen minutes ago, by the database's clock. */
export const provenValue = (sql: Sql, me: { id: string; sessionId: string }) =>
  sql`exists (select from sessions where id = ${me.sessionId} and user_id = ${me.id} and confirmed_at > now() - interval '15 minutes')`;

export async function isProven(sql: Sql, me: { id: string; sessionId: string }): Promise<boolean> {
  const [row] = await sql<{ proven: boolean }[]>`select ${provenValue(sql, me)} as proven`;
  return row?.proven ?? false;
}

/** A person's sessions, `current` marked where it is known. */
export const sessionsOf = (sql: Sql, userId: string, current: string | null) =>
  many(
    sessionRow,
    sql`
      select id, id is not distinct from ${current} as current, sess ->> 'ip' as ip, sess ->> 'userAgent' as "userAgent",
        created_at as "createdAt", seen_at as "seenAt", expire as "expiresAt"
      from sessions
      where user_id = ${userId} and expire > now()
      order by seen_at desc
      limit 100
    `,
  );

const throttleRow = v.strictObject({ key: v.string(), failures: v.string(), failedAt: v.string(), since: v.number() });
/** These counts, locked in the order of their keys; `since` is seconds since the last failure. */
export const throttlesOf = (tx: Tx, keys: string[]) =>
  many(
    throttleRow,
    tx`
      select key, failures, failed_at::text as "failedAt", extract(epoch from clock_timestamp() - failed_at)::float8 as since
      from throttles
      where key = any(${keys})
      order by key
      limit 10
      for update
    `,
  );

type Filter = Days & { q: string; status: string; kyc?: string; sort: UserOrder; limit: number; cursor?: string | undefined };

/** What each order goes by. A suspension that has passed is listed with the suspended ones: an index can't know the time. */
const sortKeys = (sql: Sql): Record<UserSort, Fragment> => ({
  created: sql`u.created_at`,
  name: sql`lower(u.first_name || ' ' || u.last_name)`,
  email: sql`lower(u.email)`,
  status: sql`u.account_status`,
  kyc: sql`u.kyc_status`,
  role: sql`u.role`,
  balance: sql`u.balance`,
});

/** Where `search` may hold each word of `q`, in whatever order; or whose account has that number. */
export function matchingPeople(sql: Sql, q: string): Fragment {
  if (/^ACC\d{4,}$/i.test(q)) return sql`and u.id in (select user_id from trading_accounts where account_number = upper(${q}))`;
  // One letter is looked for where words begin.
  const parts = wordsOf(q).map((word) => ([...word].length === 1 ? ` ${word}` : word));
  return sql`${byGroups(sql, parts)} ${parts.length > 0 ? sql`and u.search like all (${parts.map(containing)}::text[])` : sql``}`;
}

/** By the indexes of groups of letters, whose literal numbers they are known by, who may hold all of these parts of two letters at least. */
function byGroups(sql: Sql, parts: string[]): Fragment {
  const [short, long] = [parts.filter((part) => [...part].length === 2), parts.filter((part) => [...part].length > 2)];
  // All long ones are asked of their index at once: it begins with the rarest group.
  return sql`
    ${long.length > 0 ? sql`and letter_groups(u.search, 3) @> (${long.reduce((all, part) => sql`${all} || letter_groups(${part}, 3)`, sql`'{}'::text[]`)})` : sql``}
    ${short.reduce((all, part) => sql`${all} and letter_groups(u.search, 2) @> letter_groups(${part}, 2)`, sql``)}
  `;
}
const MOST_WORDS = 10;
const wordsOf = (q: string) => q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);

/** The ids of those whom a search means, so many at most. */
export const peopleMeant = (sql: Sql, q: string, most: number): Fragment => sql`select u.id from users u where true ${matchingPeople(sql, q)} limit ${most}`;

/** The ids of those whose `search` holds each word of `q`, wherever it stands there; null where no word has two letters, by which an index knows it. */
export function peopleHolding(sql: Sql, q: string): Fragment | null {
  const parts = wordsOf(q).filter((word) => [...word].length > 1);
  return parts.length === 0 ? null : sql`select u.id from users u where ${wordsIn(sql, sql`u.search`, q)} ${byGroups(sql, parts)}`;
}

/** People in the order asked for, each order made whole by the id. `cursor` is the last one seen, as `cursorOf` makes it. */
export async function listUsers(sql: Sql, { q, status, kyc = "all", sort, limit, cursor, ...days }: Filter): Promise<User[]> {
  const byMoney = sort === "balance" || sort === "-balance";
  // Whoever is sorted by money and by nothing else is read from the wallets alone.
  const wallets = sql`select owner_id as id, balance from wallet_order`;
  const narrowed = q !== "" || status !== "all" || kyc !== "all" || Object.values(days).some(Boolean);
  const everyone = !byMoney
    ? sql`users u`
    : narrowed
      ? sql`(select w.balance, p.id, p.search, p.account_status, p.suspended_until, p.kyc_status, p.created_at from users p join (${wallets}) w on w.id = p.id) u`
      : sql`(${wallets}) u`;
  const { key, direction, rest, order } = inOrder(sql, { sort, cursor }, { keys: sortKeys(sql), id: sql`u.id`, tables: sql`from ${everyone}` });
  // The page is chosen first, so that balances are added up for its people alone.
  return many(
    userRow,
    sql`
      with page as (
        select u.id, ${key} as place
        from ${everyone}
        where true ${matchingPeople(sql, q)}
          ${status === "all" ? sql`` : sql`and u.account_status = any (${status === "active" ? ["active", "suspended"] : [status]}) and ${status} = case when u.account_status = 'suspended' and u.suspended_until <= now() then 'active' else u.account_status end`}
          ${kyc === "all" ? sql`` : sql`and u.kyc_status = ${kyc}`} ${onDays(sql, sql`u.created_at`, days)}
          ${rest}
        ${order}
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
        r.email as referrer, u.long_password as "longPassword", (${hasTwoFactor(sql, sql`u`)} or ${hasPasskey(sql, sql`u`)}) as "twoFactor",
        u.frozen_at as "frozenAt"
      from users u
      join user_financials f on f.user_id = u.id
      left join users a on a.id = u.approved_by
      left join users r on r.id = u.referred_by
      where u.id = ${userId}
    `,
  );

type PendingFilter = Days & { q: string; sort: "created" | "-created"; limit: number; cursor?: string | undefined };

/** Who awaits approval, the newest first unless asked for otherwise. */
export function listPending(sql: Sql, { q, sort, limit, cursor, ...days }: PendingFilter) {
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys: { created: sql`u.created_at` }, id: sql`u.id`, tables: sql`from users u` });
  return many(
    pendingRow,
    sql`
      select u.id, u.first_name as "firstName", u.last_name as "lastName", u.email, u.created_at as "createdAt", u.registration_source as "registrationSource"
      from users u
      where u.registration_status = 'pending' and u.role = 'user' and (${q} = '' or ${wordsIn(sql, sql`u.search`, q)} or u.id::text = lower(${q}))
        ${onDays(sql, sql`u.created_at`, days)} ${rest}
      ${order}
      limit ${limit}
    `,
  );
}
