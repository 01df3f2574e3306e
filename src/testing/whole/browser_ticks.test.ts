import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually } from "../browser";
import { legend, openCharts } from "../browser_chart";
import { THREE_INDICATORS } from "../chart_layout";

/** What a tick costs a chart with indicators: each pane is drawn in a picture of its own, and nothing that did not change. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

declare global {
  /** By the time of the picture: the rows of the chart (its panes, and the time below them) that were drawn for it. */
  var drawnRows: Map<number, Set<number>>;
}

/** Runs in the page: each drawing of a row clears the canvas on top of it. */
function watchCanvases() {
  globalThis.drawnRows = new Map();
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    const row = this.canvas instanceof HTMLCanvasElement ? this.canvas.closest("tr") : null;
    const rows = [...(row?.parentElement?.querySelectorAll(":scope > tr:has(canvas)") ?? [])];
    const now = Number(document.timeline.currentTime);
    if (row) globalThis.drawnRows.set(now, (globalThis.drawnRows.get(now) ?? new Set()).add(rows.indexOf(row)));
    return clearRect.apply(this, box);
  };
}

test("with three indicators a tick draws the prices and each pane below them one after another, never two in one picture, and not the time", async () => {
  const page = await site.trader({ touch: true });
  const origin = new URL(site.base).origin;
  expect((await page.request.put("/api/chart-layouts/Three", { data: { ...THREE_INDICATORS, bidAsk: true }, headers: { origin } })).status()).toBe(200);
  await site.price(1.0842);
  await site.place(page, { stopLoss: "1.08000" });
  await page.addInitScript(watchCanvases);
  await page.goto("/traders-portal");
  await eventually(async () => expect(await legend(page)).toMatch(/SMA 20 1\.08.*RSI 14 \d.*MACD 12 26 9 .*\d.*\d/s));
  const pictures = () => page.evaluate(() => [...globalThis.drawnRows.values()].map((rows) => [...rows]));
  const clear = () => page.evaluate(() => globalThis.drawnRows.clear());
  // What the page began with is drawn: a tick comes, and is told, and nothing follows it.
  const settled = async (bid: number) => {
    await site.price(bid);
    await eventually(async () => expect(await legend(page)).toContain(`C ${(bid + 0.00002).toFixed(5)}`));
  };
  await settled(1.08421);
  await clear();
  const seen = new Set<number>();
  for (let tick = 2; tick < 10; tick++) {
    await settled(1.0842 + tick / 100_000);
    for (const rows of await pictures()) for (const row of rows) seen.add(row);
  }
  const all = await pictures();
  expect(all.filter((rows) => rows.length > 1)).toEqual([]);
  expect([...seen].toSorted()).toEqual([0, 1, 2]);
  await page.context().close();
});
