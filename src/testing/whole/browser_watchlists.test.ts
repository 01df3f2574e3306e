import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Watchlists } from "../../watchlists/schema";
import { type TestApp, testApp } from "../app";
import { eventually, holdToasts, openBrowser, told } from "../browser";
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

const newcomer = () => ({ email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse" });
const person = newcomer();
async function device(width: number, height: number, way: "register" | "login", who = person): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height } });
  const data = { firstName: "Ada", lastName: "Lovelace", referralCode: "", ...who };
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
  const symbols = () => cards.locator("> li").evaluateAll((rows) => rows.map((row) => row.querySelector("h2 span, h3")?.textContent?.trim()));
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

test("a list that was deleted is put back in its place with its instruments, by hand and by keyboard; another device then edits no other list", async () => {
  const who = newcomer();
  const desk = await device(1440, 900, "register", who);
  const lists = ["First", "Second", "Third"].map((name, at) => ({ id: crypto.randomUUID(), name, symbols: ["GBP/JPY", "EUR/USD", "BTC/USD"].slice(at) }));
  expect((await desk.request.put("/api/watchlists", { data: { version: 0, lists }, headers: { origin: base } })).ok()).toBe(true);
  const phone = await device(360, 740, "login", who);
  const [here, there] = [desk, phone].map((page) => page.getByLabel("Watchlist", { exact: true }));
  if (!here || !there) throw new Error("no device");
  await holdToasts(desk);
  await holdToasts(phone);
  for (const chosen of [here, there]) await chosen.selectOption("Second");
  await phone.getByRole("button", { name: "Edit list" }).click();
  await phone.getByRole("button", { name: "Rename" }).click();
  await phone.getByLabel("Name of the list").waitFor();

  // With keys alone: from the button to the lists, from there to the toast, and back to the lists.
  const focused = (id: string) => desk.waitForFunction((wanted) => document.activeElement?.id === wanted, id);
  await desk.getByRole("button", { name: "Edit list" }).press("Enter");
  await desk.getByRole("button", { name: "Delete list" }).press("Enter");
  await told(desk, "Second was deleted");
  await focused("watchlist");
  await until("the server deleted it", async () => (await stored(desk)).lists.map(({ name }) => name).join() === "First,Third");
  // The other device was naming that list: neither the form nor 'Delete list' passes on to another one.
  await phone.getByRole("list", { name: "First" }).waitFor();
  expect(await phone.getByRole("button", { name: "Delete list" }).or(phone.getByLabel("Name of the list")).count()).toBe(0);
  await desk.keyboard.press("F8");
  for (const name of ["Close notification", "Undo: put it back"]) {
    await desk.keyboard.press("Tab");
    await desk.waitForFunction((words) => [document.activeElement?.getAttribute("aria-label"), document.activeElement?.textContent].includes(words), name);
  }
  await desk.keyboard.press("Enter");
  await focused("watchlist");
  await until("the server has them as they were", async () => Bun.deepEquals((await stored(desk)).lists, lists));
  expect(await here.inputValue()).toBe(lists[1]?.id ?? "");
  await phone.getByRole("option", { name: "Second" }).waitFor({ state: "attached" });

  // The last list of all, by a press of the other device.
  const { version } = await stored(desk);
  const one = lists.slice(2);
  expect((await desk.request.put("/api/watchlists", { data: { version, lists: one }, headers: { origin: base } })).ok()).toBe(true);
  await phone.getByRole("list", { name: "Third" }).waitFor();
  await phone.getByRole("button", { name: "Edit list" }).click();
  await phone.getByRole("button", { name: "Delete list" }).click();
  await phone.waitForFunction(() => document.activeElement?.id === "watchlist-new");
  await until("the server deleted it", async () => (await stored(desk)).lists.length === 0);
  await phone.getByRole("button", { name: "Undo: put it back" }).dblclick();
  await until("the server has it again", async () => Bun.deepEquals((await stored(desk)).lists, one));
  await desk.getByRole("option", { name: "Third" }).waitFor({ state: "attached" });
});
