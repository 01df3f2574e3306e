import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { type TestApp, testApp } from "../app";
import { awake, browserOf, holdToasts, told } from "../browser";
import { approvedWithMoney } from "../letters";
import type { Signed } from "../money";

/** What a level of verification does not open: each screen that refuses leads to where it is lifted, with scripts and without. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let tess: Signed;
let live: string;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  [ann, tess] = await Promise.all([app.admin(), app.trader()]);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await approvedWithMoney(app, tess, "5000.00");
  live = (await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "starter", isDemo: false })).body.id;
  expect((await tess.post("/api/transfers", { fromAccountId: null, toAccountId: live, amount: "1000.00" })).status).toBe(201);
  await app.sql`update level_rules set live_trading = false, bank_deposits = false, card_deposits = false, withdrawn_day = 10 where level < 2`;
  await app.quote("ETH/USD", "3000.00", "3001.00");
  const wallet = { currency: "ETH", network: "ERC-20", walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7" };
  expect((await ann.post("/api/admin/wallets", wallet)).status).toBe(201);
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
test("an order, a deposit and a withdrawal that the level does not open lead to the documents", async () => {
  const page = await browser.visitAs(tess);
  await page.goto(`/traders-portal?account=${live}`);
  await awake(page);
  await holdToasts(page);
  await page.getByRole("button", { name: "Execute BUY EUR/USD" }).click();
  await toast(page).getByText("Trading with live money needs a higher level").waitFor();
  await leads(page, toast(page));

  await page.goto("/dashboard");
  await awake(page);
  await page.getByRole("button", { name: "Request Withdrawal" }).click();
  const withdrawal = dialog(page, "Request Withdrawal");
  await withdrawal.getByLabel("Amount").fill("500");
  await withdrawal.getByLabel("IBAN or account number").fill("DE89 3704 0044 0532 0130 00");
  await withdrawal.getByRole("button", { name: "Request Withdrawal" }).click();
  await withdrawal
    .getByText(/Within 24 hours you can withdraw \$10\.00/)
    .first()
    .waitFor();
  await leads(page, withdrawal.locator("[id$=amount-error]"));

  // Where coins are sent to is not shown to whom they could not be credited.
  await page.goto("/deposit");
  await awake(page);
  await page.getByLabel("Currency").selectOption("ETH");
  await page.getByText("Deposits by crypto need a higher level of verification.").waitFor();
  expect(await page.getByLabel("Wallet address").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Submit Deposit Request" }).isDisabled()).toBe(true);
  await leads(page, page.locator("main"), "Email address", "/email");

  // In a dialog it stands there, for as long as it is read.
  const [make, email] = [dialog(page, "Make a Deposit"), ["Email address", "/email"] as const];
  await page.goto("/dashboard");
  await awake(page);
  await page.getByRole("button", { name: "Make a Deposit" }).click();
  await make.getByLabel("Amount").fill("300");
  await make.getByRole("button", { name: "Submit Deposit" }).click();
  await leads(page, make.getByRole("alert"), ...email);

  await page.goto("/mobile-deposit");
  await awake(page);
  await page.getByRole("button", { name: "Make a Deposit" }).click();
  await make.getByLabel("Amount").fill("300");
  await make.getByLabel("Payment method").selectOption("cryptocurrency");
  await make.getByLabel("Cryptocurrency").selectOption("ETH");
  await make.getByRole("button", { name: "Continue" }).click();
  await make.getByRole("alert").waitFor();
  expect(await dialog(page, "Send ETH").count()).toBe(0);
  await leads(page, make.getByRole("alert"), ...email);
});

test("without scripts, too", async () => {
  const page = await browser.visitAs(tess, { javaScriptEnabled: false });
  await page.goto(`/positions/new?account=${live}`);
  await page.getByRole("button", { name: "Preview order" }).click();
  await page.getByRole("heading", { name: "Check Your Order" }).waitFor();
  await page.getByRole("button", { name: /^(Buy|Place|Execute)/i }).click();
  await leads(page, page.getByRole("alert"));

  await page.goto("/deposit");
  expect(await page.getByText("0x52908400098527886E0F7030069857D2E4169EE7").count()).toBe(0);
  await leads(page, page.locator("main"), "Email address", "/email");
});

test("staff change a client's country on the client's page, which says first what then holds, and the client is told", async () => {
  const vera = await app.trader({ firstName: "Vera", country: "CH" });
  const rules = { isServed: true, leverageMajor: 30, leverageMinor: 20, leverageCrypto: 2, promotions: false, warning: "Mind the gap." };
  expect((await ann.post("/api/admin/jurisdictions", { country: "AT", ...rules })).status).toBe(200);
  const page = await browser.visitAs(ann);
  await page.goto(`/admin/users/${vera.id}`);
  await awake(page);
  await page.getByRole("button", { name: "Change country" }).click();
  const asked = dialog(page, "Country of Vera Trader");
  await asked.getByText("Vera Trader lives in Switzerland.").waitFor();
  await asked.getByLabel("Lives in").selectOption("FR");
  await asked.getByText("Nothing is set: the account's own leverage").waitFor();
  await asked.getByLabel("Lives in").selectOption("AT");
  await asked.getByText("New orders at 1:30 major pairs, 1:20 other pairs, 1:2 coins at most. Open positions keep their margin.").waitFor();
  await asked.getByText("No bonuses are paid any more.").waitFor();
  await asked.getByText("The country's own risk warning is shown.").waitFor();
  await asked.getByRole("button", { name: "Note the country" }).click();
  await asked.getByText("A reason is required").waitFor();
  await asked.getByLabel("Reason").fill("Bill of October seen");
  await asked.getByRole("button", { name: "Note the country" }).click();
  await told(page, "Country noted");
  await page.goto(`/admin/users/${vera.id}?tab=profile`);
  await page.getByText("Austria", { exact: true }).waitFor();
  expect(await app.sql`select facts from letters where user_id = ${vera.id} and kind = 'country_changed'`).toEqual([
    { facts: { from: "CH", to: "AT" } },
  ] as never);
  // Somebody was faster, or chose what is there: nothing is told twice.
  expect((await ann.post(`/api/admin/users/${vera.id}/country`, { country: "AT", reason: "Again" })).status).toBe(409);
  expect(await app.sql`select from admin_actions where target_user_id = ${vera.id} and action = 'user.country'`).toHaveLength(1);
});
