import { expect, test } from "bun:test";
import { pipsText, splitPrice } from "../lib/quote_text";
import { dealDigitsOf, dealPrice, isWithin, levelText, spreadText, tierHeld } from "./rules_prices";
import { ownQuote } from "./rules_quote";

const quote = { symbol: "EUR/USD", bid: "1.08420000", ask: "1.08425000" };

test("an account's prices of a pair always have the same number of decimals, the half point that they may need included", () => {
  const { bid, ask } = ownQuote({ spreadsFrom: "3.2" }, quote);
  expect([dealPrice(bid, "EUR/USD"), dealPrice(ask, "EUR/USD")]).toEqual(["1.084065", "1.084385"]);
  expect(dealPrice(ownQuote({ spreadsFrom: "3.3" }, quote).ask, "EUR/USD")).toBe("1.084390");
  expect(dealPrice("150.00000000", "USD/JPY")).toBe("150.0000");
  expect(dealPrice("97490.68000000", "BTC/USD")).toBe("97,490.68");
  expect(dealPrice(null, "EUR/USD")).toBe("–");
});

test("what stands out is the pips, however many decimals are written", () => {
  expect(splitPrice("1.08439000", 5, dealDigitsOf("EUR/USD"))).toEqual({ head: "1.08", pips: "43", fraction: "90" });
  expect(splitPrice("1.08439000", 5)).toEqual({ head: "1.08", pips: "43", fraction: "9" });
  expect(splitPrice("97490.68000000", 2)).toEqual({ head: "97,490.68", pips: "", fraction: "" });
});

test("without an account it is the market's own quote", () => {
  expect(ownQuote(null, quote)).toEqual(quote);
});

test("a margin level is told in whole per cent as far as it says something", () => {
  expect(levelText("10000.00", "0.00")).toBe("–");
  expect(levelText("250.99", "100.00")).toBe("250%");
  expect(levelText("999.99", "100.00")).toBe("999%");
  expect(levelText("9999.60", "10.00")).toBe("over 1,000%");
  expect(levelText("-5.00", "100.00")).toBe("−5%");
});

test("while a notice runs a position is priced by what it was opened on, or by what applies to the open", () => {
  const held = { 2: { spreadsFrom: "1.0" }, 3: { spreadsFrom: "2.0" } };
  const tier = { spreadsFrom: "4.0", version: 4, held };
  expect([null, 1, 2, 3, 4].map((opened) => tierHeld(tier, opened).spreadsFrom)).toEqual(["1.0", "1.0", "1.0", "2.0", "4.0"]);
  expect(tierHeld({ spreadsFrom: "4.0", version: 4, held: null }, 1).spreadsFrom).toBe("4.0");
});

test("a spread for a symbol comes before its class's, and that before what is said of all; a fixed one holds where the market's is wider", () => {
  const spreads = [
    { for: "forex-minor", spreadPips: "3.0", fixed: false },
    { for: "forex-major", spreadPips: "0.6", fixed: true },
    { for: "EUR/USD", spreadPips: "0.4", fixed: true },
  ];
  const tier = { spreadsFrom: "1.0", spreads };
  expect(["EUR/USD", "GBP/USD", "EUR/GBP", "BTC/USD"].map((symbol) => spreadText(tier, symbol))).toEqual(["-0.4", "-0.6", "3.0", "1.0"]);
  expect(ownQuote(tier, { symbol: "EUR/USD", bid: "1.10000", ask: "1.10020" })).toMatchObject({ bid: "1.10008000", ask: "1.10012000" });
  expect(ownQuote(tier, { symbol: "BTC/USD", bid: "97000.00", ask: "97050.00" })).toMatchObject({ bid: "97000.00000000", ask: "97050.00000000" });
});

test("a width in pips has one decimal, a second one only where it is not nought", () => {
  expect(["1", "1.0", "3.30", "0.25", "0"].map(pipsText)).toEqual(["1.0 pips", "1.0 pips", "3.3 pips", "0.25 pips", "0.0 pips"]);
  expect(pipsText((1.10034 - 1.10001) / 0.0001)).toBe("3.3 pips");
});

test("an account says whether it is of the leverage that its owner's country allows", () => {
  const own = { leverage: "1:100" };
  expect(isWithin({ ...own, caps: null }, {})).toBe(true);
  expect(isWithin({ ...own, caps: null }, { "forex-major": 30 })).toBe(false);
  expect(isWithin({ ...own, caps: { "forex-major": "1:30" } }, { "forex-major": 30 })).toBe(true);
  expect(isWithin({ ...own, caps: { "forex-major": "1:30" } }, { "forex-major": 50 })).toBe(false);
  expect(isWithin({ ...own, caps: { "forex-major": "1:30" } }, { "forex-major": 30, crypto: 2 })).toBe(false);
  expect(isWithin({ ...own, caps: { "forex-major": "1:30" } }, {})).toBe(false);
  // A bound above the account's own is none.
  expect(isWithin({ ...own, caps: {} }, { "forex-minor": 100, crypto: 500 })).toBe(true);
});
