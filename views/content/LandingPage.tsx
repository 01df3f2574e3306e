import { midText, percentText } from "../../src/lib/quote_text";
import type { Promotion } from "../../src/funding/schema_history";
import type { Candle } from "../../src/market/schema";
import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Delta, Price, SimulatedLabel } from "../ui/Price";
import { Hero } from "./LandingHero";
import { offersOf } from "./offers";
import { HowItWorks, LearnToTrade, Packages, Platforms, Statistics, WhyTrade } from "./LandingSections";

export type LandingQuote = {
  symbol: string;
  name: string;
  digits: number;
  bid: string;
  ask: string;
  /** The trading day's first mid price. */
  dayOpen: string;
  stale: boolean;
};
export type LandingProps = {
  quotes: LandingQuote[];
  /** EUR/USD, oldest first. */
  candles: Candle[];
  simulated: boolean;
  promotions: Promotion[];
  /** The operator's licence text; only with it the page says 'Regulated & Licensed'. */
  licence: string | null;
};

/** The visitor's first page. Its numbers come from the live board and are refreshed by a small script. */
export function LandingPage(props: LandingProps) {
  const offers = offersOf(props.promotions);
  return (
    <>
      <Banner text={offers.banner} />
      <Hero {...props} offer={offers.slide} />
      <Markets {...props} />
      <HowItWorks />
      <LearnToTrade />
      <WhyTrade bitcoinOffer={offers.bitcoin} />
      <Packages />
      <Platforms />
      <Statistics licence={props.licence} />
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

function Markets({ quotes, simulated }: LandingProps) {
  return (
    <section id="markets" className="border-t border-line bg-surface" aria-labelledby="markets-title">
      <div className="mx-auto grid w-full max-w-[70rem] gap-10 px-4 py-16 md:px-6 md:py-24 lg:grid-cols-[20rem_1fr]">
        <div>
          <h2 id="markets-title" className="font-serif text-section">
            Live market data
          </h2>
          <p className="mt-4 text-soft">The forex screener shows what our own engine deals on. The bid is where you sell, the ask is where you buy.</p>
          {simulated ? <SimulatedLabel className="mt-6" /> : null}
        </div>
        <Screener quotes={quotes} />
      </div>
    </section>
  );
}

const CELL = "px-2 py-3 text-right sm:px-3";

function Screener({ quotes }: { quotes: LandingQuote[] }) {
  return (
    <table className="w-full text-product" data-screener="">
      <caption className="sr-only">Forex screener</caption>
      <thead>
        <tr className="border-b border-line text-table text-soft">
          <th scope="col" className="px-2 py-2 text-left font-medium sm:px-3">
            Symbol
          </th>
          <th scope="col" className="px-2 py-2 text-right font-medium sm:px-3">
            Price
          </th>
          <th scope="col" className="px-2 py-2 text-right font-medium sm:px-3">
            Change %
          </th>
          <th scope="col" className="px-2 py-2 text-right font-medium max-sm:hidden sm:px-3">
            Bid
          </th>
          <th scope="col" className="px-2 py-2 text-right font-medium max-sm:hidden sm:px-3">
            Ask
          </th>
        </tr>
      </thead>
      <tbody>
        {quotes.map((quote) => {
          const { symbol, name, digits, bid, ask, dayOpen, stale } = quote;
          const price = midText(bid, ask, digits);
          return (
            <tr
              key={symbol}
              data-symbol={symbol}
              data-digits={digits}
              data-day-open={dayOpen}
              data-stale={stale ? "" : undefined}
              className="border-b border-line last:border-b-0 [&[data-stale]]:text-soft"
            >
              <th scope="row" className="px-2 py-3 text-left font-normal sm:px-3">
                <span className="font-semibold">{symbol}</span>
                <span className="block text-note text-soft">{name}</span>
              </th>
              <td className={CELL} data-cell="price">
                <Price value={price} digits={digits} />
                <span className="mt-1 block whitespace-nowrap text-note text-soft sm:hidden">
                  {bid} / {ask}
                </span>
              </td>
              <td className={CELL} data-cell="change">
                <Delta value={percentText(price, dayOpen)} suffix=" %" />
              </td>
              <td className="px-2 py-3 text-right max-sm:hidden sm:px-3" data-cell="bid">
                <Price value={bid} digits={digits} />
              </td>
              <td className="px-2 py-3 text-right max-sm:hidden sm:px-3" data-cell="ask">
                <Price value={ask} digits={digits} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Closing() {
  return (
    <section className="mx-auto w-full max-w-[70rem] px-4 pt-20 text-center md:px-6 md:pt-28">
      <h2 className="mx-auto max-w-[22ch] font-serif text-section">Ten thousand virtual dollars are waiting. Try your hand.</h2>
      <p className="mx-auto mt-4 max-w-prose text-soft">No deposit, no card. Register and the demo account is open.</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink href="/register" size="large">
          Register Now
        </ButtonLink>
        <ButtonLink href="/login" size="large" look="secondary">
          Get Started
        </ButtonLink>
      </div>
    </section>
  );
}
