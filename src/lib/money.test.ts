import { expect, test } from "bun:test";
import fc from "fast-check";
import "../testing/seed";
import {
  add,
  cents,
  displayMoney,
  displayPrice,
  marginOf,
  money,
  plainPrice,
  priceText,
  priceUnits,
  profitCents,
  profitNumber,
  profitOf,
  subtract,
  sum,
} from "./money";

test("profit and margin agree with the published examples", () => {
  const profit = (side: "buy" | "sell", amount: string, open: string, close: string) => profitOf(side, amount, priceUnits(open), priceUnits(close));
  expect(profit("buy", "1000.00", "1.10000", "1.10055")).toBe("0.50");
  expect(profit("buy", "1000.00", "1.10000", "1.10001")).toBe("0.01");
  expect(profit("buy", "333.33", "1.23456", "1.23400")).toBe("-0.15");
  expect(profit("buy", "1000.00", "150.000", "151.000")).toBe("6.67");
  expect(profit("sell", "1000.00", "1.10000", "1.10055")).toBe("-0.50");
  expect(profit("sell", "1000.00", "150.000", "151.000")).toBe("-6.67");
  expect(marginOf("100.00", 300)).toBe("0.34");
  expect(marginOf("1000.00", 100)).toBe("10.00");
});

test("sums are sums of cents, never of floats or of text", () => {
  expect(add("0.10", "0.20")).toBe("0.30");
  expect(sum(["41600.00", "332.00"])).toBe("41932.00");
  expect(subtract("0.00", "0.01")).toBe("-0.01");
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n })), (list) => {
      expect(cents(sum(list.map(money)))).toBe(list.reduce((a, b) => a + b, 0n));
    }),
  );
});

test("text that is no plain decimal is refused", () => {
  for (const bad of ["", " 1", "1 ", "1e3", "0x10", "1_000", "NaN", "Infinity", ".5", "5.", "+5", "1,0", "１００", "1.001"])
    expect(() => cents(bad)).toThrow(RangeError);
  for (const bad of ["", "1.1234567x", "1.123:5678", "1. 2345678", "x.12345678", "1.123456789", "1.1.345678", ".12345678", "١.12345678"])
    expect(() => priceUnits(bad)).toThrow(RangeError);
  expect(["-1.00000001", "1.0000001", "1.5", "00000.00000001", "90071992.54740991"].map(priceUnits)).toEqual([
    -100000001, 100000010, 150000000, 1, 9007199254740991,
  ]);
});

test("a price keeps its last digit, from the dearest to the cheapest", () => {
  expect(priceText(priceUnits("123456.78901"))).toBe("123456.78901000");
  expect(priceText(priceUnits("0.00001234"))).toBe("0.00001234");
  expect(displayPrice("1.12146000", 5)).toBe("1.12146");
  expect(displayPrice("0.00001234", 5)).toBe("0.00001234");
  expect(displayPrice("1.12000000", 5)).toBe("1.12000");
  expect(displayPrice("97490.68000000", 2)).toBe("97,490.68");
  expect(displayPrice("1234567.00000000", 0)).toBe("1,234,567");
  expect(displayPrice("1000.12345678", 2)).toBe("1,000.12345678");
  expect(plainPrice("97490.68000000", 2)).toBe("97490.68");
  fc.assert(fc.property(fc.integer({ min: 0, max: 9_000_000_000_000_000 }), (units) => expect(priceUnits(priceText(units))).toBe(units)));
});

test("money reads as a person writes it", () => {
  expect(displayMoney("1234567.50")).toBe("$1,234,567.50");
  expect(displayMoney("-0.15")).toBe("−$0.15");
  expect(displayMoney("6.67", { sign: true })).toBe("+$6.67");
  expect(displayMoney("0.00", { sign: true })).toBe("$0.00");
});

test("opposite sides of the same deal cancel out", () => {
  const open = fc.integer({ min: 1_000, max: 10_000_000_000_000 });
  const movedPercent = fc.integer({ min: 1, max: 1_000 });
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n }), open, movedPercent, (amount, open, percent) => {
      const close = Math.ceil((open / 100) * percent);
      expect(cents(profitOf("buy", money(amount), open, close)) + cents(profitOf("sell", money(amount), open, close))).toBe(0n);
    }),
  );
});

test("a profit reckoned by numbers is the exact one to the cent, halves and the largest too", () => {
  const side = fc.constantFrom("buy" as const, "sell" as const);
  const amount = fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 15 }));
  const price = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 50_000_000, max: 200_000_000 }), fc.integer({ min: 1, max: 20_000_000_000_000 }));
  let big = 0;
  fc.assert(
    fc.property(side, amount, price, price, (of, cents, open, close) => {
      expect(profitNumber(of, BigInt(cents), open, close)).toBe(Number(profitCents(of, BigInt(cents), open, close)));
      if (2 * cents * Math.abs(close - open) > Number.MAX_SAFE_INTEGER) big++;
    }),
    { numRuns: 20_000 },
  );
  expect(big).toBeGreaterThan(1_000);
  // Just below a whole cent by the least that a number of this size can say, and at the half of one.
  for (const open of [3, 7, 1_000_003]) {
    const most = Math.floor((2 ** 52 - 3 * open) / 2);
    for (let cents = most - 50; cents < most + 50; cents++)
      expect(profitNumber("buy", BigInt(cents), open, open + 1)).toBe(Number(profitCents("buy", BigInt(cents), open, open + 1)));
  }
  expect(profitNumber("sell", 1n, 2, 3)).toBe(-1);
  expect(profitNumber("sell", 1n, 3, 4)).toBe(0);
});
