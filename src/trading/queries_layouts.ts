import * as v from "valibot";
import { many, one, type Sql } from "../platform/database/db";
import type { Reading } from "../platform/database/reading";
import { MOST_LAYOUTS, type LayoutName } from "./schema_layouts";

/** A person's layouts, the one that was written last first. */
export const layoutsOf = (sql: Sql, userId: string): Reading<LayoutName[]> =>
  many(
    v.strictObject({ name: v.string(), updatedAt: v.string() }),
    sql`select name, updated_at as "updatedAt" from chart_layouts where user_id = ${userId} order by updated_at desc, name limit ${MOST_LAYOUTS}`,
  );

/** A layout as it was stored, whatever it is; null where there is none of that name. */
export const layoutOf = async (sql: Sql, userId: string, name: string): Promise<{ layout: unknown } | null> =>
  one(v.strictObject({ layout: v.unknown() }), sql`select layout from chart_layouts where user_id = ${userId} and name = ${name}`);
