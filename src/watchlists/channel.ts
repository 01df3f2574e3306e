import type { AppContext, Channel } from "../platform/app_context";
import { watchlistsOf } from "./queries";

/** The person's `watchlists`, whole, when one of the person's devices has written them. */
export const watchlistChannel =
  ({ sql, bus, streams }: AppContext): Channel =>
  (stream, me) =>
    bus.subscribe("watchlists", ({ userId }) => userId === me.id && streams.tell(stream, "watchlists", () => watchlistsOf(sql, me.id)));
