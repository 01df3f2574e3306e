import { staffChannel } from "./channel";
import { dayBooks } from "./day_books";
import { type Parts, metricsRoutes } from "./metrics";
import { pulseChannel } from "./pulse";
import { adminPageRoutes } from "./routes";
import { appPageRoutes } from "./routes_app";
import { adminStaffRoutes } from "./staff";
import { queueStaffRoutes } from "./staff_queues";
import { dayRoutes } from "./staff_days";
import { signatureRoutes } from "./staff_signatures";
import { timelineRoutes } from "./staff_timeline";
import { appStaffRoutes } from "./staff_app";

export const routes = (parts: Parts) => {
  const books = dayBooks(parts.app, parts.trading);
  return [
    adminStaffRoutes(parts.app, parts.market, parts.trading),
    queueStaffRoutes(parts.app),
    dayRoutes(parts.app, parts.trading, books),
    signatureRoutes(parts.app, parts.market, parts.trading),
    timelineRoutes(parts.app, parts.trading),
    adminPageRoutes(parts, books),
    metricsRoutes(parts),
    appStaffRoutes(parts.app, parts.trading),
    appPageRoutes(parts.app, parts.market, parts.trading),
  ];
};
export const channels = ({ app }: Pick<Parts, "app">) => [staffChannel(app), pulseChannel(app)];
