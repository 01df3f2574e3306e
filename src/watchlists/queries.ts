import * as v from "valibot";
import { item, type Sql } from "../platform/database/db";
import type { Watchlists } from "./schema";

export const watchlistsRow = v.strictObject({
  version: v.number(),
  lists: v.array(v.strictObject({ id: v.string(), name: v.string(), symbols: v.array(v.string()) })),
});

/** A person's lists as they stand. */
export const watchlistsOf = async (sql: Sql, userId: string): Promise<Watchlists> =>
  (await item(watchlistsRow, sql`select watchlists_of(${userId}) as item`)) ?? { version: 0, lists: [] };
