import { openStream } from "../identity/authenticator";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { placeOf } from "./channel";
import * as commands from "./commands";
import type { Broadcaster } from "./broadcaster";
import { listOf, missedOf, unreadOf } from "./queries";
import * as calls from "./schema";

/** The staff's routes to notifications: the list, what is read, and the stream of them alone. */
export const notificationStaffRoutes = (app: AppContext, broadcaster: Broadcaster): Routes =>
  new Routes(app, import.meta.path)
    .admin("panel.read", calls.listNotifications, async ({ me, query, context }) => {
      if (query.after !== undefined) return missedOf(app.sql, me, query.after, query);
      const list = await listOf(app.sql, me, query);
      const last = list.at(-1);
      if (last && list.length === query.limit) context.headers.set("X-Next-Cursor", String(last.number));
      return list;
    })
    .admin("panel.read", calls.unreadNotifications, ({ me }) => unreadOf(app.sql, me))
    .admin("panel.own", calls.readNotification, ({ me, params }) => commands.markRead(app, me, params.id))
    .admin("panel.own", calls.readAllNotifications, ({ me, body }) => commands.markAllRead(app, me, body.through ?? null))
    .admin("panel.read", calls.notificationStream, ({ me, context }) =>
      openStream(app, context, me, (stream) => broadcaster.join(stream, me, placeOf(context.request.headers.get("last-event-id")))),
    );
