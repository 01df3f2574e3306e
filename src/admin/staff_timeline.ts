import { findMember } from "../identity/queries";
import { found } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import type { Trading } from "../trading/trading";
import { clientBeside } from "./queries_beside";
import { timelineOf } from "./queries_timeline";
import { readBeside, readTimeline } from "./schema_timeline";

/** The staff's routes to all that happened to a client, and to what one wants to know beside a conversation. */
export const timelineRoutes = (app: AppContext, trading: Trading): Routes =>
  new Routes(app, import.meta.path)
    .admin("people.read", readTimeline, async ({ params, query }) => {
      found(await findMember(app.sql, params.id));
      return timelineOf(app.sql, params.id, query, trading.board());
    })
    .admin("people.read", readBeside, ({ params }) => clientBeside(app.sql, params.id, trading.board()));
