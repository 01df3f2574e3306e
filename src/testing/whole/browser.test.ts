import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { add } from "../../lib/money";
import { eventually, openSite, register, type Site, told } from "../browser";
import { rawExchange } from "../raw_http";
import type { Position } from "../../trading/schema";

/** The built program in a real browser: what a person meets. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const faults = [...site.faults];
  await site.close();
  expect(faults).toEqual([]);
});

type Account = { balance: string };
const answer = async <T>(page: Page, path: string): Promise<T> => (await page.request.get(path)).json() as Promise<T>;
const balance = async (page: Page) => (await answer<Account[]>(page, "/api/trading-accounts"))[0]?.balance ?? "";

test("a newcomer registers, trades with stop and target, sees the profit move, closes, and is paid exactly that", async () => {
  const page = await site.visit();
  await page.goto("/");
  await page.getByRole("link", { name: "Register Now" }).first().click();
  await page.waitForURL("**/register");
  await register(page);
  await page.getByRole("link", { name: "Open New Trade" }).first().click();
  await page.waitForURL("**/traders-portal**");
  await page.getByLabel("Amount ($)").fill("100000");
  await page.getByLabel("Stop Loss").fill("0.9");
  await page.getByLabel("Take Profit").fill("1.4");
  await page.getByRole("button", { name: "Preview Trade" }).click();
  const dialog = page.getByRole("dialog", { name: "Trade Preview Analysis" });
  await dialog.getByText("Margin required").waitFor();
  await dialog.getByRole("button", { name: "Confirm & Execute BUY" }).click();
  await told(page, "Trade Executed");
  await told(page, "BUY order for $100000 on EUR/USD has been placed successfully");
  await eventually(async () => expect(await page.getByLabel("Stop Loss").inputValue()).toBe(""));

  await page
    .getByRole("tab", { name: /Open Positions/ })
    .or(page.getByRole("link", { name: /Open Positions/ }))
    .first()
    .click();
  const row = page.getByRole("row").filter({ hasText: "EUR/USD" }).filter({ hasText: "BUY" }).first();
  // A hundred thousand dollars: the last digit of the price is a dollar, so that every tick is seen.
  const profit = row.locator("[data-cell=profit]");
  const before = await profit.innerText();
  await eventually(async () => expect(await profit.innerText()).not.toBe(before));
  const start = await balance(page);
  await row.getByRole("button", { name: /^Close/ }).click();
  await page.getByText("No open positions").first().waitFor();
  const [closed] = await answer<Position[]>(page, "/api/trading/positions/history");
  expect(closed).toMatchObject({ symbol: "EUR/USD", status: "closed", closeReason: "trader" });
  expect(await balance(page)).toBe(add(start, closed?.profit ?? ""));
  await page.goto(`/positions/${closed?.id}/receipt`);
  await page.getByRole("heading", { level: 1 }).waitFor();
});

test("the same way by keyboard alone", async () => {
  const page = await site.visit({ viewport: { width: 1440, height: 900 } });
  /** Tabs on until the element that has this accessible name is in focus. */
  const reach = async (name: RegExp) => {
    for (let presses = 0; presses < 150; presses++) {
      await page.keyboard.press("Tab");
      const label = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        return element ? (element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText ?? "") : "";
      });
      if (name.test(label.trim())) return;
    }
    throw new Error(`nothing named ${name} can be reached by Tab on ${page.url()}`);
  };
  await page.goto("/");
  await reach(/^Register Now/);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/register");
  for (const [name, text] of [
    [/^First name/, "Grace"],
    [/^Last name/, "Hopper"],
    [/^Email address/, `grace-${crypto.randomUUID().slice(0, 8)}@example.test`],
    [/^Password/, "Corr3ct-horse"],
  ] as const) {
    await reach(name);
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL("**/dashboard");
  await reach(/^Open New Trade/);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/traders-portal**");
  await reach(/^Amount/);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("250");
  await reach(/^Execute BUY/);
  await page.keyboard.press("Enter");
  await told(page, "BUY order for $250 on EUR/USD has been placed successfully");
});

test("without JavaScript every page reads, and registration and sign-in work", async () => {
  const page = await site.visit({ javaScriptEnabled: false });
  for (const path of ["/", "/register", "/login", "/terms", "/privacy"]) {
    expect((await page.goto(path))?.status()).toBe(200);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  }
  expect((await page.goto("/no-such-page"))?.status()).toBe(404);
  await page.getByText("Page Not Found").first().waitFor();
  await page.getByRole("link", { name: "Back to Home" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/");

  await page.goto("/register");
  await page.getByRole("button", { name: "Create Account" }).click();
  await page.getByText("First name is required").waitFor();
  const email = await register(page, "Mary");
  for (const path of [
    "/dashboard",
    "/dashboard?tab=positions",
    "/traders-portal",
    "/traders-portal?tab=positions",
    "/traders-portal?tab=history",
    "/traders-portal?tab=profile",
    "/traders-portal?tab=crypto",
  ]) {
    expect((await page.goto(path))?.status()).toBe(200);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
  }
  await page.getByText("Bitcoin").first().waitFor();

  const later = await site.visit({ javaScriptEnabled: false });
  await later.goto("/traders-portal");
  expect(later.url()).toContain("/login?returnTo=%2Ftraders-portal");
  await later.getByLabel("Email").fill(email);
  await later.getByLabel("Password", { exact: true }).fill("wrong-password");
  await later.getByRole("button", { name: /Sign In/i }).click();
  await later.getByText("Invalid email or password").first().waitFor();
  await later.getByLabel("Password", { exact: true }).fill("Corr3ct-horse");
  await later.getByRole("button", { name: /Sign In/i }).click();
  await later.waitForURL("**/traders-portal");
});

/** Signs a newcomer in without a page, so that the browser has kept nothing yet. */
async function newcomer(page: Page) {
  const data = { firstName: "Ada", lastName: "Lovelace", email: `ada-${crypto.randomUUID().slice(0, 8)}@t.test`, password: "Corr3ct-horse", referralCode: "" };
  expect((await page.request.post("/api/auth/register", { data, headers: { origin: site.base } })).status()).toBe(201);
}

test("the portal's page travels in at most 14 kB, its head included, to every browser of today", async () => {
  const page = await site.visit();
  await newcomer(page);
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  for (const [coding, accepted] of [
    ["zstd", "gzip, deflate, br, zstd"],
    ["br", "gzip, deflate, br"],
  ]) {
    const head = ["GET /traders-portal HTTP/1.1", `Host: ${new URL(site.base).host}`, `Cookie: ${cookie}`, `Accept-Encoding: ${accepted}`, "", ""];
    // Each letter of it is a byte.
    const { text, status } = await rawExchange(Number(new URL(site.base).port), head.join("\r\n"));
    expect(status).toBe(200);
    expect(text).toContain(`Content-Encoding: ${coding}`);
    expect(text.length, coding).toBeGreaterThan(10_000);
    expect(text.length, coding).toBeLessThanOrEqual(14_000);
  }
});

test("the portal's scripts travel in at most 129.2 kB until its chart stands with its marks, their heads included", async () => {
  const page = await site.visit({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, serviceWorkers: "block" });
  await newcomer(page);
  const scripts: Promise<{ responseBodySize: number; responseHeadersSize: number }>[] = [];
  page.on("requestfinished", (request) => {
    // Tooltips come whenever the page first rests, before the chart or after it.
    if (request.resourceType() === "script" && !request.url().includes("/tooltip-")) scripts.push(request.sizes());
  });
  // The alerts are what the marks ask for; their script is the last to come.
  const marked = page.waitForResponse("**/api/alerts?status=active");
  await page.goto("/traders-portal");
  await marked;
  const bytes = (await Promise.all(scripts)).reduce((sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(129_200);
  await page.context().close();
});
