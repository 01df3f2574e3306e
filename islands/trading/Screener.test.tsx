import { afterEach, beforeEach, expect, test } from "bun:test";
import type { LiveQuote, MarketItem } from "../../src/market/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { holdFetches, refusal } from "../../src/testing/fetches";
import { CryptoTable } from "../market/CryptoTable";
import { clearTradingStore } from "../runtime/trading_store";
import { Screener } from "./Screener";

const TIME = "2026-01-05T10:00:00.000Z";
const quote = (symbol: string, bid: string, ask: string, over: Partial<LiveQuote> = {}): LiveQuote => ({
  id: symbol,
  symbol,
  bid,
  ask,
  spread: "0.50",
  change: "-0.00120000",
  changePercent: "-0.11",
  high: "1.11000000",
  low: "1.09000000",
  lastUpdate: TIME,
  stale: false,
  open: true,
  ...over,
});
const coin = (symbol: string, bid: string, ask: string): MarketItem => ({
  id: symbol,
  symbol,
  bid,
  ask,
  spread: "1",
  timestamp: TIME,
  stale: false,
  open: true,
});

const ACCOUNT = { id: "a1", spreadsFrom: "0.5" };

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({});
});
afterEach(async () => {
  await dom.close();
  calls.end();
  clearTradingStore();
});

const words = () => dom.window.document.body.textContent ?? "";
const row = (symbol: string) => dom.find(`[data-row="${symbol}"]`).textContent ?? "";
const draw = (quotes: LiveQuote[]) => dom.draw(<Screener quotes={quotes} pairs="major" account={ACCOUNT} symbol="EUR/USD" simulated />);
const cameBack = () => dom.act(async () => void dom.window.document.dispatchEvent(new dom.window.Event("visibilitychange")));

test("Refresh shows what the market says now", async () => {
  await draw([quote("EUR/USD", "1.10000000", "1.10005000")]);
  expect(row("EUR/USD")).toContain("1.10000");
  calls.answers["GET /api/market/live"] = () => Response.json([quote("EUR/USD", "1.10110000", "1.10116000")]);
  await dom.press(dom.button("Refresh"));
  expect(row("EUR/USD")).toContain("1.10110");
  expect(row("EUR/USD")).toContain("0.60");
});

test("what can't be refreshed stays, and says that it is old; the next success takes that back", async () => {
  await draw([quote("EUR/USD", "1.10000000", "1.10005000")]);
  calls.answers["GET /api/market/live"] = () => refusal(503, "unavailable", "The service is briefly unavailable.");
  await dom.press(dom.button("Refresh"));
  expect(words()).toContain("The prices could not be refreshed; these are the last ones.");
  expect(row("EUR/USD")).toContain("1.10000");
  calls.answers["GET /api/market/live"] = () => Response.json([quote("EUR/USD", "1.10010000", "1.10015000")]);
  await dom.press(dom.button("Refresh"));
  expect(words()).not.toContain("could not be refreshed");
});

test("an answer that a later one overtook is thrown away", async () => {
  await draw([quote("EUR/USD", "1.10000000", "1.10005000")]);
  let slow: (response: Response) => void = () => {};
  calls.answers["GET /api/market/live"] = () => new Promise((resolve) => (slow = resolve));
  await dom.press(dom.button("Refresh"));
  calls.answers["GET /api/market/live"] = () => Response.json([quote("EUR/USD", "1.10020000", "1.10025000")]);
  await cameBack();
  await dom.act(async () => slow(Response.json([quote("EUR/USD", "1.09000000", "1.09005000")])));
  expect(row("EUR/USD")).toContain("1.10020");
});

test("a stale price and a closed market are named; minors are cards", async () => {
  await draw([
    quote("EUR/USD", "1.10000000", "1.10005000", { stale: true }),
    quote("USD/JPY", "150.00000000", "150.01000000", { open: false }),
    quote("EUR/GBP", "0.85000000", "0.85009000"),
  ]);
  expect(row("EUR/USD")).toContain("Stale");
  expect(row("USD/JPY")).toContain("Closed");
  expect(words()).not.toContain("EUR/GBP");
  await dom.press(dom.find("#tab-minor"));
  expect(row("EUR/GBP")).toContain("0.85000");
  expect(dom.window.location.search).toContain("pairs=minor");
});

test("the account's own prices, by the stream where it is newer, and SELL before BUY as on every screen", async () => {
  const wide = { id: "a1", spreadsFrom: "3.3" };
  await dom.draw(<Screener quotes={[quote("EUR/USD", "1.10000000", "1.10001000")]} pairs="major" account={wide} symbol="EUR/USD" simulated />);
  const cells = () => ["bid", "ask", "spread"].map((name) => dom.find(`[data-row="EUR/USD"] [data-cell=${name}]`).lastChild?.textContent);
  expect(cells()).toEqual(["1.099840", "1.100170", "3.30"]);
  const deals = [...dom.window.document.querySelectorAll('[data-row="EUR/USD"] [data-cell=trade] a')].map(({ textContent }) => textContent);
  expect(deals).toEqual(["SELL", "BUY"]);
  const news = (bid: string, ask: string) => ({ symbol: "EUR/USD", bid, ask, time: "2026-01-05T10:00:03.000Z", stale: false, open: true });
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [news("1.10100000", "1.10101000")]));
  expect(cells()).toEqual(["1.100840", "1.101170", "3.30"]);
  await dom.press(dom.find("[role=switch]"));
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [news("1.10200000", "1.10201000")]));
  expect(cells()).toEqual(["1.100840", "1.101170", "3.30"]);
  expect(words()).toContain("They stand still: an order fills at the prices of its moment.");
});

test("coins: loading until there is a price, then each with the ask as High and the bid as Low", async () => {
  await dom.draw(<CryptoTable items={[]} />);
  expect(words()).toContain("Loading live market data...");
  calls.answers["GET /api/market-data"] = () => Response.json([coin("BTC/USD", "90000.00", "90005.50"), coin("EUR/USD", "1.10", "1.11")]);
  await cameBack();
  expect(words()).not.toContain("EUR/USD");
  const cells = ["bid", "ask", "high", "low"].map((name) => dom.find(`[data-symbol="BTC/USD"] [data-cell=${name}]`).lastChild?.textContent);
  expect(cells).toEqual(["90,000.00", "90,005.50", "90,005.50", "90,000.00"]);
});
