import { letterIds, letterTitle } from "../mail/letter_words";
import { many, type Sql } from "../platform/database/db";
import { letterNowRow, type LetterVersion, letterVersionRow, type StaffLetter } from "./schema_letters";

/** Every letter whose words can be others, with the words that hold now. */
export async function staffLetters(sql: Sql): Promise<StaffLetter[]> {
  const rows = await many(
    letterNowRow,
    sql`
      select i.letter, coalesce(t.version, 0) as version, t.subject is null as "isOwn", t.created_at as since
      from unnest(${letterIds as string[]}::text[]) with ordinality i (letter, place)
      left join lateral (select version, subject, created_at from letter_texts t where t.letter = i.letter order by version desc limit 1) t on true
      order by i.place
      limit 100
    `,
  );
  return rows.map((row, n) => ({ ...row, title: letterTitle(letterIds[n] as (typeof letterIds)[number]) }));
}

export const letterVersions = (sql: Sql, letter: string): Promise<LetterVersion[]> =>
  many(
    letterVersionRow,
    sql`
      select t.version, t.subject, t.body, t.is_markdown as "isMarkdown", t.created_at as since, u.first_name || ' ' || u.last_name as administrator, t.reason
      from letter_texts t
      join users u on u.id = t.created_by
      where t.letter = ${letter}
      order by t.version desc
      limit 50
    `,
  );
