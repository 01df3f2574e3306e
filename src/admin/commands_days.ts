import { found } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import type { ClosedDay } from "./schema_days";
import { closedDay, floatingOf } from "./queries_days";
import type { BoardArrays } from "../market/board_sql";

/** Writes a day's figures down for good. Refuses (conflict) a day that is not over, is closed, or has an open one before it. */
export async function closeDay({ sql, bus }: AppContext, act: Act, day: string, board: BoardArrays): Promise<ClosedDay> {
  const floating = await floatingOf(sql, board);
  await sql`select day_close(${act.admin.id}, ${day}, ${floating}, ${act.ip}, ${act.userAgent})`;
  bus.publish("staff", { about: "day" });
  return found(await closedDay(sql, day));
}
