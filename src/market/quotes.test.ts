import { expect, test } from "bun:test";
import { PRICE_SCALE } from "../lib/money";
import { HOUR, MINUTE } from "../lib/time";
import type { Market } from "./market";
import { pricesOfDay } from "./quotes";

const START = Date.parse("2026-01-05T22:05:00.000Z");
const candle = (at: number, close: string) => ({ time: at / 1000, open: close, high: close, low: close, close });

test("the line of a day begins with the price that its change is measured from, and holds nothing of the day before", async () => {
  const stored = [-2 * HOUR, -20 * MINUTE, -5 * MINUTE, 10 * MINUTE].map((after, at) => candle(START + after, `1.${at}`));
  const market = { board: { day: () => ({ start: START, open: 1.15 * PRICE_SCALE }) }, candles: async () => stored } as unknown as Market;
  expect(await pricesOfDay(market, "EUR/USD", "15m")).toEqual([1.15, 1.2, 1.3]);
});
