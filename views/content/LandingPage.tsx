import type { Promotion } from "../../src/funding/schema_history";
import type { Candle } from "../../src/market/schema";
import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import type { LandingQuote } from "./landing_quotes";
import { Hero } from "./LandingHero";
import { type MarketCardQuote, MarketCards, Markets } from "./LandingMarkets";
import type { ShownClaim } from "../../src/texts/schema_claims";
import { offersOf } from "./offers";
import { HowItWorks, LearnToTrade, Packages, Platforms, Statistics, WhyTrade } from "./LandingSections";

type LandingProps = {
  quotes: LandingQuote[];
  cards: MarketCardQuote[];
  /** EUR/USD, oldest first. */
  candles: Candle[];
  simulated: boolean;
  promotions: Promotion[];
  demonstration: boolean;
  /** The operator's licence text; only with it the page says 'Regulated & Licensed'. */
  licence: string | null;
  claims: readonly ShownClaim[];
};

/** The visitor's first page. Its numbers come from the live board and are refreshed by a small script. */
export function LandingPage(props: LandingProps) {
  const offers = offersOf(props.promotions);
  return (
    <>
      <Banner text={offers.banner} />
      <Hero {...props} offer={offers.slide} />
      <MarketCards cards={props.cards} />
      <Markets {...props} />
      <HowItWorks />
      <LearnToTrade />
      <WhyTrade bitcoinOffer={offers.bitcoin} />
      <Packages />
      <Platforms />
      <Statistics licence={props.licence} demonstration={props.demonstration} claims={props.claims} />
      <Closing />
    </>
  );
}

const Banner = ({ text }: { text: string }) => (
  <p className="border-b border-line bg-sunken text-center text-product">
    <a href="/register" className="inline-flex min-h-11 flex-wrap items-center justify-center gap-x-2 px-4 text-ink no-underline">
      {text}
      <span className="inline-flex items-center gap-1 font-medium text-accent underline underline-offset-4">
        Join Now <Icon name="arrowRight" className="size-4" />
      </span>
    </a>
  </p>
);

function Closing() {
  return (
    <section className="far mx-auto w-full max-w-[70rem] px-4 pt-20 text-center md:px-6 md:pt-28">
      <h2 className="mx-auto max-w-[22ch] font-serif text-section">Ten thousand virtual dollars are waiting. Try your hand.</h2>
      <p className="mx-auto mt-4 max-w-prose text-soft">No deposit, no card. Register and the demo account is open.</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink href="/register" size="large">
          Register Now
        </ButtonLink>
        <ButtonLink href="/login" size="large" variant="secondary">
          Get Started
        </ButtonLink>
      </div>
    </section>
  );
}
