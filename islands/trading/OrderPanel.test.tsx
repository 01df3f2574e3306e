import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { priceText, priceUnits } from "../../src/lib/money";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { accountPrice } from "../../src/trading/rules";
import { dealPrice, type Quote } from "../../src/trading/rules_prices";
import { forgetKept } from "../wire/kept";
import { clearTradingStore } from "../runtime/trading_store";
import { selectedSymbol } from "../runtime/selection";
import { OrderPanel } from "./OrderPanel";

const account: TradingAccount = {
  id: "6d9c3f0a-7a53-4f0e-9a55-0d9f3b7f2a11",
  accountNumber: "ACC1",
  accountType: "Starter",
  accountTypeId: "starter",
  balance: "10000.00",
  equity: "10000.00",
  margin: "0.00",
  freeMargin: "10000.00",
  advance: "0.00",
  marginLevel: null,
  isDemo: true,
  status: "active",
  leverage: "1:100",
  spreadsFrom: "3.3",
  minimumDeposit: "300.00",
  name: null,
  fundedTotal: "0.00",
  lastTradedAt: null,
  createdAt: "2026-01-05T10:00:00.000Z",
  updatedAt: "2026-01-05T10:00:00.000Z",
};
const quote: Quote = { symbol: "EUR/USD", bid: "1.08420000", ask: "1.08425000", time: "2026-01-05T10:00:00.000Z", stale: false, open: true };
/** 3.3 pips about the market's middle: exact, with its half point. */
const OWN = accountPrice({ bid: 108_420_000, ask: 108_425_000 }, 10_000, "3.3");

type Sent = { url: string; key: string | null; body: Record<string, unknown> };
let dom: TestDom;
let sent: Sent[];
let answer: () => Promise<Response>;
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  sent = [];
  answer = async () => Response.json({ id: "p1", accountId: account.id, symbol: "EUR/USD", type: "buy", status: "open" }, { status: 201 });
  globalThis.fetch = (async (url: string, { headers, body }: { headers: Record<string, string>; body: string }) => {
    sent.push({ url, key: headers["Idempotency-Key"] ?? null, body: JSON.parse(body) as Record<string, unknown> });
    return answer();
  }) as unknown as typeof fetch;
  await dom.draw(<OrderPanel account={account} symbol="EUR/USD" quote={quote} blocked={null} />);
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
  clearTradingStore();
  selectedSymbol.value = "EUR/USD";
});

const shown = (side: string) => dom.find(`[data-price=${side}]`).textContent;
const value = (id: string) => dom.find<HTMLInputElement>(`#${id}`).value;

test("shows exactly the prices that the server would fill at", () => {
  expect(shown("buy")).toBe(dealPrice(priceText(OWN.ask), "EUR/USD"));
  expect(shown("sell")).toBe(dealPrice(priceText(OWN.bid), "EUR/USD"));
  expect(shown("buy")).toBe("1.084390");
  expect(dom.find("form").textContent).toContain("Spread 3.3 pips");
});

test("follows the stream, with the tier's spread about the new middle", async () => {
  const news = { ...quote, bid: "1.08600000", ask: "1.08601000" };
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [news]));
  expect(shown("buy")).toBe("1.086170");
  expect(priceUnits("1.08617")).toBe(accountPrice({ bid: 108_600_000, ask: 108_601_000 }, 10_000, "3.3").ask);
});

for (const amount of ["0", "-5", ""])
  test(`an amount of '${amount}' is not sent, and says so`, async () => {
    await dom.type("#order-amount", amount);
    await dom.press(dom.button("Execute BUY EUR/USD"));
    expect(dom.toast()).toBe("Invalid AmountPlease enter a valid trade amount");
    await dom.press(dom.button("Preview Trade"));
    expect(dom.toast()).toBe("Invalid AmountPlease enter a valid trade amount to preview");
    expect(sent).toEqual([]);
  });

test("sends what is on the screen, then starts afresh", async () => {
  await dom.type("#order-amount", "1500");
  await dom.type("#order-stopLoss", "1.08");
  await dom.type("#order-takeProfit", "1.09");
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(sent).toHaveLength(1);
  expect(sent[0]?.url).toBe("/api/trading/positions");
  expect(sent[0]?.body).toEqual({
    symbol: "EUR/USD",
    type: "buy",
    amount: "1500",
    accountId: account.id,
    currentPrice: priceText(OWN.ask),
    stopLoss: "1.08",
    takeProfit: "1.09",
  });
  expect(dom.toast()).toBe("Trade ExecutedBUY order for $1500 on EUR/USD has been placed successfullySee the position");
  expect([value("order-amount"), value("order-stopLoss"), value("order-takeProfit")]).toEqual(["1000", "", ""]);
});

for (const [field, label, side] of [
  ["stopLoss", "Stop loss", "below"],
  ["takeProfit", "Take profit", "above"],
] as const)
  test(`a refusal of ${field} stays at its field, in its words, and the order stays as it was`, async () => {
    const message = `${field} must be ${side} the current price for a buy`;
    answer = async () => Response.json({ message, code: "invalid", fields: { [field]: message } }, { status: 400 });
    await dom.type(`#order-${field}`, "2");
    await dom.press(dom.button("Execute BUY EUR/USD"));
    const shown = `${label} must be ${side} the current price for a buy`;
    expect(dom.toast()).toBe(`Trade Failed${shown}`);
    expect(dom.find(`#order-${field}-error`).textContent).toBe(shown);
    expect(value(`order-${field}`)).toBe("2");
  });

test("an order whose answer was lost goes again word for word under its key; an answered one gets a new key", async () => {
  answer = async () => {
    throw new TypeError("network");
  };
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(dom.toast()).toBe("No answer yetNo answer came. Press again to make sure: it is not done twice.");
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [{ ...quote, bid: "1.08600000", ask: "1.08601000" }]));
  answer = async () => Response.json({ message: "Not enough.", code: "insufficient_margin" }, { status: 422 });
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(sent[1]).toEqual(sent[0] as Sent);
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(sent[2]?.key).not.toBe(sent[0]?.key as string);
  expect(sent[2]?.body.currentPrice).not.toBe(sent[0]?.body.currentPrice);
});

for (const [what, lost] of [
  ["a proxy gave it up (504)", () => new Response("<h1>Gateway Time-out</h1>", { status: 504 })],
  ["the server itself came too late (503)", () => Response.json({ message: "This took too long.", code: "unavailable" }, { status: 503 })],
] as const)
  test(`an order after which ${what} is the same order in whichever panel it is pressed again`, async () => {
    answer = async () => lost();
    await dom.type("#order-amount", what.length.toString());
    await dom.press(dom.button("Execute BUY EUR/USD"));
    await dom.draw(<></>);
    await dom.draw(<OrderPanel account={account} symbol="EUR/USD" quote={{ ...quote, bid: "1.09" }} blocked={null} />);
    answer = async () => Response.json({ id: "p1", accountId: account.id, symbol: "EUR/USD", type: "buy", status: "open" }, { status: 201 });
    await dom.type("#order-amount", what.length.toString());
    await dom.press(dom.button("Execute BUY EUR/USD"));
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0] as Sent);
  });

/** The page is loaded again: what its scripts knew is gone. */
async function reload() {
  await dom.draw(<></>);
  clearTradingStore();
  forgetKept();
  await dom.draw(<OrderPanel account={account} symbol="EUR/USD" quote={quote} blocked={null} />);
}
const written = () => [value("order-symbol"), value("order-side"), value("order-amount"), value("order-stopLoss"), value("order-takeProfit")];

test("what is written outlasts a reload, until it is sent or taken back", async () => {
  await dom.choose("#order-side", "sell");
  await dom.type("#order-amount", "250");
  await dom.type("#order-stopLoss", "1.09");
  await dom.choose("#order-symbol", "GBP/USD");
  dom.window.history.replaceState(null, "", "/traders-portal");
  await reload();
  expect(written()).toEqual(["GBP/USD", "sell", "250", "1.09", ""]);
  await dom.type("#order-amount", "1000");
  await dom.type("#order-stopLoss", "");
  await reload();
  expect(written()).toEqual(["EUR/USD", "buy", "1000", "", ""]);
  await dom.type("#order-amount", "275");
  answer = async () => new Response("<h1>Gateway Time-out</h1>", { status: 504 });
  await dom.press(dom.button("Execute BUY EUR/USD"));
  await reload();
  expect(written()).toEqual(["EUR/USD", "buy", "275", "", ""]);
  answer = async () => Response.json({ id: "p1", accountId: account.id, symbol: "EUR/USD", type: "buy", status: "open" }, { status: 201 });
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(sent[1]).toEqual(sent[0] as Sent);
  await reload();
  expect(written()).toEqual(["EUR/USD", "buy", "1000", "", ""]);
});

test("a draft is its account's alone, and gives way to the pair that the address names", async () => {
  await dom.type("#order-stopLoss", "1.07");
  dom.window.history.replaceState(null, "", "/traders-portal?symbol=EUR/USD");
  await reload();
  expect(written()).toEqual(["EUR/USD", "buy", "1000", "1.07", ""]);
  dom.window.history.replaceState(null, "", "/traders-portal?symbol=GBP/USD");
  await reload();
  expect(value("order-stopLoss")).toBe("");
  dom.window.history.replaceState(null, "", "/traders-portal");
  await dom.draw(<></>);
  await dom.draw(<OrderPanel account={{ ...account, id: "another" }} symbol="EUR/USD" quote={quote} blocked={null} />);
  expect(value("order-stopLoss")).toBe("");
});

test("two presses at the same moment are one order", async () => {
  const button = dom.button("Execute BUY EUR/USD");
  await dom.act(async () => {
    button.click();
    button.click();
  });
  expect(sent[1]?.key ?? sent[0]?.key).toBe(sent[0]?.key as string);
});

test("a stale price is no price to trade on", async () => {
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [{ ...quote, stale: true }]));
  expect(dom.button("Execute BUY EUR/USD").disabled).toBe(true);
  expect(dom.find("#order-note").textContent).toStartWith("Stale price");
});

test("in a closed market the order waits, and the panel says so", async () => {
  await dom.act(async () => SilentEventSource.opened.at(-1)?.say("quotes", [{ ...quote, open: false }]));
  expect(dom.button("Execute BUY EUR/USD").disabled).toBe(false);
  expect(dom.find("#order-note").textContent).toContain("The market is closed.");
  answer = async () => Response.json({ id: "p1", accountId: account.id, symbol: "EUR/USD", type: "buy", status: "pending" }, { status: 201 });
  await dom.press(dom.button("Execute BUY EUR/USD"));
  expect(dom.toast()).toStartWith("Order Waiting");
});

test("S and B choose the side while nobody writes", async () => {
  await dom.key("s");
  expect(dom.button("Execute SELL EUR/USD").disabled).toBe(false);
  await dom.key("b");
  expect(dom.button("Execute BUY EUR/USD").disabled).toBe(false);
});

test("the preview says what the order would mean, and executes it", async () => {
  await dom.type("#order-stopLoss", "1.08");
  await dom.press(dom.button("Preview Trade"));
  const dialog = dom.find("#trade-preview").textContent ?? "";
  expect(dialog).toContain("Stop loss scenario at 1.08000");
  for (const words of [
    "Trade Preview Analysis",
    "BUY EUR/USD",
    "Margin required$10.00",
    "10 pips",
    "200 pips",
    "Stop loss scenario at 1.08",
    "Spread cost$0.30",
    "1:100",
    "Risk warning",
  ])
    expect(dialog).toContain(words);
  await dom.press(dom.button("Confirm & Execute BUY"));
  expect(sent).toHaveLength(1);
  expect(dom.find<HTMLDialogElement>("#trade-preview").open).toBe(false);
});

/** The fields of a waiting order come later than the press that asks for them. */
async function chosen(type: string) {
  await dom.press(dom.find(`input[value=${type}]`));
  for (let tries = 0; tries < 500 && !dom.window.document.querySelector("#order-sentence"); tries++) await dom.act(() => Bun.sleep(10));
}
const sentence = () => dom.find("#order-sentence").textContent;

test("a limit order begins on its side of the price, says what it will do, and is sent with its terms", async () => {
  await chosen("limit");
  expect(value("order-triggerPrice")).toBe("1.08339");
  expect(sentence()).toBe("Buys $1,000 of EUR/USD when the ask reaches 1.08339 or less, until cancelled.");
  await dom.choose("#order-side", "sell");
  expect(value("order-triggerPrice")).toBe("1.08506");
  await dom.choose("#order-side", "buy");
  await dom.type("#order-triggerPrice", "1.0830");
  await dom.type("#order-trailingDistance", "0.0020");
  answer = async () =>
    Response.json({ ...sent.at(-1)?.body, id: "p1", status: "pending", amount: "1000.00", stopLoss: null, takeProfit: null }, { status: 201 });
  await dom.press(dom.button("Place BUY limit EUR/USD"));
  expect(dom.toast()).toStartWith("Order PlacedBuys $1,000 of EUR/USD when the ask reaches 1.08300 or less, until cancelled.");
  expect(sent.at(-1)?.body).toEqual({
    symbol: "EUR/USD",
    type: "buy",
    amount: "1000",
    accountId: account.id,
    currentPrice: priceText(OWN.ask),
    stopLoss: null,
    takeProfit: null,
    orderType: "limit",
    triggerPrice: "1.0830",
    limitPrice: null,
    expiresAt: null,
    trailingDistance: "0.0020",
    breakEvenAt: null,
    ocoGroup: null,
  });
});

test("what the server would refuse of a waiting order is said at its field before it is sent", async () => {
  await chosen("stop");
  await dom.type("#order-triggerPrice", "1.08");
  await dom.press(dom.button("Place BUY stop EUR/USD"));
  expect(sent).toEqual([]);
  expect(dom.find("#order-triggerPrice-error").textContent).toBe("Stop price must be above the current price for a buy stop");
  await chosen("stop_limit");
  await reload();
  await chosen("stop_limit");
  expect(value("order-triggerPrice")).toBe("1.08");
});
