import { unreadOf } from "../notifications/queries";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { pulseOf, statsOf } from "./queries_app";
import * as calls from "./schema_app";

/** The figures of the admin app. */
export const appStaffDoors = (house: House): Doors =>
  new Doors(house)
    .admin(calls.stats, () => statsOf(house.sql))
    .admin(calls.realtimeData, async ({ me }) => {
      const [pulse, unread] = await Promise.all([pulseOf(house.sql), unreadOf(house.sql, me.id)]);
      return { ...pulse, alerts: unread.count };
    });
