import { afterAll, beforeAll, expect, test } from "bun:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { codeOf, stepAt } from "./identity/totp";
import { openBrowser } from "./testing/browser";
import { type TestHouse, testHouse } from "./testing/house";
import { look, lookHere } from "./testing/looks";

/** Two-factor sign-in in a browser: set up, in with a code, in with a recovery code, off; with scripts and without. */

const PASSWORD = "Corr3ct-horse";
let house: TestHouse;
let base: string;
let browser: Awaited<ReturnType<typeof openBrowser>>;
beforeAll(async () => {
  house = await testHouse();
  await house.quote("EUR/USD", "1.08420", "1.08500");
  house.app.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  base = `http://127.0.0.1:${house.app.server?.port}`;
  browser = await openBrowser(base);
});
afterAll(async () => {
  const { faults } = browser;
  await browser.close();
  void house.app.server?.stop(true);
  await house.end();
  expect(faults).toEqual([]);
});

const codeIn = (secret: string, steps = 0) => codeOf(secret, stepAt(Date.now()) + steps);

/** A new person's browser, signed in. */
async function signedIn(options: BrowserContextOptions = {}) {
  const { email } = await house.trader();
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
  const { secret, recoveryCodes } = await setUp(page, async (name) => expect(await lookHere(page, name)).toEqual([]));

  await page.getByRole("button", { name: "Copy codes" }).click();
  await page.getByRole("button", { name: "Copied!" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${recoveryCodes.join("\n")}\n`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download" }).click()]);
  expect(download.suggestedFilename()).toBe("recovery-codes.txt");
  expect(await Bun.file(await download.path()).text()).toBe(`${recoveryCodes.join("\n")}\n`);
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByText("10 of 10 recovery codes are left").waitFor();

  await page.getByRole("link", { name: "Sign out" }).first().click();
  await page.goto("/login?returnTo=/two-factor");
  expect(await page.getByLabel("Authentication code").isVisible()).toBe(false);
  await fillIn(page, email);
  const code = page.getByLabel("Authentication code");
  await code.waitFor();
  expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
  // It is a question: nothing is red, and what was typed is still there.
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe(PASSWORD);
  expect(await lookHere(page, "the question for a code")).toEqual([]);
  await code.fill("AAAA-AAAA-AAAA-AAAA");
  await code.press("Enter");
  await page.locator("#code-error").getByText("This code is not right, or was used already.").waitFor();
  await code.fill(codeIn(secret));
  await code.press("Enter");
  await page.waitForURL("**/two-factor");
  await page.getByText("10 recovery codes are left").waitFor();

  expect(await look(page, ["/two-factor"])).toEqual([]);
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
  const { email } = await house.admin();
  const page = await browser.visit();
  const [client] = await house.sql<{ id: string }[]>`select user_id as id from two_factors order by created_at desc limit 1`;
  await page.request.post("/api/auth/login", { data: { email, password: "Corr3ct-horse-battery" }, headers: { origin: base } });
  await page.goto(`/admin/users/${client?.id}`);
  await page.getByRole("button", { name: "Reset two-factor" }).click();
  await page.getByLabel("Reason").fill("Lost the phone; called back");
  await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
  await page.getByRole("button", { name: "Reset two-factor" }).waitFor({ state: "detached" });
  await theirs.goto("/profile");
  expect(theirs.url()).toContain("/login");
});
