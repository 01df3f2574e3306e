import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { awake, browserOf } from "../browser";
import { approvedWithMoney } from "../letters";
import type { Signed } from "../money";

/** What a level of verification does not open: each screen that refuses leads to where it is lifted, with scripts and without. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let tess: Signed;
let live: string;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await approvedWithMoney(app, tess, "5000.00");
  live = (await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false })).body.id;
  expect((await tess.post("/api/transfers", { fromAccountId: null, toAccountId: live, amount: "1000.00" })).status).toBe(201);
  await app.sql`update level_rules set live_trading = false, bank_deposits = false, card_deposits = false, withdrawn_day = 10 where level < 2`;
  await app.quote("ETH/USD", "3000.00", "3001.00");
  const wallet = { currency: "ETH", network: "ERC-20", walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7" };
  expect((await (await app.admin()).post("/api/admin/wallets", wallet)).status).toBe(201);
  await app.sql`update level_rules set crypto_deposits = false where level = 0`;
});
afterAll(async () => {
  expect(await browser.close()).toEqual([]);
  await app.end();
});

/** The link stands in the refusal, and leads there. */
async function leads(page: Page, within: Locator, words = "Verification", path = "/verification") {
  const way = within.getByRole("link", { name: words, exact: true }).first();
  await way.waitFor();
  await way.click();
  await page.waitForURL(`**${path}`);
}
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });
const toast = (page: Page) => page.locator("#toasts [role=alert]");
/** Asks for a deposit of coins. */
async function coins(page: Page) {
  await page.getByLabel("Amount").fill("300");
  await page.getByLabel("Currency").selectOption("ETH");
  await page.getByLabel("Network").selectOption("ERC-20");
  await page.getByRole("button", { name: "Submit Deposit Request" }).click();
}

test("an order, a deposit and a withdrawal that the level does not open lead to the documents", async () => {
  const page = await browser.visitAs(tess);
  await page.goto(`/traders-portal?account=${live}`);
  await awake(page);
  await page.getByRole("button", { name: "Execute BUY EUR/USD" }).click();
  await toast(page).getByText("Trading with live money needs a higher level").waitFor();
  await leads(page, toast(page));

  await page.goto("/dashboard");
  await awake(page);
  await page.getByRole("button", { name: "Request Withdrawal" }).click();
  const withdrawal = dialog(page, "Request Withdrawal");
  await withdrawal.getByLabel("Amount").fill("500");
  await withdrawal.getByLabel("Wallet address").fill("DE89 3704 0044 0532 0130 00");
  await withdrawal.getByRole("button", { name: "Request Withdrawal" }).click();
  await withdrawal
    .getByText(/Within 24 hours you can withdraw \$10\.00/)
    .first()
    .waitFor();
  await leads(page, withdrawal.locator("[id$=amount-error]"));

  await page.goto("/deposit");
  await awake(page);
  await coins(page);
  await toast(page).getByText("Deposits by").waitFor();
  await leads(page, toast(page), "Email address", "/email");
});

test("without scripts, too", async () => {
  const page = await browser.visitAs(tess, { javaScriptEnabled: false });
  await page.goto(`/positions/new?account=${live}`);
  await page.getByRole("button", { name: "Preview order" }).click();
  await page.getByRole("heading", { name: "Check Your Order" }).waitFor();
  await page.getByRole("button", { name: /^(Buy|Place|Execute)/i }).click();
  await leads(page, page.getByRole("alert"));

  await page.goto("/deposit");
  await coins(page);
  await leads(page, page.locator("main"), "Email address", "/email");
});
