import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, shot } from "../browser";
import { legend, noteWords, openCharts, openTools } from "../browser_chart";
import { limit } from "../browser_orders";
import { THREE_INDICATORS } from "../chart_layout";

/** What stands on a chart beside its candles, where there is much of it and little room: nothing covers the figures or another's words. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());
beforeEach(() => site.price(1.0842));

/** Where the scales of the charts say these values. */
const saidAt = (page: Page, values: readonly string[]) =>
  page.evaluate(
    (wanted) => [...globalThis.written].flatMap(([canvas, texts]) => (canvas.isConnected ? wanted.flatMap((value) => texts[value] ?? []) : [])),
    values,
  );

/** A chart with three indicators, of which two have panes of their own, and past fills. */
async function crowded(size: { width: number; height: number; touch?: boolean }, orders: object[]): Promise<Page> {
  const page = await site.trader(size);
  await page.addInitScript(noteWords);
  const headers = { origin: new URL(site.base).origin };
  expect((await page.request.put("/api/chart-layouts/Crowded", { data: { ...THREE_INDICATORS, fills: true }, headers })).status()).toBe(200);
  for (const price of ["1.08500", "1.08300"])
    expect((await page.request.post("/api/alerts", { data: { symbol: "EUR/USD", condition: "crosses", price }, headers })).status()).toBe(201);
  for (const order of orders) await site.place(page, order);
  // Past fills, all of them at one candle and about one price.
  for (const type of ["buy", "sell"]) {
    const { id } = await site.place(page, { type });
    expect((await page.request.post(`/api/trading/positions/${id}/close`, { data: {}, headers })).status()).toBe(200);
  }
  await page.goto("/traders-portal");
  await page.getByRole("slider").first().waitFor();
  await eventually(async () => expect(await legend(page)).toMatch(/SMA 20 1\.08.*RSI 14 \d.*MACD (12 26 9 )?.*\d.*\d/s));
  return page;
}

type Box = { what: string; isCut?: boolean; left: number; right: number; top: number; bottom: number };
/** The boxes of the figures, of the marks, and of the pane with the prices, as the screen has them. */
const boxesOf = (page: Page) =>
  page.evaluate(() => {
    const chart = document.querySelector("[data-island=PriceChart] .chart-ground");
    const boxes = (selector: string) =>
      [...(chart?.querySelectorAll<HTMLElement>(selector) ?? [])].flatMap((element): Box[] => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
        const words = element.matches("[role=slider]") ? element.firstElementChild : null;
        const isCut = words !== null && words.scrollWidth > words.clientWidth;
        return isSeen && right > left ? [{ what: element.getAttribute("aria-label") ?? element.innerText, isCut, left, right, top, bottom }] : [];
      });
    const [prices] = boxes("tr:has(canvas)");
    const lines = [...(chart?.querySelectorAll<HTMLElement>(".chart-legend > *") ?? [])];
    return {
      cut: lines.flatMap((line) => (line.scrollWidth > line.clientWidth ? [line.innerText] : [])),
      figures: boxes(".chart-legend > * > *"),
      marks: boxes("[role=slider], [aria-label^='Add a'], a[href$=receipt], [role=menu] ~ button, button:has(~ [role=menu])"),
      prices: prices ?? { what: "no pane", left: 0, right: 0, top: 0, bottom: 0 },
    };
  });
const isOver = (a: Box, b: Box) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5;
/** The scale with its prices, and "Target" before it, in pixels. */
const WORDED = 60 + 40;
/** Half the height of a price at the scale, in pixels. */
const HALF_WORD = 6;
/** Whatever covers another, and marks beyond the prices. */
async function faultsOf(page: Page): Promise<string[]> {
  const { figures, marks, prices, cut } = await boxesOf(page);
  const solid = marks.filter(({ what }) => !what.endsWith("receipt"));
  return [
    ...cut.map((words) => `${words} is cut off`),
    ...marks.flatMap((mark) => figures.filter((words) => isOver(mark, words)).map((words) => `${mark.what} over ${words.what}`)),
    // Whole words, however few have room.
    ...marks.flatMap((mark) => (mark.isCut ? [`${mark.what} is cut off`] : [])),
    ...solid.flatMap((mark, at) => solid.slice(at + 1).flatMap((other) => (isOver(mark, other) ? [`${mark.what} over ${other.what}`] : []))),
    // The words of lines stand there, on the canvas.
    ...solid.flatMap((mark) => (mark.right > prices.right - WORDED ? [`${mark.what} over the words at the scale`] : [])),
    ...marks.flatMap((mark) => (mark.top < prices.top || mark.bottom > prices.bottom + 0.5 ? [`${mark.what} beyond the prices`] : [])),
  ];
}

/** Two positions with stops and targets, of which some lie far beyond the scale, and two orders that wait with theirs. */
const MANY = [
  { stopLoss: "1.08300", takeProfit: "1.09900" },
  { type: "sell", stopLoss: "1.09900", takeProfit: "1.02000" },
  limit("1.08380", { stopLoss: "1.08000", takeProfit: "1.08600" }),
  limit("1.08000"),
];

for (const [name, size] of [
  ["an upright phone", { width: 360, height: 740, touch: true }],
  ["a phone on its side", { width: 740, height: 360, touch: true }],
  ["a workstation", { width: 1440, height: 900 }],
] as const)
  test(`on ${name} with three indicators marks cover neither the figures nor each other, and stay among the prices`, async () => {
    const page = await crowded(size, MANY);
    await page.getByRole("slider", { name: "Target of SELL EUR/USD, $1,000.00" }).waitFor();
    await eventually(async () => expect(await faultsOf(page)).toEqual([]));
    const { figures, marks } = await boxesOf(page);
    // Each pane's figures, and what can be moved or is offered.
    expect(figures.length).toBeGreaterThanOrEqual(5);
    expect(marks.length).toBeGreaterThanOrEqual(5);
    await shot(page, `marks-${size.width}`);
    await page.emulateMedia({ colorScheme: "dark" });
    await eventually(async () => expect(await faultsOf(page)).toEqual([]));
    await shot(page, `marks-${size.width}-dark`);
    await page.context().close();
  });

test("in the low pane of a phone the scale says both values of an indicator that end near its edge, the lower one whole", async () => {
  await site.price(1.0829);
  const page = await crowded({ width: 360, height: 740, touch: true }, [{ stopLoss: "1.08100" }]);
  // The histogram's value stands on no scale.
  const [, macd = "", signal = ""] = /MACD \S+ (\S+) (\S+)/.exec(await legend(page)) ?? [];
  await eventually(async () => {
    const said = await saidAt(page, [macd, signal]);
    expect(said).toHaveLength(2);
    for (const { y, height } of said) expect({ above: y - HALF_WORD >= 0, below: y + HALF_WORD <= height }).toEqual({ above: true, below: true });
  });
  await shot(page, "low-pane-360");
  await page.emulateMedia({ colorScheme: "dark" });
  await shot(page, "low-pane-360-dark");
  await page.context().close();
});

test("past fills reach back to the chart's first candle, beyond what the history lists at once", async () => {
  const page = await site.trader();
  await site.price(1.0842);
  const { accountId } = await site.place(page, {});
  const origin = { origin: new URL(site.base).origin };
  const close = () =>
    page.request.post("/api/trading/positions/close-all", { data: { accountId }, headers: { ...origin, "idempotency-key": crypto.randomUUID() } });
  for (let n = 1; n < 105; n++) await site.place(page, { amount: 10 });
  for (let left = 105; left > 0;) {
    const { closed } = (await (await close()).json()) as { closed: object[] };
    expect(closed.length).toBeGreaterThan(0);
    left -= closed.length;
  }
  const tools = await openTools(page);
  await tools.getByRole("button", { name: "Past fills" }).click();
  await eventually(async () => expect(await page.locator("[data-island=PriceChart] a[href$=receipt]").count()).toBe(210));
  await page.context().close();
});
