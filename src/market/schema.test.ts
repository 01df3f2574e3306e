import { expect, test } from "bun:test";
import * as v from "valibot";
import { instrumentOf, instruments, isForex } from "./rules_listed";
import { listCandles, streamQuotes } from "./schema";

test("the list holds seven majors, eight minors and twenty coins, each with its digits and pip", () => {
  const count = (group: string) => instruments.filter((each) => each.group === group).length;
  expect([count("forex-major"), count("forex-minor"), count("crypto")]).toEqual([7, 8, 20]);
  expect(new Set(instruments.map(({ symbol }) => symbol)).size).toBe(35);
  expect(instrumentOf("EUR/USD")).toMatchObject({ name: "Euro / US Dollar", digits: 5, pipSize: 10_000 });
  expect(instrumentOf("USD/JPY")).toMatchObject({ digits: 3, pipSize: 1_000_000 });
  expect(instrumentOf("SHIB/USD")).toMatchObject({ name: "Shiba Inu", digits: 8, pipSize: 10 });
  for (const each of instruments) expect(isForex(each) || each.quote === "USD").toBe(true);
});

test("only listed symbols are known", () => {
  for (const symbol of ["__proto__", "constructor", "", "eur/usd", "EURUSD"]) expect(instrumentOf(symbol)).toBeUndefined();
});

test("a query is held to symbols, intervals and limits that exist", () => {
  const candles = (query: object) => v.safeParse(listCandles.query, query).success;
  expect(v.parse(listCandles.query, { symbol: "EUR/USD" })).toEqual({ symbol: "EUR/USD", interval: "5m", limit: 300 });
  expect(candles({ symbol: "EUR/USD", interval: "1d", limit: "1000" })).toBe(true);
  for (const limit of ["0", "1001", "1e3", "-1", "0x10", " 5", ""]) expect(candles({ symbol: "EUR/USD", limit })).toBe(false);
  for (const symbol of [undefined, "", "__proto__", "EUR/USD'"]) expect(candles({ symbol })).toBe(false);
  expect(candles({ symbol: "EUR/USD", interval: "2m" })).toBe(false);
  for (const before of ["0", "1784112000", "99999999999"]) expect(candles({ symbol: "EUR/USD", before })).toBe(true);
  for (const before of ["", "-1", "1e9", "1.5", "100000000000"]) expect(candles({ symbol: "EUR/USD", before })).toBe(false);
  expect(v.parse(streamQuotes.query, { symbols: "EUR/USD, BTC/USD,EUR/USD" })).toEqual({ symbols: ["EUR/USD", "BTC/USD"] });
  expect(v.safeParse(streamQuotes.query, { symbols: "EUR/USD,toString" }).success).toBe(false);
});
