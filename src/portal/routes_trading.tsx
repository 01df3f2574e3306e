import { pairsOf } from "../../views/trading/ScreenerLists";
import { TradingPage } from "../../views/portal/TradingPage";
import { platformPath, platformTabOf } from "../../views/trading/tabs";
import { accountsOf } from "../accounts/queries";
import { blockOf } from "../accounts/rules";
import type { Market } from "../market/market";
import { liveQuotes } from "../market/quotes";
import { instrumentOf } from "../market/rules_listed";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { supportOf } from "../support/queries_portal";
import { together } from "../platform/database/reading";
import { openPositionsOf } from "../trading/queries";
import { layoutsOf } from "../trading/queries_layouts";
import type { Watched } from "../trading/rules_prices";
import type { Trading } from "../trading/trading";
import { accountFor } from "./chosen";

const DEFAULT_SYMBOL = "EUR/USD";

/** The trading platform page. */
export function platformRoutes(app: AppContext, market: Market, trading: Trading, watchlist: () => Promise<Watched[]>): Routes {
  const { sql } = app;

  return new Routes(app, import.meta.path).readPage("/trading", {
    read: ({ personId }) => {
      const board = trading.board();
      return together(sql, {
        accounts: accountsOf(sql, personId, board),
        positions: openPositionsOf(sql, personId, board),
        layouts: layoutsOf(sql, personId),
      });
    },
    draw: async ({ me, context, data: { accounts, positions, layouts } }) => {
      const asked = context.url.searchParams;
      const account = accountFor(context, accounts);
      const tab = platformTabOf(asked.get("tab"));
      const symbol = instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL;
      const here = platformPath(account?.id ?? null, { symbol, tab });
      const support = tab === "support" ? await supportOf(app, me, asked, here) : null;
      return {
        title: "Trading Platform",
        surface: "product",
        body: (
          <TradingPage
            {...{ tab, accounts, account, positions, symbol, support }}
            side={asked.get("side") === "sell" ? "sell" : "buy"}
            pairs={pairsOf(asked.get("pairs"))}
            watched={await watchlist()}
            quotes={tab === "screener" ? liveQuotes(market) : []}
            simulated={market.simulated}
            hasLayouts={layouts.length > 0}
            blocked={account ? blockOf(me, account) : null}
          />
        ),
      };
    },
  });
}
