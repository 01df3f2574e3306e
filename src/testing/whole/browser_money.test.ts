import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Statement } from "../../funding/schema_history";
import { displayMoney, sum } from "../../lib/money";
import { ADMIN, eventually, openSite, register, type Site, told } from "../browser";

/** Money's whole way through two people's browsers: in, across, out, refused, and on paper. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = [...site.faults];
  await site.close();
  expect(faults).toEqual([]);
});

type Financials = { accountBalance: string; tradingBalance: string };
const financials = async (page: Page) => (await page.request.get("/api/user/financials")).json() as Promise<Financials>;

async function signInAsAdmin(): Promise<Page> {
  const page = await site.visit();
  await page.goto("/login?returnTo=/admin");
  await page.getByLabel("Email").fill(ADMIN.email);
  await page.getByLabel("Password", { exact: true }).fill(ADMIN.password);
  await page.getByRole("button", { name: /Sign In/i }).click();
  await page.waitForURL(({ pathname }) => pathname === "/admin");
  return page;
}

test("a deposit with its bonuses, a transfer, a withdrawal that is refused: each seen by both sides, and the statement adds up", async () => {
  const admin = await signInAsAdmin();
  const trader = await site.visit();
  await register(trader, "Ada");

  await admin.goto("/admin-registrations");
  await admin.getByRole("button", { name: "Approve Ada Lovelace" }).click();
  await told(admin, "Registration Approved!");

  // $5,000 in Bitcoin, once a wallet takes it.
  const wallet = { currency: "BTC", network: "Mainnet", walletAddress: "1BoatSLRHtKNngkdXEeobR76b53LETtpyT" };
  expect((await admin.request.post("/api/admin/wallets", { data: wallet, headers: { origin: site.base } })).status()).toBe(201);
  await trader.goto("/dashboard");
  await trader.getByRole("button", { name: "Make a Deposit" }).click();
  const deposit = trader.getByRole("dialog", { name: "Make a Deposit" });
  await deposit.getByLabel("Amount").fill("5000");
  await deposit.getByLabel("Currency").selectOption("BTC");
  await deposit.getByLabel("Payment method").selectOption("crypto");
  await deposit
    .getByRole("button", { name: /Submit|Deposit/ })
    .last()
    .click();
  await told(trader, "Deposit Request Submitted!");
  expect((await financials(trader)).accountBalance).toBe("0.00");

  await admin.goto("/admin?tab=deposits");
  // Of many requests of one person each button says which it is.
  await admin.getByRole("button", { name: "Approve Ada Lovelace, $5,000.00", exact: true }).click();
  const approval = admin.getByRole("dialog");
  await approval.getByText("$5,000.00").first().waitFor();
  await approval.getByText("$600.00").first().waitFor();
  await approval.getByRole("button", { name: "Approve", exact: true }).click();
  await told(admin, "Deposit approved");
  expect((await financials(trader)).accountBalance).toBe("5600.00");

  // $1,000 into a live account.
  await trader.goto("/accounts/create");
  await trader.getByLabel("Account Type").selectOption("starter");
  await trader.getByRole("radio", { name: /Live/i }).check();
  await trader.getByRole("button", { name: "Create Account" }).click();
  await trader.waitForURL(({ pathname }) => pathname === "/traders-portal");
  await trader.goto("/profile");
  const transfer = trader.getByRole("region", { name: "Transfer" });
  await transfer.getByLabel("Amount").fill("1000");
  await transfer.getByRole("button", { name: "Transfer", exact: true }).click();
  await told(trader, "Transfer Complete");
  expect(await financials(trader)).toMatchObject({ accountBalance: "4600.00", tradingBalance: "1000.00" });

  // $500 out, refused with a reason.
  await trader.goto("/dashboard");
  await trader.getByRole("button", { name: "Request Withdrawal" }).click();
  const withdrawal = trader.getByRole("dialog", { name: "Request Withdrawal" });
  await withdrawal.getByLabel("Amount").fill("500");
  await withdrawal.getByLabel("IBAN or account number").fill("DE89 3704 0044 0532 0130 00");
  await withdrawal.getByRole("button", { name: "Request Withdrawal" }).click();
  await told(trader, "Withdrawal Requested");
  expect((await financials(trader)).accountBalance).toBe("4100.00");

  await admin.goto("/admin?tab=withdrawals");
  await admin.getByRole("button", { name: /^Reject Ada/ }).click();
  const rejection = admin.getByRole("dialog");
  await rejection.getByLabel(/Reason/).fill("The account is not in your name.");
  await rejection.getByRole("button", { name: "Reject", exact: true }).click();
  await told(admin, "Withdrawal rejected");
  expect((await financials(trader)).accountBalance).toBe("4600.00");

  await trader.goto("/dashboard?tab=requests");
  await trader.getByText("The account is not in your name.").waitFor();
  await statementAddsUp(trader);

  const late = await admin.request.post(`/api/admin/deposits/${await firstDeposit(trader)}/reject`, {
    data: { reason: "late" },
    headers: { origin: site.base },
  });
  expect(late.status()).toBe(409);
});

/** The wallet's statement of this month: what the page shows is what the ledger says, and its lines are the difference. */
async function statementAddsUp(page: Page) {
  const month = new Date().toISOString().slice(0, 7);
  const statement = (await (await page.request.get(`/api/statements?month=${month}`)).json()) as Statement;
  expect(statement).toMatchObject({ opening: "0.00", closing: "4600.00" });
  expect(sum([statement.opening, ...statement.lines.map(({ amount }) => amount)])).toBe(statement.closing);
  await page.goto(`/statements/wallet?month=${month}`);
  const summary = await page.getByRole("region", { name: "Summary" }).innerText();
  for (const figure of [statement.opening, statement.moneyIn, statement.closing]) expect(summary).toContain(displayMoney(figure));
  for (const { description } of statement.lines) await page.getByText(description).first().waitFor();
}

async function firstDeposit(page: Page): Promise<string> {
  const list = (await (await page.request.get("/api/deposits")).json()) as { id: string }[];
  return list[0]?.id ?? "";
}

test("without JavaScript the crypto portal takes a request", async () => {
  const admin = await signInAsAdmin();
  const wallet = { currency: "ETH", network: "ERC-20", walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7" };
  expect((await admin.request.post("/api/admin/wallets", { data: wallet, headers: { origin: site.base } })).status()).toBe(201);
  const page = await site.visit({ javaScriptEnabled: false });
  await register(page, "Mary");
  await page.goto("/deposit");
  await page.getByLabel("Amount").fill("300");
  await page.getByLabel("Currency").selectOption("ETH");
  await page.getByLabel("Network").selectOption("ERC-20");
  await page.getByRole("button", { name: "Submit Deposit Request" }).click();
  const list = async () => (await (await page.request.get("/api/deposit-requests")).json()) as unknown[];
  const made = { amount: "300.00", currency: "ETH", network: "ERC-20", status: "pending", notes: "ETH deposit of $300 via ERC-20" };
  await eventually(async () => expect(await list()).toMatchObject([made]));
  for (const path of ["/profile", "/mobile-deposit", "/accounts/create", "/dashboard?tab=transactions", "/statements/wallet"])
    expect((await page.goto(path))?.status()).toBe(200);
});

test("a bank deposit knows where to go and by which reference; a coin says how much, and what no wallet takes can't be sent", async () => {
  const admin = await signInAsAdmin();
  await admin.goto("/admin?tab=wallets");
  await admin.getByRole("button", { name: "Edit bank transfer" }).click();
  const details = admin.getByRole("dialog", { name: "Bank transfer: how traders pay" });
  await details.getByLabel("Account holder").fill("Halyard Ltd");
  await details.getByLabel("IBAN or account number").fill("DE89 3704 0044 0532 0130 00");
  await details.getByRole("button", { name: "Save" }).click();
  await told(admin, "Bank transfer is offered to traders.");
  const wallet = { currency: "BTC", network: "Mainnet", walletAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" };
  expect((await admin.request.post("/api/admin/wallets", { data: wallet, headers: { origin: site.base } })).status()).toBe(201);

  const trader = await site.visit();
  await register(trader, "Barbara");
  await trader.goto("/dashboard");
  await trader.getByRole("button", { name: "Make a Deposit" }).click();
  const deposit = trader.getByRole("dialog", { name: "Make a Deposit" });
  await deposit.getByText("DE89 3704 0044 0532 0130 00").waitFor();
  expect(await deposit.getByLabel("Payment method").locator("option").allTextContents()).toEqual(["Bank transfer", "Cryptocurrency"]);
  await deposit.getByLabel("Amount").fill("250");
  await deposit.getByRole("button", { name: "Submit Deposit" }).click();
  const copy = deposit.getByRole("button", { name: /^Copy reference DEP-/ });
  await copy.waitFor();
  const reference = /DEP-\w+/.exec(await copy.innerText())?.[0] ?? "";
  await deposit.getByRole("button", { name: "Done" }).click();
  await trader.goto("/dashboard?tab=requests");
  await trader.getByText(`Reference ${reference}`).first().waitFor();
  await admin.goto(`/admin?tab=deposits&q=${reference}`);
  await admin.getByRole("button", { name: "Approve Barbara Lovelace" }).waitFor();

  await trader.goto("/deposit");
  const submit = trader.getByRole("button", { name: "Submit Deposit Request" });
  await trader.getByLabel("Amount").fill("300");
  await trader.getByLabel("Currency").selectOption("LTC");
  await trader.getByText("LTC wallet is not available. Please contact support.").waitFor();
  expect(await submit.isDisabled()).toBe(true);
  await trader.getByLabel("Currency").selectOption("BTC");
  await trader.getByText(/About 0\.\d{8} BTC at \$[\d,.]+ for 1 BTC, until \d\d:\d\d:\d\d UTC\. This is not binding/).waitFor();
  await submit.click();
  await told(trader, "Deposit Request Submitted");
});
