import * as v from "valibot";
import { SECOND } from "../lib/time";
import type { Bus } from "../platform/cluster/bus";
import { type Db, many, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import { type Epoch, leadFence } from "./commands";

type Parts = { sql: Db; bus: Bus; log: Log; epoch: Epoch; onDeposed: () => void };

/** So long ago, in seconds, may a move have come due that owners are told of: longer than from one look to the next, so they may hear of it twice. */
const LATELY = 60;
const movedRow = v.strictObject({ userId: v.string(), accountId: v.string() });
/** The accounts that a move put into another group, that had waited for its time, and whose they are. */
const movedOfLate = (sql: Db) =>
  many(
    movedRow,
    sql`
      select distinct a.user_id as "userId", a.id as "accountId"
      from group_moves m
      join trading_accounts a on a.id = m.account_id and a.account_type_id = m.to_group
      where m.effective_at > m.created_at and m.effective_at between clock_timestamp() - make_interval(secs => ${LATELY}) and clock_timestamp()
      limit 100000
    `,
  );

/** Puts, where this program leads, groups' later terms, and accounts' later groups, in force within a second of their time. Returns the way to stop. */
export function watchGroups({ sql, bus, log, epoch, onDeposed }: Parts): () => Promise<void> {
  let running: Promise<void> | null = null;
  const look = async () => {
    try {
      const [row] = await sql<{ due: number }[]>`select groups_come_due() + moves_come_due() as due from ${leadFence(sql, epoch)}`;
      if (!row?.due) return;
      bus.publish("staff", { about: "setting" });
      for (const moved of await movedOfLate(sql)) bus.publish("account", moved);
    } catch (error) {
      if (refusalOf(error)?.code === "deposed") onDeposed();
      else log.warn("groups' terms could not be looked at, will try again", { error });
    }
  };
  const timer = setInterval(() => (running ??= look().finally(() => void (running = null))), SECOND);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
