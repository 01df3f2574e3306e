import { midText, percentText } from "../../src/lib/quote_text";
import { Sparkline, sparkPath } from "../market/Sparkline";
import { ButtonLink } from "../ui/Button";
import { Delta, Price, SimulatedLabel } from "../ui/Price";
import type { LandingQuote } from "./landing_quotes";
import { SampleMark } from "../ui/SampleMark";

/** A quote with its trading day behind it: prices, oldest first. */
export type MarketCardQuote = LandingQuote & { day: number[] };

/** Four markets at a glance, between hero and screener. */
export const MarketCards = ({ cards }: { cards: MarketCardQuote[] }) => (
  <section aria-label="Markets at a glance" className="far border-t border-line">
    <ul className="mx-auto grid w-full max-w-[70rem] grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-x-8 px-4 md:px-6">
      {cards.map((card) => (
        <MarketCard key={card.symbol} {...card} />
      ))}
    </ul>
  </section>
);

function MarketCard({ symbol, digits, bid, ask, dayOpen, stale, day }: MarketCardQuote) {
  const price = midText(bid, ask, digits);
  const percent = percentText(price, dayOpen);
  return (
    <li
      data-symbol={symbol}
      data-digits={digits}
      data-day-open={dayOpen}
      data-stale={stale ? "" : undefined}
      className="far far-card py-5 [&[data-stale]]:text-soft"
    >
      <span className="flex flex-wrap items-baseline justify-between gap-x-1 text-table">
        <span className="font-semibold">{symbol}</span>
        <span data-cell="change" className="text-note">
          <Delta value={percent} suffix="%" />
        </span>
      </span>
      <Sparkline path={sparkPath(day)} rising={!percent.startsWith("-")} className="my-3 h-8 w-full" />
      <span data-cell="price" className="text-heading">
        <Price value={price} digits={digits} />
      </span>
    </li>
  );
}

export function Markets({ quotes, simulated }: { quotes: LandingQuote[]; simulated: boolean }) {
  return (
    <section id="markets" className="far border-t border-line bg-surface" aria-labelledby="markets-title">
      <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-10 px-4 py-16 md:px-6 md:py-24 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <div>
          <h2 id="markets-title" className="font-serif text-section">
            Live market data
          </h2>
          <p className="mt-4 text-soft">The forex screener shows what our own engine deals on. The bid is where you sell, the ask is where you buy.</p>
          <p className="mt-6 flex min-h-5 flex-wrap gap-x-4 gap-y-2">
            {simulated ? <SimulatedLabel /> : null}
            {quotes.some(({ sample }) => sample) ? (
              <span data-samples="">
                <SampleMark>Sample rows until the first live quote</SampleMark>
              </span>
            ) : null}
          </p>
          <ButtonLink href="/trading-assets" variant="secondary" className="mt-6">
            Trading Assets
          </ButtonLink>
        </div>
        <div className="min-w-0 overflow-x-auto">
          <Screener quotes={quotes} />
        </div>
      </div>
    </section>
  );
}

/** On a phone a row is a line that may wrap; bid and ask then stand below the price. */
const HEAD = "px-1 py-2 font-medium sm:px-3";
const CELL = "px-1 py-3 text-right sm:px-3";

function Screener({ quotes }: { quotes: LandingQuote[] }) {
  return (
    <table className="w-full text-product">
      <caption className="sr-only">Forex screener</caption>
      <thead className="max-sm:sr-only">
        <tr className="border-b border-line text-right text-table text-soft">
          <th scope="col" className={`${HEAD} text-left`}>
            Symbol
          </th>
          <th scope="col" className={HEAD}>
            Price
          </th>
          <th scope="col" className={HEAD}>
            Change %
          </th>
          <th scope="col" className={`${HEAD} max-lg:hidden`}>
            Bid
          </th>
          <th scope="col" className={`${HEAD} max-lg:hidden`}>
            Ask
          </th>
        </tr>
      </thead>
      <tbody>
        {quotes.map(({ symbol, name, digits, bid, ask, dayOpen, stale }) => {
          const price = midText(bid, ask, digits);
          return (
            <tr
              key={symbol}
              data-symbol={symbol}
              data-digits={digits}
              data-day-open={dayOpen}
              data-stale={stale ? "" : undefined}
              className="flex-wrap items-center justify-end border-b border-line last:border-b-0 max-sm:flex [&[data-stale]]:text-soft"
            >
              <th scope="row" className="flex-1 px-1 py-3 text-left font-normal sm:px-3">
                <span className="font-semibold">{symbol}</span>
                <span className="block text-note text-soft">{name}</span>
              </th>
              <td className={CELL} data-cell="price">
                <Price value={price} digits={digits} />
                <span className="mt-1 block whitespace-nowrap text-note text-soft lg:hidden" data-cell="both">
                  <span>{`${bid} / ${ask}`}</span>
                </span>
              </td>
              <td className={`${CELL} max-sm:w-20`} data-cell="change">
                <Delta value={percentText(price, dayOpen)} suffix="%" />
              </td>
              <td className={`${CELL} max-lg:hidden`} data-cell="bid">
                <Price value={bid} digits={digits} />
              </td>
              <td className={`${CELL} max-lg:hidden`} data-cell="ask">
                <Price value={ask} digits={digits} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
