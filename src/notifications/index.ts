import type { AppContext } from "../platform/app_context";
import { Broadcaster } from "./broadcaster";
import { notificationChannel } from "./channel";
import { Push, type PushParts } from "./push";
import { notificationStaffRoutes } from "./staff";
import { keepingRoutes } from "./routes_keeping";
import { ownPushRoutes } from "./routes_push";
import { pushRoutes } from "./staff_push";
import { Teller } from "./teller";

type Parts = { app: AppContext; notifications: Broadcaster; push: Push };

/** Begins to number what the outbox holds, and to tell streams and devices. The way to devices is given by tests only. */
export async function open(app: AppContext, to?: PushParts) {
  const notifications = new Broadcaster(app);
  await notifications.start();
  const push = new Push(app, to);
  push.start(notifications);
  const teller = new Teller(app, push);
  teller.start();
  return { notifications, push, teller, stop: () => Promise.all([notifications.stop(), teller.stop()]).then(() => push.stop()) };
}

export const routes = ({ app, notifications, push }: Parts) => [
  notificationStaffRoutes(app, notifications),
  pushRoutes(app, push),
  ownPushRoutes(app, push),
  keepingRoutes(app),
];
export const channels = ({ notifications }: Pick<Parts, "notifications">) => [notificationChannel(notifications)];
