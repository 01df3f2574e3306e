import * as v from "valibot";
import { one, type Sql } from "../platform/database/db";
import { watchlistsRow } from "./queries";
import type { Watchlist, Watchlists } from "./schema";

const putRow = v.strictObject({ written: v.boolean(), book: watchlistsRow });

/** Puts these lists in place of all, where nobody wrote since version `seen`; `book` is what stands then. Refuses (invalid) an unknown symbol. */
export async function put(sql: Sql, userId: string, seen: number, lists: readonly Watchlist[]): Promise<{ written: boolean; book: Watchlists }> {
  const done = await one(putRow, sql`select written, book from watchlists_put(${userId}, ${seen}, ${JSON.stringify(lists)}::text::json)`);
  if (!done) throw new Error("the lists were not put");
  return done;
}
