import { SECOND } from "../lib/time";
import type { Bus } from "../platform/cluster/bus";
import { type Db, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import type { Epoch } from "./commands";
import { judgeLimits } from "./commands_limits";

/** However many deal, limits are looked at no more often; where nobody is heard of, since a notice may be lost, every so many of these. */
const EVERY_MS = SECOND;
const IDLE_TURNS = 15;

type Parts = { sql: Db; bus: Bus; log: Log; epoch: Epoch; onDeposed: () => void };

/** Watches, where this program leads, what clients hold against the limits that staff are warned at. Returns the way to stop. */
export function watchLimits({ sql, bus, log, epoch, onDeposed }: Parts): () => Promise<void> {
  let turns = 0;
  let isStale = true;
  let running: Promise<void> | null = null;
  const look = async () => {
    try {
      if ((await judgeLimits(sql, epoch)).length > 0) bus.publish("raised", {});
    } catch (error) {
      isStale = true;
      if (refusalOf(error)?.code === "deposed") onDeposed();
      else log.warn("limits could not be looked at, will try again", { error });
    }
  };
  const turn = () => {
    if (running || (!isStale && ++turns < IDLE_TURNS)) return;
    [turns, isStale] = [0, false];
    running = look().finally(() => void (running = null));
  };
  const note = () => void (isStale = true);
  const timer = setInterval(turn, EVERY_MS);
  const stops = [bus.subscribe("position", note), bus.subscribe("renewed", note), bus.subscribe("staff", ({ about }) => about === "correction" && note())];
  return async () => {
    clearInterval(timer);
    for (const stop of stops) stop();
    await running;
  };
}
