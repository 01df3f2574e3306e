import { ASSET_TABS } from "../../views/content/assets";
import { AssetsPage } from "../../views/content/AssetsPage";
import { ClearHistoryPage } from "../../views/content/ClearHistoryPage";
import { companyOf } from "../../views/support/company";
import { DomainPage } from "../../views/content/DomainPage";
import { faq, faqOf } from "../../views/content/faq";
import { FaqPage } from "../../views/content/FaqPage";
import { type LandingQuote, sampleOf } from "../../views/content/landing_quotes";
import type { MarketCardQuote } from "../../views/content/LandingMarkets";
import { HERO_ID } from "../../views/content/LandingHero";
import { LandingPage } from "../../views/content/LandingPage";
import { StyleguidePage, TABS as STYLEGUIDE_TABS } from "../../views/content/StyleguidePage";
import { promotions } from "../funding/queries";
import { plainPrice, priceText } from "../lib/money";
import { HOUR, MINUTE } from "../lib/time";
import { midOf } from "../market/board";
import type { Market } from "../market/market";
import { pricesOfDay } from "../market/quotes";
import { instrumentOf } from "../market/rules_listed";
import { isOffered, offeredInstruments } from "../market/rules_terms";
import type { AppContext, Me } from "../platform/app_context";
import { Routes, type RequestContext } from "../platform/http/routes";
import { lastKnown } from "../platform/database/last_known";
import type { Page } from "../platform/page/page";
import { textNow } from "../texts/queries";
import { shownClaims } from "../texts/queries_claims";
import { faqPage } from "./routes_found";
import { TEXT_KEPT } from "./routes_texts";

/** The landing page's prices may be this old when it arrives; its script then follows the stream. */
const LANDING_MS = 5000;
/** The large picture shows a day in quarters of an hour. */
const DAY_OF_CANDLES = 96;
/** The markets that have a card on the landing page. */
const CARDS = ["EUR/USD", "GBP/USD", "BTC/USD", "ETH/USD"];
const FOR_EVER = Number.POSITIVE_INFINITY;
const LONGEST_SEARCH = 100;

/** The visitor's pages. `homeOf` draws the first address for who is signed in. */
export function contentRoutes(app: AppContext, market: Market, homeOf: (me: Me, context: RequestContext) => Promise<Page>): Routes {
  const { config } = app;
  const demonstration = config.siteMode === "demo";
  // The landing page is there while the database is not.
  const dayOf = lastKnown((symbol: string) => market.candles(symbol, "15m", DAY_OF_CANDLES));
  const pricesOf = lastKnown((symbol: string) => pricesOfDay(market, symbol, "1h"));
  const questions = lastKnown((page: "faq") => textNow(app.sql, page));
  const offers = lastKnown((_now: "now") => promotions(app.sql));
  const claims = lastKnown((_now: "now") => shownClaims(app.sql));
  const landing = () => Promise.all([dayOf("EUR/USD"), marketCards(market, pricesOf), offers("now"), claims("now")]);
  // Known before the first visitor asks, who may come when the database is away.
  landing().catch((error: unknown) => app.log.debug("the landing page's figures are not known yet", { error }));
  return new Routes(app, import.meta.path)
    .page("/", async ({ me, context }) => {
      if (me) return homeOf(me, context);
      const [candles, cards, offered, claimed] = await landing();
      return {
        title: `${app.brand.name}: forex and crypto trading`,
        description:
          "Trade forex and crypto with live charts, stop loss and take profit, and a receipt for every fill. A demo account with $10,000 opens at once.",
        body: (
          <LandingPage
            quotes={screenerQuotes(market)}
            cards={cards}
            candles={candles}
            simulated={market.simulated}
            promotions={offered}
            demonstration={demonstration}
            licence={demonstration ? null : config.licence}
            claims={claimed}
          />
        ),
        script: "landing",
        firstPaint: HERO_ID,
        keep: { forMs: LANDING_MS },
      };
    })
    .page("/trading-assets", ({ context }) => {
      const asked = context.url.searchParams.get("tab");
      const { id, label } = ASSET_TABS.find((tab) => tab.id === asked) ?? ASSET_TABS[0];
      return {
        title: asked ? `Trading assets: ${label}` : "Trading assets",
        description: "Forex, indices, commodities and crypto: every instrument with its spread. From 0.8 pips on EUR/USD.",
        body: <AssetsPage tab={id} />,
        keep: { forMs: MINUTE },
      };
    })
    .page("/faq", async ({ context }) => {
      const text = await questions("faq");
      const asked = text ? faqOf(text.body) : faq;
      return {
        title: "Frequently asked questions",
        description: "Answers about getting started, trading, deposits and withdrawals, your account, security and regulation.",
        structured: [faqPage(asked)],
        body: <FaqPage words={(context.url.searchParams.get("q") ?? "").trim().slice(0, LONGEST_SEARCH)} faq={asked} />,
        script: "faq",
        keep: TEXT_KEPT,
      };
    })
    .page("/domain-verification", ({ context }) => {
      const site = config.publicUrl === null ? context.url : new URL(config.publicUrl);
      return {
        title: "Domain verification",
        description: "Who stands behind this address: the company, its registration, and how to tell this site from one that only looks like it.",
        body: (
          <DomainPage
            brand={app.brand.name}
            host={site.host}
            secure={site.protocol === "https:"}
            company={companyOf(config.company, demonstration)}
            demonstration={demonstration}
            licence={config.licence}
            generatedAt={new Date()}
          />
        ),
        // Without an address of its own the site says the one that it was asked for, so the page is this visitor's.
        ...(config.publicUrl === null ? {} : { keep: { forMs: HOUR } }),
      };
    })
    .page("/styleguide", ({ context }) => {
      const asked = context.url.searchParams.get("tab");
      return { title: "Style guide", noindex: true, body: <StyleguidePage tab={STYLEGUIDE_TABS.find(({ id }) => id === asked)?.id ?? "one"} /> };
    })
    .page("/clear-history", ({ me }) => ({
      title: "Clear history",
      noindex: true,
      body: <ClearHistoryPage signedIn={me !== null} />,
      script: "clear",
      keep: { forMs: FOR_EVER },
    }));
}

/** The major pairs, in the order of the list: those that have a quote, or the sample that stands in for it. */
const screenerQuotes = (market: Market): LandingQuote[] =>
  offeredInstruments()
    .filter(({ group }) => group === "forex-major")
    .flatMap(({ symbol }) => landingQuote(market, symbol) ?? []);

async function marketCards(market: Market, pricesOf: (symbol: string) => Promise<number[]>): Promise<MarketCardQuote[]> {
  const cards = CARDS.map(async (symbol) => {
    const quote = landingQuote(market, symbol);
    return quote ? [{ ...quote, day: await pricesOf(symbol) }] : [];
  });
  return (await Promise.all(cards)).flat();
}

function landingQuote({ board, clock }: Market, symbol: string): LandingQuote | null {
  const instrument = instrumentOf(symbol);
  const quote = board.get(symbol);
  if (instrument && !isOffered(instrument)) return null;
  if (!instrument || !quote) return sampleOf(symbol) ?? null;
  const { name, digits } = instrument;
  const shown = (units: number) => plainPrice(priceText(units), digits);
  const dayOpen = priceText(board.day(symbol)?.open ?? midOf(quote));
  return { symbol, name, digits, bid: shown(quote.bid), ask: shown(quote.ask), dayOpen, stale: board.isStale(symbol, clock()), sample: false };
}
