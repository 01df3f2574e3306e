import { expect, test } from "bun:test";
import fc from "fast-check";
import { priceText } from "../lib/money";
import type { Quote, Watched } from "./rules_prices";
import { watchedIn, watchedLines } from "./rules_watched";

/** Prices with as many decimals as a feed may have, so that many end in zeros. */
const price = fc
  .record({ units: fc.integer({ min: 1, max: 9_000_000 }), scale: fc.integer({ min: 0, max: 8 }) })
  .map(({ units, scale }) => units * 10 ** scale);
const quote = fc.record({
  bid: price,
  ask: price,
  time: fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
  stale: fc.boolean(),
  open: fc.boolean(),
  closeOnly: fc.boolean(),
  barred: fc.constantFrom("buy" as const, "sell" as const, null),
});
const watched = fc
  .record({ symbol: fc.constantFrom("EUR/USD", "BTC/USD", "SHIB/USD"), spark: fc.constantFrom("", "M0 17l10 7 10-3"), dayOpen: price, quote: fc.option(quote) })
  .map(({ quote: of, dayOpen, ...rest }): Watched => {
    const { symbol } = rest;
    if (!of) return { ...rest, dayOpen: priceText(dayOpen), quote: null };
    const { bid, ask, time, stale, open, closeOnly, barred } = of;
    const told: Quote = { symbol, bid: priceText(bid), ask: priceText(ask), time: new Date(time).toISOString(), stale, open };
    return { ...rest, dayOpen: priceText(dayOpen), quote: { ...told, ...(closeOnly ? { closeOnly } : {}), ...(barred ? { barred } : {}) } };
  });

test("a watchlist is read from its lines as it was, to the last digit and millisecond", () => {
  fc.assert(fc.property(fc.array(watched, { maxLength: 5 }), (list) => expect(watchedIn(watchedLines(list))).toEqual(list)));
});

test("its lines say prices in their last digits, and nothing of what is as usual", () => {
  const at = (ms: number) => new Date(1_764_000_000_000 + ms).toISOString();
  const usual = { stale: false, open: true };
  const lines = watchedLines([
    {
      symbol: "EUR/USD",
      spark: "M0 17l10 7",
      dayOpen: "1.08445000",
      quote: { symbol: "EUR/USD", bid: "1.08620000", ask: "1.08632000", time: at(0), ...usual },
    },
    {
      symbol: "BTC/USD",
      spark: "",
      dayOpen: "67000.50000000",
      quote: { symbol: "BTC/USD", bid: "67010.00000000", ask: "67012.00000000", time: at(500), ...usual, open: false },
    },
    { symbol: "EUR/SEK", spark: "", dayOpen: "0.00000000", quote: null },
  ]);
  expect(lines).toBe("1764000000500|EUR/USD;M0 17l10 7;1.08620;12;-175;500;|BTC/USD;;67010.0;20;-95;0;m|EUR/SEK;;0.00000000");
});
