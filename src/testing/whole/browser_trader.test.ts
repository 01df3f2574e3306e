import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { displayMoney } from "../../lib/money";
import { awake, eventually, holdClock, openSite, pressWords, type Site, told } from "../browser";
import { losingProxy } from "../losing_proxy";
import { until } from "../scenarios";

/** A trader's own screens in a real browser, by role and name: home, platform, accounts, profile. Where time matters the page's clock is in the test's hand. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  // The browser's own line, which comes at some time, about the answers that a proxy loses below.
  const faults = site.faults.filter((fault) => !fault.includes("status of 504"));
  await site.close();
  expect(faults).toEqual([]);
});

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

const PASSWORD = "Corr3ct-horse";

/** A new person's session in this browser; the form itself is tried elsewhere. Returns the address. */
async function register(page: Page, firstName = "Ada", origin = site.base): Promise<string> {
  const email = `${firstName.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@example.test`;
  const data = { firstName, lastName: "Lovelace", email, password: PASSWORD, referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin } })).status()).toBe(201);
  return email;
}

type Account = { id: string; balance: string; accountNumber: string; isDemo: boolean };
const accountsOf = async (page: Page) => (await page.request.get("/api/trading-accounts")).json() as Promise<Account[]>;

/** How often the page has asked for this path since. */
function asked(page: Page, path: string) {
  let count = 0;
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === path) count += 1;
  });
  return () => count;
}
/** Lets the page's own clock run, and what it started come to an end. */
async function pass(page: Page, ms: number) {
  await page.clock.runFor(ms);
  await awake(page);
  await page.waitForLoadState("networkidle");
}
async function openHeld(page: Page, path: string) {
  await holdClock(page);
  await page.goto(path);
  await pass(page, 200);
}

test("on a phone: home shows what is there, coins are fetched every 5 seconds, a package leads to its account, which opens in 1.5 seconds", async () => {
  const page = await site.visit(PHONE);
  await register(page);
  const fetches = asked(page, "/api/market-data");
  await openHeld(page, "/");
  await page.getByRole("heading", { level: 1, name: "Welcome back, Ada" }).waitFor();
  expect(await page.getByRole("group", { name: "Balance" }).innerText()).toContain("$10,000.00");
  expect(await page.getByRole("group", { name: "Win Rate" }).innerText()).toContain("0%");
  await page.getByText("No recent activity").waitFor();
  const coins = page.getByRole("tabpanel", { name: "Cryptocurrency" });
  expect(await coins.getByRole("row").count()).toBe(21);
  await coins.scrollIntoViewIfNeeded();
  await page.locator("[data-island=CryptoTable][data-awake]").waitFor({ state: "attached" });
  await pass(page, 0);
  const before = fetches();
  await pass(page, 4900);
  expect(fetches()).toBe(before);
  await pass(page, 200);
  await until("they are fetched again", () => fetches() === before + 1);
  await pass(page, 5000);
  await until("and again", () => fetches() === before + 2);
  await page.getByText("High shows the ask and Low the bid").waitFor();

  await page.getByRole("link", { name: "Bronze" }).click();
  await page.waitForURL("**/accounts/create?type=bronze");
  await pass(page, 200);
  await eventually(async () => expect(await page.getByLabel("Account Type").inputValue()).toBe("bronze"));
  const summary = page.getByRole("region", { name: "Account summary" });
  await pressWords(page, "Virtual money at the same prices");
  await summary.getByText("$10,000.00").waitFor();
  await page.getByLabel("Account Type").selectOption("");
  await page.getByRole("button", { name: "Create Account" }).click();
  await told(page, "Please select an account type");
  await page.getByLabel("Account Type").selectOption("bronze");
  await page.getByRole("button", { name: "Create Account" }).click();
  await told(page, "Trading account created successfully!");
  await page.clock.runFor(1400);
  expect(new URL(page.url()).pathname).toBe("/accounts/create");
  await page.clock.runFor(200);
  await page.waitForURL("**/traders-portal?account=*");
  expect(await accountsOf(page)).toHaveLength(2);
  const chosen = page.locator("summary", { hasText: "Trading account" });
  expect(await chosen.innerText()).toContain("Bronze");
  await page.goto("/trading?tab=trading");
  expect(await chosen.innerText()).toContain("Bronze");
  await page.getByText("Demo account: virtual money").waitFor();

  // The chosen tab comes into sight without moving the page.
  await page.goto("/dashboard?tab=requests");
  await pass(page, 200);
  await page.locator("[data-island=DashboardTabs][data-awake]").waitFor({ state: "attached" });
  await pass(page, 0);
  await eventually(async () => {
    const box = await page.getByRole("tab", { name: "Deposits and Withdrawals" }).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= PHONE.viewport.width).toBe(true);
  });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.context().close();
});

test("at a desk: the screener refreshes until told not to, a pair is chosen for the whole platform, an order is placed and closed", async () => {
  const page = await site.visit(DESK);
  await register(page);
  const fetches = asked(page, "/api/market/live");
  await openHeld(page, "/trading");
  const watch = page.getByRole("region", { name: "Market Watch" });
  expect(await watch.getByRole("link").allInnerTexts()).toEqual(["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD"]);
  await pass(page, 5000);
  await until("it is refreshed", () => fetches() === 1);
  await page.getByRole("switch", { name: "Auto-refresh" }).click();
  await pass(page, 11_000);
  expect(fetches()).toBe(1);
  await page.getByRole("button", { name: "Refresh", exact: true }).click();
  await pass(page, 100);
  await until("it is refreshed by hand", () => fetches() === 2);
  await page.getByRole("tab", { name: "Minor Pairs" }).click();
  await page.getByRole("list", { name: "Minor pairs" }).getByText("EUR/GBP").waitFor();
  await page.waitForURL("**pairs=minor**");

  await watch.getByRole("link", { name: "GBP/USD" }).click();
  await page.getByRole("region", { name: "Chart of GBP/USD" }).waitFor();
  await page.waitForURL("**symbol=GBP/USD**");
  await page.getByRole("tab", { name: "Trading", exact: true }).click();
  await page.waitForURL("**/trading?**tab=trading");
  await pass(page, 500);
  const order = page.getByRole("region", { name: "Place an order" });
  await eventually(async () => expect(await order.getByLabel("Currency Pair").inputValue()).toBe("GBP/USD"));
  const amount = order.getByLabel("Amount (USD)");
  await eventually(async () => expect(await amount.inputValue()).toBe("100"));
  await amount.fill("");
  await order.getByRole("button", { name: "Execute Trade" }).click();
  await told(page, "Please enter a valid trade amount");
  await amount.fill("250");
  await order.getByRole("button", { name: "SELL" }).click();
  await order.getByRole("button", { name: "Execute Trade" }).click();
  await told(page, "SELL order for $250 on GBP/USD has been placed successfully");
  await eventually(async () => expect(await amount.inputValue()).toBe("100"));
  const overview = page.getByRole("region", { name: "Account Overview" });
  await overview.getByText("$2.50").waitFor();

  await page.getByRole("tab", { name: /^Positions/ }).click();
  await page.waitForURL("**tab=positions");
  await pass(page, 500);
  await page
    .getByRole("row")
    .filter({ hasText: "GBP/USD" })
    .getByRole("button", { name: /^Close/ })
    .click();
  await page.getByText("No open positions").waitFor();
  const [account] = await accountsOf(page);
  await overview
    .getByText(displayMoney(account?.balance ?? ""))
    .first()
    .waitFor();
  await page.context().close();
});

test("several charts: each is loaded when it is seen, and keeps its pair on this device", async () => {
  const page = await site.visit(PHONE);
  await register(page);
  const candles = asked(page, "/api/market/candles");
  await page.goto("/trading?tab=charts");
  const charts = page.getByRole("list", { name: "Charts" });
  await charts.locator("canvas").first().waitFor();
  const atFirst = candles();
  expect(atFirst).toBeLessThan(4);
  await charts.getByRole("listitem").last().scrollIntoViewIfNeeded();
  await charts.getByRole("region", { name: "Chart 4, BTC/USD" }).locator("canvas").first().waitFor();
  await until("its candles were asked for", () => candles() > atFirst);
  await charts.getByLabel("Pair of chart 4").selectOption("ETH/USD");
  await charts.getByLabel("Interval of chart 4").selectOption("1h");
  await charts.getByRole("region", { name: "Chart 4, ETH/USD" }).waitFor();
  await page.reload();
  await charts.getByRole("region", { name: "Chart 4, ETH/USD" }).waitFor();
  await eventually(async () => expect(await charts.getByLabel("Interval of chart 4").inputValue()).toBe("1h"));
  await page.context().close();
});

test("an account is named, set back to $10,000 and closed", async () => {
  const page = await site.visit(DESK);
  await register(page);
  const [account] = await accountsOf(page);
  const data = { symbol: "EUR/USD", type: "buy", amount: 50_000, accountId: account?.id };
  await page.request.post("/api/trading/positions", { data, headers: { origin: site.base } });
  await page.goto("/accounts");
  await page.getByRole("link", { name: /^Details of Starter/ }).click();
  await page.waitForURL(`**/dashboard?account=${account?.id}`);
  expect(await page.getByRole("button", { name: "Reset to $10,000" }).isDisabled()).toBe(true);
  await page
    .getByRole("row")
    .filter({ hasText: "EUR/USD" })
    .getByRole("button", { name: /^Close/ })
    .click();
  await page.getByText("No open positions").waitFor();
  await page.getByLabel("Account name").fill("Scalping");
  await page.getByRole("button", { name: "Save name" }).click();
  await told(page, "This account is called Scalping.");
  expect((await accountsOf(page))[0]?.balance).not.toBe("10000.00");
  // Each command is told before the page is left for what it shows anew.
  await holdClock(page);
  await page.getByRole("button", { name: "Reset to $10,000" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reset to $10,000" }).click();
  await told(page, "Its balance is $10,000.00 again.");
  expect((await accountsOf(page))[0]?.balance).toBe("10000.00");
  const anew = page.waitForEvent("load");
  await page.clock.runFor(1600);
  await anew;
  await pass(page, 200);
  await page.getByRole("heading", { name: "Scalping" }).waitFor();
  await page.getByRole("button", { name: "Close account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep it as it is" }).click();
  await page.getByRole("button", { name: "Close account" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Close account" }).click();
  await told(page, `${account?.accountNumber} takes no more orders or transfers.`);
  await page.clock.runFor(1600);
  await page.waitForURL("**/accounts");
  await page.getByText("Closed accounts (1)").waitFor();
  await page.getByRole("button", { name: "Open a demo account" }).waitFor();
  await page.context().close();
});

test("the profile: notices, theme, sessions; a lost session is told, and half a second later leads to sign in", async () => {
  const page = await site.visit(DESK);
  const email = await register(page);
  const other = await site.visit();
  await other.request.post("/api/auth/login", { data: { email, password: PASSWORD }, headers: { origin: site.base } });
  await openHeld(page, "/profile");
  await pressWords(page, "Margin calls and stop-outs", page.locator("#notice-margin-text"));
  await told(page, "Margin notices are not shown any more.");
  expect(await page.getByLabel("Security", { exact: true }).isDisabled()).toBe(true);
  await page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Dark" }).click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.reload();
  await pass(page, 200);
  await eventually(async () => expect(await page.getByLabel("Margin", { exact: true }).isChecked()).toBe(false));
  await page.getByRole("button", { name: "Dark", pressed: true }).waitFor();
  await page
    .getByRole("button", { name: /^End the session/ })
    .first()
    .click();
  await told(page, "Session ended");
  expect((await other.request.get("/api/auth/user")).status()).toBe(401);

  await page.getByRole("button", { name: "Request Withdrawal" }).click();
  await page.getByRole("dialog", { name: "Request Withdrawal" }).getByRole("button", { name: "Close", exact: true }).click();
  await page.context().clearCookies();
  await page.getByLabel("Margin", { exact: true }).click();
  await told(page, "You are logged out. Logging in again...");
  await page.clock.runFor(400);
  expect(new URL(page.url()).pathname).toBe("/profile");
  await page.clock.runFor(200);
  await page.waitForURL("**/login?returnTo=**profile");
  await page.context().close();
});

test("without JavaScript every one of these pages reads", async () => {
  const page = await site.visit({ javaScriptEnabled: false });
  await register(page, "Mary");
  const [account] = await accountsOf(page);
  const tabs = ["screener", "trading", "charts", "positions", "support"].map((tab) => `/trading?tab=${tab}`);
  for (const path of ["/", ...tabs, "/trading?pairs=minor", "/accounts", `/dashboard?account=${account?.id}`, "/accounts/create", "/profile"]) {
    expect((await page.goto(path))?.status()).toBe(200);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  }
  await page.goto("/trading");
  await page.getByRole("link", { name: "BUY USD/JPY" }).click();
  await page.getByRole("link", { name: /^BUY USD\/JPY/ }).click();
  await eventually(async () => expect(await page.getByLabel("Currency Pair").inputValue()).toBe("USD/JPY"));
  await page.context().close();
});

test("a button pressed before its script has come does its work when it has, once", async () => {
  const page = await site.visit(DESK);
  await register(page);
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/QuickActions[^/]*\.js$/, async (route) => {
    await promise;
    await route.continue();
  });
  // A press is kept for five seconds: here until the script is let go. It is heard once the page's first script runs.
  await holdClock(page);
  await page.goto("/dashboard", { waitUntil: "domcontentloaded" });
  const island = page.locator("[data-island=QuickActions]");
  await island.getByRole("button", { name: "Request Withdrawal" }).click();
  await island.getByRole("button", { name: "Make a Deposit" }).click();
  expect(await page.getByRole("dialog").count()).toBe(0);
  resolve();
  await page.getByRole("dialog", { name: "Make a Deposit" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.context().close();
});

test("an order and a closing whose answers a proxy threw away are pressed again, after a reload even, and done once", async () => {
  const lost = new Set<string | null>();
  /** The first answer under each key. */
  const proxy = losingProxy(site.base, ({ method, headers }) => {
    const key = headers.get("idempotency-key");
    if (method !== "POST" || key === null || lost.has(key)) return false;
    lost.add(key);
    return true;
  });
  const page = await site.visit({ ...DESK, baseURL: proxy.base });
  await register(page, "Ada", proxy.base);
  await page.goto("/traders-portal");
  await page.locator("[data-island=OrderPanel][data-awake]").waitFor({ state: "attached" });
  const amount = page.getByLabel("Amount ($)", { exact: true });
  await amount.fill("275");
  const execute = page.getByRole("button", { name: "Execute BUY EUR/USD" });
  await execute.click();
  await told(page, "No answer yet");
  await told(page, "it is not done twice");
  await page.reload();
  await page.locator("[data-island=OrderPanel][data-awake]").waitFor({ state: "attached" });
  await eventually(async () => expect(await amount.inputValue()).toBe("275"));
  await execute.click();
  await told(page, "Trade Executed");
  await eventually(async () => expect(await amount.inputValue()).toBe("1000"));
  const positions = async (which: string) => (await (await page.request.get(`/api/trading/positions/${which}`)).json()) as object[];
  expect([lost.size, (await positions("open")).length]).toEqual([1, 1]);

  await page.getByRole("button", { name: "Close All Positions" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Close All Positions" });
  await dialog.getByRole("button", { name: "Close 1 position" }).click();
  await told(page, "No answer yet");
  expect([lost.size, (await positions("open")).length, (await positions("history")).length]).toEqual([2, 0, 1]);
  await amount.fill("350");
  const kept = () => page.evaluate(() => sessionStorage.getItem("kept") ?? "");
  await until("the draft is kept", async () => (await kept()).includes("350"));
  await page.goto("/api/auth/logout");
  await until("signing out throws it away", async () => (await kept()) === "");
  await page.context().close();
  await proxy.end();
});
