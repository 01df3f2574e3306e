import { expect, test } from "bun:test";
import type { SwapRule } from "../accounts/schema_groups";
import type { SwapTerms } from "../accounts/schema_rows";
import { priceUnits } from "../lib/money";
import { overnight, swapTermsText, untilText } from "./rules_swap";

/** What the preview says of the next night. */

const points: SwapRule = { for: "forex-major", unit: "points", long: "-0.85", short: "0.2", tripleDay: 3 };
const coins: SwapRule = { for: "crypto", unit: "percent", long: "-36", short: "-0.5", tripleDay: null };
const own: SwapRule = { for: "USD/JPY", unit: "points", long: "1", short: "-4", tripleDay: null };
const terms: SwapTerms = { rules: [points, coins, own], fee: null, open: { "GBP/USD": ["2026-11-25", "2026-11-30"] } };
const seen = (symbol: string, side: "buy" | "sell", price: string, now: string, of: SwapTerms | null = terms) => {
  const at = Date.parse(now);
  const night = overnight({ symbol, side, amount: "54000" }, priceUnits(price), of, at);
  return night && [night.amount, night.nights, untilText(night.until, at)];
};

test("the next 17:00 that moves something, how many nights it is, and until when that lasts", () => {
  // 54,000 × 0.85 × 0.00001 / 1.1 = 0.41727…
  expect(seen("EUR/USD", "buy", "1.10000", "2026-11-24T15:00:00Z")).toEqual(["-0.42", 1, "tomorrow 17:00 New York"]);
  expect(seen("EUR/USD", "sell", "1.10000", "2026-11-24T15:00:00Z")).toEqual(["0.10", 1, "tomorrow 17:00 New York"]);
  // After Tuesday's 17:00 the next is Wednesday's, which takes the weekend's nights and lasts until Thursday's.
  expect(seen("EUR/USD", "buy", "1.10000", "2026-11-24T22:00:00Z")).toEqual(["-1.25", 3, "Thursday 17:00 New York"]);
  // Friday's lasts until Monday's; at the weekend Monday's is the next.
  expect(seen("EUR/USD", "buy", "1.10000", "2026-11-27T21:59:59Z")).toEqual(["-0.42", 1, "Monday 17:00 New York"]);
  expect(seen("EUR/USD", "buy", "1.10000", "2026-11-28T12:00:00Z")).toEqual(["-0.42", 1, "Tuesday 17:00 New York"]);
  // Christmas moves nothing: Thursday's night lasts from Wednesday until the day after.
  expect(seen("EUR/USD", "buy", "1.10000", "2025-12-24T12:00:00Z")).toEqual(["-1.25", 3, "Friday 17:00 New York"]);
  expect(seen("EUR/USD", "buy", "1.10000", "2025-12-25T12:00:00Z")).toEqual(["-0.42", 1, "Monday 17:00 New York"]);
  // Hours of its own.
  expect(seen("GBP/USD", "sell", "1.30000", "2026-11-24T15:00:00Z")).toEqual(["0.25", 3, "Monday 17:00 New York"]);
  expect(seen("GBP/USD", "sell", "1.30000", "2026-11-27T15:00:00Z")).toBeNull();
  expect(seen("BTC/USD", "buy", "50000", "2026-11-28T12:00:00Z")).toEqual(["-54.00", 1, "tomorrow 17:00 New York"]);
});

test("an instrument's own rule comes before its class's, a fee before both; without terms nothing is said", () => {
  // 54,000 × 4 × 0.001 / 150 = 1.44
  expect(seen("USD/JPY", "sell", "150.000", "2026-11-25T15:00:00Z")).toEqual(["-1.44", 1, "tomorrow 17:00 New York"]);
  expect(seen("EUR/USD", "sell", "1.1", "2026-11-25T15:00:00Z", { rules: [points], fee: "5.00", open: null })).toEqual(["-2.70", 1, "tomorrow 17:00 New York"]);
  expect(seen("EUR/USD", "sell", "1.1", "2026-11-25T15:00:00Z", { rules: [points], fee: "0.00", open: null })).toBeNull();
  expect(seen("EUR/GBP", "buy", "0.85", "2026-11-25T15:00:00Z")).toBeNull();
  expect(seen("EUR/USD", "buy", "1.1", "2026-11-25T15:00:00Z", null)).toBeNull();
});

test("its terms in words", () => {
  const said = (unit: "points" | "percent" | "fee", rate: string) => swapTermsText({ unit, rate });
  expect([said("points", "-0.8500"), said("points", "1.0000"), said("percent", "-36.0000"), said("percent", "20.0000"), said("fee", "-5.0000")]).toEqual([
    "−0.85 points",
    "+1 point",
    "−36% a year",
    "+20% a year",
    "$5 for each $100,000",
  ]);
});
