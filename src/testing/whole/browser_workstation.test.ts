import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { eventually, fits } from "../browser";
import { noteWords, openCharts, openTools, words } from "../browser_chart";

/** A workstation on the smallest screens that have one: nothing is cut off, none covers another, and the order can be sent as it stands. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

/** By how much it reaches beyond another, to the right and below, in pixels. */
async function beyond(of: Locator, frame: Locator): Promise<[number, number]> {
  const [inner, outer] = await Promise.all([of, frame].map((each) => each.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)));
  if (!inner || !outer) throw new Error("it is not on the page");
  return [Math.max(0, inner.right - outer.right), Math.max(0, inner.bottom - outer.bottom)];
}

test("1,200 × 800: a position's last button is whole, four charts stay above the lists, and the order's button stands in sight", async () => {
  const page = await site.trader({ width: 1200, height: 800 });
  await site.price(1.0842);
  await site.place(page, { stopLoss: "1.07000", takeProfit: "1.09900" });
  const tools = await openTools(page);
  const foot = page.locator(".desk-foot");
  const close = foot.getByRole("button", { name: "Close EUR/USD" });
  await close.waitFor();
  expect(await beyond(close, foot)).toEqual([0, 0]);
  const panel = foot.getByRole("tabpanel");
  expect(await panel.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  const execute = page.getByRole("button", { name: "Execute BUY EUR/USD" });
  expect(await beyond(execute, page.locator(".desk-order"))).toEqual([0, 0]);

  await tools.getByLabel("Charts").selectOption("4");
  const more = page.getByRole("list", { name: "More charts" }).getByRole("listitem");
  await eventually(async () => expect(await more.locator("canvas").count()).toBeGreaterThan(3));
  const chart = page.locator(".desk-chart");
  await eventually(async () => {
    for (const cell of await more.all()) expect(await beyond(cell.locator("table").first(), chart)).toEqual([0, 0]);
  });
  expect(await fits(page)).toBe(true);
  await page.context().close();
});

for (const [width, height] of [
  [1200, 800],
  [1366, 768],
] as const)
  test(`${width} × ${height}: two, three and four charts share the height, each with 120 pixels of candles under the open tools`, async () => {
    const page = await site.trader({ width, height });
    const tools = await openTools(page);
    const edge = page.getByRole("separator", { name: "Height of the lists" });
    const island = page.locator("[data-island=PriceChart]");
    for (const count of [2, 3, 4]) {
      await tools.getByLabel("Charts").selectOption(String(count));
      await eventually(async () => {
        // The prices' pane of each; a chart's table has it in its first row, and the time in its last.
        const rows = await island.locator("table").evaluateAll((all) => all.map((each) => each.querySelector("tr")?.getBoundingClientRect().height ?? 0));
        expect(rows).toHaveLength(count);
        expect(Math.min(...rows)).toBeGreaterThanOrEqual(120);
        expect(Math.max(...rows) - Math.min(...rows)).toBeLessThanOrEqual(16);
      });
      // None covers another, nor its own head, and whose prices these are stands below them all.
      const boxes = await island.locator("table").evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
      for (const [at, one] of boxes.entries())
        for (const other of boxes.slice(at + 1))
          expect(one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top).toBe(true);
      const head = await island.getByRole("button", { name: "Tools", exact: true }).evaluate((element) => element.getBoundingClientRect().bottom);
      expect(head).toBeLessThanOrEqual(boxes[0]?.top ?? 0);
      const source = await island.getByRole("link", { name: "TradingView" }).evaluate((element) => element.getBoundingClientRect().top);
      expect(Math.max(...boxes.map(({ bottom }) => bottom))).toBeLessThanOrEqual(source);
      const lists = await page.locator(".desk-foot").evaluate((element) => element.getBoundingClientRect().height);
      expect(await edge.getAttribute("aria-valuenow")).toBe(String(Math.round(lists)));
    }
    await island.getByLabel("Interval", { exact: true }).selectOption("15m");
    await eventually(async () => expect(await words(page)).toContain("candles of 15 minutes"));
    expect(await fits(page)).toBe(true);
    await page.context().close();
  });

test("an edge goes no further than its panel can, so that the next key moves it back", async () => {
  const page = await site.trader({ width: 1200, height: 800 });
  await page.goto("/traders-portal");
  for (const [name, panel, key, size] of [
    ["Width of the watchlist", ".desk-side", "ArrowLeft", "width"],
    ["Width of the order panel", ".desk-order", "ArrowRight", "width"],
    ["Height of the lists", ".desk-foot", "ArrowDown", "height"],
  ] as const) {
    const edge = page.getByRole("separator", { name });
    const now = async () => Number(await edge.getAttribute("aria-valuenow"));
    const measured = async () => Math.round((await page.locator(panel).boundingBox())?.[size] ?? 0);
    await edge.press("End");
    await eventually(async () => expect(await now()).toBe(Number(await edge.getAttribute("aria-valuemax"))));
    await eventually(async () => expect(await measured()).toBe(await now()));
    const most = await now();
    await edge.press(key);
    await eventually(async () => expect([await now(), await measured()]).toEqual([most - 16, most - 16]));
    await edge.press("Enter");
  }
  await page.context().close();
});

test("the charts beside the first tell the time as it does", async () => {
  // There whole hours of UTC are a quarter to.
  const page = await site.trader({ timezoneId: "Asia/Kathmandu" });
  await page.addInitScript(noteWords);
  const tools = await openTools(page);
  await tools.getByLabel("Charts").selectOption("2");
  const beside = page.getByRole("region", { name: "Chart 2, GBP/USD" });
  await beside.locator(".chart-words").waitFor({ state: "attached" });
  const written = () => beside.evaluate((region) => [...globalThis.written].flatMap(([canvas, texts]) => (region.contains(canvas) ? Object.keys(texts) : [])));
  await eventually(async () => expect((await written()).some((text) => /^\d\d:00$/.test(text))).toBe(true));
  expect((await written()).some((text) => /^\d\d:45$/.test(text))).toBe(false);
  await tools.getByLabel("Time").selectOption("local");
  await eventually(async () => expect((await written()).some((text) => /^\d\d:45$/.test(text))).toBe(true));
  await page.context().close();
});

test("a low screen: the order's button stands at the foot of its panel, and what the keyboard comes to is above it", async () => {
  const page = await site.trader({ width: 1366, height: 650 });
  await page.goto("/traders-portal");
  const execute = page.getByRole("button", { name: "Execute BUY EUR/USD" });
  const preview = page.getByRole("button", { name: "Preview Trade" });
  for (const each of [execute, preview]) expect(await beyond(each, page.locator(".desk-order"))).toEqual([0, 0]);
  const target = page.getByLabel("Take Profit");
  await page.getByLabel("Stop Loss").focus();
  await page.keyboard.press("Tab");
  await eventually(async () => expect(await target.evaluate((element) => element === document.activeElement)).toBe(true));
  await eventually(async () => {
    const [field, button] = [await target.boundingBox(), await execute.boundingBox()];
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
  });
  // The chart's head takes one line.
  const [name, tools] = [await page.locator(".desk-chart h2").boundingBox(), await page.getByRole("button", { name: "Tools", exact: true }).boundingBox()];
  expect(Math.abs((name?.y ?? 0) + (name?.height ?? 0) / 2 - (tools?.y ?? 0) - (tools?.height ?? 0) / 2)).toBeLessThan(4);
  await page.context().close();
});
