import * as v from "valibot";
import { items, many, type Sql } from "../platform/database/db";
import { deviceColumns, deviceRow } from "./queries_push";

const newsRow = v.strictObject({
  userId: v.string(),
  topic: v.nullable(v.picklist(["trades", "margin", "money", "support", "security"])),
  kind: v.picklist(["info", "warning"]),
  title: v.string(),
  message: v.string(),
  url: v.string(),
  tag: v.string(),
});
/** News for a person; without a topic it is always shown. */
export type PersonNews = v.InferOutput<typeof newsRow>;

/** Takes what commands left for people, the oldest first, at most 500. */
export const takePersonNews = (sql: Sql): Promise<PersonNews[]> => items(newsRow, sql`select item from person_news_take() as item limit 500`);

const ownDeviceRow = v.strictObject({ ...deviceRow.entries, userId: v.string(), silent: v.array(v.string()) });
export type PersonDevice = v.InferOutput<typeof ownDeviceRow>;

/** These people's devices, each with the topics that its person left out; none of people who may not sign in now. */
export const devicesOfPeople = (sql: Sql, userIds: readonly string[]): Promise<PersonDevice[]> =>
  many(
    ownDeviceRow,
    sql`
      select ${deviceColumns(sql)}, d.admin_id as "userId",
        array_remove(array[
          case when not c.trades then 'trades' end, case when not c.margin then 'margin' end, case when not c.money then 'money' end,
          case when not c.support then 'support' end
        ], null) as silent
      from push_devices d
      join users u on u.id = d.admin_id
      left join notice_choices c on c.user_id = u.id
      where d.own and u.id = any(${[...userIds]}::uuid[]) and u.registration_status <> 'rejected'
        and (u.account_status = 'active' or (u.account_status = 'suspended' and u.suspended_until <= now()))
      order by d.created_at
      limit 10000
    `,
  );
