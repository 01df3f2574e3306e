import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import type { TradingAccount } from "../../src/accounts/schema";
import { openDom, type TestDom } from "../../src/testing/dom";
import { holdFetches } from "../../src/testing/fetches";
import { eurUsd } from "../../src/testing/positions";
import type { Position } from "../../src/trading/schema";
import { clearTradingStore, takePosition } from "../runtime/trading_store";
import { forgetKept } from "../wire/kept";
import { toast } from "../wire/toasts";
import { chooseClosing, closingChoice, tellUnsent } from "./closing";
import { ClosingChoice } from "./ClosingChoice";
import { Positions } from "./Positions";

const live = { id: "a1", accountNumber: "ACC1", accountType: "Starter", isDemo: false, balance: "10000.00", spreadsFrom: "3.3" } as TradingAccount;
const position = eurUsd();
const closed: Position = {
  ...position,
  status: "closed",
  profit: "-1234.56",
  closePrice: "1.10055000",
  closeReason: "trader",
  closedAt: "2026-01-05T10:01:00.000Z",
};

let dom: TestDom;
let calls: ReturnType<typeof holdFetches>;
beforeEach(async () => {
  dom = await openDom();
  calls = holdFetches({
    "POST /api/trading/positions/p1/close": () => Response.json(closed),
    "POST /api/trading/positions/close-all": () => Response.json({ closed: [closed], refused: [] }),
  });
});
afterEach(async () => {
  jest.useRealTimers();
  await dom.close();
  calls.end();
  clearTradingStore();
});

const draw = (account = live) => dom.draw(<Positions positions={[position]} accounts={[account]} accountId="a1" />);
const sent = () => calls.sent.map(({ at }) => at);
const CLOSE = ["POST /api/trading/positions/p1/close"];
/** From here on time passes where the test says so. */
async function drawHeld() {
  chooseClosing("undo");
  await draw();
  jest.useFakeTimers();
}
const pass = (ms: number) => dom.act(async () => void jest.advanceTimersByTime(ms));
/** The page goes, with all that its scripts knew, and the next one is there. */
async function leave() {
  await dom.act(async () => void dom.window.dispatchEvent(new dom.window.Event("pagehide")));
  await pass(60_000);
  forgetKept();
  await dom.act(async () => tellUnsent());
}

test("live money is closed after a question, unless its owner chose otherwise; virtual money at once", async () => {
  await draw();
  await dom.press(dom.button("Close EUR/USD"));
  expect(sent()).toEqual([]);
  expect(dom.find("dialog[open]").textContent).toContain("BUY EUR/USD $1,000.00 of live money");
  await dom.press(dom.button("Keep it open"));
  expect(dom.window.document.querySelector("dialog[open]")).toBeNull();
  await dom.press(dom.button("Close EUR/USD"));
  await dom.press(dom.button("Close position"));
  expect(sent()).toEqual(CLOSE);
  expect(dom.toast()).toBe("Position closedEUR/USD closed with −$1,234.56");
});

for (const [what, choice, account] of [
  ["of a demo account", "ask", { ...live, isDemo: true }],
  ["whose owner chose so", "now", live],
] as const)
  test(`a position ${what} closes at once`, async () => {
    chooseClosing(choice);
    await draw(account);
    await dom.press(dom.button("Close EUR/USD"));
    expect(sent()).toEqual(CLOSE);
  });

test("with five seconds to undo nothing is sent before they are over; undone, nothing at all", async () => {
  await drawHeld();
  await dom.press(dom.button("Close EUR/USD"));
  expect(dom.button("Undo closing EUR/USD").textContent).toBe("Undo (5 s)");
  await pass(3000);
  expect(dom.button("Undo closing EUR/USD").textContent).toBe("Undo (2 s)");
  await dom.press(dom.button("Undo closing EUR/USD"));
  expect(dom.toast()).toBe("Not closedBUY EUR/USD $1,000.00 stays open.");
  await pass(60_000);
  expect(sent()).toEqual([]);
  await dom.press(dom.button("Close EUR/USD"));
  await pass(4999);
  expect(sent()).toEqual([]);
  await pass(1);
  expect(sent()).toEqual(CLOSE);
});

test("a part, and all of an account, wait likewise", async () => {
  await drawHeld();
  await dom.press(dom.button("Edit EUR/USD"));
  await dom.type("#position-amount", "400");
  await dom.press(dom.button("Close this amount"));
  await pass(4999);
  expect(sent()).toEqual([]);
  await pass(1);
  expect(calls.sent.map(({ body }) => body)).toEqual([{ amount: "400" }]);
  await draw();
  await dom.act(async () => takePosition(position));
  await dom.press(dom.button("Close All Positions"));
  await dom.press(dom.button("Close 1 position"));
  await pass(2000);
  await dom.press(dom.button("Undo closing all (3 s)"));
  await pass(60_000);
  expect(sent()).toEqual(CLOSE);
  await dom.press(dom.button("Close All Positions"));
  await dom.press(dom.button("Close 1 position"));
  await pass(5000);
  expect(sent()).toEqual([...CLOSE, "POST /api/trading/positions/close-all"]);
});

test("a page that is left sends nothing, and the next one says so, once", async () => {
  await drawHeld();
  await dom.press(dom.button("Close EUR/USD"));
  await pass(2000);
  await leave();
  expect(sent()).toEqual([]);
  const told = "Not closedYou left before the five seconds were over, so nothing was sent: BUY EUR/USD $1,000.00 stayed open.";
  expect(dom.toast()).toBe(told);
  await dom.press(dom.button("Close EUR/USD"));
  await dom.press(dom.button("Undo closing EUR/USD"));
  await leave();
  expect(dom.toast()).not.toBe(told);
});

test("a page that slept sends nothing: nobody saw the price of that moment", async () => {
  await drawHeld();
  await dom.press(dom.button("Close EUR/USD"));
  jest.setSystemTime(Date.now() + 60_000);
  await pass(5000);
  expect(sent()).toEqual([]);
  expect(dom.toast()).toStartWith("Not closed");
  expect(dom.button("Close EUR/USD").disabled).toBe(false);
});

test("what was closed elsewhere meanwhile is not closed again", async () => {
  await drawHeld();
  await dom.press(dom.button("Close EUR/USD"));
  await dom.act(async () => takePosition(closed));
  await pass(5000);
  expect(sent()).toEqual([]);
});

test("a closing without an answer is not said to have failed, whichever way it was asked for", async () => {
  for (const path of ["p1/close", "close-all"])
    calls.answers[`POST /api/trading/positions/${path}`] = () => new Response("<h1>Gateway Time-out</h1>", { status: 504 });
  chooseClosing("now");
  await draw();
  const told: string[] = [];
  const press = async (...names: string[]) => {
    for (const name of names) await dom.press(dom.button(name));
    told.push(dom.toast());
    await dom.act(async () => void toast({ title: "Another" }));
  };
  await press("Close EUR/USD");
  await press("Close All Positions", "Close 1 position");
  await press("Edit EUR/USD", "Close this amount");
  expect(sent()).toHaveLength(3);
  expect(told).toEqual(Array.from({ length: 3 }, () => "No answer yetNo answer came. Press again to make sure: it is not done twice."));
});

test("the choice is made once for this device", async () => {
  await dom.draw(<ClosingChoice />);
  expect(dom.find<HTMLInputElement>("#closing-ask").checked).toBe(true);
  await dom.press(dom.find("#closing-undo"));
  expect(closingChoice()).toBe("undo");
  expect(dom.find<HTMLInputElement>("#closing-undo").checked).toBe(true);
  expect(dom.toast()).toBe("Closing live positionsFive seconds to undo");
});
