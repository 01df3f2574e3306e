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

/** `look` reads now what other programs ask for, and resolves once the engine knows of all that they dealt before the call. */
export type Elsewhere = { look(): Promise<void>; stop(): void };
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
 * with what the engine knows: the answer to a deal of this program may have been lost.
 */
export function listenElsewhere({ sql, bus, log, epoch, watch, known, onDeposed }: Parts): Elsewhere {
  const attempt = async (load: () => Promise<void>) => {
    try {
      await load();
    } catch (error) {
      if (refusalOf(error)?.code === "deposed") onDeposed();
      else log.warn("accounts that changed elsewhere could not be found, will try again", { error });
    }
  };
  const look = onceAtATime(() =>
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
  const timers = [setInterval(() => void look(), ASK_EVERY), setInterval(() => void compare(), RECHECK_EVERY)];
  const stops = [bus.subscribe("look", () => void look()), bus.subscribe("renewed", () => void compare())];
  const stop = () => {
    timers.forEach((timer) => clearInterval(timer));
    stops.forEach((end) => end());
  };
  return { look, stop };
}

/** Runs a task that is asked for at any time one at a time; asked for meanwhile, once more after it. Resolves when a run that began since is over. */
function onceAtATime(task: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const run = () => {
    next = null;
    running = task().finally(() => (running = null));
    return running;
  };
  return () => (running ? (next ??= running.then(run)) : run());
}
