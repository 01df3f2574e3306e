import * as v from "valibot";
import { folders, readTexts } from "../platform/files";
import { containing, type Fragment, many, one, type Sql } from "../platform/database/db";
import { GROUP, holds, idsFound, idsIn } from "../platform/database/search";
import { attemptRow, type AuditEntry, auditRow, type AuditVerdict, type RefusedAttempt } from "./schema";

type Filter = {
  q: string;
  status: string;
  limit: number;
  cursor?: string | undefined;
  admin?: string;
  target?: string;
  action?: string;
  from?: string;
  to?: string;
  sort?: "created" | "-created";
};

const entries = (sql: Sql) => sql`
  select e.id::text as id, e.action, e.admin_user_id as "adminUserId", a.email as admin, e.target_user_id as "targetUserId", t.email as target,
    t.first_name || ' ' || t.last_name as "targetName", e.details, e.previous_state as "previousState", e.new_state as "newState", e.reason,
    e.ip_address as "ipAddress", e.user_agent as "userAgent", e.created_at as "createdAt"
  from admin_actions e
  left join users a on a.id = e.admin_user_id
  left join users t on t.id = e.target_user_id
`;

/** Finds the ids of people whom a search means, so many at most: who they are a higher floor knows. */
export type PeopleMeant = (sql: Sql, q: string, most: number) => Fragment;

/** The entries that a search means, by indexes: by who is concerned, or by the words of what was done; null where it means very many. */
const entriesFound = (sql: Sql, q: string, people: PeopleMeant): Promise<string[] | null> =>
  idsFound(sql, {
    people: (most) => people(sql, q, most),
    of: (people, most) => {
      const ids = idsIn(q);
      return [
        people.length > 0 && sql`select id::text as id from admin_actions where target_user_id = any (${people}::uuid[]) limit ${most}`,
        people.length > 0 && sql`select id::text from admin_actions where admin_user_id = any (${people}::uuid[]) limit ${most}`,
        ids && sql`select id::text as id from admin_actions where target_user_id between ${ids.first}::uuid and ${ids.last}::uuid limit ${most}`,
        q.length >= GROUP &&
          sql`select id::text as id from admin_actions where ${holds(sql, sql`lower(action || ' ' || reason || ' ' || details::text)`, q)} limit ${most}`,
      ];
    },
  });

/** Holds entries `e` to what a search found; where that is very many, by the same in each row. */
function heldTo(sql: Sql, q: string, found: string[] | null): Fragment {
  if (found !== null) return sql`and e.id = any (${found}::bigint[])`;
  const like = containing(q);
  return sql`
    and (
      e.action ilike ${like} or e.reason ilike ${like} or a.email ilike ${like} or t.email ilike ${like}
      or t.first_name || ' ' || t.last_name ilike ${like} or e.target_user_id::text = ${q} or e.details::text ilike ${like}
    )
  `;
}

/**
 * The book, newest first unless told. `cursor` is the id of the last entry seen, `status` the subject that an action begins with, or `all`.
 * `admin` and `target` are a part of an address or a whole id; `from` and `to` are days in UTC, both included.
 */
export async function listAudit(sql: Sql, filter: Filter, people: PeopleMeant): Promise<AuditEntry[]> {
  const { q, status, limit, cursor, admin = "", target = "", action = "", from = "", to = "", sort = "-created" } = filter;
  const falls = sort === "-created";
  const found = q === "" ? null : await entriesFound(sql, q, people);
  if (found?.length === 0) return [];
  const held = q === "" ? sql`` : heldTo(sql, q, found);
  return many(
    auditRow,
    sql`
      ${entries(sql)}
      where (${status} = 'all' or split_part(e.action, '.', 1) = ${status})
        ${held}
        ${admin ? sql`and (a.email ilike ${containing(admin)} or a.id::text = ${admin})` : sql``}
        ${target ? sql`and (t.email ilike ${containing(target)} or t.id::text = ${target})` : sql``}
        ${action ? sql`and e.action = ${action}` : sql``}
        ${from ? sql`and e.created_at >= ${from}::text::timestamp at time zone 'UTC'` : sql``}
        ${to ? sql`and e.created_at < (${to}::text::timestamp + interval '1 day') at time zone 'UTC'` : sql``}
        ${cursor && /^\d{1,18}$/.test(cursor) ? sql`and e.id ${falls ? sql`<` : sql`>`} ${cursor}::bigint` : sql``}
      order by e.id ${falls ? sql`desc` : sql`asc`}
      limit ${limit}
    `,
  );
}

/** What was done about one person, and by that person, newest first. */
export const auditAbout = (sql: Sql, userId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<AuditEntry[]> =>
  many(
    auditRow,
    sql`
      ${entries(sql)}
      where (e.target_user_id = ${userId} or e.admin_user_id = ${userId}) ${cursor && /^\d{1,18}$/.test(cursor) ? sql`and e.id < ${cursor}::bigint` : sql``}
      order by e.id desc
      limit ${limit}
    `,
  );

/** What staff were refused, newest first. `cursor` is the id of the last one seen. */
export const listAttempts = (sql: Sql, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<RefusedAttempt[]> =>
  many(
    attemptRow,
    sql`
      select a.id::text as id, a.user_id as "userId", u.email as person, u.role, a.method, a.path, a.code, a.reason, a.ip_address as "ipAddress",
        a.request_id as "requestId", a.created_at as "createdAt"
      from refused_attempts a
      join users u on u.id = a.user_id
      ${cursor && /^\d{1,18}$/.test(cursor) ? sql`where a.id < ${cursor}::bigint` : sql``}
      order by a.id desc
      limit ${limit}
    `,
  );

const actionRow = v.strictObject({ action: v.string(), last: v.number() });
/** The kinds of action in the book up to an entry. */
const kindsKnown = new WeakMap<Sql, { through: number; kinds: string[] }>();
/** Every kind of action that the book knows of. It only grows, each entry after the one before: what came since the last look is read. */
export async function auditActions(sql: Sql): Promise<string[]> {
  const known = kindsKnown.get(sql) ?? { through: 0, kinds: [] };
  const rows = await many(actionRow, sql`select action, max(id) as last from admin_actions where id > ${known.through} group by action`);
  const kinds = [...new Set([...known.kinds, ...rows.map(({ action }) => action)])].toSorted();
  kindsKnown.set(sql, { through: Math.max(known.through, ...rows.map(({ last }) => last)), kinds });
  return kinds;
}

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
