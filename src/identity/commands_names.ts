import { found } from "../lib/refusal";
import type { Sql } from "../platform/database/db";
import type { Act, AppContext } from "../platform/app_context";
import { findUser } from "./queries";
import type { User } from "./schema";

type Name = { firstName: string; lastName: string };

/** Whether another administrator goes by the same name, so that neither colleagues nor clients can tell the two apart. */
export async function isNameShared(sql: Sql, id: string): Promise<boolean> {
  const others = await sql`
    select from users o
    join users me on me.id = ${id}
    where o.role = 'admin' and o.id <> me.id and lower(o.first_name || ' ' || o.last_name) = lower(me.first_name || ' ' || me.last_name)
    limit 1
  `;
  return others.length > 0;
}

/** Gives the acting administrator another name. Refuses (conflict) one that another administrator has. */
export async function nameSelf(app: AppContext, act: Act, name: Name): Promise<{ user: User }> {
  const { id } = act.admin;
  await app.sql`select person_rename(${id}, ${name.firstName}, ${name.lastName}, ${act.ip}, ${act.userAgent})`;
  app.bus.publish("staff", { about: "person" });
  return { user: found(await findUser(app.sql, id)) };
}
