import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually, holdClock, openBrowser, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { fundLive, until } from "../scenarios";
import type { ClosedPosition, Position } from "../../trading/schema";

/** The traders portal in a real browser, with prices in the test's hand. */

const BIDS = { "EUR/USD": ["1.08420", "1.08425"], "USD/JPY": ["151.100", "151.110"], "BTC/USD": ["90000.00", "90005.00"] } as const;

let app: TestApp;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let base: string;
const quoteAll = async () => {
  for (const [symbol, [bid, ask]] of Object.entries(BIDS)) await app.quote(symbol, bid, ask);
};
beforeAll(async () => {
  app = await testApp();
  // Candles to look at, so that the chart has a scale.
  for (let minute = 0; minute < 40; minute++) {
    const bid = 1.0842 + 0.001 * Math.sin(minute / 5);
    await app.quote("EUR/USD", bid.toFixed(5), (bid + 0.00005).toFixed(5));
    app.pass(60_000);
  }
  await quoteAll();
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

async function trader(options: Parameters<typeof browser.visit>[0] = {}): Promise<Page> {
  const page = await browser.visit({ viewport: { width: 1440, height: 900 }, ...options });
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: base } })).status()).toBe(201);
  return page;
}
const answer = async <T>(page: Page, path: string): Promise<T> => (await page.request.get(path)).json() as Promise<T>;
const open = (page: Page) => answer<Position[]>(page, "/api/trading/positions/open");
const place = async (page: Page, order: Record<string, unknown> = {}): Promise<Position> => {
  const data = { symbol: "EUR/USD", type: "buy", amount: 1000, ...order };
  const placed = await page.request.post("/api/trading/positions", { data, headers: { origin: base } });
  expect(placed.status()).toBe(201);
  return (await placed.json()) as Position;
};
const awake = (page: Page, island: string) => page.locator(`[data-island=${island}][data-awake]`).waitFor({ state: "attached" });
const holds = (page: Page, label: string, value: string) =>
  eventually(async () => expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(value));

test("by keyboard: keys, sizing by risk, the preview with its scenarios, the order, and the fields as before", async () => {
  const page = await trader();
  await page.goto("/traders-portal");
  await Promise.all([awake(page, "OrderPanel"), awake(page, "PortalTabs")]);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByText("Set the order to SELL").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Execute SELL EUR/USD" }).waitFor();
  await page.keyboard.press("b");
  await page.getByRole("button", { name: "More: risk" }).click();
  expect(await page.getByRole("button", { name: "Size by risk" }).isDisabled()).toBe(true);
  await page.keyboard.press("l");
  await page.keyboard.type("1.07439");
  await page.getByRole("button", { name: "Size by risk" }).click();
  // One per cent of $10,000.00 is lost by a hundred pips of 1.08439.
  await holds(page, "Amount ($)", "10843.90");
  await page.getByRole("group", { name: "Quick sizes" }).getByRole("button", { name: "$500" }).click();
  await holds(page, "Amount ($)", "500");
  await page.getByLabel("Take Profit").fill("1.09439");
  await page.getByRole("heading", { name: "Traders Portal" }).click();

  await page.keyboard.press("p");
  const preview = page.getByRole("dialog", { name: "Trade Preview Analysis" });
  for (const words of ["BUY EUR/USD", "Position size", "1.08439", "Margin required", "$5.00", "10 pips", "20 pips", "50 pips", "100 pips", "200 pips"])
    await preview.getByText(words).first().waitFor();
  await preview.getByRole("region", { name: "Stop loss scenario" }).getByText("$4.61").waitFor();
  await preview.getByRole("region", { name: "Take profit scenario" }).getByText("$4.61").waitFor();
  for (const fact of ["Spread cost", "Leverage", "Trade amount", "Risk warning"]) await preview.getByText(fact).first().waitFor();
  await preview.getByRole("button", { name: "Close Preview" }).click();

  await page.keyboard.press("a");
  await page.keyboard.press("Enter");
  await told(page, "Trade Executed");
  await told(page, "BUY order for $500 on EUR/USD has been placed successfully");
  await Promise.all([holds(page, "Amount ($)", "1000"), holds(page, "Stop Loss", ""), holds(page, "Take Profit", "")]);
  expect(await open(page)).toMatchObject([{ symbol: "EUR/USD", type: "buy", amount: "500.00", stopLoss: "1.07439000", takeProfit: "1.09439000" }]);

  await page.getByLabel("Amount ($)").fill("0");
  await page.getByRole("button", { name: "Execute BUY EUR/USD" }).click();
  await page.getByText("Please enter a valid trade amount", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Preview Trade" }).click();
  await told(page, "Please enter a valid trade amount to preview");
  await page.context().close();
});

/** Keeps back what the server answers to these requests, as a slow line would, until it is told to go on. */
async function holdAnswers(page: Page, path: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  });
  return { release: resolve };
}

/** Where an element's middle is on the screen. */
async function middle(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error("it is not on the screen");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("a stop on the chart is dragged, moved by keys, refused and snapped back, added and taken away", async () => {
  const page = await trader();
  const { id } = await place(page, { stopLoss: 1.084 });
  await page.goto("/traders-portal");
  const stop = page.getByRole("slider", { name: "Stop of BUY EUR/USD, $1,000.00" });
  const now = async () => Number(await stop.getAttribute("aria-valuenow"));
  const saved = async () => Number((await open(page)).find((each) => each.id === id)?.stopLoss ?? 0);
  expect(await now()).toBe(1.084);

  await stop.hover();
  const from = await middle(stop);
  await page.mouse.down();
  await page.mouse.move(from.x, from.y + 40, { steps: 5 });
  await until("it follows the pointer", async () => (await now()) < 1.084);
  await page.mouse.up();
  await told(page, "Position changed");
  const dropped = await saved();
  expect(dropped).toBeLessThan(1.084);
  await until("it stands where it was dropped", async () => (await now()) === dropped);

  await stop.focus();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("ArrowDown");
  await until("it is moved", async () => (await now()) < dropped - 0.0002);
  expect(await saved()).toBe(dropped);
  await page.keyboard.press("Escape");
  await until("it is back", async () => (await now()) === dropped);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until("one pip lower", async () => (await saved()) === Number((dropped - 0.0001).toFixed(5)));

  const held = await saved();
  await page.locator('[role=slider][aria-busy="false"]').first().waitFor();
  // The answer about one pip keeps the server busy; what is moved and set meanwhile is neither lost nor overwritten by it.
  const answers = await holdAnswers(page, "**/api/trading/positions/*");
  for (let pips = 0; pips < 2; pips++) {
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
  }
  await page.keyboard.press("ArrowDown");
  await answers.release();
  await until("two pips higher", async () => (await saved()) === Number((held + 0.0002).toFixed(5)));
  await until("what was moved meanwhile stands", async () => (await now()) === Number((held + 0.0001).toFixed(5)));
  await page.keyboard.press("Enter");
  await until("one pip higher", async () => (await saved()) === Number((held + 0.0001).toFixed(5)));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await until("where it was", async () => (await saved()) === held);

  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Shift+PageUp");
  await page.keyboard.press("Enter");
  await told(page, "Stop loss must be below the current price for a buy");
  await until("it is back", async () => (await now()) === held);
  expect(await saved()).toBe(held);

  await page.getByRole("button", { name: "Add a target to BUY EUR/USD, $1,000.00" }).press("Enter");
  await page.getByRole("slider", { name: "Target of BUY EUR/USD, $1,000.00" }).press("Enter");
  await until("the target is set", async () => Number((await open(page))[0]?.takeProfit) > 1.085);
  await stop.press("Delete");
  await page.getByRole("button", { name: "Add a stop to BUY EUR/USD, $1,000.00" }).waitFor();
  await until("the stop is taken away", async () => (await open(page))[0]?.stopLoss === null);
  await page.context().close();
});

test("the lists: found by name, the coins' own list, an instrument that is only chosen; positions edited, closed in part and at once", async () => {
  const page = await trader();
  await place(page);
  await place(page, { type: "sell", amount: 400 });
  await place(page, { symbol: "BTC/USD", amount: 300 });
  await page.goto("/traders-portal");
  await awake(page, "PortalTabs");
  const search = page.getByLabel("Search instruments");
  await page.keyboard.press("/");
  await page.keyboard.type("yen");
  await page.getByText("5 found").waitFor();
  await page.getByRole("button", { name: "BUY USD/JPY" }).click();
  await page.getByRole("button", { name: "Execute BUY USD/JPY" }).waitFor();
  expect(await open(page)).toHaveLength(3);
  await search.fill("no such thing");
  await page.getByText("No instruments match your search.").waitFor();
  await page.getByRole("button", { name: "Clear Search" }).click();
  await page.getByRole("tab", { name: "Cryptocurrency" }).click();
  const coins = page.getByRole("list", { name: "Cryptocurrency" });
  await coins.waitFor();
  const names = await coins.getByRole("heading").allInnerTexts();
  expect(names.map((name) => name.split("/")[0])).toEqual(["BTC", "ETH", "LTC", "XRP", "ADA", "DOT", "LINK", "AVAX", "SOL", "MATIC"]);

  await page.getByRole("heading", { name: "Traders Portal" }).click();
  await page.keyboard.press("3");
  const row = page.getByRole("row").filter({ hasText: "BUY" }).filter({ hasText: "EUR/USD" });
  await row.getByRole("link", { name: "Edit EUR/USD" }).click();
  const dialog = page.getByRole("dialog", { name: "BUY EUR/USD" });
  await dialog.getByLabel("Stop loss", { exact: true }).fill("1.05");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await told(page, "What closes EUR/USD is set.");
  await row.getByRole("link", { name: "Edit EUR/USD" }).click();
  await dialog.getByLabel("Amount to close ($)").fill("250");
  await dialog.getByRole("button", { name: "Close this amount" }).click();
  await told(page, /^\$250\.00 of EUR\/USD closed with/);
  await row.getByText("$750.00").waitFor();
  await app.quote("EUR/USD", "1.09000", "1.09005");
  await row.getByText("+$").waitFor();
  await page.getByRole("button", { name: "Close BTC/USD" }).press("Enter");
  await told(page, /^BTC\/USD closed with/);
  // The button has gone with its row; the keyboard goes on from there.
  await page.waitForFunction(() => document.activeElement?.matches("tr") && document.activeElement.closest("table") !== null);

  await page.getByRole("heading", { name: "Traders Portal" }).click();
  await page.keyboard.press("c");
  const question = page.getByRole("dialog", { name: "Close All Positions" });
  await question.getByRole("button", { name: "Close 2 positions" }).click();
  await told(page, "2 positions closed");
  await page.getByText("No open positions").waitFor();
  await page.getByRole("group", { name: "Open Positions" }).getByText("0", { exact: true }).waitFor();

  await page.getByRole("tab", { name: "Trade History" }).click();
  await until("all four are listed", async () => (await page.locator("tr[data-row]").count()) === 4);
  // At a desk the column's name says the zone.
  expect(await page.getByText("Times in UTC").isVisible()).toBe(false);
  await page.getByLabel("Symbol", { exact: true }).selectOption("BTC/USD");
  await until("one is left", async () => (await page.locator("tr[data-row]").count()) === 1);
  await page.getByLabel("Reason").selectOption("stop_loss");
  await page.getByText("No trade matches these filters.").waitFor();
  await page.getByRole("button", { name: "Clear Filters" }).click();
  await page.getByRole("link", { name: "Receipt of BTC/USD" }).click();
  await page.waitForURL("**/receipt");
  await quoteAll();
  await page.context().close();
});

test("live money is told from demo; its closing can be undone for five seconds, and is not sent behind one's back", async () => {
  const person = await app.trader();
  const accountId = await fundLive(app, person, "1000.00");
  const page = await browser.visit();
  const [name = "", value = ""] = person.cookie.split("=");
  await page.context().addCookies([{ name, value, url: base }]);
  await place(page, { amount: 500, accountId });
  await page.goto("/profile");
  await awake(page, "ClosingChoice");
  await page.getByRole("radio", { name: "Five seconds to undo" }).check();
  await holdClock(page);
  await page.goto(`/traders-portal?account=${accountId}&tab=positions`);
  await page.getByText("Live account: real money").waitFor();
  await page.getByRole("button", { name: "Execute BUY EUR/USD (live)" }).waitFor();
  const wake = () =>
    eventually(async () => {
      await page.clock.runFor(100);
      expect(await page.locator("[data-island=PortalTabs][data-awake]").count()).toBe(1);
    });
  const close = async () => {
    await wake();
    await page.getByRole("button", { name: "Close EUR/USD" }).click();
    await told(page, "Closing in 5 seconds");
  };
  await close();
  await page.getByRole("button", { name: "Undo closing EUR/USD" }).click();
  await told(page, "BUY EUR/USD $500.00 stays open.");
  await close();
  await page.reload();
  await wake();
  await told(page, "You left before the five seconds were over");
  await close();
  await page.clock.runFor(4900);
  expect(await open(page)).toHaveLength(1);
  await page.clock.runFor(200);
  await told(page, "Position closed");
  expect(await answer<Position[]>(page, "/api/trading/positions/history")).toHaveLength(1);
  await page.context().close();
});

test("a settlement by an administrator stands in the history; the profile and support tabs work", async () => {
  const page = await trader();
  const { id } = await place(page, { amount: 70 });
  const admin = await app.admin();
  const forced = await admin.post(`/api/admin/trades/${id}/force-win`, { reason: "A wrong price of the feed", profit: "12.50" });
  expect(forced.status).toBe(200);
  await page.goto("/traders-portal?tab=history");
  await page.getByRole("cell").getByText("Settled by administrator").waitFor();
  await page.getByText("A wrong price of the feed").waitFor();
  await page.getByText(/Settled \+\$12\.50, market result/).waitFor();
  const [closed] = await answer<ClosedPosition[]>(page, "/api/trading/positions/history");
  expect(closed?.correction?.settledProfit).toBe("12.50");

  await page.getByRole("tab", { name: "Profile Dashboard" }).click();
  const profile = page.getByRole("region", { name: "Profile", exact: true });
  for (const words of ["Ada Lovelace", "750", "Excellent", "Medium", "Beginner", "Awaiting approval"]) await profile.getByText(words).first().waitFor();
  await page.getByRole("button", { name: "Make a Deposit" }).click();
  await page.getByRole("dialog", { name: "Make a Deposit" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Request Withdrawal" }).click();
  await page.getByRole("dialog", { name: "Request Withdrawal" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Transfer" }).waitFor();

  await page.getByRole("tab", { name: "Support" }).click();
  await page.getByText("No support tickets yet").waitFor();
  await page.getByRole("link", { name: "Create New Ticket" }).click();
  await page.getByLabel("Subject").fill("My stop");
  await page.getByLabel("Category").selectOption("trading");
  await page.getByLabel("Message").fill("Why did it fill there?");
  await page.getByRole("button", { name: /Submit|Create|Send/ }).click();
  await told(page, "Your ticket has been submitted successfully. We'll respond soon.");
  await page.getByText("My stop").waitFor();
  await page.context().close();
});

test("what asks before everything closes gives the keyboard back to its button, the first time too", async () => {
  const page = await trader();
  await place(page);
  await page.goto("/traders-portal");
  await awake(page, "DealTools");
  const button = page.getByRole("region", { name: "Quick Actions" }).getByRole("button", { name: "Close All Positions" });
  const question = page.getByRole("dialog", { name: "Close All Positions" });
  await button.press("Enter");
  await question.getByRole("button", { name: "Keep them open" }).waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "hidden" });
  await eventually(async () => expect(await button.evaluate((element) => element === document.activeElement)).toBe(true));
  await page.context().close();
});
