import * as v from "valibot";
import { containing, type Days, inOrder, many, onDays, one, type Sql } from "../platform/database/db";
import { CONTACT_LIMITS, SAME_MESSAGE_SECONDS, type Sent } from "./rules_contact";
import { type ContactForm, type ContactOrder, contactRow, contactStatuses, staffContactRow } from "./schema_contact";

const columns = (sql: Sql) => sql`c.id, c.name, c.email, c.subject, c.message, c.status, c.created_at as "createdAt"`;
const staffColumns = (sql: Sql) => sql`
  ${columns(sql)}, c.user_id as "userId",
  (c.user_id is not null or exists (select from users u where lower(u.email) = lower(c.email))) as "hasClient", c.note, a.email as "handledBy", c.handled_at as "handledAt"
`;

export const contactById = (sql: Sql, id: string) => one(contactRow, sql`select ${columns(sql)} from contact_messages c where c.id = ${id}`);

/** What this sender wrote word for word a short while ago. */
export const sameContact = (sql: Sql, network: string, form: ContactForm) =>
  one(
    contactRow,
    sql`
      select ${columns(sql)}
      from contact_messages c
      where c.network = ${network}
        and c.created_at > clock_timestamp() - make_interval(secs => ${SAME_MESSAGE_SECONDS})
        and c.email = ${form.email} and c.name = ${form.name} and c.subject = ${form.subject ?? ""} and c.message = ${form.message}
      order by c.created_at desc
      limit 1
    `,
  );

const sentRow = v.strictObject({ messages: v.number(), oldest: v.number() });

/** What a network sent within each of the limits, in their order. */
export async function sentFrom(sql: Sql, network: string): Promise<Sent[]> {
  const counts: Sent[] = [];
  for (const { messages, seconds } of CONTACT_LIMITS) {
    const found = await one(
      sentRow,
      sql`
        select count(*) as messages, coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float8 as oldest
        from (
          select created_at
          from contact_messages
          where network = ${network} and created_at > clock_timestamp() - make_interval(secs => ${seconds})
          order by created_at desc
          limit ${messages}
        ) newest
      `,
    );
    counts.push(found ?? { messages: 0, oldest: 0 });
  }
  return counts;
}

const statusRow = v.strictObject({ status: v.picklist(contactStatuses), note: v.string(), subject: v.string() });

/** The message's standing under a lock that the caller's transaction holds. */
export const lockContact = (sql: Sql, id: string) => one(statusRow, sql`select status, note, subject from contact_messages where id = ${id} for update`);

type Filter = Days & { q: string; status: string; sort?: ContactOrder; limit: number; cursor?: string | undefined };

/** Newest first unless told. */
export const listContact = (sql: Sql, { q, status, sort = "-created", limit, cursor, ...days }: Filter) => {
  const like = containing(q);
  const keys = {
    created: sql`c.created_at`,
    // What is new stands before all that is decided, and counts the other way.
    waiting: sql`(case c.status when 'new' then extract(epoch from c.created_at) - 1e12 else -extract(epoch from c.created_at) end)`,
  };
  const { rest, order } = inOrder(sql, { sort, cursor }, { keys, id: sql`c.id`, tables: sql`from contact_messages c` });
  return many(
    staffContactRow,
    sql`
      select ${staffColumns(sql)}
      from contact_messages c
      left join users a on a.id = c.handled_by
      where (${status} = 'all' or c.status = ${status})
        and (${q} = '' or c.name ilike ${like} or c.email ilike ${like} or c.subject ilike ${like} or c.message ilike ${like} or c.id::text = ${q})
        ${onDays(sql, sql`c.created_at`, days)} ${rest}
      ${order}
      limit ${limit}
    `,
  );
};

export const staffContactById = (sql: Sql, id: string) =>
  one(staffContactRow, sql`select ${staffColumns(sql)} from contact_messages c left join users a on a.id = c.handled_by where c.id = ${id}`);
