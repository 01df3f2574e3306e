import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ADMIN, openSite, register, type Site } from "./testing/browser";

/** Every page in both themes: nothing that axe finds, nothing that is wider than the narrowest phone. */

const VISITOR = ["/", "/register", "/login", "/terms", "/privacy", "/deposit", "/no-such-page"];
const TRADER = [
  "/dashboard",
  "/dashboard?tab=positions",
  "/dashboard?tab=transactions",
  "/dashboard?tab=requests",
  "/traders-portal",
  "/traders-portal?tab=crypto",
  "/traders-portal?tab=positions",
  "/traders-portal?tab=history",
  "/traders-portal?tab=profile",
  "/deposit",
  "/mobile-deposit",
  "/profile",
  "/accounts/create",
  "/statements/wallet",
  "/execution-quality",
];
const STAFF = [
  "/admin?tab=users",
  "/admin?tab=deposits",
  "/admin?tab=withdrawals",
  "/admin?tab=trades",
  "/admin?tab=trades&status=waiting",
  "/admin?tab=trades&status=corrections",
  "/admin?tab=trades&status=disputes",
  "/admin?tab=wallets",
  "/admin?tab=audit",
  "/admin-registrations",
];

const AXE = join(import.meta.dir, "..", "node_modules", "axe-core", "axe.min.js");
type Axe = { run(context: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

/** The policy of our pages refuses the tool's own script and style. */
const visit = () => site.visit({ bypassCSP: true });

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(await Bun.file(AXE).text());
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function look(page: Page, paths: string[]) {
  const found: string[] = [];
  for (const path of paths) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    // A colour on its way from one theme to the other is neither.
    await page.addStyleTag({ content: "* { transition: none !important }" });
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      for (const violation of await violations(page)) found.push(`${path} ${theme}: ${violation}`);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const wider = await overflow(page);
    if (wider > 0) found.push(`${path}: ${wider} px wider than a phone of 320`);
    for (const violation of await violations(page)) found.push(`${path} at 320: ${violation}`);
  }
  return found;
}

/** An administrator settles the position, and its trader objects. */
async function settleAndDispute(page: Page, positionId: string) {
  const headers = { origin: site.base };
  const staff = await site.visit();
  await staff.request.post("/api/auth/login", { data: ADMIN, headers });
  const data = { reason: "A wrong price of the feed", profit: 12.5 };
  expect((await staff.request.post(`/api/admin/trades/${positionId}/force-win`, { data, headers })).status()).toBe(200);
  const message = { message: "It was the right price." };
  expect((await page.request.post(`/api/trading/positions/${positionId}/dispute`, { data: message, headers })).status()).toBe(201);
}

describe("no page is hard to read or wider than its screen", () => {
  test("for a visitor", async () => {
    expect(await look(await visit(), VISITOR)).toEqual([]);
  });

  test("for a trader with a position and a request", async () => {
    const page = await visit();
    await register(page);
    const headers = { origin: site.base };
    const order = { symbol: "EUR/USD", type: "buy", amount: 1000, stopLoss: 0.5, takeProfit: 2 };
    const opened = await page.request.post("/api/trading/positions", { data: order, headers });
    expect(opened.status()).toBe(201);
    const again = await page.request.post("/api/trading/positions", { data: { ...order, amount: 50 }, headers });
    const { id } = (await again.json()) as { id: string };
    await page.request.post(`/api/trading/positions/${id}/close`, { data: {}, headers });
    const settled = await page.request.post("/api/trading/positions", { data: { ...order, amount: 70 }, headers });
    const corrected = (await settled.json()) as { id: string };
    await settleAndDispute(page, corrected.id);
    await page.request.post("/api/deposits", { data: { amount: 5000, currency: "BTC", method: "crypto" }, headers });
    expect(await look(page, [...TRADER, `/positions/${id}/receipt`, `/positions/${corrected.id}/receipt`])).toEqual([]);
  });

  test("for staff with something to decide", async () => {
    const page = await visit();
    await page.request.post("/api/auth/login", { data: ADMIN, headers: { origin: site.base } });
    expect(await look(page, STAFF)).toEqual([]);
  });
});
