import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { eventually, openBrowser, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { codeIn, holdHalfMinute } from "../codes";
import { inspect, inspectHere } from "../inspect";

/** Two-factor sign-in in a browser: set up, in with a code, in with a recovery code, off; with scripts and without. */

const PASSWORD = "Corr3ct-horse";
let app: TestApp;
let base: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const { faults } = browser;
  await browser.close();
  void app.router.server?.stop(true);
  await app.end();
  expect(faults).toEqual([]);
});
afterAll(holdHalfMinute());

/** A new person's browser, signed in. */
async function signedIn(options: BrowserContextOptions = {}) {
  const { email } = await app.trader();
  const page = await browser.visit(options);
  await page.goto("/login?returnTo=/profile");
  await fillIn(page, email);
  await page.waitForURL("**/profile");
  return { page, email };
}
async function fillIn(page: Page, email: string) {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** From the profile to the recovery codes. */
async function setUp(page: Page, looking: (name: string) => Promise<void> = async () => {}) {
  await page.getByRole("region", { name: "Two-factor sign-in" }).getByRole("link", { name: "Set up" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  const secret = (await page.locator("code").innerText()).replaceAll(" ", "");
  await looking("the key");
  await page.getByLabel("Authentication code").fill(codeIn(secret, -1));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Two-factor sign-in is on").waitFor();
  await looking("the recovery codes");
  const recoveryCodes = await page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem").allInnerTexts();
  expect(recoveryCodes).toHaveLength(10);
  return { secret, recoveryCodes };
}

test("with scripts", async () => {
  const { page, email } = await signedIn({ permissions: ["clipboard-read", "clipboard-write"], bypassCSP: true });
  const { secret, recoveryCodes } = await setUp(page, async (name) => expect(await inspectHere(page, name)).toEqual([]));

  await page.getByRole("button", { name: "Copy codes" }).click();
  await page.getByRole("button", { name: "Copied!" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${recoveryCodes.join("\n")}\n`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  expect(download.suggestedFilename()).toBe("recovery-codes.txt");
  expect(await Bun.file(await download.path()).text()).toBe(`${recoveryCodes.join("\n")}\n`);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByText("10 of 10 recovery codes are left").waitFor();

  const out = page.waitForEvent("load");
  await page.getByRole("link", { name: "Sign out" }).first().click();
  await out;
  await page.goto("/login?returnTo=/two-factor");
  expect(await page.getByLabel("Authentication code").isVisible()).toBe(false);
  await fillIn(page, email);
  const code = page.getByLabel("Authentication code");
  await code.waitFor();
  await eventually(async () => expect(await code.evaluate((field) => field === document.activeElement)).toBe(true));
  // It is a question: nothing is red, and what was typed is still there.
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe(PASSWORD);
  expect(await inspectHere(page, "the question for a code")).toEqual([]);
  await code.fill("AAAA-AAAA-AAAA-AAAA");
  await code.press("Enter");
  await page.locator("#code-error").getByText("This code is not right, or was used already.").waitFor();
  await code.fill(codeIn(secret));
  await code.press("Enter");
  await page.waitForURL("**/two-factor");
  await page.getByText("10 recovery codes are left").waitFor();

  expect(await inspect(page, ["/two-factor"])).toEqual([]);
});

test("without scripts, and with a recovery code where the phone is lost", async () => {
  const { page, email } = await signedIn({ javaScriptEnabled: false });
  const { recoveryCodes } = await setUp(page);
  await page.goto("/api/auth/logout");

  await page.goto("/login?returnTo=/two-factor");
  await fillIn(page, email);
  await page.getByText("Enter the code from your authenticator app. Your password is needed once more.").waitFor();
  expect(await page.getByLabel("Email address").inputValue()).toBe(email);
  await page.getByLabel("Authentication code").fill(recoveryCodes[0] ?? "");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL("**/two-factor");
  await page.getByText("9 recovery codes are left").waitFor();

  const off = page.getByRole("region", { name: "Switch it off" });
  await off.getByLabel("Your password").fill(PASSWORD);
  await off.getByLabel("Authentication code").fill(recoveryCodes[1] ?? "");
  await off.getByRole("button", { name: "Switch off" }).click();
  await page.getByRole("heading", { name: "Set it up" }).waitFor();
});

test("staff reset it on the client's page", async () => {
  const { page: theirs } = await signedIn();
  await setUp(theirs);
  const { email } = await app.admin();
  const page = await browser.visit();
  const [client] = await app.sql<{ id: string }[]>`select user_id as id from two_factors order by created_at desc limit 1`;
  await page.request.post("/api/auth/login", { data: { email, password: "Corr3ct-horse-battery" }, headers: { origin: base } });
  await page.goto(`/admin/users/${client?.id}`);
  await page.getByRole("button", { name: "Reset two-factor" }).click();
  await page.getByLabel("Reason").fill("Lost the phone; called back");
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await page.getByRole("button", { name: "Reset two-factor" }).waitFor({ state: "detached" });
  await theirs.goto("/profile");
  expect(theirs.url()).toContain("/login");
});

test("a decision after a quarter of an hour asks for password and code, goes on by itself, and loses nothing that was typed", async () => {
  const admin = await app.admin();
  // Who shares a name with a colleague is asked for another first.
  await admin.post("/api/admin/name", { firstName: "Quinn", lastName: "Archer" });
  const password = "Corr3ct-horse-battery";
  const { body } = await admin.post<{ secret: string }>("/api/auth/two-factor", { password });
  const { body: on } = await admin.post<{ recoveryCodes: string[] }>("/api/auth/two-factor/confirm", { code: codeIn(body.secret, -1) });
  const trader = await app.trader();
  await trader.post("/api/deposits", { amount: "250.00", currency: "USD", method: "bank" });
  const page = await browser.visit({ bypassCSP: true });
  await page.request.post("/api/auth/login", { data: { email: admin.email, password, code: codeIn(body.secret) }, headers: { origin: base } });
  await app.sql`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = ${admin.id}`;
  await page.goto("/admin?tab=deposits");
  await page.locator("[data-island=AdminDeposits][data-awake]").waitFor({ state: "attached" });

  await page.getByRole("button", { name: "Reject Tess Trader" }).click();
  await page.getByLabel("Reason").fill("Not seen at the bank");
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  const prompt = page.getByRole("dialog", { name: "Confirm that it is you" });
  await prompt.waitFor();
  expect(await inspectHere(page, "the prompt")).toEqual([]);
  await prompt.getByRole("button", { name: "Back" }).click();
  await prompt.waitFor({ state: "detached" });
  expect(await page.getByLabel("Reason").inputValue()).toBe("Not seen at the bank");

  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await prompt.getByLabel("Password", { exact: true }).fill(password);
  await prompt.getByRole("button", { name: "Confirm and go on" }).click();
  await prompt.getByLabel("Authentication code").fill(on.recoveryCodes[0] ?? "");
  await prompt.getByRole("button", { name: "Confirm and go on" }).click();
  await told(page, "Deposit rejected");
  const [deposit] = await app.sql<{ status: string; reason: string }[]>`
    select status, rejection_reason as reason from deposits where user_id = ${trader.id}
  `;
  expect({ ...deposit }).toEqual({ status: "rejected", reason: "Not seen at the bank" });
});
