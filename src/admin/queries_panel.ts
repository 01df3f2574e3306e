import * as v from "valibot";
import { after, many, one, type Sql } from "../platform/database/db";
import { type Claim, claimRow, noteRow, type NoticeHours, type Settings, type StaffNote } from "./schema";

/** What administrators leave for each other. */

const claimColumns = (sql: Sql) => sql`
  c.kind, c.object_id as "objectId", c.admin_id as "adminId", u.first_name || ' ' || u.last_name as name, c.touched_at as "touchedAt", c.expires_at as "expiresAt"
`;

/** The claims of this moment. */
export const claims = (sql: Sql): Promise<Claim[]> =>
  many(
    claimRow,
    sql`select ${claimColumns(sql)} from claims c join users u on u.id = c.admin_id where c.expires_at > now() order by c.expires_at, c.object_id limit 500`,
  );

export const claimsOn = (sql: Sql, objectId: string): Promise<Claim[]> =>
  many(
    claimRow,
    sql`
      select ${claimColumns(sql)} from claims c join users u on u.id = c.admin_id
      where c.object_id = ${objectId} and c.expires_at > now()
      order by c.expires_at
      limit 100
    `,
  );

/** What other administrators than this one have open. */
export async function claimedByOthers(sql: Sql, adminId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`select distinct object_id as id from claims where admin_id <> ${adminId} and expires_at > now()`;
  return rows.map(({ id }) => id);
}

const settingRow = v.strictObject({ value: v.string() });
/** What the panel is set to; where nothing was set, every amount is typed. */
export async function readSettings(sql: Sql): Promise<Settings> {
  const row = await one(settingRow, sql`select value from settings where key = 'confirm_above'`);
  return { confirmAbove: row?.value ?? "0.00" };
}

/** How long worse terms wait; a day where nothing was set. */
export async function noticeHours(sql: Sql): Promise<NoticeHours> {
  const row = await one(settingRow, sql`select value from settings where key = 'notice_hours'`);
  return { hours: Number(row?.value ?? 24) };
}

const noteColumns = (sql: Sql) => sql`n.id, n.body, a.first_name || ' ' || a.last_name || ' (' || a.email || ')' as administrator, n.created_at as "createdAt"`;

/** Notes on a person, newest first. */
export function notesOf(sql: Sql, userId: string, { limit, cursor }: { limit: number; cursor?: string | undefined }): Promise<StaffNote[]> {
  return many(
    noteRow,
    sql`
      select ${noteColumns(sql)}
      from staff_notes n
      join users a on a.id = n.admin_id
      where n.user_id = ${userId} ${after(sql, "n.created_at", "n.id", cursor)}
      order by n.created_at desc, n.id desc
      limit ${limit}
    `,
  );
}

export const noteById = (sql: Sql, id: string): Promise<StaffNote | null> =>
  one(noteRow, sql`select ${noteColumns(sql)} from staff_notes n join users a on a.id = n.admin_id where n.id = ${id}`);
