import { expect, test } from "bun:test";
import { boundText, pressGate, slippageOf } from "./one_click";
import { faultsOf, FIRST_TERMS } from "./one_click_faults";

test("the bound of a press is in pips for a pair and in per cent for a coin", () => {
  const terms = { amount: "1000", pips: "1.5", percent: "0.05" };
  expect([slippageOf(terms, "EUR/USD", "1.08420"), slippageOf(terms, "USD/JPY", "150.123"), slippageOf(terms, "BTC/USD", "50000")]).toEqual([
    "0.00015000",
    "0.01500000",
    "25.00000000",
  ]);
  expect([boundText(terms, "EUR/USD"), boundText({ ...terms, pips: "1" }, "EUR/USD"), boundText(terms, "BTC/USD")]).toEqual(["1.5 pips", "1 pip", "0.05%"]);
});

test("terms that can't be dealt under are refused by field", () => {
  expect(faultsOf(FIRST_TERMS)).toEqual({});
  expect(Object.keys(faultsOf({ amount: "9.99", pips: "1e3", percent: "6" }))).toEqual(["amount", "pips", "percent"]);
  expect(Object.keys(faultsOf({ amount: "", pips: "", percent: "-1" }))).toEqual(["amount", "pips", "percent"]);
  expect(faultsOf({ amount: "10", pips: "0", percent: "0" })).toEqual({});
});

test("a press while one is answered, or within 400 ms of another, is none of its own", async () => {
  let now = 0;
  let acted = 0;
  const gate = pressGate(() => now);
  const held = Promise.withResolvers<void>();
  const first = gate(async () => {
    acted++;
    await held.promise;
  });
  now = 5_000;
  expect(await gate(async () => void acted++)).toBe(false);
  held.resolve();
  expect(await first).toBe(true);
  expect(await gate(async () => void acted++)).toBe(true);
  now += 399;
  expect(await gate(async () => void acted++)).toBe(false);
  now += 1;
  expect(await gate(async () => void acted++)).toBe(true);
  expect(acted).toBe(3);
  // Pressed 200 ms after it, and heard only a second later, by a page that was busy: its echo all the same.
  now += 1000;
  expect(await gate(async () => void acted++, now - 800)).toBe(false);
  expect(acted).toBe(3);
  now += 400;
  await expect(
    gate(async () => {
      throw new Error("refused");
    }),
  ).rejects.toThrow("refused");
  now += 400;
  expect(await gate(async () => void acted++)).toBe(true);
});
