import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Position, Receipt } from "../../trading/schema";
import { type TestApp, testApp } from "../app";
import { holdClock, openBrowser, told } from "../browser";
import { until } from "../scenarios";

/** One-click dealing: off by default, on for one account on one device, a receipt and a way back for each press. Prices are in the test's hand. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
beforeAll(async () => {
  app = await testApp();
  await price(1.0842);
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

const price = (bid: number) => app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00004).toFixed(5));
async function trader(width: number, height: number, touch = false): Promise<Page> {
  const page = await browser.visit({ viewport: { width, height }, ...(touch ? { hasTouch: true, isMobile: true } : {}) });
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
  await page.goto("/traders-portal");
  await awake(page);
  return page;
}
const awake = (page: Page) => page.locator("[data-island=DealTools][data-awake]").waitFor({ state: "attached" });
const panel = (page: Page) => page.getByRole("region", { name: "One-click dealing" });
const open = async (page: Page) => (await (await page.request.get("/api/trading/positions/open")).json()) as Position[];
const receiptOf = async (page: Page, id: string) => (await (await page.request.get(`/api/trading/positions/${id}/receipt`)).json()) as Receipt;

test("by keyboard alone: switched on after its sentence, dealt within its bound, undone, switched off", async () => {
  const page = await trader(1440, 900);
  await panel(page).getByText("Off. Every order is placed from the form.").waitFor();
  await panel(page).getByRole("button", { name: "Switch on..." }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "One-click dealing" });
  await dialog.getByText(/deals at once on account \S+: no preview and no question/).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "one-click-amount");
  await page.getByLabel("Amount of each press ($)").fill("5");
  await page.keyboard.press("Enter");
  await dialog.getByText("Enter an amount from $10, such as 1000.").waitFor();
  await page.getByLabel("Amount of each press ($)").fill("250");
  await page.getByLabel("Bound for pairs (pips)").fill("2");
  await page.keyboard.press("Enter");
  await panel(page).getByText("A press deals $250.00 at once, at most 2 pips from the price shown.").waitFor();

  // A toast, and what it offers, goes after five seconds: here when the test says so.
  await holdClock(page);
  const buy = panel(page).getByRole("button", { name: /^BUY EUR\/USD/ });
  await buy.focus();
  await page.keyboard.press("Enter");
  await told(page, /^Bought EUR\/USD at 1\.08/);
  const [position] = await open(page);
  expect(position).toMatchObject({ symbol: "EUR/USD", type: "buy", amount: "250.00", stopLoss: null, takeProfit: null });
  const { fills } = await receiptOf(page, position?.id ?? "");
  expect(fills[0]).toMatchObject({ requestedPrice: position?.openPrice, slippage: "0.00000000" });
  await page.getByRole("link", { name: "Receipt" }).waitFor();
  await page.getByRole("button", { name: "Undo: close it" }).focus();
  await page.keyboard.press("Enter");
  await told(page, "Position closed");
  expect(await open(page)).toEqual([]);
  await page.clock.resume();

  await page.reload();
  await awake(page);
  await panel(page).getByText("A press deals $250.00 at once", { exact: false }).waitFor();
  await panel(page).getByRole("button", { name: "Switch off" }).press("Enter");
  await panel(page).getByText("Off. Every order is placed from the form.").waitFor();
  await page.close();
});

test("on a phone: a double tap is one order, and what moved beyond the bound is refused", async () => {
  const page = await trader(360, 740, true);
  await panel(page).getByRole("button", { name: "Switch on..." }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Switch on", exact: true }).tap();
  const sell = panel(page).getByRole("button", { name: /^SELL EUR\/USD/ });
  await sell.waitFor();
  // Both presses of one finger, in one moment.
  await sell.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await told(page, /^Sold EUR\/USD at 1\.08/);
  expect(await open(page)).toHaveLength(1);

  // The price moves while the order is on its way: what the button showed is gone.
  await page.route("**/api/trading/positions", async (route) => {
    await price(1.0832);
    await route.continue();
  });
  // A press sooner than this is taken for the first one's echo.
  const now = await page.evaluate(() => performance.now());
  await page.waitForFunction((since) => performance.now() - since >= 400, now);
  await sell.tap();
  await told(page, "Not dealt");
  expect(await open(page)).toHaveLength(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await page.close();
  await price(1.0842);
});

test("it is on for one account on one device: another account, and another device, have it off", async () => {
  const page = await trader(768, 1024);
  await panel(page).getByRole("button", { name: "Switch on..." }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Switch on", exact: true }).click();
  await panel(page).getByRole("button", { name: "Switch off" }).waitFor();
  const made = await page.request.post("/api/trading-accounts", { data: { accountTypeId: "starter", isDemo: true }, headers: { origin: base } });
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/traders-portal?account=${id}`);
  await awake(page);
  await panel(page).getByText("Off. Every order is placed from the form.").waitFor();
  const other = await browser.visit();
  await other.context().addCookies(await page.context().cookies());
  await other.goto("/traders-portal");
  await awake(other);
  await panel(other).getByText("Off. Every order is placed from the form.").waitFor();
  await until("nothing was dealt", async () => (await open(page)).length === 0);
});
