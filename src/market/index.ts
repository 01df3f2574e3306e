import type { AppContext } from "../platform/app_context";
import type { Market } from "./market";
import { marketRoutes } from "./routes";

export const routes = ({ app, market }: { app: AppContext; market: Market }) => [marketRoutes(app, market)];
