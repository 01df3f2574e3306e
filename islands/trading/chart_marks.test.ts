import { afterEach, beforeEach, expect, test } from "bun:test";
import type { CreatePriceLineOptions, IChartApi, ISeriesApi } from "lightweight-charts";
import { openDom, type TestDom } from "../../src/testing/dom";
import { eurUsd } from "../../src/testing/positions";
import { ChartMarks, placesOf } from "./chart_marks";

let dom: TestDom;
let lines: CreatePriceLineOptions[];
let marks: ChartMarks;
/** Of the prices' pane, in pixels. */
let height: number;
let heightOf: (price: number) => number;
beforeEach(async () => {
  dom = await openDom();
  lines = [];
  height = 60;
  heightOf = () => 100;
  const ground = dom.window.document.body.appendChild(dom.window.document.createElement("div")) as unknown as HTMLElement;
  const series = {
    attachPrimitive: () => {},
    createPriceLine: (line: CreatePriceLineOptions) => {
      lines.push(line);
      return Object.assign(line, { options: () => line, applyOptions: (more: object) => Object.assign(line, more) });
    },
    removePriceLine: (line: CreatePriceLineOptions) => void lines.splice(lines.indexOf(line), 1),
    priceToCoordinate: (price: number) => heightOf(price),
    getPane: () => ({ getHeight: () => height }),
  } as unknown as ISeriesApi<"Candlestick">;
  const chart = { priceScale: () => ({ width: () => 60 }) } as unknown as IChartApi;
  marks = new ChartMarks({
    ground,
    chart,
    series,
    colour: (token) => `#${token}`,
    headroom: () => 0,
    accountId: "a1",
    symbol: () => "EUR/USD",
    last: () => 1.1,
    cross: () => null,
  });
});
afterEach(async () => {
  marks.close();
  await dom.close();
});

const order = eurUsd({ status: "pending", orderType: "limit", openPrice: null, triggerPrice: "1.08000000", stopLoss: "1.07000000", takeProfit: "1.09000000" });
const planned = () => lines.filter(({ title }) => title).map(({ title, price, color }) => [title, price, color]);

test("stop and target of a waiting order are faint lines with words; they follow an edit and leave with the order", () => {
  Object.defineProperty(dom.window.document.body.lastElementChild, "clientWidth", { value: 1000 });
  marks.mark([order]);
  expect(planned()).toEqual([
    ["Stop of buy limit", 1.07, "#loss80"],
    ["Target of buy limit", 1.09, "#gain80"],
  ]);
  marks.mark([{ ...order, stopLoss: "1.06000000", takeProfit: null }]);
  expect(planned()).toEqual([["Stop of buy limit", 1.06, "#loss80"]]);
  marks.redraw();
  expect(planned()).toHaveLength(1);
  // Once it has filled they are its handles' own lines.
  marks.mark([{ ...order, status: "open", openPrice: "1.08000000" }]);
  expect(planned()).toEqual([]);
});

test("prices at the scale that would cover each other go unsaid there: where exits will stand first, then the orders' own; all come back with room", () => {
  const labelled = () =>
    lines
      .filter(({ axisLabelVisible }) => axisLabelVisible)
      .map(({ price }) => price)
      .toSorted();
  // The newest price stands there, too, and they go down from it.
  heightOf = (price) => (price === 1.1 ? 10 : 40);
  height = 80;
  marks.mark([order]);
  expect(labelled()).toEqual([1.07, 1.08, 1.09]);
  height = 60;
  marks.place();
  expect(labelled()).toEqual([1.08]);
  // Above the newest price there is none for these.
  heightOf = (price) => (price === 1.1 ? 40 : 30);
  height = 200;
  marks.place();
  expect(labelled()).toEqual([1.08]);
  heightOf = (price) => (price === 1.1 ? 20 : 10);
  marks.place();
  expect(labelled()).toEqual([]);
  // What lies out of sight needs no room.
  heightOf = (price) => (price === 1.1 ? 20 : -10);
  marks.place();
  expect(labelled()).toEqual([1.07, 1.08, 1.09]);
});

test("what finds no room is stacked behind one button, which counts it and brings it to the front", () => {
  const { document, HTMLElement } = dom.window;
  // The test's chart is so low that one has room.
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { get: () => 20 });
  Object.defineProperty(HTMLElement.prototype, "offsetWidth", { get: () => 40 });
  marks.mark(Array.from({ length: 6 }, (_, n) => ({ ...order, id: `order ${n}`, triggerPrice: `1.0800${n}000` })));
  const all = <E = HTMLElement>(selector: string) => [...document.querySelectorAll(selector)] as unknown as E[];
  const button = all("button").find((each) => each.textContent?.includes("more"));
  expect(button?.textContent).toBe("+ 5 more");
  const handles = all("[role=slider]");
  const hidden = () => handles.map(({ style }) => style.opacity);
  expect(hidden()).toEqual(["", "0", "0", "0", "0", "0"]);
  button?.click();
  const items = all("[role=menuitem]");
  expect(items.map(({ textContent }) => textContent?.slice(-7))).toEqual(["1.08001", "1.08002", "1.08003", "1.08004", "1.08005"]);
  items[4]?.click();
  expect(document.activeElement).toBe(handles[5] as never);
  expect(hidden()).toEqual(["", "0", "0", "0", "0", ""]);
  marks.mark([order]);
  expect(button?.parentElement?.hidden).toBe(true);
});

test("handles at one price part into rows that the chart has, and beside one another; what finds no room has no place", () => {
  const each = { at: 100, width: 90, height: 20 };
  const places = placesOf(Array(9).fill(each), 200, 200);
  expect(new Set(places.map((place) => `${place?.left} ${place?.top}`)).size).toBe(9);
  expect(places.slice(0, 4)).toEqual([
    { left: 0, top: 100 },
    { left: 94, top: 100 },
    { left: 0, top: 124 },
    { left: 94, top: 124 },
  ]);
  for (const place of places) expect([place && place.top > 10, place && place.top < 180]).toEqual([true, true]);
  expect(placesOf(Array(40).fill(each), 200, 200).filter(Boolean)).toHaveLength(14);
});
