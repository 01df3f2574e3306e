import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import type { Keeping } from "./schema_keeping";

const wayRow = v.strictObject({ way: v.picklist(["push", "letter"]) });

export const keepingOf = (sql: Sql, userId: string): Reading<Keeping> =>
  one(wayRow, sql`select way from checkpoint_keepers where user_id = ${userId}`).map((row) => row ?? { way: "off" });

export async function keep(sql: Sql, userId: string, { way }: Keeping): Promise<Keeping> {
  if (way === "off") await sql`delete from checkpoint_keepers where user_id = ${userId}`;
  else
    await sql`
      insert into checkpoint_keepers (user_id, way) values (${userId}, ${way})
      on conflict (user_id) do update set way = excluded.way, since = clock_timestamp()`;
  return { way };
}

/** Sends a checkpoint to all who keep one, and to the operator's address. Answers with how many. */
export async function sendCheckpoints(
  sql: Sql,
  said: { origin: string; size: number; root: string; note: string; key: string },
  address: string | null,
): Promise<number> {
  const row = await one(v.strictObject({ sent: v.number() }), sql`select checkpoints_send(${JSON.stringify(said)}::text::jsonb, ${address}) as sent`);
  return row?.sent ?? 0;
}
