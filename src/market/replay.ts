import * as v from "valibot";
import type { Config } from "../config";
import { ConfigError } from "../config";
import { type Db, one } from "../platform/database/db";
import type { Log } from "../platform/log";
import type { Board } from "./board";
import type { Feed } from "./feed";
import { checkTickFile, listedTicks, replayFeed } from "./feed_replay";
import type { Recorder } from "./recorder";

const Standing = v.strictObject({ first: v.number(), recorded: v.number(), dealt: v.number() });

/** A file to be played on, and how its part before is made known. */
export type Replay = {
  feed: Feed;
  /** The number of the file's first tick: that of line n is the n-th from here. */
  first: number;
  /** Puts the ticks so far on the board, told to nobody; to the recorder those that it had not stored yet. */
  catchUp(board: Board, recorder: Pick<Recorder, "add">): Promise<void>;
};

/**
 * Opens the replay of the configured file where an earlier run left it, after a kill too; once the file has ended, the next start plays it
 * again. A file is known by its content, its ticks by numbers that stay the same over restarts. An exit is written before the next tick is
 * told, so nothing happened after the newest tick that was recorded (about once a second) or dealt on, whichever is later. That tick is told
 * again, since some of the exits it fired may not be written; those that are written are closed and do not fire again. Throws ConfigError
 * where the file can't be played.
 */
export async function openReplay(sql: Db, { feedFile: path, feedSpeed: speed }: Config, log: Log): Promise<Replay> {
  if (path === null) throw new ConfigError("FEED_FILE must name a CSV file when FEED is replay");
  const { fingerprint } = await checkTickFile(path);
  const standing = await one(Standing, sql`select first, recorded, dealt from replay_resume(${fingerprint})`);
  if (!standing) throw new Error("replay_resume answered nothing");
  const { first, recorded, dealt } = standing;
  const from = Math.max(1, recorded, dealt);
  if (from > 1) log.info("the replay goes on where it was", { tick: from });
  const onEnd = async () => void (await sql`update replays set ended_at = now() where first = ${first}`);
  return {
    feed: replayFeed({ path, speed, log, from, onEnd }),
    first,
    async catchUp(board, recorder) {
      for await (const tick of listedTicks(Bun.file(path))) {
        if (tick.number > from || (from === 1 && recorded + dealt === 0)) return;
        const quote = board.accept(tick);
        if (quote && tick.number > recorded && tick.number < from) recorder.add(quote);
      }
    },
  };
}
