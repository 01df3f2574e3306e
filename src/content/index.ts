import type { Market } from "../market/market";
import type { AppContext, Me } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { brandRoutes } from "./routes_brand";
import { contentRoutes } from "./routes";
import { type Open, foundRoutes } from "./routes_found";
import { textRoutes } from "./routes_texts";
import { textStaffRoutes } from "./staff";

type Parts = { app: AppContext; market: Market; home: (me: Me, context: RequestContext) => Promise<Page>; site: () => Open };

export const routes = ({ app, market, home, site }: Parts) => [
  contentRoutes(app, market, home),
  textRoutes(app),
  brandRoutes(app),
  textStaffRoutes(app),
  foundRoutes(app, site),
];
