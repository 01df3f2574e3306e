import "../../views/portal/for_anyone";
import type { Market } from "../market/market";
import type { Channel, AppContext } from "../platform/app_context";
import type { Trading } from "../trading/trading";
import { personChannel } from "./channel";
import { portalRoutes } from "./routes";
import { accountPageRoutes } from "./routes_accounts";
import { alertPageRoutes } from "./routes_alerts";
import { analyticsRoutes } from "./routes_analytics";
import { homeRoutes } from "./routes_home";
import { insightRoutes } from "./routes_insight";
import { linkRoutes } from "./routes_links";
import { moneyPageRoutes } from "./routes_money";
import { newOrderRoutes } from "./routes_new_order";
import { orderRoutes } from "./routes_orders";
import { qualityRoutes } from "./routes_quality";
import { streamRoutes } from "./routes_stream";
import { platformRoutes } from "./routes_trading";
import { watchlist } from "./watch";

type Parts = { app: AppContext; market: Market; trading: Trading; channels: readonly Channel[] };

export function routes({ app, market, trading, channels }: Parts) {
  const watched = watchlist(market);
  return [
    portalRoutes(app, market, trading, watched),
    qualityRoutes(app, market.clock),
    insightRoutes(app, market),
    streamRoutes(app, channels),
    homeRoutes(app, trading),
    platformRoutes(app, market, trading, watched),
    newOrderRoutes(app, market, trading, watched),
    orderRoutes(app, trading),
    accountPageRoutes(app, market),
    analyticsRoutes(app),
    alertPageRoutes(app, market),
    linkRoutes(app),
    moneyPageRoutes(app),
  ];
}
export const channels = ({ app }: Pick<Parts, "app">) => [personChannel(app)];
