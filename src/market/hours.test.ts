import { expect, test } from "bun:test";
import { isForexOpen, marketHours } from "./hours";
import { type Instrument, instrumentOf } from "./rules_listed";

const open = (at: string) => isForexOpen(Date.parse(at));
const known = (symbol: string) => instrumentOf(symbol) as Instrument;

test("forex trades from Sunday 17:00 to Friday 17:00 in New York", () => {
  expect(open("2026-01-16T21:59:59.999Z")).toBe(true);
  expect(open("2026-01-16T22:00:00Z")).toBe(false);
  expect(open("2026-01-17T12:00:00Z")).toBe(false);
  expect(open("2026-01-18T21:59:59.999Z")).toBe(false);
  expect(open("2026-01-18T22:00:00Z")).toBe(true);
  expect(open("2026-01-21T03:00:00Z")).toBe(true);
});

test("the hours follow New York's clock over both changes of daylight saving", () => {
  // The last Friday of winter time, then the Sunday on which the clocks went forward.
  expect([open("2026-03-06T21:59:59Z"), open("2026-03-06T22:00:00Z")]).toEqual([true, false]);
  expect([open("2026-03-08T20:59:59Z"), open("2026-03-08T21:00:00Z")]).toEqual([false, true]);
  expect([open("2026-03-13T20:59:59Z"), open("2026-03-13T21:00:00Z")]).toEqual([true, false]);
  // The last Friday of summer time, then the Sunday on which they went back.
  expect([open("2026-10-30T20:59:59Z"), open("2026-10-30T21:00:00Z")]).toEqual([true, false]);
  expect([open("2026-11-01T21:59:59Z"), open("2026-11-01T22:00:00Z")]).toEqual([false, true]);
  expect([open("2026-11-06T21:59:59Z"), open("2026-11-06T22:00:00Z")]).toEqual([true, false]);
});

test("forex rests on 25 December and 1 January, New York's date", () => {
  expect([open("2025-12-25T04:59:59Z"), open("2025-12-25T05:00:00Z")]).toEqual([true, false]);
  expect([open("2025-12-26T04:59:59Z"), open("2025-12-26T05:00:00Z")]).toEqual([false, true]);
  expect([open("2026-01-01T04:59:59Z"), open("2026-01-01T17:00:00Z"), open("2026-01-02T05:00:00Z")]).toEqual([true, false, true]);
});

test("crypto always trades, and forex too where the operator says so", () => {
  const saturday = Date.parse("2026-01-17T12:00:00Z");
  expect(marketHours("real")(known("EUR/USD"), saturday)).toBe(false);
  expect(marketHours("real")(known("BTC/USD"), saturday)).toBe(true);
  expect(marketHours("always")(known("EUR/USD"), saturday)).toBe(true);
});
