import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ISeriesApi } from "lightweight-charts";
import { openDom, type TestDom } from "../../src/testing/dom";
import type { Position } from "../../src/trading/schema";
import { exitMarks } from "./chart_exits";
import { Handle } from "./chart_handle";

const position = {
  id: "p1",
  symbol: "EUR/USD",
  type: "buy",
  amount: "1000.00",
  openPrice: "1.10000000",
  stopLoss: null,
  takeProfit: null,
  status: "open",
} as Position;

let dom: TestDom;
beforeEach(async () => {
  dom = await openDom();
  const ground = dom.window.document.body.appendChild(dom.window.document.createElement("div")) as unknown as HTMLElement;
  const line = { applyOptions: () => {} };
  const series = {
    attachPrimitive: () => {},
    createPriceLine: () => line,
    removePriceLine: () => {},
    priceToCoordinate: () => 100,
    coordinateToPrice: () => 1.1,
  } as unknown as ISeriesApi<"Candlestick">;
  for (const mark of exitMarks(position, () => 1.1)) new Handle({ ground, series, colour: () => "red", headroom: () => 0 }, ground, mark, () => {});
});
afterEach(() => dom.close());

const target = () => dom.find("div[aria-label^='Add a target'], div[aria-label^='Target']");
const say = (kind: string) => target().dispatchEvent(new dom.window.PointerEvent(kind, { bubbles: true, cancelable: true, button: 0 }) as unknown as Event);

test("a swipe that begins on an offer drafts nothing; a press does", () => {
  expect(say("pointerdown")).toBe(true);
  say("pointermove");
  say("pointercancel");
  expect(target().textContent).toBe("+ Target");
  say("pointerdown");
  say("pointerup");
  target().click();
  expect(target().textContent).toStartWith("Target 1.102000");
});
