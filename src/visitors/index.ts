import type { AppContext } from "../platform/app_context";
import { VisitorBroadcaster } from "./broadcaster";
import { visitorChannel } from "./channel";
import { visitorRoutes } from "./staff";
import { Tracker } from "./tracker";

type Parts = { app: AppContext; tracker: Tracker; visitors: VisitorBroadcaster };

/** Begins to take visits and to tell of them. `stop` writes what waits. */
export function open(app: AppContext) {
  const tracker = new Tracker(app);
  const visitors = new VisitorBroadcaster(app);
  visitors.start();
  return { tracker, visitors, stop: () => tracker.stop().then(() => visitors.stop()) };
}

export const routes = ({ app, tracker, visitors }: Parts) => [visitorRoutes(app, tracker, visitors)];
export const channels = ({ visitors }: Pick<Parts, "visitors">) => [visitorChannel(visitors)];
