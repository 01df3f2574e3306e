import type { Bus } from "../platform/cluster/bus";
import { type Db, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import { movedLately, takeRechecks } from "./queries_watch";

/** So often, in ms, is it looked up what other programs ask for. */
const ASK_EVERY = 1_000;
/** So often, in ms, are accounts that moved compared with the database, and so far back, in seconds, before the last comparison: longer than a deal takes. */
const RECHECK_EVERY = 5_000;
const LATELY = 40;
/** Accounts that are compared before a tick may have its turn. */
const AT_ONCE = 1_000;

type Parts = {
  sql: Db;
  bus: Bus;
  log: Log;
  epoch: number;
  watch: (accountId: string) => void;
  /** The digest of an account as the engine knows it (recheck.ts). */
  known: (accountId: string) => string | null;
  onDeposed: () => void;
};

/**
 * Tells the engine which accounts changed without its doing. Each deal of a program without the engine leaves a row in its own transaction. A
 * notice says when to read the rows; since a notice may be lost, they are read every second too. Accounts that moved lately are also compared
 * with what the engine knows: the answer to a deal of this program may have been lost. Returns the way to stop.
 */
export function listenElsewhere({ sql, bus, log, epoch, watch, known, onDeposed }: Parts): () => void {
  const attempt = async (load: () => Promise<void>) => {
    try {
      await load();
    } catch (error) {
      if (refusalOf(error)?.code === "deposed") onDeposed();
      else log.warn("accounts that changed elsewhere could not be found, will try again", { error });
    }
  };
  const answer = onceAtATime(() =>
    attempt(async () => {
      for (const { id } of await takeRechecks(sql, epoch)) watch(id);
    }),
  );
  let comparedAt = performance.now();
  const compare = onceAtATime(() =>
    attempt(async () => {
      const begun = performance.now();
      const moved = await movedLately(sql, LATELY + (begun - comparedAt) / 1_000);
      comparedAt = begun;
      for (const [place, { id, userId, digest }] of moved.entries()) {
        if (place % AT_ONCE === AT_ONCE - 1) await Bun.sleep(0);
        if (digest === known(id)) continue;
        watch(id);
        bus.publish("account", { userId, accountId: id, dealt: true });
      }
    }),
  );
  const timers = [setInterval(answer, ASK_EVERY), setInterval(compare, RECHECK_EVERY)];
  const stops = [bus.subscribe("look", answer), bus.subscribe("renewed", compare)];
  return () => {
    timers.forEach((timer) => clearInterval(timer));
    stops.forEach((stop) => stop());
  };
}

/** Runs a task that is asked for at any time one at a time; asked for meanwhile, once more after it. */
function onceAtATime(task: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  const run = async () => {
    running = true;
    do {
      again = false;
      await task();
    } while (again);
    running = false;
  };
  return () => {
    if (running) again = true;
    else void run();
  };
}
