import { midText, percentText } from "../../src/lib/quote_text";
import type { Candle } from "../../src/market/schema";
import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { PageIcon } from "../ui/PageIcon";
import { Delta, Price, SimulatedLabel } from "../ui/Price";
import type { LandingQuote } from "./landing_quotes";
import { PriceLine } from "./PriceLine";
import { type Slide, slidesWith } from "./packages";

type Props = { quotes: LandingQuote[]; candles: Candle[]; simulated: boolean; offer: Slide | null };

export const HERO_ID = "hero";

export function Hero(props: Props) {
  return (
    <section
      id={HERO_ID}
      aria-label="Welcome"
      className="mx-auto grid w-full max-w-[70rem] grid-cols-1 items-center gap-12 px-4 pb-16 pt-10 md:px-6 md:pb-24 md:pt-16 lg:grid-cols-2 lg:gap-16"
    >
      <Slides slides={slidesWith(props.offer)} />
      <HeroChart {...props} />
    </section>
  );
}

/** One slide after the other where scripts run, all in one cell, so that the page never moves; without scripts they stack. */
function Slides({ slides }: { slides: Slide[] }) {
  return (
    <div data-slides="" role="group" aria-roledescription="carousel" aria-label="Highlights">
      <div className="slides grid grid-cols-1 gap-y-12">
        {slides.map(({ title, highlight, subtitle, cta, link }, index) => (
          <div
            key={title}
            data-slide={index}
            role="group"
            aria-roledescription="slide"
            aria-label={`${index + 1} of ${slides.length}`}
            className="transition-opacity duration-200"
          >
            {index === 0 ? (
              <h1 className="max-w-[17ch] text-balance font-serif text-display">
                {title} <span className="text-accent sm:whitespace-nowrap">{highlight}</span>
              </h1>
            ) : (
              <p className="max-w-[17ch] text-balance font-serif text-display">
                {title} <span className="text-accent sm:whitespace-nowrap">{highlight}</span>
              </p>
            )}
            <p className="mt-6 max-w-[34rem] text-[1.1875rem] leading-7 text-soft">{subtitle}</p>
            <div className="mt-8 flex flex-wrap gap-3">
              <ButtonLink href={link} size="large">
                {cta}
              </ButtonLink>
              {index === 0 ? (
                <ButtonLink href="/login" size="large" variant="secondary">
                  Get Started
                </ButtonLink>
              ) : null}
            </div>
          </div>
        ))}
      </div>
      <SlideControls slides={slides} />
    </div>
  );
}

const ROUND = "inline-flex size-11 items-center justify-center rounded-full text-soft hover:bg-sunken hover:text-ink";

function SlideControls({ slides }: { slides: Slide[] }) {
  return (
    <div className="js-only mt-6 -ml-3 flex items-center">
      <button type="button" data-slide-step="-1" aria-label="Previous slide" className={ROUND}>
        <Icon name="chevronLeft" />
      </button>
      {slides.map(({ title }, index) => (
        <button
          key={title}
          type="button"
          data-slide-to={index}
          aria-label={`Slide ${index + 1}`}
          aria-current={index === 0 ? "true" : undefined}
          className="group inline-flex h-11 w-8 items-center justify-center"
        >
          <span className="block size-2 rounded-full bg-control transition-colors duration-150 group-aria-[current=true]:bg-accent" />
        </button>
      ))}
      <button type="button" data-slide-step="1" aria-label="Next slide" className={ROUND}>
        <Icon name="chevronRight" />
      </button>
      <button type="button" data-slide-pause="" aria-pressed="false" aria-label="Pause the slides" className={`group ${ROUND}`}>
        <PageIcon name="pause" className="size-5 group-aria-pressed:hidden" />
        <PageIcon name="play" className="hidden size-5 group-aria-pressed:block" />
      </button>
    </div>
  );
}

function HeroChart({ quotes, candles, simulated }: Props) {
  const quote = quotes.find(({ symbol }) => symbol === "EUR/USD");
  const first = candles[0];
  const last = candles.at(-1);
  if (!quote || !first || !last) return null;
  const price = midText(quote.bid, quote.ask, quote.digits);
  return (
    <figure className="min-w-0">
      <figcaption
        className="mb-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-2"
        data-symbol={quote.symbol}
        data-digits={quote.digits}
        data-day-open={first.open}
      >
        <span>
          <span className="block text-table text-soft">
            {quote.symbol}, {quote.name}
          </span>
          <span className="mt-1 block text-[2.25rem] leading-none tracking-[-0.02em]" data-cell="price">
            <Price value={price} digits={quote.digits} />
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-x-6 text-product">
          <span>
            <span className="mr-2 text-soft">On this chart</span>
            <span data-cell="change">
              <Delta value={percentText(price, first.open)} suffix="%" />
            </span>
          </span>
          {simulated ? <SimulatedLabel /> : null}
        </span>
      </figcaption>
      <PriceLine candles={candles} label={`EUR/USD from ${timeOf(first)} to ${timeOf(last)} UTC, now ${price}`} />
      <div className="flex flex-wrap justify-between gap-x-2 border-t border-line pt-2 text-note text-soft" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <span key={part}>{timeOf(candles[Math.round((candles.length - 1) * part)] ?? last)}</span>
        ))}
      </div>
    </figure>
  );
}

/** "14:35", in UTC. */
const timeOf = ({ time }: Candle) => new Date(time * 1000).toISOString().slice(11, 16);
