import type { Bus } from "../platform/bus";
import { type Db, refusalOf } from "../platform/db";
import type { Log } from "../platform/log";
import { movedLately, takeLooks } from "./queries";

/** So often, in ms, is it looked up what other programs ask for, and so far back, in seconds, after a line was cut. */
const LOOK_EVERY = 1_000;
const LATELY = 120;

type Parts = { sql: Db; bus: Bus; log: Log; epoch: number; watch: (accountId: string) => void; onDeposed: () => void };

/**
 * Tells the engine which accounts changed in programs where it does not run: each deal there leaves a row in its own
 * transaction. A notice says when to read them; they are read every second too, as a notice may be lost. Returns the way to
 * stop.
 */
export function listenElsewhere({ sql, bus, log, epoch, watch, onDeposed }: Parts): () => void {
  const watchAll = async (load: () => Promise<{ id: string }[]>) => {
    try {
      for (const { id } of await load()) watch(id);
    } catch (error) {
      if (refusalOf(error)?.code === "deposed") onDeposed();
      else log.warn("accounts that changed elsewhere could not be found, will try again", { error });
    }
  };
  const answer = onceAtATime(() => watchAll(() => takeLooks(sql, epoch)));
  const timer = setInterval(answer, LOOK_EVERY);
  const stops = [bus.subscribe("look", answer), bus.subscribe("renewed", () => void watchAll(() => movedLately(sql, LATELY)))];
  return () => {
    clearInterval(timer);
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
