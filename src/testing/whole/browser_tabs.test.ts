import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { dealPrice } from "../../trading/rules_prices";
import { eventually, openBrowser, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { until } from "../scenarios";

/** Many tabs of one browser over plain HTTP/1.1, which allows six connections: they share one stream. Prices are in the test's hand. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
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

const streams = () => app.context.streams.count;

/** What a tab's clock says can be set forward, as after a sleep. */
const clockInHand = () => {
  const now = Date.now.bind(Date);
  const hand = window as unknown as { ahead: number };
  hand.ahead = 0;
  Date.now = () => now() + hand.ahead;
};
/** A minute passes for the page, in which nothing of it runs; with no word to it before or after, as when a lid is closed. */
async function sleepAMinute(page: Page, meanwhile: () => Promise<void>): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Debugger.enable");
  const stopped = new Promise<void>((resolve) => devtools.once("Debugger.paused", () => resolve()));
  await forward(page, 60_000);
  await devtools.send("Debugger.pause");
  await stopped;
  await meanwhile();
  await devtools.send("Debugger.resume");
  await devtools.detach();
}
const forward = (page: Page, ms: number) => page.evaluate((by) => void ((window as unknown as { ahead: number }).ahead += by), ms);
const happens = (page: Page, event: string) => page.evaluate((name) => void document.dispatchEvent(new Event(name)), event);
const bought = (page: Page) => page.locator("[data-price=buy]").innerText();

async function signUp(page: Page, firstName: string): Promise<string> {
  const data = { firstName, lastName: "Tabs", email: `${firstName}-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  const answer = await page.request.post("/api/auth/register", { data, headers: { origin: base } });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { user: { id: string } }).user.id;
}

let ask = 108_500;
/** Moves EUR/USD, then waits until every one of these tabs shows it. */
async function allSee(pages: Page[]): Promise<void> {
  ask += 10;
  const price = (ask / 100_000).toFixed(5);
  app.pass(1_000);
  await app.quote("EUR/USD", ((ask - 80) / 100_000).toFixed(5), price);
  await see(pages, price);
}
function see(pages: Page[], price: string) {
  const shown = dealPrice(price, "EUR/USD");
  return Promise.all(pages.map((page) => page.waitForFunction((wanted) => document.querySelector("[data-price=buy]")?.textContent === wanted, shown)));
}

test("ten tabs load and follow the market on one connection; each time the leading one closes the others go on", async () => {
  const first = await browser.visit();
  await signUp(first, "ten");
  const pages = [first];
  await first.goto("/traders-portal");
  await until("the first tab is connected", () => streams() === 1);
  while (pages.length < 10) {
    const page = await first.context().newPage();
    await page.goto("/traders-portal");
    pages.push(page);
  }
  await allSee(pages);
  expect(streams()).toBe(1);
  for (const leading of pages.splice(0, 2)) {
    await leading.close();
    await allSee(pages);
    await until("another tab has taken over", () => streams() === 1);
  }
  await Promise.all(pages.map((page) => page.close()));
  await until("the last connection is closed", () => streams() === 0);
});

test("the leading tab sleeps: another takes over; it wakes, and is fresh", async () => {
  const leading = await browser.visit();
  await leading.addInitScript(clockInHand);
  await signUp(leading, "frost");
  await leading.goto("/traders-portal");
  await until("the first tab is connected", () => streams() === 1);
  const other = await leading.context().newPage();
  await other.addInitScript(clockInHand);
  await other.goto("/traders-portal");
  await allSee([leading, other]);
  const before = await bought(leading);
  await sleepAMinute(leading, async () => {
    await forward(other, 15_000);
    await allSee([other]);
  });
  await see([leading], (ask / 100_000).toFixed(5));
  expect(await bought(leading)).not.toBe(before);
  await until("the one that woke has given its connection up", () => streams() === 1);
  await allSee([leading, other]);
  // A tab that the browser puts away says so, and leaves the lead at once.
  await happens(other, "freeze");
  await eventually(async () => expect(await leading.evaluate(async () => (await navigator.locks.query()).pending?.length)).toBe(0));
  await allSee([leading]);
  expect(streams()).toBe(1);
  await happens(other, "resume");
  await allSee([leading, other]);
  await until("they share one connection again", () => streams() === 1);
  await leading.context().close();
  await until("the last connection is closed", () => streams() === 0);
});

test("a tab alone that slept asks anew; while the server is away it says how old its prices are", async () => {
  const page = await browser.visit();
  await page.addInitScript(clockInHand);
  await signUp(page, "sleeper");
  await page.goto("/traders-portal");
  await allSee([page]);
  await sleepAMinute(page, async () => {
    ask += 10;
    app.pass(60_000);
    await app.quote("EUR/USD", ((ask - 80) / 100_000).toFixed(5), (ask / 100_000).toFixed(5));
  });
  await see([page], (ask / 100_000).toFixed(5));
  // What wakes when there is time for it has its code before the line is cut.
  await page.locator("[data-island=PortalTabs][data-awake]").waitFor({ state: "attached" });
  await page.context().setOffline(true);
  await page.evaluate(() => void ((window as unknown as { ahead: number }).ahead += 60_000));
  await page
    .getByText(/Reconnecting\. Last price, \d+ (s|min) old/)
    .first()
    .waitFor();
  await page.getByRole("button", { name: "Execute BUY EUR/USD", disabled: true }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Execute BUY EUR/USD", disabled: false }).waitFor();
  await allSee([page]);
  await page.context().close();
});

test("two people in one browser never hear each other: the old tab is drawn anew for whoever is signed in", async () => {
  const old = await browser.visit();
  const ada = await signUp(old, "Ada");
  await old.goto("/traders-portal");
  await allSee([old]);
  expect(await old.evaluate(() => document.documentElement.dataset.person)).toBe(ada);
  await old.request.post("/api/auth/logout", { headers: { origin: base } });
  await old.waitForURL("**/login?returnTo=**");

  const bob = await signUp(old, "Bob");
  await old.goto("/traders-portal");
  const tab = await old.context().newPage();
  await tab.goto("/traders-portal");
  await allSee([old, tab]);
  // Behind both tabs' backs the browser is signed in as a third.
  const cora = await signUp(old, "Cora");
  app.context.bus.publish("sessions", { userId: bob, sessionId: null });
  await Promise.all([old, tab].map((page) => page.waitForFunction((id) => document.documentElement.dataset.person === id, cora)));
  await allSee([old, tab]);
  app.context.bus.publish("notice", { userId: bob, title: "For Bob", message: "alone", kind: "info" });
  app.context.bus.publish("notice", { userId: cora, title: "For Cora", message: "alone", kind: "info" });
  await Promise.all([old, tab].map((page) => told(page, "For Cora")));
  for (const page of [old, tab]) expect(await page.getByText("For Bob").count()).toBe(0);
  await old.context().close();
});

test("without locks or channels each tab has a connection of its own; a browser that saves data is told less often", async () => {
  const page = await browser.visit();
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, "locks");
    Object.defineProperty(Navigator.prototype, "connection", { value: { saveData: true } });
  });
  const asked: string[] = [];
  page.context().on("request", (request) => void (request.url().includes("/api/stream") && asked.push(request.url())));
  await signUp(page, "alone");
  await page.goto("/traders-portal");
  const other = await page.context().newPage();
  await other.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, "locks"));
  await other.goto("/traders-portal");
  await until("both are connected", () => streams() === 2);
  await allSee([page, other]);
  await eventually(async () => expect(asked.map((url) => new URL(url).searchParams.get("quotes"))).toEqual(["slow", null]));
  await page.context().close();
});
