import { mayDo } from "../lib/permissions";
import { SECOND } from "../lib/time";
import type { Channel, AppContext, Me } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { pulseFor, pulseOf } from "./queries_app";
import { type Pulse, pulseEvent } from "./schema_app";

const EVERY_MS = 5 * SECOND;

/** Staff's part of the stream that feeds the admin app's strip: an event when a new reader comes, and every five seconds where something changed. */
export function pulseChannel({ sql, log }: Pick<AppContext, "sql" | "log">): Channel {
  const readers = new Map<Stream, Me>();
  let told: Pulse | null = null;
  let timer: Timer | undefined;

  const poll = async (to?: Stream) => {
    try {
      const pulse = await pulseOf(sql);
      const changed = told?.onlineVisitors !== pulse.onlineVisitors || told.pendingDeposits !== pulse.pendingDeposits;
      told = pulse;
      for (const [stream, me] of readers) if (changed || stream === to) stream.write(frame(pulseEvent, pulseFor(me, pulse)));
    } catch (error) {
      log.warn("the figures of the strip could not be looked at, will try again", { error });
    }
  };
  return (stream, me) => {
    if (!mayDo(me, "panel.read")) return () => {};
    readers.set(stream, me);
    timer ??= setInterval(() => void poll(), EVERY_MS);
    void poll(stream);
    return () => {
      readers.delete(stream);
      if (readers.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}
