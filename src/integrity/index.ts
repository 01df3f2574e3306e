import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { integrityRoutes } from "./routes";
import { integrityStaffRoutes } from "./staff";

export const routes = ({ app, market }: { app: AppContext; market: Market }) => [integrityRoutes(app, market), integrityStaffRoutes(app)];
