import { SECOND } from "../lib/time";
import type { Bus } from "../platform/cluster/bus";
import { type Db, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import { type Epoch, leadFence } from "./commands";

type Parts = { sql: Db; bus: Bus; log: Log; epoch: Epoch; onDeposed: () => void };

/** Puts, where this program leads, groups' later terms, and accounts' later groups, in force within a second of their time. Returns the way to stop. */
export function watchGroups({ sql, bus, log, epoch, onDeposed }: Parts): () => Promise<void> {
  let running: Promise<void> | null = null;
  const look = async () => {
    try {
      const [row] = await sql<{ due: number }[]>`select groups_come_due() + moves_come_due() as due from ${leadFence(sql, epoch)}`;
      if (row && row.due > 0) bus.publish("staff", { about: "setting" });
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
