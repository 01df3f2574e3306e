import { afterAll, beforeAll, expect, test } from "bun:test";
import { eventually } from "../browser";
import { legend, openCharts } from "../browser_chart";
import { THREE_INDICATORS } from "../chart_layout";

/** What a tick costs a chart with indicators: each pane is drawn in a picture of its own, and nothing that did not change. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

/** The row of the time, below those of the prices and of two indicators. */
const TIME = 3;

declare global {
  /** By the time of the picture: the rows of the chart (its panes, and the time below them) that were drawn for it. */
  var drawnRows: Map<number, Set<number>>;
  /** The indicators that the figures named, each time that these were others, and the time of the picture. */
  var named: { at: number; names: string }[];
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
  globalThis.named = [];
  new MutationObserver(() => {
    const names =
      document
        .querySelector(".chart-legend")
        ?.textContent.match(/SMA|RSI|MACD/g)
        ?.join(" ") ?? "";
    if (names !== (globalThis.named.at(-1)?.names ?? "")) globalThis.named.push({ at: Number(document.timeline.currentTime), names });
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

const ALL_THREE = /SMA 20 1\.08.*RSI 14 \d.*MACD (12 26 9 )?.*\d.*\d/s;
/** A phone's page with three indicators on its chart, an order and its stop; what it began with is drawn. */
async function openThree() {
  const page = await site.trader({ touch: true });
  const origin = new URL(site.base).origin;
  expect((await page.request.put("/api/chart-layouts/Three", { data: { ...THREE_INDICATORS, bidAsk: true }, headers: { origin } })).status()).toBe(200);
  await site.price(1.0842);
  await site.place(page, { stopLoss: "1.08000" });
  await page.addInitScript(watchCanvases);
  await page.goto("/traders-portal");
  await eventually(async () => expect(await legend(page)).toMatch(ALL_THREE));
  const named = await page.evaluate(() => globalThis.named);
  /** When each row was first drawn. */
  const firsts = await page.evaluate(() => [0, 1, 2].map((row) => Math.min(...[...globalThis.drawnRows].flatMap(([at, rows]) => (rows.has(row) ? [at] : [])))));
  // A tick comes, and is told, and nothing follows it.
  const settled = async (bid: number) => {
    await site.price(bid);
    await eventually(async () => expect(await legend(page)).toContain(`C ${(bid + 0.00002).toFixed(5)}`));
  };
  await settled(1.08421);
  return {
    page,
    named,
    firsts,
    settled,
    pictures: () => page.evaluate(() => [...globalThis.drawnRows.values()].map((rows) => [...rows])),
    clear: () => page.evaluate(() => globalThis.drawnRows.clear()),
  };
}
/** Those that drew more than one pane. */
const atOnce = (pictures: number[][]) => pictures.filter((rows) => rows.filter((row) => row !== TIME).length > 1);
const rowsOf = (pictures: number[][]) => [...new Set(pictures.flat())].toSorted();

test("when the page opens its indicators come one after another, never two in one picture", async () => {
  const { page, named, firsts } = await openThree();
  expect(named.map(({ names }) => names)).toEqual(["SMA", "SMA RSI", "SMA RSI MACD"]);
  expect(new Set(named.map(({ at }) => at)).size).toBe(named.length);
  // The pane of the second indicator is first drawn when that of the first is there.
  const [, rsi, macd] = firsts;
  expect(macd).toBeGreaterThan(rsi ?? Number.NaN);
  await page.context().close();
});

test("with three indicators a tick draws the prices and each pane below them one after another, never two in one picture, and not the time", async () => {
  const { page, settled, pictures, clear } = await openThree();
  await clear();
  for (let tick = 2; tick < 10; tick++) await settled(1.0842 + tick / 100_000);
  expect(atOnce(await pictures())).toEqual([]);
  expect(rowsOf(await pictures())).toEqual([0, 1, 2]);
  await page.context().close();
});

test("a candle that begins moves all of them: the prices with the time are drawn, and then each pane below them", async () => {
  const { page, settled, pictures, clear } = await openThree();
  for (let candle = 0; candle < 4; candle++) {
    await clear();
    site.app.pass(5 * 60_000);
    await settled(1.0843 + candle / 10_000);
    await eventually(async () => expect(rowsOf(await pictures())).toEqual([0, 1, 2, TIME]));
    expect(atOnce(await pictures())).toEqual([]);
  }
  await page.context().close();
});
