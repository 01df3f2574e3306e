import { SECOND } from "../lib/time";
import type { Bus } from "../platform/cluster/bus";
import { type Db, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import { type Epoch, leadFence } from "./commands";

type Parts = { sql: Db; bus: Bus; log: Log; epoch: Epoch; onDeposed: () => void };
type Charged = { last: string | null; charged: { accountId: string; userId: string }[] };

/** Accounts that are charged in one statement, and held meanwhile. */
const TOGETHER = 200;

/**
 * Charges, where this program leads, each night that is over to what was held over it: within a second of 17:00 in New York, and one after the
 * other those that passed while no program ran. Returns the way to stop.
 */
export function watchSwaps(parts: Parts): () => Promise<void> {
  let running: Promise<void> | null = null;
  let stopped = false;
  const look = async () => {
    try {
      while (!stopped && (await chargeNight(parts, () => stopped)));
    } catch (error) {
      const code = refusalOf(error)?.code;
      if (code === "deposed") parts.onDeposed();
      // While the books are halted nights wait, as all money does.
      else if (code !== "unavailable") parts.log.warn("a night's swap could not be charged, will try again", { error });
    }
  };
  const timer = setInterval(() => (running ??= look().finally(() => void (running = null))), SECOND);
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}

/** Charges the first night that is over and was not. False where there is none, or it was stopped; what was charged by then stays, and is not charged again. */
export async function chargeNight({ sql, bus, log, epoch }: Pick<Parts, "sql" | "bus" | "log" | "epoch">, isStopped = () => false): Promise<boolean> {
  const [due] = await sql<{ night: string | null }[]>`select swap_night_due()::text as night`;
  if (!due?.night) return false;
  const [begun] = await sql<{ night: string | null }[]>`select swap_night_begin(${epoch}::bigint)::text as night`;
  const night = begun?.night;
  if (!night) return false;
  let after: string | null = null;
  let accounts = 0;
  do {
    if (isStopped()) return false;
    const [row]: { done: Charged }[] = await sql<{ done: Charged }[]>`
      select swap_night_charge(${night}::text::date, ${after}::uuid, ${TOGETHER}) as done from ${leadFence(sql, epoch)}`;
    after = row?.done.last ?? null;
    for (const { accountId, userId } of row?.done.charged ?? []) {
      accounts++;
      bus.publish("account", { userId, accountId });
    }
  } while (after !== null);
  await sql`select swap_night_end(${night}::text::date) from ${leadFence(sql, epoch)}`;
  log.info("a night's swap was charged", { night, accounts });
  return true;
}
