import { assetRoutes } from "./page/asset_routes";
import { healthRoutes } from "./http/health";
import type { AppContext } from "./app_context";

type Parts = { app: AppContext; market: { missing(): string | null }; logbook: { readonly missing: string | null } };

export const routes = ({ app, market, logbook }: Parts) => [healthRoutes(app, () => [market.missing(), logbook.missing]), assetRoutes(app)];
