import * as v from "valibot";
import { priceUnits } from "../lib/money";
import { after, item, items, many, type Sql } from "../platform/database/db";
import type { Watched } from "./book";
import { type Alert, alertRow } from "./schema";

const instant = (ms: number) => new Date(ms).toISOString();

type Asked = { status: "all" | "active" | "past"; limit: number; cursor?: string | undefined };

/** A person's alerts as they stand at `now` (ms since the epoch), the newest first. */
export const alertsOf = (sql: Sql, userId: string, { status, limit, cursor }: Asked, now: number): Promise<Alert[]> =>
  items(
    alertRow,
    sql`
      select alert_json(a, ${instant(now)}) as item
      from price_alerts a
      where a.user_id = ${userId} and (${status} = 'all' or alert_is_active(a, ${instant(now)}) = (${status} = 'active'))
        ${after(sql, "a.created_at", "a.id", cursor)}
      order by a.created_at desc, a.id desc
      limit ${limit}
    `,
  );

export const alertOf = (sql: Sql, userId: string, id: string, now: number): Promise<Alert | null> =>
  item(alertRow, sql`select alert_json(a, ${instant(now)}) as item from price_alerts a where a.user_id = ${userId} and a.id = ${id}`);

const watchedRow = v.strictObject({
  id: v.string(),
  symbol: v.string(),
  side: v.picklist(["bid", "ask", "mid"]),
  condition: v.picklist(["above", "below", "crosses"]),
  price: v.string(),
  start: v.string(),
  sinceSeq: v.number(),
  expiresAt: v.nullable(v.string()),
});

/** Which alerts to read; `lately` in seconds. */
export type Which = { id: string } | { lately: number } | "all";

/** The alerts that have not fired: one, those of the last seconds, or all. */
export async function watchedAlerts(sql: Sql, which: Which): Promise<Watched[]> {
  const only =
    which === "all" ? sql`` : "id" in which ? sql`and id = ${which.id}` : sql`and created_at > clock_timestamp() - make_interval(secs => ${which.lately})`;
  const rows = await many(
    watchedRow,
    sql`
      select id, symbol, side, condition, price, start, since_seq as "sinceSeq", expires_at as "expiresAt"
      from price_alerts
      where fired_at is null ${only}
    `,
  );
  return rows.map(({ condition, price, start, expiresAt, ...row }) => {
    const [level, from] = [priceUnits(price), priceUnits(start)];
    const rises = condition === "above" || (condition === "crosses" && from <= level);
    const falls = condition === "below" || (condition === "crosses" && from >= level);
    return { ...row, price: level, rises, falls, until: expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) };
  });
}
