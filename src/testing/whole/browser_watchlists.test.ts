import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Watchlists } from "../../watchlists/schema";
import { type TestApp, testApp } from "../app";
import { eventually, openBrowser } from "../browser";
import { until } from "../scenarios";

/** A person's watchlists on two devices at once: made, ordered by mouse and by keyboard, and the same on both. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08424");
  await app.quote("BTC/USD", "50000", "50001");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const faults = [...browser.faults];
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});

const person = { email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse" };
async function device(width: number, height: number, way: "register" | "login"): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height } });
  const data = { firstName: "Ada", lastName: "Lovelace", referralCode: "", ...person };
  expect((await page.request.post(`/api/auth/${way}`, { data, headers: { origin: base } })).ok()).toBe(true);
  await page.goto("/traders-portal?tab=lists#lists");
  await page.locator("[data-island=PortalTabs][data-awake]").waitFor({ state: "attached" });
  return page;
}
const stored = async (page: Page) => (await (await page.request.get("/api/watchlists")).json()) as Watchlists;
const handles = (page: Page) =>
  page.getByRole("list", { name: /^Order of/ }).evaluate((list) => [...list.children].map((row) => (row as HTMLElement).dataset.symbol));

test("made on one device by keyboard it appears on the other; its order follows mouse and arrow keys; a late writer is told", async () => {
  const desk = await device(1440, 900, "register");
  await desk.getByText("No watchlist yet").waitFor();
  const phone = await device(360, 740, "login");
  await phone.getByText("No watchlist yet").waitFor();

  await desk.getByRole("button", { name: "New list" }).focus();
  await desk.keyboard.press("Enter");
  await desk.waitForFunction(() => document.activeElement?.id === "watchlist-name");
  await desk.keyboard.type("Mine");
  await desk.keyboard.press("Enter");
  for (const symbol of ["EUR/USD", "BTC/USD", "GBP/JPY"]) {
    await desk.getByLabel("Add an instrument").selectOption(symbol);
    await desk.getByRole("button", { name: "Add", exact: true }).press("Enter");
    await desk.getByRole("button", { name: `Remove ${symbol}` }).waitFor();
  }
  // On the phone it is there without a reload, with live cards.
  const cards = phone.getByRole("list", { name: "Mine" });
  await cards.getByText("GBP/JPY", { exact: true }).waitFor();
  const symbols = () => cards.locator("> li").evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.symbol));
  await eventually(async () => expect(await symbols()).toEqual(["EUR/USD", "BTC/USD", "GBP/JPY"]));

  const handle = desk.getByRole("button", { name: /^Move GBP\/JPY/ });
  await handle.focus();
  await desk.keyboard.press("ArrowUp");
  await desk.getByText("GBP/JPY is 2 of 3").waitFor({ state: "attached" });
  await desk.keyboard.press("ArrowUp");
  await desk.getByText("GBP/JPY is 1 of 3").waitFor({ state: "attached" });
  await desk.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Move GBP/JPY, 1 of 3");
  await eventually(async () => expect(await handles(desk)).toEqual(["GBP/JPY", "EUR/USD", "BTC/USD"]));

  const [from, to] = [await handle.boundingBox(), await desk.getByRole("button", { name: /^Move BTC\/USD/ }).boundingBox()];
  if (!from || !to) throw new Error("no handles");
  await desk.mouse.move(from.x + 10, from.y + from.height / 2);
  await desk.mouse.down();
  await desk.mouse.move(to.x + 10, to.y + to.height / 2, { steps: 8 });
  await desk.mouse.up();
  await eventually(async () => expect(await handles(desk)).toEqual(["EUR/USD", "BTC/USD", "GBP/JPY"]));
  await until("the server has the order", async () => (await stored(desk)).lists[0]?.symbols.join() === "EUR/USD,BTC/USD,GBP/JPY");

  // Both change it from one state: who comes second is told, and sees what stands.
  const { version, lists } = await stored(desk);
  await phone.context().setOffline(true);
  const other = [{ ...lists[0], name: "Theirs" }];
  expect((await desk.request.put("/api/watchlists", { data: { version, lists: other }, headers: { origin: base } })).ok()).toBe(true);
  await desk.getByRole("option", { name: "Theirs" }).waitFor({ state: "attached" });
  const late = await desk.request.put("/api/watchlists", { data: { version, lists: [] }, headers: { origin: base } });
  expect([late.status(), ((await late.json()) as { current: Watchlists }).current.lists[0]?.name]).toEqual([409, "Theirs"]);
  await phone.context().setOffline(false);
  await phone.getByRole("list", { name: "Theirs" }).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);

  await phone.getByRole("button", { name: "Edit list" }).click();
  await phone.getByRole("button", { name: "Rename" }).click();
  await phone.getByLabel("Name of the list").fill(" ");
  await phone.getByRole("button", { name: "Save" }).click();
  await phone.getByText("Name the list.").waitFor();
  await phone.getByLabel("Name of the list").fill("Ours");
  await phone.getByRole("button", { name: "Save" }).click();
  await desk.getByRole("option", { name: "Ours" }).waitFor({ state: "attached" });
  await phone.getByRole("button", { name: "Delete list" }).click();
  await desk.getByText("No watchlist yet").waitFor();

  // A list that was moved says where it stands; at an end the keyboard keeps its place, though the button goes no further.
  for (const name of ["First", "Second"]) {
    await desk.getByRole("button", { name: "New list" }).press("Enter");
    await desk.getByLabel("Name of the list").fill(name);
    await desk.getByLabel("Name of the list").press("Enter");
    await desk.getByRole("option", { name, exact: true }).waitFor({ state: "attached" });
  }
  await desk.getByRole("button", { name: "Move list up" }).press("Enter");
  await desk.getByText("Second is 1 of 2.").waitFor();
  expect(await desk.evaluate(() => document.activeElement?.id)).toBe("watchlist");
  await until("the server has them so", async () => (await stored(desk)).lists.map(({ name }) => name).join() === "Second,First");
});
