import * as v from "valibot";
import { after, many, one, type Sql } from "../platform/database/db";
import { hashOfToken } from "./commands";
import { type KeptWords, letterIdOf } from "./letter_words";
import type { LetterKind, Purpose } from "./rules";
import { letterRow, type LetterState } from "./schema";

const columns = (sql: Sql) => sql`
  l.id, l.user_id as "userId", l.address, l.kind, l.status, l.attempts, l.due_at as "dueAt", l.answer, l.created_at as "createdAt", l.ended_at as "endedAt"
`;
type Filter = { status?: LetterState | "all"; userId?: string; limit: number; cursor?: string | undefined };

/** Letters, the newest first. */
export const lettersOf = (sql: Sql, { status = "all", userId, limit, cursor }: Filter) =>
  many(
    letterRow,
    sql`
      select ${columns(sql)}
      from letters l
      where true ${status === "all" ? sql`` : sql`and l.status = ${status}`} ${userId === undefined ? sql`` : sql`and l.user_id = ${userId}`}
        ${after(sql, "l.created_at", "l.id", cursor)}
      order by l.created_at desc, l.id desc
      limit ${limit}
    `,
  );

const writtenRow = v.strictObject({ ...letterRow.entries, facts: v.record(v.string(), v.unknown()), firstName: v.nullable(v.string()) });

/** A letter with what it is written from. */
export const letterOf = (sql: Sql, id: string) =>
  one(writtenRow, sql`select ${columns(sql)}, l.facts, u.first_name as "firstName" from letters l left join users u on u.id = l.user_id where l.id = ${id}`);

const wordsRow = v.strictObject({ subject: v.nullable(v.string()), body: v.nullable(v.string()), isMarkdown: v.boolean() });
/** The operator's words that a letter is written by: those that held when it was left, whatever came since; null for the house's own. */
export async function wordsOf(sql: Sql, { id, kind, facts }: { id: string; kind: LetterKind; facts: Record<string, unknown> }): Promise<KeptWords | null> {
  const letter = letterIdOf(kind, facts);
  if (!letter) return null;
  const row = await one(
    wordsRow,
    sql`
      select t.subject, t.body, t.is_markdown as "isMarkdown"
      from letters l join letter_texts t on t.letter = ${letter} and t.created_at <= l.created_at
      where l.id = ${id}
      order by t.version desc
      limit 1
    `,
  );
  return row?.subject && row.body ? { subject: row.subject, body: row.body, isMarkdown: row.isMarkdown } : null;
}

const countsRow = v.strictObject({ waiting: v.number(), oldestSeconds: v.number(), failedToday: v.number(), sentToday: v.number() });
export type MailCounts = v.InferOutput<typeof countsRow>;

/** What waits, how old the oldest of it is, and what ended within a day. */
export async function mailCounts(sql: Sql): Promise<MailCounts> {
  const counts = await one(
    countsRow,
    sql`
      select
        (select count(*) from letters where status = 'waiting') as waiting,
        coalesce((select extract(epoch from now() - min(created_at)) from letters where status = 'waiting'), 0)::float8 as "oldestSeconds",
        (select count(*) from letters where status = 'failed' and ended_at > now() - interval '1 day') as "failedToday",
        (select count(*) from letters where status = 'sent' and created_at > now() - interval '2 days' and ended_at > now() - interval '1 day') as "sentToday"
    `,
  );
  return counts ?? { waiting: 0, oldestSeconds: 0, failedToday: 0, sentToday: 0 };
}

/** Whose a link is, if it would be taken just now; nothing is used up. */
export async function linkOwner(sql: Sql, token: string, purpose: Purpose): Promise<string | null> {
  const [row] = await sql<{ person: string | null }[]>`select link_person(${hashOfToken(token)}, ${purpose}) as person`;
  return row?.person ?? null;
}

/** The topic of the letter that an unsubscribe link came with, and whose it is. */
const leavingRow = v.strictObject({ userId: v.string(), topic: v.nullable(v.picklist(["trades", "margin", "money", "support", "statements"])) });
export const leavingOf = (sql: Sql, token: string) =>
  one(
    leavingRow,
    sql`
      select k.user_id as "userId", letter_topic(l.kind) as topic
      from letter_links k join letters l on l.id = k.letter_id
      where k.hash = ${hashOfToken(token)} and k.purpose = 'unsubscribe' and k.expires_at > now()
    `,
  );
