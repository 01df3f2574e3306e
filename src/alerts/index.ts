import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { alertChannel } from "./channel";
import { alertRoutes } from "./routes";

type Parts = { app: AppContext; market: Market };

export const routes = ({ app, market }: Parts) => [alertRoutes(app, market)];
export const channels = ({ app, market }: Parts) => [alertChannel(app, market)];
