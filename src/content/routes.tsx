import { LandingPage, type LandingQuote } from "../../views/content/LandingPage";
import { PrivacyPage } from "../../views/content/PrivacyPage";
import { TermsPage } from "../../views/content/TermsPage";
import { promotions } from "../funding/queries";
import { displayPrice, priceText } from "../lib/money";
import { midOf } from "../market/board";
import type { Market } from "../market/market";
import { instruments } from "../market/schema";
import type { House } from "../platform/house";
import { Doors, redirect } from "../platform/http";

/** The landing page's prices may be this old when it arrives; its script then follows the stream. */
const LANDING_MS = 5000;
const DAY_OF_CANDLES = 288;
const FOR_EVER = Number.POSITIVE_INFINITY;

/** The visitor's pages. */
export function contentDoors(house: House, market: Market): Doors {
  const { config } = house;
  return new Doors(house)
    .page("/", async ({ me }) => {
      if (me) return redirect("/dashboard");
      const [candles, offered] = await Promise.all([market.candles("EUR/USD", "5m", DAY_OF_CANDLES), promotions(house.sql)]);
      return {
        title: `${config.brandName}: forex and crypto trading`,
        description:
          "Trade forex and crypto with live charts, stop loss and take profit, and a receipt for every fill. A demo account with $10,000 opens at once.",
        body: (
          <LandingPage
            quotes={landingQuotes(market)}
            candles={candles}
            simulated={market.simulated}
            promotions={offered}
            licence={config.siteMode === "live" ? config.licence : null}
          />
        ),
        script: "landing",
        keep: { forMs: LANDING_MS },
      };
    })
    .page("/terms", () => ({
      title: "Terms of service",
      body: <TermsPage brand={config.brandName} demonstration={config.siteMode === "demo"} />,
      keep: { forMs: FOR_EVER },
    }))
    .page("/privacy", () => ({ title: "Privacy policy", body: <PrivacyPage brand={config.brandName} />, keep: { forMs: FOR_EVER } }));
}

/** The major pairs that have a quote, in the order of the list. */
function landingQuotes({ board, clock }: Market): LandingQuote[] {
  const now = clock();
  return instruments
    .filter(({ group }) => group === "forex-major")
    .flatMap(({ symbol, name, digits }) => {
      const quote = board.get(symbol);
      if (!quote) return [];
      const shown = (units: number) => displayPrice(priceText(units), digits);
      const dayOpen = priceText(board.day(symbol)?.open ?? midOf(quote));
      return [{ symbol, name, digits, bid: shown(quote.bid), ask: shown(quote.ask), dayOpen, stale: board.isStale(symbol, now) }];
    });
}
