import * as v from "valibot";
import { type Entitled, mayDo } from "../lib/permissions";
import { many, one, type Sql } from "../platform/database/db";
import type { Trading } from "../trading/trading";
import { presentOf } from "../visitors/queries";
import type { Activity, Pulse, Stats } from "./schema_app";

const ACTIVITIES = 10;

const figuresRow = v.strictObject({ totalUsers: v.number(), todayRevenue: v.string(), activeSessions: v.number() });
const activityRow = v.strictObject({ action: v.string(), user: v.string(), timestamp: v.string() });

/** The dashboard's figures at this moment; how many positions are open is counted once for all who look. */
export async function statsOf(sql: Sql, { open }: Pick<Trading, "open">, who: Entitled): Promise<Stats> {
  const [figures, openTrades, recentActivity] = await Promise.all([figuresOf(sql), open("all"), activityOf(sql, who)]);
  return { ...figures, openTrades, recentActivity };
}

/**
 * What the house earned today (UTC) is what its own live accounts gained: clients' realised losses less profits, corrections and
 * forgiven losses included, less bonuses.
 */
async function figuresOf(sql: Sql) {
  const row = await one(
    figuresRow,
    sql`
      select
        people_of('user') as "totalUsers",
        house_earned_since(date_trunc('day', now() at time zone 'UTC') at time zone 'UTC') as "todayRevenue",
        (select count(*) from sessions where expire > now() and seen_at > now() - interval '15 minutes') as "activeSessions"
    `,
  );
  return row ?? { totalUsers: 0, todayRevenue: "0.00", activeSessions: 0 };
}

/** What people did last, newest first, as far as the reader may know of it. Visits, which take a permission of their own, are left out. */
const activityOf = (sql: Sql, { permissions }: Entitled): Promise<Activity[]> =>
  many(
    activityRow,
    sql`
      select n.title as action, coalesce(n.person, '') as user, n.created_at as timestamp
      from news_numbers(${permissions.filter((each) => each !== "visitors.read")}::text[], null, null, null, ${ACTIVITIES}) as l (number)
      cross join lateral (
        select n.number, n.title, n.created_at, (select u.first_name || ' ' || u.last_name from users u where u.id = n.user_id) as person
        from admin_notifications n where n.number = l.number
        limit 1
      ) n
      order by n.number desc
    `,
  );

const countRow = v.strictObject({ count: v.number() });

/** What of the strip somebody may see. */
export const pulseFor = (who: Entitled, { onlineVisitors, pendingDeposits }: Pulse): Pulse => ({
  onlineVisitors: mayDo(who, "visitors.read") ? onlineVisitors : null,
  pendingDeposits: mayDo(who, "deposits.read") ? pendingDeposits : null,
});

/** What the strip shows. */
export async function pulseOf(sql: Sql): Promise<Pulse> {
  const [present, waiting] = await Promise.all([presentOf(sql), one(countRow, sql`select count(*) as count from deposits where status = 'pending'`)]);
  return { onlineVisitors: present.online, pendingDeposits: waiting?.count ?? 0 };
}
