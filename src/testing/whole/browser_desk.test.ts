import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import type { Position } from "../../trading/schema";
import { type TestApp, testApp } from "../app";
import { eventually, holdClock, holdToasts, openBrowser, pressed, told } from "../browser";
import { violations } from "../inspect";
import { until } from "../scenarios";

/** The trading screen as a phone has it, upright and on its side, and as a workstation. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp();
  for (let minute = 0; minute < 40; minute++) {
    const bid = 1.0842 + 0.001 * Math.sin(minute / 5);
    await app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00005).toFixed(5));
    app.pass(60_000);
  }
  await app.quote("EUR/USD", "1.08420", "1.08425");
  await app.quote("GBP/USD", "1.26000", "1.26008");
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

const PHONE = { hasTouch: true, isMobile: true };
async function trader(width: number, height: number, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height }, bypassCSP: true, ...options });
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
  return page;
}
const openOf = async (page: Page) => (await page.request.get("/api/trading/positions/open")).json() as Promise<Position[]>;
const bar = (page: Page) => page.getByRole("group", { name: "Trade EUR/USD" });
const sheet = (page: Page) => page.getByRole("dialog", { name: "Demo order, EUR/USD" });
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
/** All of it is on the screen as it stands. */
async function isInSight(of: Locator) {
  const box = await of.boundingBox();
  const size = of.page().viewportSize();
  if (!box || !size) throw new Error("it is not on the page");
  return box.x >= 0 && box.y >= 0 && box.x + box.width <= size.width && box.y + box.height <= size.height;
}

test("a stranger on a phone opens a trade in six taps, scrolls nothing but the form, and sees the profit on the same screen", async () => {
  const page = await browser.visit({ viewport: { width: 360, height: 740 }, ...PHONE });
  let taps = 0;
  /** What stands on the screen as it is, and nothing that a swipe would bring. */
  const tap = async (button: Locator) => {
    await button.waitFor();
    await eventually(async () => expect(await isInSight(button)).toBe(true));
    taps += 1;
    await button.tap();
  };
  await page.goto("/");
  await tap(page.getByRole("main").getByRole("link", { name: "Register now" }).first());
  await page.waitForURL("**/register");
  await tap(page.getByLabel("First name"));
  // The keyboard's own key leads from field to field.
  for (const [label, text] of [
    ["First name", "Sam"],
    ["Last name", "Stranger"],
    ["Email address", `sam-${crypto.randomUUID().slice(0, 8)}@t.test`],
    ["Password", "Corr3ct-horse"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text);
  const create = page.getByRole("button", { name: "Create Account" });
  await create.scrollIntoViewIfNeeded();
  await tap(create);
  await page.waitForURL("**/dashboard");
  await tap(page.getByRole("link", { name: "Open New Trade" }).first());
  await page.waitForURL("**/traders-portal");
  await tap(bar(page).getByRole("button", { name: "BUY" }));
  await tap(sheet(page).getByRole("button", { name: "Execute BUY EUR/USD" }));
  await told(page, "Trade Executed");
  expect(taps).toBeLessThanOrEqual(6);
  expect(await openOf(page)).toHaveLength(1);
  const strip = page.getByRole("link", { name: /^1 open position/ });
  await eventually(async () => expect(await strip.innerText()).toMatch(/[+−]\$\d/));
  expect(await isInSight(strip)).toBe(true);
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.context().close();
});

/** The trading screen while its line is so slow that this script is still under way, with the page's clock in the test's hand. */
async function slow(page: Page, script: RegExp, tab = "") {
  const line = Promise.withResolvers<void>();
  await page.route(script, async (route) => {
    await line.promise;
    await route.continue().catch(() => {}); // The page may have been left.
  });
  await holdClock(page);
  await page.goto(`/traders-portal${tab}`, { waitUntil: "commit" });
  return line;
}
const ORDERS = /OrderPanel[^/]*\.js$/;
const BOOT = /\/boot-[^/]*\.js$/;
/** A press is kept for five seconds; then a page that needs no script answers it. */
const TOO_LATE_MS = 5_100;

test("what is pressed before the order's script has come is done when it has: the sheet opens, and an order asks first, at the price of then", async () => {
  const phone = await trader(360, 740, PHONE);
  const script = await slow(phone, ORDERS);
  await bar(phone).getByRole("button", { name: "SELL" }).tap();
  await bar(phone).getByRole("button", { name: "BUY" }).tap();
  expect(await phone.getByRole("dialog").count()).toBe(0);
  expect(await bar(phone).getByRole("button", { name: "BUY" }).getAttribute("aria-busy")).toBe("true");
  script.resolve();
  // What stands in the sheet comes a picture after its frame.
  await sheet(phone).waitFor();
  await eventually(async () => {
    await phone.clock.runFor(100);
    expect(await sheet(phone).getByRole("button", { name: "Execute BUY EUR/USD" }).count()).toBe(1);
  });
  expect(await bar(phone).getByRole("button", { name: "BUY" }).getAttribute("aria-busy")).toBe(null);
  // It was answered: nothing else comes of it.
  await phone.clock.runFor(TOO_LATE_MS);
  await sheet(phone).getByRole("button", { name: "Execute BUY EUR/USD" }).waitFor();
  expect([new URL(phone.url()).pathname, await openOf(phone)]).toEqual(["/traders-portal", []]);
  await phone.context().close();

  const desk = await trader(1440, 900);
  const line = await slow(desk, ORDERS);
  await desk.getByLabel("Amount ($)", { exact: true }).fill("275");
  const execute = desk.getByRole("button", { name: "Execute BUY EUR/USD" });
  await execute.click();
  await execute.click();
  line.resolve();
  const preview = desk.getByRole("dialog", { name: "Trade Preview Analysis" });
  await preview.waitFor();
  expect(await openOf(desk)).toEqual([]);
  // A press that comes with the dialog counts for nothing.
  await desk.clock.runFor(600);
  await pressed(preview, "Confirm & Execute BUY");
  await eventually(async () => expect((await openOf(desk)).map((each) => Number(each.amount))).toEqual([275]));
  await desk.context().close();
});

test("where the script does not come, a press leads to the page that needs none, with what was written, and deals nothing before that is confirmed", async () => {
  for (const script of [ORDERS, BOOT]) {
    const phone = await trader(360, 740, PHONE);
    await slow(phone, script);
    await bar(phone).getByRole("button", { name: "SELL" }).tap();
    expect(new URL(phone.url()).pathname).toBe("/traders-portal");
    await phone.clock.runFor(TOO_LATE_MS);
    await phone.waitForURL("**/positions/new?**", { waitUntil: "commit" });
    expect(await phone.getByLabel("Trade Type").inputValue()).toBe("sell");
    expect(await openOf(phone)).toEqual([]);
    await phone.context().close();

    const desk = await trader(1440, 900);
    await slow(desk, script);
    await desk.getByLabel("Amount ($)", { exact: true }).fill("275");
    await desk.getByRole("button", { name: "Execute BUY EUR/USD" }).click();
    await desk.clock.runFor(TOO_LATE_MS);
    await desk.getByRole("heading", { name: "Check Your Order" }).waitFor();
    expect(await openOf(desk)).toEqual([]);
    await desk.getByRole("button", { name: "Execute BUY EUR/USD" }).click();
    await desk.waitForURL("**tab=positions**", { waitUntil: "commit" });
    expect((await openOf(desk)).map((each) => Number(each.amount))).toEqual([275]);

    // Closing deals too: the page asks, whether the script comes or not.
    const [position] = await openOf(desk);
    const lists = await slow(desk, script === BOOT ? BOOT : /PortalTabs[^/]*\.js$/, "?tab=positions");
    await desk.getByRole("button", { name: "Close EUR/USD" }).click();
    if (script === BOOT) await desk.clock.runFor(TOO_LATE_MS);
    else {
      lists.resolve();
      // These wake when the browser is idle.
      await desk.clock.resume();
    }
    await desk.waitForURL(`**/positions/${position?.id}/close`, { waitUntil: "commit" });
    expect(await openOf(desk)).toHaveLength(1);
    await desk.context().close();
  }
});

test("on a phone the order stands in a sheet whose confirm the keyboard never covers; its toast leads to the position; lists are tabs of rows of two lines", async () => {
  const page = await trader(360, 740, PHONE);
  // A keyboard leaves so much of the screen; no browser under test has one.
  await page.addInitScript(() => {
    const view = Object.assign(new EventTarget(), { height: innerHeight, offsetTop: 0 });
    Object.defineProperty(window, "visualViewport", { value: view });
  });
  await page.goto("/traders-portal");
  const chart = page.getByRole("region", { name: "Chart of EUR/USD" });
  for (const seen of [chart, bar(page), page.getByRole("navigation", { name: "Trading screen" })]) expect(await isInSight(seen)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await bar(page).getByRole("button", { name: "SELL" }).tap();
  const execute = sheet(page).getByRole("button", { name: "Execute SELL EUR/USD" });
  await execute.waitFor();
  await sheet(page).getByText("Margin $10.00").waitFor();
  await sheet(page).getByLabel("Stop Loss").fill("1.09000");
  await sheet(page).getByText("Stop −$5.", { exact: false }).waitFor();
  await page.evaluate(() => {
    Object.assign(visualViewport as object, { height: 400 });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  await eventually(async () => expect(((await execute.boundingBox())?.y ?? 740) + ((await execute.boundingBox())?.height ?? 0)).toBeLessThanOrEqual(400));
  expect((await sheet(page).boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.evaluate(() => {
    Object.assign(visualViewport as object, { height: innerHeight });
    visualViewport?.dispatchEvent(new Event("resize"));
  });
  await sheet(page).getByRole("button", { name: "$500", exact: true }).tap();
  expect(await violations(page)).toEqual([]);
  await holdToasts(page);
  await execute.tap();
  await page.locator("#toasts").getByRole("link", { name: "See the position" }).tap();
  const [made] = await openOf(page);
  expect(made).toMatchObject({ type: "sell", amount: "500.00", stopLoss: "1.09000000" });
  const row = page.locator(`tr[data-row="${made?.id}"]`);
  await page.waitForFunction((id) => (document.activeElement as HTMLElement | null)?.dataset.row === id, made?.id);
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(72);
  const close = row.getByRole("button", { name: "Close EUR/USD" });
  expect(await close.isVisible()).toBe(false);
  await row.getByRole("button", { name: "Details" }).tap();
  await close.waitFor();
  expect(await violations(page)).toEqual([]);
  await close.tap();
  await told(page, /^EUR\/USD closed with/);
  const places = page.getByRole("navigation", { name: "Trading screen" });
  await places.getByRole("link", { name: "History" }).tap();
  await page.locator(`tr[data-row="${made?.id}"]`).waitFor();
  await page.getByText("Times in UTC").waitFor();
  expect((await page.locator("tr[data-row]").first().boundingBox())?.height).toBeLessThanOrEqual(72);
  expect(await chart.isVisible()).toBe(false);
  await places.getByRole("link", { name: "Watchlist" }).tap();
  await page.waitForURL("**tab=forex");
  await page.getByRole("button", { name: /^BUY GBP\/USD, market price 1\.26008/ }).tap();
  await page.getByRole("dialog", { name: "Demo order, GBP/USD" }).getByRole("button", { name: "Execute BUY GBP/USD" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "EUR/USD", exact: true }).tap();
  await chart.waitFor();
  await page.waitForURL((url) => !url.searchParams.has("tab"));
  await page.goBack();
  await page.getByRole("list", { name: "Forex Watchlist" }).waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await fits(page)).toBe(true);
  await places.getByRole("link", { name: "Chart" }).tap();
  expect(await fits(page)).toBe(true);
  await page.context().close();
});

test("a phone on its side shows the chart with the two prices and nothing else; one that can't run scripts has the page", async () => {
  const page = await trader(740, 360, PHONE);
  await page.goto("/traders-portal");
  const chart = page.getByRole("region", { name: "Chart of EUR/USD" });
  const [top, below] = [await chart.boundingBox(), await bar(page).boundingBox()];
  expect([top?.x, top?.y, top?.width]).toEqual([0, 0, 740]);
  expect((top?.y ?? 0) + (top?.height ?? 0)).toBeGreaterThanOrEqual(300);
  expect((below?.y ?? 0) + (below?.height ?? 0)).toBeLessThanOrEqual(360);
  expect(await violations(page)).toEqual([]);
  await bar(page).getByRole("button", { name: "BUY" }).tap();
  expect(await isInSight(sheet(page).getByRole("button", { name: "Execute BUY EUR/USD" }))).toBe(true);
  const cookies = await page.context().cookies();
  await page.context().close();
  const plain = await browser.visit({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false, ...PHONE });
  await plain.context().addCookies(cookies);
  await plain.goto("/traders-portal?tab=positions");
  await plain.getByRole("link", { name: /^BUY EUR\/USD/ }).waitFor();
  await plain.getByText("No open positions").waitFor();
  await plain.getByRole("tab", { name: "Forex Watchlist" }).tap();
  await plain.getByRole("list", { name: "Forex Watchlist" }).waitFor();
  await plain.context().close();
});

for (const [width, height] of [
  [1440, 900],
  [1920, 1080],
] as const)
  test(`a workstation of ${width} × ${height} shows everything at once; its panels resize by mouse and keys, and stay so`, async () => {
    const page = await trader(width, height);
    const order = { symbol: "EUR/USD", type: "buy", amount: 1000 };
    expect((await page.request.post("/api/trading/positions", { data: order, headers: { origin: base } })).status()).toBe(201);
    await page.goto("/traders-portal");
    const list = page.getByRole("tabpanel", { name: "Forex Watchlist" });
    const chart = page.getByRole("region", { name: "Chart of EUR/USD" });
    const row = page.getByRole("row").filter({ hasText: "BUY" });
    for (const seen of [list, chart, row, page.getByRole("button", { name: "Execute BUY EUR/USD" }), page.getByRole("group", { name: "Equity" })]) {
      await seen.waitFor();
      expect(await isInSight(seen)).toBe(true);
    }
    // Each figure stands there once; the sums of all accounts are under a press.
    expect(
      await page
        .getByText(/^(Account |Trading )?Balance$/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
    await page.getByText("All money").click();
    await page.getByRole("group", { name: "Trading Balance" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await violations(page)).toEqual([]);

    const edge = page.getByRole("separator", { name: "Width of the watchlist" });
    const size = async () => Number(await edge.getAttribute("aria-valuenow"));
    const before = await size();
    await edge.press("ArrowRight");
    await eventually(async () => expect(await size()).toBe(before + 16));
    // Stands still before the mouse is where it was.
    await edge.hover({ position: { x: 4, y: 50 } });
    const box = await edge.boundingBox();
    if (!box) throw new Error("no edge");
    await page.mouse.down();
    await page.mouse.move(box.x + 44, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => expect(await size()).toBe(before + 56));
    const foot = page.getByRole("separator", { name: "Height of the lists" });
    const high = (await chart.boundingBox())?.height ?? 0;
    for (let n = 0; n < 3; n++) await foot.press("ArrowUp");
    await eventually(async () => expect((await chart.boundingBox())?.height).toBe(high - 48));
    await page.reload();
    await eventually(async () => expect(await size()).toBe(before + 56));
    expect((await chart.boundingBox())?.height).toBe(high - 48);
    await edge.dblclick();
    await eventually(async () => expect(await size()).toBe(before));

    await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "Cards" }).click();
    // A row at a desk keeps the name under its tooltip.
    const card = page.getByRole("listitem").getByText("British Pound / US Dollar");
    await card.waitFor();
    await page.reload();
    await card.waitFor();
    await page.getByRole("group", { name: "Show as" }).getByRole("button", { name: "List" }).click();
    await card.waitFor({ state: "hidden" });

    await page.getByRole("tab", { name: "Trade History" }).click();
    await page.getByText("No trade history").waitFor();
    expect(await list.isVisible()).toBe(true);
    await page.getByRole("tab", { name: "Cryptocurrency" }).click();
    await page.getByRole("list", { name: "Cryptocurrency" }).waitFor();
    await page.getByText("No trade history").waitFor();
    await until("nothing is wider than the screen", () => fits(page));
    await page.context().close();
  });
