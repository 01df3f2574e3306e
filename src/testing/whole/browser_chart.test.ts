import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { INDICATORS } from "../../trading/rules_indicators";
import type { ChartLayout } from "../../trading/schema_layouts";
import { eventually, told } from "../browser";
import { HISTORY, openCharts, toolsOf, openTools, words, legend, pick, byMouse, byKeys, byThumb, chips, gripOf } from "../browser_chart";
import { inspectHere } from "../inspect";

/** The chart's tools: indicators, history, shapes, layouts, and several charts at once. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

test("every indicator by mouse, by keyboard and by finger: shown in the legend, told in words, with other parameters, and gone again", async () => {
  const desk = await site.trader();
  const phone = await site.trader({ touch: true });
  for (const [page, press] of [
    [desk, byMouse],
    [desk, byKeys],
    [phone, byThumb],
  ] as const) {
    const tools = await openTools(page);
    for (const { name, params, lines, pane } of INDICATORS) {
      await pick(tools, "Indicator", name, press);
      const title = [name, ...params.map(({ value }) => value)].join(" ");
      // Of one with three figures in a pane of its own a phone's line has no room for the parameters.
      const isBrief = page === phone && pane === "own" && lines.length > 2;
      const row = isBrief ? `${name} ` : title;
      await eventually(async () => expect(await legend(page)).toContain(row));
      await eventually(async () => expect(await chips(tools).count()).toBe(1));
      // Each line says a figure at the newest candle, or, ahead of it and behind, none.
      const shown = (await legend(page)).slice((await legend(page)).indexOf(row));
      if (name !== "Pivots") expect(shown.match(/\d+\.\d+/g)?.length ?? 0, shown).toBeGreaterThanOrEqual(Math.max(1, lines.length - 1));
      await eventually(async () => expect(await words(page)).toContain(`With ${title}`));
      const [first] = params;
      if (first) {
        await tools.getByLabel(`${first.name} of ${name}`).fill("7");
        await eventually(async () => expect(await (isBrief ? words : legend)(page)).toContain(`${name} 7`));
      }
      await press(tools.getByRole("button", { name: `Remove ${name}` }));
      await eventually(async () => expect(await legend(page)).not.toContain(name));
    }
  }
  await desk.context().close();
  await phone.context().close();
});

test("an indicator's field says the parameter that counts, also where another indicator took its place or nothing was typed", async () => {
  const page = await site.trader();
  const tools = await openTools(page);
  for (const _ of ["first", "second"]) await pick(tools, "Indicator", "SMA", byMouse);
  await eventually(async () => expect(await chips(tools).count()).toBe(2));
  const fields = tools.getByLabel("Period of SMA");
  await fields.first().fill("7");
  await eventually(async () => expect(await legend(page)).toMatch(/SMA 7 .*SMA 20 /s));
  await tools.getByRole("button", { name: "Remove SMA" }).first().click();
  await eventually(async () => expect(await chips(tools).count()).toBe(1));
  await eventually(async () => expect(await legend(page)).not.toContain("SMA 7"));
  await eventually(async () => expect(await fields.inputValue()).toBe("20"));
  await fields.fill("");
  expect(await fields.inputValue()).toBe("");
  await fields.blur();
  await eventually(async () => expect(await fields.inputValue()).toBe("20"));
  await page.context().close();
});

test("history comes as one goes back, to the first candle; each length and shape, the clock, the scale and a second symbol", async () => {
  const page = await site.trader();
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("before=") && asked.push(request.url()));
  const tools = await openTools(page);
  const canvas = page.locator("[data-island=PriceChart] .chart-ground canvas").first();
  const count = async () => Number(/([\d]+) candles/.exec(await words(page))?.[1]);
  expect(await count()).toBe(300);
  await eventually(async () => {
    const box = await canvas.boundingBox();
    if (!box) throw new Error("no chart");
    await page.mouse.move(box.x + 40, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await count()).toBeGreaterThanOrEqual(HISTORY);
  });
  expect(asked.length).toBe(2);
  await tools.getByLabel("Compare").selectOption("GBP/USD");
  await eventually(async () => expect(await words(page)).toContain("GBP/USD in per cent beside it"));
  // In per cent there is no other scale.
  expect(await tools.getByRole("button", { name: "Log scale" }).isDisabled()).toBe(true);
  await tools.getByLabel("Compare").selectOption("");
  for (const kind of ["bars", "line", "area", "heikin-ashi", "candles"]) await tools.getByLabel("Type").selectOption(kind);
  await tools.getByRole("button", { name: "Log scale" }).click();
  await tools.getByRole("button", { name: "Bid and ask" }).click();
  await page.locator("[data-island=PriceChart] footer").getByText("UTC").waitFor();
  await tools.getByLabel("Time").selectOption("local");
  await page.locator("[data-island=PriceChart] footer").getByText("local time").waitFor();
  for (const [name, length] of [
    ["1w", "1 week"],
    ["1M", "1 month"],
    ["4h", "4 hours"],
    ["30m", "30 minutes"],
  ] as const) {
    await page.getByRole("group", { name: "Interval" }).getByRole("button", { name, exact: true }).click();
    if (name !== "4h" && name !== "30m") await eventually(async () => expect(await words(page)).toContain(`candles of ${length} from`));
  }
  await page.context().close();
});

type Candle = { open: string; high: string; low: string; close: string };
const candlesOf = async (page: Page) => (await (await page.request.get("/api/market/candles?symbol=EUR%2FUSD&interval=5m&limit=300")).json()) as Candle[];
const closes = async (page: Page) => (await candlesOf(page)).map(({ close }) => Number(close));
/** The candles of the chart as the server has them, oldest first, each as the legend says it, with the change from the close before. */
async function toldCandles(page: Page): Promise<string[]> {
  const candles = await candlesOf(page);
  const price = (value: string) => Number(value).toFixed(5);
  return candles.slice(1).map(({ open, high, low, close }, at) => {
    const from = Number(candles[at]?.close);
    const change = Number(close) - from;
    const sign = change < 0 ? "−" : "+";
    return `O ${price(open)}H ${price(high)}L ${price(low)}C ${price(close)}${sign}${Math.abs(change).toFixed(5)} (${sign}${Math.abs((100 * change) / from).toFixed(2)}%)`;
  });
}

/** The rows of the first pane, from its top in its own pixels, that are a line of this colour of the theme from one side to the other. */
const linesOf = (page: Page, token: string) =>
  page
    .locator("[data-island=PriceChart] .chart-ground canvas")
    .first()
    .evaluate((found, name) => {
      const canvas = found as HTMLCanvasElement;
      const ink = document.createElement("canvas").getContext("2d");
      const context = canvas.getContext("2d");
      if (!ink || !context) throw new Error("nothing to draw on");
      ink.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(`--c-${name}`);
      ink.fillRect(0, 0, 1, 1);
      const wanted = ink.getImageData(0, 0, 1, 1).data;
      const { width, height } = canvas;
      const { data } = context.getImageData(0, 0, width, height);
      const isWanted = (at: number) => [0, 1, 2].every((part) => Math.abs((data[at + part] ?? 0) - (wanted[part] ?? 0)) < 8);
      const rows = Array.from({ length: height }, (_, y) => y);
      return rows.filter((y) => rows.length > 0 && Array.from({ length: width }, (_, x) => isWanted(4 * (y * width + x))).filter(Boolean).length > width * 0.9);
    }, token);

test("the candle under the crosshair is told in figures with its change, else the newest one; bid and ask stand as lines that go with the quote", async () => {
  const page = await site.trader();
  await site.app.quote("EUR/USD", "1.08420", "1.08440");
  const tools = await openTools(page);
  const told = await toldCandles(page);
  const box = await page.locator("[data-island=PriceChart] .chart-ground canvas").first().boundingBox();
  if (!box) throw new Error("no chart");
  const shown = () =>
    page
      .locator("[data-island=PriceChart] .chart-legend")
      .first()
      .evaluate((element) => element.textContent ?? "");
  await eventually(async () => expect(await shown()).toBe(told.at(-1) ?? ""));
  // Another candle stands under each place.
  const seen = new Set<string>();
  for (const part of [0.2, 0.5, 0.8]) {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
    await eventually(async () => {
      const now = await shown();
      expect(told.slice(0, -1)).toContain(now);
      expect(seen).not.toContain(now);
    });
    seen.add(await shown());
  }
  await page.mouse.move(box.x + 10, box.y - 200);
  await eventually(async () => expect(await shown()).toBe(told.at(-1) ?? ""));

  // An indicator's figure is that of the same tick, after which no other comes.
  await pick(tools, "Indicator", "SMA", byMouse);
  await eventually(async () => expect(await shown()).toContain("SMA 20"));
  // Twice, as a jump must be confirmed.
  for (let n = 0; n < 2; n++) await site.app.quote("EUR/USD", "1.08920", "1.08940");
  await eventually(async () => expect(await shown()).toContain("C 1.08930"));
  const average = (await closes(page)).slice(-20).reduce((sum, close) => sum + close, 0) / 20;
  expect(Number(/SMA 20 ([\d.]+)/.exec(await shown())?.[1])).toBeCloseTo(average, 4);
  await tools.getByRole("button", { name: "Remove SMA" }).click();

  expect([await linesOf(page, "loss"), await linesOf(page, "gain")]).toEqual([[], []]);
  await tools.getByRole("button", { name: "Bid and ask" }).click();
  const spread = async () => {
    const [[bid], [ask]] = [await linesOf(page, "loss"), await linesOf(page, "gain")];
    if (bid === undefined || ask === undefined) throw new Error("there are no lines");
    return bid - ask;
  };
  await eventually(async () => expect(await spread()).toBeGreaterThan(0));
  const before = await spread();
  await site.app.quote("EUR/USD", "1.08920", "1.08980");
  await eventually(async () => expect(await spread()).toBeGreaterThan(before * 1.5));
  await tools.getByRole("button", { name: "Bid and ask" }).click();
  await eventually(async () => expect([await linesOf(page, "loss"), await linesOf(page, "gain")]).toEqual([[], []]));
  await page.context().close();
});

test("a layout saved on one device opens on another; its name, deletion, and one that can't be read", async () => {
  const desk = await site.trader();
  let tools = await openTools(desk);
  await pick(tools, "Indicator", "RSI", byMouse);
  await pick(tools, "Drawing", "horizontal", byKeys);
  await desk.keyboard.press("Enter");
  await gripOf(desk, "horizontal").waitFor();
  await tools.getByLabel("Type").selectOption("line");
  await desk.getByRole("group", { name: "Interval" }).getByRole("button", { name: "15m", exact: true }).click();
  // Saved by itself, under the first name.
  const names = async () => ((await (await desk.request.get("/api/chart-layouts")).json()) as { name: string }[]).map(({ name }) => name);
  const saved = async (name: string) => (await (await desk.request.get(`/api/chart-layouts/${name}`)).json()) as ChartLayout;
  await eventually(async () => expect(await saved("My chart")).toMatchObject({ kind: "line", interval: "15m", indicators: [{ name: "RSI", params: [14] }] }));
  await tools.getByLabel("Name of the layout").fill("Swing");
  await tools.getByRole("button", { name: "Save as" }).click();
  await told(desk, "Layout saved");
  expect(await names()).toEqual(["Swing", "My chart"]);

  // The same person on a phone.
  const phone = await site.trader({ touch: true });
  const [session] = await desk.context().cookies();
  await phone.context().clearCookies();
  if (session) await phone.context().addCookies([session]);
  await phone.goto("/traders-portal");
  await eventually(async () => expect(await words(phone)).toContain("With line, RSI 14, 1 drawing."));
  await eventually(async () => expect(await words(phone)).toContain("candles of 15 minutes"));
  await gripOf(phone, "horizontal").waitFor();
  // Nothing of it is open there, and what it is called is said once it is.
  expect(await toolsOf(phone).isVisible()).toBe(false);
  await phone.getByRole("button", { name: "Tools", exact: true }).tap();
  await eventually(async () => expect(await toolsOf(phone).getByLabel("Layout", { exact: true }).inputValue()).toBe("Swing"));
  await toolsOf(phone).getByLabel("Type").selectOption("area");
  await eventually(async () => expect(await saved("Swing")).toMatchObject({ kind: "area" }));

  await desk.reload();
  tools = await openTools(desk);
  await eventually(async () => expect(await tools.getByLabel("Type").inputValue()).toBe("area"));
  await tools.getByRole("button", { name: "Delete layout" }).click();
  await told(desk, "Layout deleted");
  expect(await names()).toEqual(["My chart"]);
  await site.app.sql`update chart_layouts set layout = '{"kind":"renko"}' where name = 'My chart'`;
  await desk.goto("/traders-portal");
  await told(desk, "Layout not opened");
  await eventually(async () => expect(await words(desk)).toContain("candles of 5 minutes"));
  await desk.context().close();
  await phone.context().close();
});

test("up to four charts side by side, each of its own symbol and length; past fills with their receipts; axe finds nothing", async () => {
  const page = await site.trader({ bypassCSP: true });
  await site.price(1.0842);
  await site.place(page, {});
  const tools = await openTools(page);
  await tools.getByRole("button", { name: "Past fills" }).click();
  const bought = page.locator("[data-island=PriceChart]").getByRole("link", { name: /^Bought \$1,000\.00 of EUR\/USD at .*: receipt$/ });
  await bought.waitFor();
  for (const count of [4, 3, 2]) {
    await tools.getByLabel("Charts").selectOption(String(count));
    const more = page.getByRole("list", { name: "More charts" }).getByRole("listitem");
    await eventually(async () => expect(await more.count()).toBe(count - 1));
  }
  const second = page.getByRole("region", { name: "Chart 2, GBP/USD" });
  await second.getByLabel("Pair of chart 2").selectOption("EUR/USD");
  await page.getByRole("region", { name: "Chart 2, EUR/USD" }).getByLabel("Interval of chart 2").selectOption("1d");
  await eventually(async () =>
    expect(await page.getByRole("region", { name: "Chart 2, EUR/USD" }).locator(".chart-words").innerText()).toContain("candles of 1 day"),
  );
  // All of it on the one screen.
  const rests = () => {
    const box = document.querySelector(".desk-chart");
    return (
      document.documentElement.scrollWidth <= innerWidth &&
      box !== null &&
      box.scrollHeight <= box.clientHeight &&
      box.getBoundingClientRect().bottom < innerHeight
    );
  };
  expect(await page.evaluate(rests)).toBe(true);
  for (const indicator of ["RSI", "MACD", "Bollinger"]) await pick(tools, "Indicator", indicator, byMouse);
  await pick(tools, "Drawing", "trend", byKeys);
  await page.keyboard.press("Enter");
  await gripOf(page, "trend").waitFor();
  const stored = async () => (await (await page.request.get("/api/chart-layouts/My chart")).json()) as ChartLayout;
  await bought.first().focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/positions\/[0-9a-f-]{36}\/receipt/);
  // Saved, however soon one left.
  await eventually(async () => expect((await stored()).drawings).toHaveLength(1));
  await page.goBack();
  await openTools(page);
  await gripOf(page, "trend").waitFor();
  await tools.getByRole("button", { name: "Past fills" }).click();
  await bought.waitFor({ state: "detached" });
  expect(await inspectHere(page, "the chart")).toEqual([]);
  await page.context().close();
});
