import type { Sql } from "../platform/database/db";

/** A visit as it is written; `visitor` is the day's hash in hex. */
export type Row = {
  day: string;
  visitor: string;
  ip: string;
  country: string | null;
  page: string;
  device: string;
  /** Still there, and nothing new opened. */
  still: boolean;
};
type Fresh = { count: number; page: string | null; country: string | null; id: string | null };

/** Writes a batch of visits. Tells how many of the visitors are new today, and the first of them. */
export async function recordVisits(sql: Sql, rows: readonly Row[]): Promise<Fresh> {
  const [fresh] = await sql<Fresh[]>`
    select fresh as count, first_page as page, first_country as country, first_id as id from visits_record(${JSON.stringify(rows)}::text::jsonb)
  `;
  return fresh ?? { count: 0, page: null, country: null, id: null };
}

/** The salt of a day (UTC), made by whoever needs it first. */
export async function saltOf(sql: Sql, day: string): Promise<Uint8Array> {
  const [row] = await sql<{ salt: Uint8Array }[]>`select visitor_salt(${day}::date, ${crypto.getRandomValues(new Uint8Array(32))}::bytea) as salt`;
  if (!row) throw new Error("no salt for the visitors of this day");
  return row.salt;
}

/** Raises a notification of new visitors. Names the first, counts the others. */
export async function tellNewVisitors(sql: Sql, { id, page, country, more }: { id: string; page: string; country: string; more: number }): Promise<void> {
  const others = more > 0 ? `, and ${more} more since the last time` : "";
  await sql`select notify_staff('visitor', 'New visitor', ${`From ${country}, on ${page.slice(0, 200)}${others}.`}, null, ${id}::uuid, 'low')`;
}

/** Erases addresses after thirty days, salts and hashes after two, and visits after a quarter of a year. */
export async function forgetVisitors(sql: Sql): Promise<void> {
  await sql`update visits set ip = null where ip is not null and created_at < now() - interval '30 days'`;
  await sql`delete from visits where created_at < now() - interval '90 days'`;
  await sql`delete from visitor_salts where day < (now() at time zone 'UTC')::date - 1`;
  await sql`delete from visitors where day < (now() at time zone 'UTC')::date - 1`;
}
