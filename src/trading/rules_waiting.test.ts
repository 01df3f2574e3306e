import { expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import { dayEnd, distanceText, expiryText, firstTrigger, inScreenWords, orderFaults, orderSentence, orderWords, weekEnd } from "./rules_waiting";

const FRIDAY = "2026-11-27T22:00:00.000Z";
const NOW = Date.parse("2026-11-23T10:00:00.000Z");
const order = {
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  orderType: "limit",
  triggerPrice: "1.0840",
  limitPrice: null,
  expiresAt: FRIDAY,
  trailingDistance: null,
  breakEvenAt: null,
  ocoGroup: null,
  stopLoss: null,
  takeProfit: null,
} as const;
const prices = { bid: priceUnits("1.08420000"), ask: priceUnits("1.08453000") };

test("the sentence says which price fills what, and until when", () => {
  expect(orderSentence(order, NOW)).toBe("Buys $1,000 of EUR/USD when the ask reaches 1.08400 or less, until Friday 17:00 New York.");
  expect(orderSentence({ ...order, type: "sell", triggerPrice: "1.09", expiresAt: null }, NOW)).toBe(
    "Sells $1,000 of EUR/USD when the bid reaches 1.09000 or more, until cancelled.",
  );
  expect(orderSentence({ ...order, orderType: "stop", triggerPrice: "1.09" }, NOW)).toBe(
    "Buys $1,000 of EUR/USD at the market when the ask reaches 1.09000 or more, until Friday 17:00 New York.",
  );
  const stopLimit = { ...order, type: "sell", orderType: "stop_limit", triggerPrice: "1.08", limitPrice: "1.0795", expiresAt: null } as const;
  expect(orderSentence(stopLimit, NOW)).toBe("Sells $1,000 of EUR/USD at 1.07950 or more once the bid reaches 1.08000 or less, until cancelled.");
  expect(orderSentence({ ...stopLimit, setOff: true }, NOW)).toBe(
    "Sells $1,000 of EUR/USD when the bid reaches 1.07950 or more, since 1.08000 was reached, until cancelled.",
  );
});

test("an order at the market, its trail, its break-even and its group", () => {
  const market = { ...order, orderType: "market", triggerPrice: null, expiresAt: null, amount: "250.50" } as const;
  expect(orderSentence(market, NOW)).toBe("Buys $250.50 of EUR/USD at the price of this moment.");
  expect(orderSentence(market, NOW, true)).toBe("Buys $250.50 of EUR/USD at the first price after the market opens.");
  expect(orderSentence({ ...market, type: "sell", trailingDistance: "0.0020", breakEvenAt: "0.00155" }, NOW)).toBe(
    "Sells $250.50 of EUR/USD at the price of this moment. The stop loss then follows 20 pips behind the best ask, and never goes back. " +
      "With 15.5 pips of profit the stop loss moves to the opening price, once.",
  );
  expect(orderSentence({ ...order, ocoGroup: "g" }, NOW)).toEndWith("Of the waiting orders grouped with it the first that fills cancels the others.");
  expect([distanceText("0.01", "USD/JPY"), distanceText("150", "BTC/USD")]).toEqual(["1 pip", "150.00"]);
  expect([orderWords({ type: "buy", orderType: "stop_limit" }), orderWords({ type: "sell", orderType: "limit" })]).toEqual(["BUY stop-limit", "SELL limit"]);
});

test("an end that is far away has its date, and so has one without a now", () => {
  expect(expiryText(FRIDAY, null)).toBe("until Friday 27 November 2026 17:00 New York");
  expect(expiryText("2026-12-04T22:00:00.000Z", NOW)).toBe("until Friday 4 December 2026 17:00 New York");
  // A week on, 'Monday' would be today's.
  expect(expiryText("2026-11-30T10:00:00.000Z", NOW)).toBe("until Monday 30 November 2026 05:00 New York");
  expect(expiryText("2026-07-03T14:30:00.000Z", Date.parse("2026-07-01T00:00:00.000Z"))).toBe("until Friday 10:30 New York");
});

const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();

test("a day and a week end at New York's 17:00, in summer, in winter, and where clocks change", () => {
  expect(iso(dayEnd(at("2026-07-01T12:00:00Z"), "EUR/USD"))).toBe("2026-07-01T21:00:00.000Z");
  expect(iso(dayEnd(at("2026-07-01T21:00:00Z"), "EUR/USD"))).toBe("2026-07-02T21:00:00.000Z");
  expect(iso(dayEnd(at("2026-11-23T21:59:59Z"), "EUR/USD"))).toBe("2026-11-23T22:00:00.000Z");
  // Sunday 8 March 2026 has 23 hours, Sunday 1 November 25.
  expect(iso(dayEnd(at("2026-03-07T22:00:00Z"), "BTC/USD"))).toBe("2026-03-08T21:00:00.000Z");
  expect(iso(dayEnd(at("2026-10-31T21:30:00Z"), "BTC/USD"))).toBe("2026-11-01T22:00:00.000Z");
  expect(iso(dayEnd(at("2026-11-01T21:30:00Z"), "BTC/USD"))).toBe("2026-11-01T22:00:00.000Z");
  expect(iso(weekEnd(at("2026-03-05T12:00:00Z")))).toBe("2026-03-06T22:00:00.000Z");
  expect(iso(weekEnd(at("2026-03-06T22:00:00Z")))).toBe("2026-03-13T21:00:00.000Z");
  expect(iso(weekEnd(at("2026-10-30T21:00:00Z")))).toBe("2026-11-06T22:00:00.000Z");
});

test("on a weekend a pair's day is the one that begins on Sunday evening, a coin's today's", () => {
  const saturday = at("2026-11-28T12:00:00Z");
  expect(iso(dayEnd(saturday, "EUR/USD"))).toBe("2026-11-30T22:00:00.000Z");
  expect(iso(dayEnd(saturday, "BTC/USD"))).toBe("2026-11-28T22:00:00.000Z");
});

test("a trigger begins ten pips, or a tenth of a per cent, on the side where the order waits", () => {
  expect(firstTrigger("buy", "limit", prices, "EUR/USD")).toBe("1.08353");
  expect(firstTrigger("buy", "stop", prices, "EUR/USD")).toBe("1.08553");
  expect(firstTrigger("sell", "limit", prices, "EUR/USD")).toBe("1.08520");
  expect(firstTrigger("sell", "stop_limit", prices, "EUR/USD")).toBe("1.08320");
  expect(firstTrigger("buy", "stop", { bid: priceUnits("60000"), ask: priceUnits("60010") }, "BTC/USD")).toBe("60070.01");
});

test("what the server would refuse is said in its words, by field", () => {
  const faults = (change: object) => orderFaults({ ...order, ...change }, prices, NOW);
  expect(faults({})).toEqual({});
  expect(faults({ triggerPrice: "1.08453" })).toEqual({ triggerPrice: "triggerPrice must be below the current price for a buy limit" });
  expect(faults({ orderType: "stop_limit", limitPrice: "1.09" })).toEqual({
    triggerPrice: "triggerPrice must be above the current price for a buy stop-limit",
  });
  expect(faults({ type: "sell", triggerPrice: "1.0842" })).toEqual({ triggerPrice: "triggerPrice must be above the current price for a sell limit" });
  expect(faults({ orderType: "stop_limit", triggerPrice: "1.08", limitPrice: "1.09", setOff: true })).toEqual({
    limitPrice: "limitPrice must be below the current price for a buy stop-limit",
  });
  expect(faults({ stopLoss: "1.084", takeProfit: "1.08" })).toEqual({
    stopLoss: "stopLoss must be below triggerPrice for a buy",
    takeProfit: "takeProfit must be above triggerPrice for a buy",
  });
  expect(faults({ orderType: "market", triggerPrice: null, expiresAt: null, stopLoss: "1.0842" })).toEqual({
    stopLoss: "stopLoss must be below the current price for a buy",
  });
  expect(faults({ trailingDistance: "1.084" })).toEqual({ trailingDistance: "trailingDistance must be less than the price" });
  expect(faults({ expiresAt: iso(NOW) })).toEqual({ expiresAt: "expiresAt must be in the future" });
  expect(faults({ expiresAt: "2027-11-24T00:00:00.000Z" })).toEqual({ expiresAt: "expiresAt must be at most a year away" });
});

test("the screen's names stand in place of the call's", () => {
  expect(inScreenWords("triggerPrice must be below the current price for a buy limit", "limit")).toBe("Price must be below the current price for a buy limit");
  expect(inScreenWords("stopLoss must be below triggerPrice for a buy", "stop")).toBe("Stop loss must be below the stop price for a buy");
  expect(inScreenWords("Not enough.", "limit")).toBe("Not enough.");
});
