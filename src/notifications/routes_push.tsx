import { notFound } from "../lib/refusal";
import type { AppContext, Me } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { dropDevice, keepOwnDevice } from "./commands_push";
import type { Push } from "./push";
import { ownDevice, ownDevicesOf, serverKeys } from "./queries_push";
import * as calls from "./schema_push";

/** Anybody's routes to push, for what concerns the person: to each the own devices only. */
export function ownPushRoutes(app: AppContext, push: Push): Routes {
  const { sql } = app;
  const state = async (me: Me): Promise<calls.PushState> => ({ publicKey: (await serverKeys(sql)).publicKey, devices: await ownDevicesOf(sql, me.id) });
  return new Routes(app, import.meta.path)
    .user(calls.ownPushState, ({ me }) => state(me))
    .user(calls.ownPushSubscribe, async ({ me, body, context }) => {
      await push.refuseUnreachable(body.endpoint);
      await keepOwnDevice(sql, me, body, context.userAgent);
      return state(me);
    })
    .user(calls.ownPushUnsubscribe, async ({ me, body }) => {
      await dropDevice(sql, me, body.endpoint);
      return state(me);
    })
    .user(calls.ownPushTest, async ({ me, body }) => {
      const device = await ownDevice(sql, me.id, body.endpoint);
      if (!device) throw notFound();
      return { delivered: await push.send(device, { title: "Test notification", body: "Push works on this device.", tag: "test", url: "/profile#push" }) };
    });
}
