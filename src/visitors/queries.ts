import * as v from "valibot";
import { type Days, many, onDays, one, type Sql } from "../platform/database/db";
import { RECENT } from "./rules";
import { type Present, type Visitor, visitorRow, type VisitorSnapshot } from "./schema";

/** A visit with its place in the list. */
const placedRow = v.strictObject({ number: v.number(), ...visitorRow.entries });
export type Placed = v.InferOutput<typeof placedRow>;

const columns = (sql: Sql) => sql`number, id, ip, country, page, device, is_new as "isNewVisitor", created_at as "timestamp"`;

/** Newest first. `cursor` is the number of the last one seen; `after` leaves out what stands at that number and below. */
export const visitsOf = (
  sql: Sql,
  { limit, cursor, after = 0, ...days }: Days & { limit: number; cursor?: string | undefined; after?: number },
): Promise<Placed[]> =>
  many(
    placedRow,
    sql`
      select ${columns(sql)}
      from visits
      where number > ${after} ${cursor && /^\d{1,15}$/.test(cursor) ? sql`and number < ${cursor}` : sql``} ${onDays(sql, sql`created_at`, days)}
      order by number desc
      limit ${limit}
    `,
  );

const presentRow = v.strictObject({ online: v.number(), today: v.number() });

/** Who was seen within five minutes, and in all today (UTC), by whichever program. */
export async function presentOf(sql: Sql): Promise<Present> {
  const row = await one(
    presentRow,
    sql`
      select
        (select count(*) from visitors where last_seen > now() - interval '5 minutes') as online,
        (select count(*) from visitors where day = (now() at time zone 'UTC')::date) as today
    `,
  );
  return row ?? { online: 0, today: 0 };
}

/** What screens show first. */
export async function snapshotOf(sql: Sql): Promise<VisitorSnapshot> {
  const [present, recent] = await Promise.all([presentOf(sql), visitsOf(sql, { limit: RECENT })]);
  return { ...present, recent: recent.map(plain) };
}

export const plain = ({ number: _number, ...visitor }: Placed): Visitor => visitor;
