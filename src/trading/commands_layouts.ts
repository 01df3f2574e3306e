import * as v from "valibot";
import { item, type Sql } from "../platform/database/db";
import type { ChartLayout, LayoutName } from "./schema_layouts";

/** Writes a layout; refuses (too_many_layouts) a new name where the person has twenty. */
export async function put(sql: Sql, userId: string, name: string, layout: ChartLayout): Promise<LayoutName> {
  const row = await item(
    v.strictObject({ name: v.string(), updatedAt: v.string() }),
    sql`select layout_put(${userId}, ${name}, ${JSON.stringify(layout)}::text::json) as item`,
  );
  if (!row) throw new Error("the layout was not put");
  return row;
}

/** Whether there was one. */
export const remove = async (sql: Sql, userId: string, name: string): Promise<boolean> =>
  (await sql`delete from chart_layouts where user_id = ${userId} and name = ${name}`).count > 0;
