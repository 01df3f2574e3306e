import { openStream } from "../identity/gate";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { placeOf } from "./channel";
import * as deeds from "./commands";
import type { Feed } from "./feed";
import { listOf, missedOf, unreadOf } from "./queries";
import * as calls from "./schema";

/** The staff's doors to notifications: the list, what is read, and the stream of them alone. */
export const notificationStaffDoors = (house: House, feed: Feed): Doors =>
  new Doors(house)
    .admin(calls.listNotifications, async ({ me, query, visit }) => {
      if (query.after !== undefined) return missedOf(house.sql, me.id, query.after, query);
      const list = await listOf(house.sql, me.id, query);
      const last = list.at(-1);
      if (last && list.length === query.limit) visit.headers.set("X-Next-Cursor", String(last.number));
      return list;
    })
    .admin(calls.unreadNotifications, ({ me }) => unreadOf(house.sql, me.id))
    .admin(calls.readNotification, ({ me, params }) => deeds.markRead(house, me, params.id))
    .admin(calls.readAllNotifications, ({ me, body }) => deeds.markAllRead(house, me, body.through ?? null))
    .admin(calls.notificationStream, ({ me, visit }) =>
      openStream(house, visit, me, (stream) => feed.join(stream, me.id, placeOf(visit.request.headers.get("last-event-id")))),
    );
