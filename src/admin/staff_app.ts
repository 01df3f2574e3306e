import { unreadOf } from "../notifications/queries";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import type { Trading } from "../trading/trading";
import { pulseFor, pulseOf, statsOf } from "./queries_app";
import * as calls from "./schema_app";

/** The figures of the admin app. */
export const appStaffRoutes = (app: AppContext, trading: Trading): Routes =>
  new Routes(app, import.meta.path)
    .admin("overview.read", calls.stats, ({ me }) => statsOf(app.sql, trading, me))
    .admin("panel.read", calls.realtimeData, async ({ me }) => {
      const [pulse, unread] = await Promise.all([pulseOf(app.sql), unreadOf(app.sql, me)]);
      return { ...pulseFor(me, pulse), alerts: unread.count };
    });
