import { openStream } from "../identity/authenticator";
import type { Channel, AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import type { Stream } from "../platform/http/stream";
import { EVENT_ID, myStream } from "./schema";

/** The one stream of a signed-in browser: every channel writes into it; it ends with its session, or when the role is another. */
export const streamRoutes = (app: AppContext, channels: readonly Channel[]): Routes =>
  new Routes(app, import.meta.path).user(myStream, ({ me, query, context }) =>
    openStream(app, context, me, (stream) => {
      if (query.as && query.as !== me.id) return sendAway(stream);
      const wish = { quotes: query.quotes, since: resumed(context.request) ?? query.since ?? null };
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

/** The last event's id from a browser that reconnects by itself; null for what can't be an id of ours. */
function resumed(request: Request): string | null {
  const id = request.headers.get("last-event-id");
  return id !== null && EVENT_ID.test(id) ? id : null;
}
