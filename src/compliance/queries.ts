import * as v from "valibot";
import { after, many, one, type Days, onDays, type Sql, wordsIn } from "../platform/database/db";
import { placeOf } from "../lib/cursor";
import { documentRow, type DocumentState, type Level, levels, staffDocumentRow, type Verification } from "./schema";

/** Most of one person's that is shown. */
const MOST = 200;

const common = (sql: Sql) => sql`
  d.id, d.kind, d.side, d.media_type as "mediaType", d.size, d.status, d.reason, d.note, d.expires_on::text as "expiresOn", d.created_at as "createdAt",
  d.decided_at as "decidedAt"
`;

/** A person's documents, the newest first. */
export const documentsOf = (sql: Sql, userId: string, id: string | null = null) =>
  many(
    documentRow,
    sql`
      select ${common(sql)},
        array(select iso(s.seen_at) from document_views s where s.document_id = d.id order by s.seen_at desc limit 20) as seen
      from documents d
      where d.user_id = ${userId} and (${id}::uuid is null or d.id = ${id}) and d.content is not null
      order by d.created_at desc, d.id desc
      limit ${MOST}
    `,
  );

const standingRow = v.strictObject({ level: v.picklist(levels), identity: v.picklist(["pending", "verified", "rejected"]) });

/** How much is known of a person, and by which documents. */
export async function verificationOf(sql: Sql, userId: string): Promise<Verification> {
  const [standing, documents] = await Promise.all([
    one(standingRow, sql`select person_level(${userId}) as level, kyc_status as identity from users where id = ${userId}`),
    documentsOf(sql, userId),
  ]);
  return { ...(standing ?? { level: 0, identity: "pending" }), documents };
}

export async function levelOf(sql: Sql, userId: string): Promise<Level> {
  const [row] = await sql<{ level: Level }[]>`select person_level(${userId}) as level`;
  return row?.level ?? 0;
}

/** Why the person's level takes no deposits of coins, in words; null where it does. Said before anybody is shown where to send them. */
export async function coinsBarred(sql: Sql, userId: string): Promise<string | null> {
  const [row] = await sql<{ why: string | null }[]>`select level_bars_deposit(${userId}, 'crypto') as why`;
  return row?.why ?? null;
}

const keptRow = v.strictObject({ userId: v.string(), mediaType: v.string(), keyId: v.string(), content: v.instance(Uint8Array) });
/** A document as it is kept; null where there is none, or it was erased. */
export const keptOf = (sql: Sql, id: string) =>
  one(keptRow, sql`select user_id as "userId", media_type as "mediaType", key_id as "keyId", content from documents where id = ${id} and content is not null`);

/** Whether no document is kept, under whatever key. */
export const isEmpty = async (sql: Sql): Promise<boolean> => (await sql`select from documents where content is not null limit 1`).length === 0;

type Filter = Days & { status: DocumentState | "all"; q: string; limit: number; cursor?: string | undefined };

const staffColumns = (sql: Sql) => sql`
  ${common(sql)}, d.user_id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.email, u.country, u.kyc_status as identity,
  (select a.first_name || ' ' || a.last_name from users a where a.id = d.decided_by) as administrator,
  (select count(*)::integer from document_views s where s.document_id = d.id) as views
`;

/** Documents as staff go through them: what waits with the oldest first, anything else with the newest. */
export const documentQueue = (sql: Sql, { status, q, limit, cursor, ...days }: Filter) =>
  many(
    staffDocumentRow,
    sql`
      select ${staffColumns(sql)}
      from documents d join users u on u.id = d.user_id
      where d.content is not null ${status === "all" ? sql`` : sql`and d.status = ${status}`} and ${wordsIn(sql, sql`u.search`, q)}
        ${onDays(sql, sql`d.created_at`, days)} ${status === "pending" ? later(sql, cursor) : after(sql, "d.created_at", "d.id", cursor)}
      ${status === "pending" ? sql`order by d.created_at, d.id` : sql`order by d.created_at desc, d.id desc`}
      limit ${limit}
    `,
  );

/** What of a list that begins with the oldest comes behind the row of a cursor. */
function later(sql: Sql, cursor: string | undefined) {
  if (cursor === undefined) return sql``;
  const { at, id } = placeOf(cursor);
  return sql`and (d.created_at, d.id) > (${at}::timestamptz, ${id}::uuid)`;
}

export const staffDocumentOf = (sql: Sql, id: string) =>
  one(staffDocumentRow, sql`select ${staffColumns(sql)} from documents d join users u on u.id = d.user_id where d.id = ${id} and d.content is not null`);
