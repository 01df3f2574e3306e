import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { accountRoutes } from "./routes";
import { groupRoutes } from "./staff_groups";

export const routes = ({ app, market }: { app: AppContext; market: Market }) => [accountRoutes(app, market), groupRoutes(app)];
