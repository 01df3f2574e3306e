import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Hero } from "./LandingHero";

const candle = (minutes: number, open: string, close: string) => ({ time: 1_767_600_000 + minutes * 60, open, high: close, low: open, close });
const quote = { symbol: "EUR/USD", name: "Euro / US Dollar", digits: 5, bid: "1.10000", ask: "1.10000", dayOpen: "1.09000", stale: false };

test("the change beside the curve is measured from where the curve begins", () => {
  const html = renderToStaticMarkup(
    <Hero quotes={[quote as never]} candles={[candle(0, "1.00000", "1.05000"), candle(15, "1.05000", "1.10000")]} simulated offer={null} />,
  );
  expect(html).toContain('data-day-open="1.00000"');
  expect(html.replace(/<[^>]+>/g, "")).toContain("On this chart▲+10.00%");
});
