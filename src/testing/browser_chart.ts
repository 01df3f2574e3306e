import type { Locator, Page } from "playwright-core";
import { expect } from "bun:test";
import type { Tool } from "../trading/schema_layouts";
import { eventually } from "./browser";
import { openOrders } from "./browser_orders";

/** What browser tests of the chart's tools share. */

/** So many candles stand before those that the prices of the test make. */
export const HISTORY = 1_100;
export async function openCharts() {
  const site = await openOrders();
  const { app } = site;
  for (const symbol of ["EUR/USD", "GBP/USD"])
    await app.sql`
      insert into candles (source, symbol, interval, time, open, high, low, close)
      select ${app.market.source}, ${symbol}, i.name, t.time, p.price, p.price + 0.0003, p.price - 0.0003, p.price + 0.0001
      from (values ('5m', interval '5 minutes'), ('1d', interval '1 day')) as i (name, length),
        generate_series(1, ${HISTORY}) as n,
        lateral (select date_bin(i.length, ${new Date(app.market.clock()).toISOString()}::timestamptz, 'epoch') - n * i.length as time) as t,
        lateral (select round((1.0842 + 0.002 * sin(n / 17.0))::numeric, 5) as price) as p
      on conflict do nothing`;
  return site;
}

export const toolsOf = (page: Page) => page.getByRole("group", { name: "Chart tools" });
export async function openTools(page: Page): Promise<Locator> {
  await page.goto("/traders-portal");
  await page.locator("[data-island=PriceChart][data-awake]").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await eventually(async () => expect(await words(page)).toContain("candles of"));
  return toolsOf(page);
}
/** What a screen reader is told of the chart. */
export const words = (page: Page) => page.locator("[data-island=PriceChart] .chart-words").first().innerText();
export const legend = (page: Page) => page.locator("[data-island=PriceChart] .chart-legend").first().innerText();
export const pick = async (tools: Locator, label: "Indicator" | "Drawing", value: string, press: (button: Locator) => Promise<void>) => {
  await tools.getByLabel(label, { exact: true }).selectOption(value);
  await press(tools.getByRole("button", { name: label === "Indicator" ? "Add" : "Draw", exact: true }));
};
export const byMouse = (button: Locator) => button.click();
export const byKeys = async (button: Locator) => {
  await button.focus();
  await button.page().keyboard.press("Enter");
};
export const byThumb = (button: Locator) => button.tap();
export const chips = (tools: Locator) => tools.getByRole("listitem");
export const gripOf = (page: Page, tool: Tool) => page.locator(`[data-island=PriceChart] [data-grip="${tool}"]`);

/** Words on a canvas: where their middle is, and the canvas's height, both in the page's pixels. */
type Written = { y: number; height: number };
declare global {
  /** Where each text was last written on each canvas. */
  var written: Map<HTMLCanvasElement, Record<string, Written>>;
}

/** Runs in the page before anything of its own. */
export function noteWords() {
  globalThis.written = new Map();
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...rest) {
    const { canvas } = this;
    const height = canvas.clientHeight;
    const at = (this.getTransform().transformPoint({ x, y }).y * height) / canvas.height;
    globalThis.written.set(canvas, { ...globalThis.written.get(canvas), [text]: { y: at, height } });
    fillText.call(this, text, x, y, ...rest);
  };
}
