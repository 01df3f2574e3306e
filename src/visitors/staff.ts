import { openStream } from "../identity/gate";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import type { VisitorFeed } from "./feed";
import { plain, presentOf, visitsOf } from "./queries";
import { deviceOf } from "./rules";
import * as calls from "./schema";
import { Throttle, type Tracker } from "./tracker";
import { countryOfZone } from "./zones";

/** The staff's doors to visitors; and the one that visitors' pages themselves report to. */
export function visitorDoors(house: House, tracker: Tracker, feed: VisitorFeed): Doors {
  const { sql } = house;
  const throttle = new Throttle();
  return new Doors(house)
    .open(calls.trackVisit, ({ body, visit }) => {
      throttle.take(visit.ip);
      tracker.note({
        ip: visit.ip,
        userAgent: visit.userAgent,
        country: visit.country() ?? countryOfZone(body.timezone ?? ""),
        page: body.page,
        device: deviceOf(body.device ?? "", visit.userAgent),
        still: body.still,
      });
    })
    .admin(calls.onlineCount, async () => ({ count: (await presentOf(sql)).online }))
    .admin(calls.listVisitors, async ({ query, visit }) => {
      const list = await visitsOf(sql, query);
      const last = list.at(-1);
      if (last && list.length === query.limit) visit.headers.set("X-Next-Cursor", String(last.number));
      return list.map(plain);
    })
    .admin(calls.visitorStream, ({ me, visit }) => openStream(house, visit, me, (stream) => feed.join(stream)));
}
