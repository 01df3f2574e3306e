import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ChartLayout, LayoutName } from "../../trading/schema_layouts";
import { eventually, told } from "../browser";
import { byKeys, gripOf, legend, openCharts, openTools, pick, words } from "../browser_chart";

/** A person's chart layouts where two pages write them, where one can't be had, and after one was deleted: none takes another's place unseen. */

let site: Awaited<ReturnType<typeof openCharts>>;
beforeAll(async () => void (site = await openCharts()));
afterAll(() => site.end());

const USUAL = { kind: "candles", interval: "5m", log: false, utc: true, bidAsk: false, fills: false, compare: null, indicators: [], drawings: [], charts: [] };
const at = (name: string) => `/api/chart-layouts/${encodeURIComponent(name)}`;
/** As another device of the same person would. */
async function write(page: Page, name: string, change: Partial<ChartLayout>): Promise<void> {
  const answer = await page.request.put(at(name), { data: { ...USUAL, ...change }, headers: { origin: new URL(site.base).origin } });
  expect(answer.status()).toBe(200);
}
const stored = async (page: Page, name: string) => (await (await page.request.get(at(name))).json()) as ChartLayout;
const names = async (page: Page) => ((await (await page.request.get("/api/chart-layouts")).json()) as LayoutName[]).map(({ name }) => name);
/** Somebody turns to the page from another. */
const turnTo = (page: Page) => page.evaluate(() => void dispatchEvent(new Event("focus")));
const RSI = { name: "RSI", params: [14] };

test("what another device wrote is shown as one turns to the page, and stays where one goes on from it", async () => {
  const page = await site.trader();
  const tools = await openTools(page);
  // Nothing was chosen yet: what was chosen elsewhere comes.
  await write(page, "My chart", { indicators: [RSI] });
  await turnTo(page);
  await eventually(async () => expect(await legend(page)).toContain("RSI 14"));
  await pick(tools, "Drawing", "horizontal", byKeys);
  await page.keyboard.press("Enter");
  await gripOf(page, "horizontal").waitFor();
  await eventually(async () => expect((await stored(page, "My chart")).drawings).toHaveLength(1));
  const { drawings } = await stored(page, "My chart");
  await write(page, "My chart", { kind: "line", indicators: [RSI], drawings: [...drawings, ...drawings] });
  await turnTo(page);
  await eventually(async () => expect(await words(page)).toContain("With line, RSI 14, 2 drawings."));
  await tools.getByRole("button", { name: "Log scale" }).click();
  await eventually(async () => expect((await stored(page, "My chart")).log).toBe(true));
  expect(await stored(page, "My chart")).toMatchObject({ kind: "line", indicators: [RSI], drawings: [{}, {}] });
  // Deleted elsewhere, it comes again only once something is changed.
  await page.request.delete(at("My chart"), { headers: { origin: new URL(site.base).origin } });
  await turnTo(page);
  await tools.getByLabel("Layout", { exact: true }).waitFor({ state: "detached" });
  expect(await names(page)).toEqual([]);
  await page.context().close();
});

test("one that could not be had is not written over, and one that can't be read shows the default until something is chosen", async () => {
  const page = await site.trader();
  await write(page, "Swing", { indicators: [RSI] });
  await write(page, "My chart", { kind: "area" });
  const tools = await openTools(page);
  const choice = tools.getByLabel("Layout", { exact: true });
  await eventually(async () => expect(await choice.inputValue()).toBe("My chart"));
  const path = `**${at("Swing")}`;
  await page.route(path, (route) =>
    route.request().method() === "GET" ? route.fulfill({ status: 429, json: { message: "Try again in a moment." } }) : route.continue(),
  );
  await choice.selectOption("Swing");
  await told(page, "Layout not opened");
  await page.unroute(path);
  await eventually(async () => expect(await choice.inputValue()).toBe("My chart"));
  await tools.getByRole("button", { name: "Log scale" }).click();
  await eventually(async () => expect(await stored(page, "My chart")).toMatchObject({ kind: "area", log: true }));
  expect(await stored(page, "Swing")).toMatchObject({ kind: "candles", indicators: [RSI] });

  await site.app.sql`update chart_layouts set layout = '{"kind":"renko"}' where name = 'Swing'`;
  await choice.selectOption("Swing");
  await told(page, "can't be read");
  await eventually(async () => expect(await tools.getByLabel("Type").inputValue()).toBe("candles"));
  await eventually(async () => expect(await choice.inputValue()).toBe("Swing"));
  expect((await page.request.get(at("Swing"))).status()).toBe(409);
  await tools.getByLabel("Type").selectOption("bars");
  await eventually(async () => expect(await stored(page, "Swing")).toMatchObject({ kind: "bars", log: false }));
  await page.context().close();
});

test("where the first one could not be had, nothing is saved until it was", async () => {
  const page = await site.trader();
  await write(page, "My chart", { indicators: [RSI] });
  const path = `**${at("My chart")}`;
  await page.route(path, (route) =>
    route.request().method() === "GET" ? route.fulfill({ status: 429, json: { message: "Try again in a moment." } }) : route.continue(),
  );
  const tools = await openTools(page);
  await told(page, "Layout not opened");
  await page.unroute(path);
  await turnTo(page);
  await eventually(async () => expect(await legend(page)).toContain("RSI 14"));
  await tools.getByLabel("Type").selectOption("bars");
  await eventually(async () => expect(await stored(page, "My chart")).toMatchObject({ kind: "bars", indicators: [RSI] }));
  await page.context().close();
});

test("after one was deleted, what is changed is saved under a name that is free", async () => {
  const page = await site.trader();
  await write(page, "My chart", { indicators: [RSI] });
  await write(page, "Swing", { kind: "area" });
  const tools = await openTools(page);
  await eventually(async () => expect(await tools.getByLabel("Layout", { exact: true }).inputValue()).toBe("Swing"));
  await tools.getByRole("button", { name: "Delete layout" }).click();
  await told(page, "Layout deleted");
  await tools.getByLabel("Type").selectOption("bars");
  await eventually(async () => expect(await names(page)).toEqual(["My chart 2", "My chart"]));
  expect(await stored(page, "My chart")).toMatchObject({ kind: "candles", indicators: [RSI] });
  expect(await stored(page, "My chart 2")).toMatchObject({ kind: "bars", indicators: [] });
  await page.context().close();
});
