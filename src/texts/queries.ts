import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import { type StaffText, staffTextRow, type TextPage, textPages, type TextVersion, textVersionRow } from "./schema";

const versionColumns = (sql: Sql) => sql`
  t.version, t.body, t.must_accept as "mustAccept", t.since, u.first_name || ' ' || u.last_name as administrator, t.reason, t.created_at as "createdAt"`;

/** The text that a page shows now; null: the program's own. */
export const textNow = (sql: Sql, page: TextPage): Promise<TextVersion | null> =>
  one(
    textVersionRow,
    sql`
      select ${versionColumns(sql)}
      from page_texts t
      left join users u on u.id = t.created_by
      where t.page = ${page} and t.version = page_text_version(${page})
    `,
  );

/** A version that held or holds; none that waits for its day. */
export const textOf = (sql: Sql, page: TextPage, version: number): Promise<TextVersion | null> =>
  one(
    textVersionRow,
    sql`
      select ${versionColumns(sql)}
      from page_texts t
      left join users u on u.id = t.created_by
      where t.page = ${page} and t.version = ${version} and t.since <= now()
    `,
  );

export const textVersions = (sql: Sql, page: TextPage): Promise<TextVersion[]> =>
  many(
    textVersionRow,
    sql`
      select ${versionColumns(sql)}
      from page_texts t
      left join users u on u.id = t.created_by
      where t.page = ${page}
      order by t.version desc
      limit 50
    `,
  );

export const staffTexts = (sql: Sql): Promise<StaffText[]> =>
  many(
    staffTextRow,
    sql`
      select p.page, now_.version, now_.since, next_.version as "nextVersion", next_.since as "nextSince",
        case when p.page = 'terms' then (select count(*) from term_acceptances a where a.version = now_.version) else 0 end as accepted
      from unnest(${textPages as unknown as string[]}::text[]) with ordinality p (page, place)
      left join page_texts now_ on now_.page = p.page and now_.version = page_text_version(p.page)
      left join lateral (
        select version, since from page_texts t where t.page = p.page and t.since > now() order by version limit 1
      ) next_ on true
      order by p.place
      limit 20
    `,
  );

/** The version of the terms that holds, where this person did not accept what everybody is asked to; null: nothing is due. */
export async function termsDueFor(sql: Sql, userId: string): Promise<number | null> {
  const row = await one(
    v.strictObject({ due: v.nullable(v.number()) }),
    sql`
      select page_text_version('terms') as due
      from (select terms_to_accept() as version) d
      where d.version is not null and not exists (select from term_acceptances a where a.user_id = ${userId} and a.version >= d.version)
    `,
  );
  return row?.due ?? null;
}

/** The newest version of the terms that everybody is asked to accept; null: none is. */
export async function termsToAccept(sql: Sql): Promise<number | null> {
  const row = await one(v.strictObject({ due: v.nullable(v.number()) }), sql`select terms_to_accept() as due`);
  return row?.due ?? null;
}
