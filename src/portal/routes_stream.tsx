import { openStream } from "../identity/gate";
import type { Channel, House } from "../platform/house";
import { Doors } from "../platform/http";
import type { Stream } from "../platform/stream";
import { EVENT_ID, myStream } from "./schema";

/** The one stream of a signed-in browser: every channel writes into it; it ends with its session, or when the role is another. */
export const streamDoors = (house: House, channels: readonly Channel[]): Doors =>
  new Doors(house).user(myStream, ({ me, query, visit }) =>
    openStream(house, visit, me, (stream) => {
      if (query.as && query.as !== me.id) return sendAway(stream);
      const wish = { quotes: query.quotes, since: resumed(visit.request) ?? query.since ?? null };
      const stops: (() => void)[] = [];
      const stop = () => stops.forEach((each) => each());
      try {
        for (const channel of channels) stops.push(channel(stream, me, wish));
        return stop;
      } catch (error) {
        stop();
        throw error;
      }
    }),
  );

/** A page that was made for somebody else hears nothing of this person. */
function sendAway(stream: Stream): () => void {
  stream.send("other-session", {});
  stream.end();
  return () => {};
}

/** What a browser that comes back by itself heard last; what can't be an id of ours is nobody's place. */
function resumed(request: Request): string | null {
  const id = request.headers.get("last-event-id");
  return id !== null && EVENT_ID.test(id) ? id : null;
}
