import { pairsOf } from "../../views/trading/ScreenerLists";
import { TradingPage } from "../../views/trading/TradingPage";
import { platformPath, platformTabOf } from "../../views/trading/tabs";
import { accountsOf } from "../accounts/queries";
import type { Market } from "../market/market";
import { liveQuotes } from "../market/routes";
import { instrumentOf } from "../market/schema";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { supportOf } from "../support/routes";
import { openPositionsOf } from "../trading/queries";
import type { Trading } from "../trading/trading";
import { blockOf, chosenAccount } from "./routes";
import { Sparks, watchedOf } from "./watch";

const DEFAULT_SYMBOL = "EUR/USD";

/** The trading platform page. */
export function platformDoors(house: House, market: Market, trading: Trading): Doors {
  const { sql } = house;
  const sparks = new Sparks(market);

  return new Doors(house).userPage("/trading", async ({ me, visit }) => {
    const asked = visit.url.searchParams;
    const board = trading.board();
    const [accounts, positions, paths] = await Promise.all([accountsOf(sql, me.id, board), openPositionsOf(sql, me.id, board), sparks.paths()]);
    const account = chosenAccount(accounts, asked.get("account"));
    const tab = platformTabOf(asked.get("tab"));
    const symbol = instrumentOf(asked.get("symbol") ?? "")?.symbol ?? DEFAULT_SYMBOL;
    const here = platformPath(account?.id ?? null, { symbol, tab });
    const support = tab === "support" ? await supportOf(house, me, asked, here) : null;
    return {
      title: "Trading Platform",
      look: "product",
      body: (
        <TradingPage
          {...{ tab, accounts, account, positions, symbol, support }}
          side={asked.get("side") === "sell" ? "sell" : "buy"}
          pairs={pairsOf(asked.get("pairs"))}
          watched={watchedOf(market, paths)}
          quotes={tab === "screener" ? liveQuotes(market) : []}
          simulated={market.simulated}
          blocked={account ? blockOf(me, account) : null}
        />
      ),
    };
  });
}
