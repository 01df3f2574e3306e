import type { Market } from "../market/market";
import type { AppContext } from "../platform/app_context";
import { fundingRoutes } from "./routes";
import { addressRoutes } from "./routes_addresses";
import { fundingStaffRoutes } from "./staff";
import { promotionRoutes } from "./staff_promotions";

export const routes = ({ app, market }: { app: AppContext; market: Market }) => [
  fundingRoutes(app, market),
  addressRoutes(app),
  fundingStaffRoutes(app, market),
  promotionRoutes(app),
];
