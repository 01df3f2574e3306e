import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { tradingChannel } from "./channel";
import { tradingRoutes } from "./routes";
import { layoutRoutes } from "./routes_layouts";
import { tradingStaffRoutes } from "./staff";
import { instrumentRoutes } from "./staff_instruments";
import { moveRoutes } from "./staff_moves";
import type { Trading } from "./trading";

type Parts = { app: AppContext; market: Market; trading: Trading };

export const routes = ({ app, market, trading }: Parts) => [
  tradingRoutes(app, trading),
  layoutRoutes(app),
  tradingStaffRoutes(app, trading),
  instrumentRoutes(app, market),
  moveRoutes(app, trading),
];
export const channels = ({ app, market, trading }: Parts) => [tradingChannel(app, market, trading)];
