import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { openDom, SilentEventSource, type TestDom } from "../../src/testing/dom";
import { eurUsd } from "../../src/testing/positions";
import type { Position } from "../../src/trading/schema";
import type { Quote } from "../../src/trading/rules_prices";
import { begin, clearTradingStore, connected, history } from "../runtime/trading_store";
import { Positions } from "./Positions";

const account = { id: "a1", accountNumber: "ACC1", accountType: "Starter", isDemo: true, balance: "10000.00", spreadsFrom: "3.3" } as TradingAccount;
const quote = (symbol: string, bid: string, ask: string): Quote => ({ symbol, bid, ask, time: "2026-01-05T10:00:00.000Z", stale: false, open: true });

type Sent = { url: string; key: string | null; body: unknown };
let dom: TestDom;
let sent: Sent[];
let answers: unknown[];
const ownFetch = globalThis.fetch;

beforeEach(async () => {
  dom = await openDom();
  sent = [];
  answers = [];
  globalThis.fetch = (async (url: string, { headers, body }: { headers: Record<string, string>; body: string | null }) => {
    sent.push({ url, key: headers["Idempotency-Key"] ?? null, body: body && (JSON.parse(body) as unknown) });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    if (answer instanceof Response) return answer;
    return Response.json(answer);
  }) as unknown as typeof fetch;
});
afterEach(async () => {
  await dom.close();
  globalThis.fetch = ownFetch;
  clearTradingStore();
});

const draw = (positions: Position[]) => dom.draw(<Positions positions={positions} accounts={[account]} accountId="a1" />);
const say = (event: string, data: unknown) => dom.act(async () => SilentEventSource.opened.at(-1)?.say(event, data));
const cell = (row: string, name: string) => dom.find(`[data-row=${row}] [data-cell=${name}]`).lastChild?.textContent;

test("profit floats with the account's own closing price, to the cent", async () => {
  await draw([eurUsd()]);
  expect(cell("p1", "profit")).toBe("▼−$0.18");
  await say("quotes", [quote("EUR/USD", "1.10070", "1.10073")]);
  expect(cell("p1", "current")).toBe("1.100550");
  expect(cell("p1", "profit")).toBe("▲+$0.50");
});

test("a tick writes only the cells of its own symbol, and only what changed in them", async () => {
  await draw([eurUsd(), eurUsd({ id: "p2", symbol: "GBP/USD", openPrice: "1.27000000" })]);
  await say("quotes", [quote("EUR/USD", "1.10070", "1.10073"), quote("GBP/USD", "1.27100", "1.27103")]);
  const written = new Set<string | undefined>();
  const observer = new dom.window.MutationObserver((list) => {
    for (const { target } of list)
      written.add(((target.nodeType === 3 ? target.parentElement : target) as unknown as Element).closest<HTMLElement>("tr")?.dataset.row);
  });
  observer.observe(dom.window.document.body, { subtree: true, childList: true, characterData: true });
  await say("quotes", [quote("GBP/USD", "1.27110", "1.27113")]);
  await dom.window.happyDOM.waitUntilComplete();
  observer.disconnect();
  expect([...written]).toEqual(["p2"]);
});

test("Close acts at once with the price on the screen, and the position moves into the history", async () => {
  begin({ history: [] });
  await draw([eurUsd()]);
  await say("quotes", [quote("EUR/USD", "1.10070", "1.10073")]);
  answers = [eurUsd({ status: "closed", closePrice: "1.10055000", profit: "0.50", closeReason: "trader", closedAt: "2026-01-05T10:01:00.000Z" })];
  await dom.press(dom.button("Close EUR/USD"));
  expect(sent).toEqual([{ url: "/api/trading/positions/p1/close", key: expect.any(String), body: { currentPrice: "1.10055000" } }]);
  expect(dom.toast()).toBe("Position closedEUR/USD closed with +$0.50");
  expect(dom.find("body").textContent).toContain("No open positions");
  expect(history.value?.map(({ id, closeReason }) => [id, closeReason])).toEqual([["p1", "trader"]]);
});

test("what the engine closes leaves the list; what is opened elsewhere enters it", async () => {
  await draw([eurUsd()]);
  await say("position", eurUsd({ id: "p3", symbol: "USD/JPY", openPrice: "150.00000000" }));
  expect(cell("p3", "symbol")).toBe("USD/JPY");
  await say("position", eurUsd({ status: "closed", profit: "-5.00", closeReason: "stop_loss", closePrice: "1.09", closedAt: "2026-01-05T10:01:00.000Z" }));
  expect(dom.window.document.querySelector("[data-row=p1]")).toBeNull();
});

test("a waiting order can be cancelled, not closed", async () => {
  await draw([eurUsd({ status: "pending", openPrice: null, profit: null, currentPrice: null })]);
  answers = [eurUsd({ status: "cancelled" })];
  await dom.press(dom.button("Cancel BUY market EUR/USD"));
  expect(sent[0]?.url).toBe("/api/trading/positions/p1/cancel");
  expect(dom.toast()).toStartWith("Order cancelled");
});

test("all are closed only after a second word, and what stays open is named", async () => {
  await draw([eurUsd(), eurUsd({ id: "p2", symbol: "GBP/USD" })]);
  await dom.press(dom.button("Close All Positions"));
  expect(sent).toEqual([]);
  answers = [{ closed: [eurUsd({ status: "closed", profit: "0.00" })], refused: [{ id: "p2", symbol: "GBP/USD", message: "There is no current price." }] }];
  await dom.press(dom.button("Close 2 positions"));
  expect(sent[0]?.body).toEqual({ accountId: "a1" });
  expect(dom.toast()).toBe("1 position closedStill open. GBP/USD: There is no current price.");
  expect(cell("p2", "symbol")).toBe("GBP/USD");
});

test("stop and target are moved in the dialog; a wrong one stays with its message", async () => {
  await draw([eurUsd()]);
  await dom.press(dom.button("Edit EUR/USD"));
  await dom.type("#position-stopLoss", "-1");
  await dom.press(dom.button("Save changes"));
  expect(sent).toEqual([]);
  expect(dom.find("#position-stopLoss-error").textContent).toContain("Enter a price");
  answers = [eurUsd({ stopLoss: "1.05000000" })];
  await dom.type("#position-stopLoss", "1.05");
  await dom.press(dom.button("Save changes"));
  expect(sent[0]?.body).toEqual({ stopLoss: "1.05" });
  expect(cell("p1", "stop")).toBe("1.050000");
});

test("a part whose answer was lost is closed once, however often it is asked for", async () => {
  await draw([eurUsd()]);
  await dom.press(dom.button("Edit EUR/USD"));
  await dom.type("#position-amount", "400");
  answers = [new Error("offline"), eurUsd({ id: "p2", amount: "400.00", status: "closed", profit: "0.20", closedAt: "2026-01-05T10:01:00.000Z" })];
  await dom.press(dom.button("Close this amount"));
  await dom.press(dom.button("Close this amount"));
  expect(sent.map(({ body }) => body)).toEqual([{ amount: "400" }, { amount: "400" }]);
  expect(sent[1]?.key).toBe(sent[0]?.key ?? "");
  expect(dom.toast()).toBe("Position closed$400.00 of EUR/USD closed with +$0.20");
});

for (const status of [502, 503, 504])
  test(`a closing, of one or of all, that ${status} was said to is asked for again under its key and with the price it had`, async () => {
    await draw([eurUsd()]);
    const late = () => Response.json({ message: "This took too long.", code: "unavailable" }, { status });
    for (const button of ["Close EUR/USD", "Close All Positions"])
      for (const bid of ["1.10070", "1.10080"]) {
        await say("quotes", [quote("EUR/USD", bid, "1.10090")]);
        answers = [late()];
        await dom.press(dom.button(button));
        if (button === "Close All Positions") await dom.press(dom.button("Close 1 position"));
      }
    expect(sent).toHaveLength(4);
    expect(sent[1]).toEqual(sent[0] as Sent);
    expect(sent[3]).toEqual(sent[2] as Sent);
    expect(sent[2]?.key).not.toBe(sent[0]?.key as string);
    answers = [{ closed: [], refused: [] }, eurUsd({ status: "closed", profit: "0.00", closedAt: "2026-01-05T10:01:00.000Z" })];
    await dom.press(dom.button("Close All Positions"));
    await dom.press(dom.button("Close 1 position"));
    await dom.press(dom.button("Close EUR/USD"));
    expect([sent[4]?.key, sent[5]?.key]).toEqual([sent[2]?.key as string, sent[0]?.key as string]);
  });

test("what was missed before the stream began is asked for, and a price that can't be renewed is greyed", async () => {
  await draw([eurUsd()]);
  answers = [[eurUsd({ id: "p2" }), eurUsd()], [account]];
  await say("snapshot", [quote("EUR/USD", "1.10070", "1.10073")]);
  await dom.act(async () => void (await Bun.sleep(0)));
  expect(sent.map(({ url }) => url)).toEqual(["/api/trading/positions/open", "/api/trading-accounts"]);
  expect(dom.find("[data-row=p2]")).toBeTruthy();
  const shown = () => (dom.find("[data-row=p1] [data-cell=current]").lastChild as HTMLElement).className;
  expect(shown()).not.toContain("text-soft");
  await dom.act(async () => void (connected.value = false));
  expect(shown()).toContain("text-soft");
});
