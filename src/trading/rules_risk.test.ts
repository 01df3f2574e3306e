import { expect, test } from "bun:test";
import fc from "fast-check";
import { cents, priceText, profitCents } from "../lib/money";
import "../testing/seed";
import { amountAtRisk } from "./rules_risk";

test("one per cent of $10,000.00 at a stop one per cent away is the whole balance", () => {
  expect(amountAtRisk("buy", "10000.00", "1", "1.00000", "0.99000")).toBe("10000.00");
  expect(amountAtRisk("sell", "10000.00", "1", "1.00000", "1.01000")).toBe("10000.00");
  expect(amountAtRisk("buy", "10000.00", "0.5", "1.08439", "1.08239")).toBe("27109.75");
});

test("what can't be sized is null; without a balance nothing is put at risk", () => {
  expect(amountAtRisk("buy", "10000.00", "1", "1.1", "1.1")).toBeNull();
  expect(amountAtRisk("buy", "10000.00", "1", "1.1", "1.2")).toBeNull();
  expect(amountAtRisk("sell", "10000.00", "1", "1.1", "1.0")).toBeNull();
  for (const perCent of ["0", "", "101", "-1", "1e2", "1.234", "NaN"]) expect(amountAtRisk("buy", "10000.00", perCent, "1.1", "1.0")).toBeNull();
  expect(amountAtRisk("buy", "0.00", "1", "1.1", "1.0")).toBe("0.00");
});

test("the loss at the stop never exceeds what was to be risked by more than the rounding of one cent, and a dollar more would", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<"buy" | "sell">("buy", "sell"),
      fc.integer({ min: 1, max: 1_000_000_00 }),
      fc.integer({ min: 1, max: 10_000 }),
      fc.integer({ min: 1_000_000, max: 9_000_000_000 }),
      fc.integer({ min: 1, max: 900_000 }),
      (side, balance, hundredths, entry, away) => {
        const stop = side === "buy" ? entry - away : entry + away;
        const amount = amountAtRisk(side, priceText(balance * 1_000_000).slice(0, -6), (hundredths / 100).toFixed(2), priceText(entry), priceText(stop));
        const risk = (BigInt(balance) * BigInt(hundredths)) / 10_000n;
        const loss = -profitCents(side, cents(amount ?? ""), entry, stop);
        expect(loss).toBeLessThanOrEqual(risk + 1n);
        if (amount === "100000000.00") return;
        const more = -profitCents(side, cents(amount ?? "") + BigInt(Math.ceil(entry / away)) + 1n, entry, stop);
        expect(more).toBeGreaterThanOrEqual(risk);
      },
    ),
  );
});
