import { openStream } from "../identity/authenticator";
import type { AppContext } from "../platform/app_context";
import type { Days, Db } from "../platform/database/db";
import { csvFile } from "../platform/http/csv";
import { Routes } from "../platform/http/routes";
import type { VisitorBroadcaster } from "./broadcaster";
import { type Placed, plain, presentOf, visitsOf } from "./queries";
import { deviceOf } from "./rules";
import * as calls from "./schema";
import { Throttle, type Tracker } from "./tracker";
import { countryOfZone } from "./zones";

/** The staff's routes to visitors; and the one that visitors' pages themselves report to. */
export function visitorRoutes(app: AppContext, tracker: Tracker, broadcaster: VisitorBroadcaster): Routes {
  const { sql } = app;
  const throttle = new Throttle();
  return new Routes(app, import.meta.path)
    .open(calls.trackVisit, ({ body, context }) => {
      throttle.take(context.ip);
      tracker.note({
        ip: context.ip,
        userAgent: context.userAgent,
        country: context.country() ?? countryOfZone(body.timezone ?? ""),
        page: body.page,
        device: deviceOf(body.device ?? "", context.userAgent),
        still: body.still,
      });
    })
    .admin("visitors.read", calls.onlineCount, async () => ({ count: (await presentOf(sql)).online }))
    .admin("visitors.read", calls.listVisitors, async ({ query, context }) => {
      if (query.format === "csv") return visitsFile(await app.reading(), query);
      const list = await visitsOf(await app.reading(), query);
      const last = list.at(-1);
      if (last && list.length === query.limit) context.headers.set("X-Next-Cursor", String(last.number));
      return list.map(plain);
    })
    .admin("visitors.read", calls.visitorStream, ({ me, context }) => openStream(app, context, me, (stream) => broadcaster.join(stream)));
}

const visitsFile = (sql: Db, { from, to }: Days): Response =>
  csvFile<Placed>({
    name: "visits",
    most: 100_000,
    columns: [
      ["Time (UTC)", (visit) => visit.timestamp],
      ["Page", (visit) => visit.page],
      ["Country", (visit) => visit.country],
      ["Address", (visit) => visit.ip],
      ["Device", (visit) => visit.device],
      ["New visitor", (visit) => (visit.isNewVisitor ? "yes" : "no")],
    ],
    rowsAfter: (last, limit) => visitsOf(sql, { from, to, limit, ...(last ? { cursor: String(last.number) } : {}) }),
  });
