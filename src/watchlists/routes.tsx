import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as commands from "./commands";
import { watchlistsOf } from "./queries";
import { refuseTwins } from "./rules";
import { putWatchlists, readWatchlists, type WatchlistsConflict } from "./schema";

const LATE = "These lists were changed on another device. Look at them as they are now, and change them again.";

/** A person's own watchlists. */
export function watchlistRoutes(app: AppContext): Routes {
  const { sql, bus } = app;
  return new Routes(app, import.meta.path)
    .user(readWatchlists, ({ me }) => watchlistsOf(sql, me.id))
    .user(putWatchlists, async ({ me, body }) => {
      refuseTwins(body.lists);
      const { written, book } = await commands.put(sql, me.id, body.version, body.lists);
      if (!written) return Response.json({ message: LATE, code: "conflict", current: book } satisfies WatchlistsConflict, { status: 409 });
      bus.publish("watchlists", { userId: me.id });
      return book;
    });
}
