import { notFound } from "../lib/refusal";
import type { AppContext, Me } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { dropDevice, keepDevice } from "./commands_push";
import type { Push } from "./push";
import { devicesOf, ownDevice, serverKeys } from "./queries_push";
import * as calls from "./schema_push";

/** The staff's routes to push: to each administrator the own devices only. */
export function pushRoutes(app: AppContext, push: Push): Routes {
  const { sql } = app;
  const state = async (me: Me): Promise<calls.PushState> => ({ publicKey: (await serverKeys(sql)).publicKey, devices: await devicesOf(sql, me.id) });
  return new Routes(app, import.meta.path)
    .admin("panel.read", calls.pushState, ({ me }) => state(me))
    .admin("panel.own", calls.pushSubscribe, async ({ me, body, context }) => {
      await push.refuseUnreachable(body.endpoint);
      await keepDevice(sql, me, body, context.userAgent);
      return state(me);
    })
    .admin("panel.own", calls.pushUnsubscribe, async ({ me, body }) => {
      await dropDevice(sql, me, body.endpoint);
      return state(me);
    })
    .admin("panel.own", calls.pushTest, async ({ me, body }) => {
      const device = await ownDevice(sql, me.id, body.endpoint);
      if (!device) throw notFound();
      const message = { title: "Test notification", body: "Push works on this device.", tag: "test", url: "/admin-app?tab=settings" };
      return { delivered: await push.send(device, message) };
    });
}
