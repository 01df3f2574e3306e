import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { clearTradingStore, history } from "../runtime/trading_store";
import TradeHistory from "./TradeHistory";

const closed = {
  id: "p1",
  accountId: "a1",
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  openPrice: "1.10000000",
  closePrice: "1.10055000",
  profit: "0.50",
  status: "closed",
  closedAt: "2026-01-05T10:00:00.000Z",
  closeReason: "trader",
  correction: null,
};

let dom: TestDom;
let asked: string[];
let answer: () => Promise<Response>;
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  asked = [];
  globalThis.fetch = (async (url: string) => {
    asked.push(url);
    return answer();
  }) as unknown as typeof fetch;
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
  clearTradingStore();
});

test("a page without it asks for the account's own history, and again where that failed", async () => {
  answer = () => Promise.reject(new TypeError("no network"));
  await dom.draw(<TradeHistory history={null} cancelled={[]} accountId="a1" />);
  expect(dom.find("[role=alert]").textContent).toContain("The trade history could not be loaded.");
  answer = async () => Response.json([closed]);
  await dom.press(dom.button("Try again"));
  expect(dom.find("[data-row=p1] [data-cell=reason]").textContent).toContain("Closed by you");
  expect(asked).toEqual(Array(2).fill("/api/trading/positions/history?limit=100&accountId=a1"));
  expect(history.value).toHaveLength(1);
});

test("whoever objects to a correction reads what was settled and what the market's result was", async () => {
  answer = async () =>
    Response.json([
      { ...closed, profit: "-1234.56", correction: { administrator: "Ann Boss", reason: "A wrong price", settledProfit: "-1234.56", marketProfit: "0.50" } },
    ]);
  await dom.draw(<TradeHistory history={null} cancelled={[]} accountId="a1" />);
  await dom.press(dom.button("Dispute the settlement of EUR/USD"));
  expect(dom.find("dialog[open]").textContent).toContain("Ann Boss settled it with −$1,234.56; the market result was +$0.50.");
});
