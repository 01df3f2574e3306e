import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { eventually, fits } from "../browser";
import { openCharts, openTools } from "../browser_chart";

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
