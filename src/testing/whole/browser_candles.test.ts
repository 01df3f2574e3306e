import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { MINUTE } from "../../lib/time";
import { eventually } from "../browser";
import { byKeys, openCharts, openTools, pick, words } from "../browser_chart";

/** The chart's candles one by one, by keyboard: in figures, in words, to the first there is. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

type Candle = { time: number; open: string; high: string; low: string; close: string };
/** The newest thousand of the chart's candles and those before, as the server has them, oldest first. */
async function candlesOf(page: Page): Promise<Candle[]> {
  const get = async (more: string) => (await (await page.request.get(`/api/market/candles?symbol=EUR%2FUSD&interval=5m&limit=1000${more}`)).json()) as Candle[];
  const newest = await get("");
  return [...(await get(`&before=${newest[0]?.time}`)), ...newest];
}

const price = (value: string | number) => Number(value).toFixed(5);
/** Each candle as the legend says it, and in a sentence with its time in a zone that is so many hours ahead of UTC. */
function toldOf(candles: Candle[], zone = "UTC", ahead = 0) {
  return candles.map(({ time, open, high, low, close }, at) => {
    const from = Number(at === 0 ? open : candles[at - 1]?.close);
    const change = Number(close) - from;
    const [by, part] = [Math.abs(change).toFixed(5), Math.abs((100 * change) / from).toFixed(2)];
    // What rounds to nothing has no sign.
    const signOf = (text: string) => (/[1-9]/.test(text) ? (change < 0 ? "−" : "+") : "");
    const turn = signOf(by) ? `${change < 0 ? "down" : "up"} ${by}, ${part}%` : "unchanged";
    const when = new Date((time + ahead * 3600) * 1000).toLocaleString("en-GB", {
      ...{ day: "2-digit", month: "short", year: "2-digit", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
    } as Intl.DateTimeFormatOptions);
    const place = at === candles.length - 1 ? " The newest candle." : at === 0 ? " The first candle." : "";
    return {
      figures: `O ${price(open)}H ${price(high)}L ${price(low)}C ${price(close)}${signOf(by)}${by} (${signOf(part)}${part}%)`,
      words: `EUR/USD, ${when} ${zone}: open ${price(open)}, high ${price(high)}, low ${price(low)}, close ${price(close)}, ${turn}.${place}`,
    };
  });
}

const islandOf = (page: Page) => page.locator("[data-island=PriceChart]");
const chartOf = (page: Page) => islandOf(page).getByRole("application", { name: /^Prices\. Arrow keys/ });
const figures = (page: Page) =>
  islandOf(page)
    .locator(".chart-legend > span")
    .first()
    .evaluate((element) => element.textContent ?? "");
/** What was said last. */
const said = (page: Page) => islandOf(page).locator(".chart-told").textContent();

async function atTheChart() {
  const page = await site.trader();
  await page.goto("/traders-portal");
  await eventually(async () => expect(await words(page)).toContain("300 candles"));
  await chartOf(page).focus();
  return page;
}

type Told = ReturnType<typeof toldOf>[number] | undefined;
async function standsAt(page: Page, told: Told) {
  await eventually(async () => expect({ figures: await figures(page), words: await said(page) }).toEqual(told ?? { figures: "", words: "" }));
}

test("arrow keys lead from candle to candle, each told in figures and in a sentence; prices that tick say nothing, and a new candle moves nobody", async () => {
  const page = await atTheChart();
  let told = toldOf(await candlesOf(page));
  // The newest first.
  await page.keyboard.press("ArrowLeft");
  await standsAt(page, told.at(-1));
  await page.keyboard.press("ArrowLeft");
  await standsAt(page, told.at(-2));
  await page.keyboard.press("Shift+ArrowLeft");
  await standsAt(page, told.at(-12));
  await page.keyboard.press("ArrowRight");
  await standsAt(page, told.at(-11));
  await page.keyboard.press("Home");
  await eventually(async () => expect(told.slice(-300, -30).map((each) => each.words)).toContain((await said(page)) ?? ""));
  await page.keyboard.press("End");
  await standsAt(page, told.at(-1));

  // Of the newest the figures follow the price; the words wait for the next key.
  const words = await said(page);
  for (let n = 0; n < 2; n++) await site.app.quote("EUR/USD", "1.08520", "1.08540");
  await eventually(async () => expect(await figures(page)).toContain("C 1.08530"));
  expect(await said(page)).toBe(words);
  await page.keyboard.press("Shift+ArrowLeft");
  told = toldOf(await candlesOf(page));
  await standsAt(page, told.at(-11));
  site.app.pass(5 * MINUTE);
  await site.app.quote("EUR/USD", "1.08530", "1.08550");
  await eventually(async () => expect(await candlesOf(page)).toHaveLength(told.length + 1));
  await page.keyboard.press("ArrowRight");
  await standsAt(page, told.at(-10));

  // It waits while the keyboard is elsewhere, and the menu of a price is that of its candle.
  const { close = "" } = (await candlesOf(page)).at(-11) ?? {};
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menu", { name: /^EUR\/USD at / }).waitFor();
  const offered = /[\d.]+$/.exec((await page.getByRole("menu").getAttribute("aria-label")) ?? "")?.[0];
  // To the next pixel.
  expect(Number(offered)).toBeCloseTo(Number(close), 4);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await chartOf(page).focus();
  await page.keyboard.press("ArrowLeft");
  await standsAt(page, told.at(-11));
  await page.keyboard.press("Escape");
  await standsAt(page, { figures: toldOf(await candlesOf(page)).at(-1)?.figures ?? "", words: "" });
  await page.context().close();
});

test("beyond the edge older candles come, to the first; keys pressed meanwhile wait, and one that could not be had is asked for by the next", async () => {
  const page = await atTheChart();
  const told = toldOf(await candlesOf(page));
  let isRefused = true;
  await page.route(/before=/, (route) =>
    isRefused ? route.fulfill({ status: 429, json: { error: "too_many_requests", message: "Wait." } }) : route.continue(),
  );
  for (let press = 0; press < 33; press++) await page.keyboard.press("Shift+ArrowLeft");
  await eventually(async () => expect(await said(page)).toBe("Older candles could not be loaded. The same key tries it again."));
  expect(await words(page)).toContain("300 candles");
  isRefused = false;
  // Each of them counts, however many come at once.
  await page.keyboard.press("End");
  for (let press = 0; press < 120; press++) await page.keyboard.press("Shift+ArrowLeft");
  await standsAt(page, told.at(0));
  await page.keyboard.press("ArrowRight");
  await standsAt(page, told.at(1));
  await page.context().close();
});

test("the time is told in the chosen zone; a drawing's Escape leaves the candle; a chart beside the first has keys of its own", async () => {
  const page = await site.trader({ timezoneId: "Asia/Tokyo" });
  const tools = await openTools(page);
  await tools.getByLabel("Time").selectOption("local");
  await islandOf(page).locator("footer").getByText("local time").waitFor();
  await tools.getByLabel("Charts").selectOption("2");
  const told = toldOf(await candlesOf(page), "local time", 9);
  await chartOf(page).first().focus();
  for (let press = 0; press < 3; press++) await page.keyboard.press("ArrowLeft");
  const said = () => islandOf(page).locator(".chart-told").first().textContent();
  await eventually(async () => expect(await said()).toBe(told.at(-3)?.words ?? ""));
  await pick(tools, "Drawing", "trend", byKeys);
  await page.keyboard.press("Escape");
  await eventually(async () => expect(await tools.locator("[role=status]").textContent()).toBe(""));
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => expect(await said()).toBe(told.at(-4)?.words ?? ""));
  const beside = page.getByRole("region", { name: "Chart 2, GBP/USD" });
  await beside.getByRole("application").focus();
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => expect(await beside.locator(".chart-told").textContent()).toMatch(/^GBP\/USD, .* local time: open 1\./));
  await page.context().close();
});
