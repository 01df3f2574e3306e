import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Position } from "../../trading/schema";
import { type TestApp, testApp } from "../app";
import { awake, browserOf, pressed, fits, shot } from "../browser";
import { violations } from "../inspect";
import { nightsIn, rule } from "../nights";
import { until } from "../scenarios";

/** What a night costs is said before one orders, and stands on the position, in its history and on its receipt. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let held: Awaited<ReturnType<typeof holder>>;
let old: Position;
beforeAll(async () => {
  // Forex is open whenever the test runs.
  app = await testApp({ MARKET_HOURS: "always" });
  browser = await browserOf(app);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  held = await holder(await groupWith({ swaps: [rule({ long: "-4.6" })] }));
  old = await held.open();
  const other = await held.open({ amount: 5000 });
  await sleptSince("2026-11-09", { [old.id]: "2026-11-10T12:00:00Z", [other.id]: "2026-11-10T12:00:00Z" });
  await until("all nights are charged", isCharged);
  await held.tess.post(`/api/trading/positions/${other.id}/close`);
});
afterAll(async () => {
  expect([...(await browser.close()), ...(await app.faults())]).toEqual([]);
  await app.end();
});
const { groupWith, holder, sleptSince, isCharged } = nightsIn(() => app);

const DESK = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 360, height: 740 } };

for (const [size, options] of [
  ["desk", DESK],
  ["phone", { ...PHONE, colorScheme: "dark" as const }],
] as const) {
  test(`a night is said in the preview, by keyboard, and stands on the position and its receipt (${size})`, async () => {
    const page = await browser.visitAs(held.tess, options);
    await page.goto(`/traders-portal?account=${held.accountId}`);
    await awake(page);
    if (size === "phone") await page.getByRole("button", { name: /^BUY/ }).last().click();
    await page.locator("#order-amount:visible").fill("11000");
    await page
      .getByRole("button", { name: /^Preview Trade/ })
      .last()
      .press("Enter");
    const dialog = page.getByRole("dialog", { name: "Trade Preview Analysis" });
    await dialog.getByText(/^Overnight until \w+ 17:00 New York(, three nights)?$/).scrollIntoViewIfNeeded();
    expect(await dialog.getByText(/^−\$(0\.46|1\.38)$/).count()).toBe(1);
    await shot(page, `preview-${size}`);
    expect(await violations(page)).toEqual([]);
    await pressed(dialog, "Close Preview");

    await page.goto(`/trading?tab=positions&account=${held.accountId}`);
    await awake(page);
    const row = page.locator(`[data-row="${old.id}"]`);
    await row.getByText(/^Swap −\$\d+\.\d\d$/).waitFor({ state: "attached" });
    await shot(page, `positions-${size}`);
    await page.goto(`/positions/${old.id}/receipt`);
    await page.getByRole("heading", { name: "Overnight" }).scrollIntoViewIfNeeded();
    await page.getByText("2026-11-11, three nights").first().waitFor();
    expect([await fits(page), await violations(page)]).toEqual([true, []]);
    await shot(page, `receipt-${size}`);
    await page.goto(`/traders-portal?tab=history&account=${held.accountId}#lists`);
    await page
      .getByText(/^Swap −\$\d+\.\d\d$/)
      .first()
      .waitFor({ state: "attached" });
    await shot(page, `history-${size}`);
    await page.goto("/analytics?book=demo");
    await page.getByText("What nights brought beside the results").waitFor();
    await shot(page, `analytics-${size}`);
    await page.context().close();
  });
}

test("it is said without scripts, too", async () => {
  const page = await browser.visitAs(held.tess, { ...PHONE, javaScriptEnabled: false });
  await page.goto(`/positions/new?account=${held.accountId}&symbol=${encodeURIComponent("EUR/USD")}&side=buy`);
  await page.getByLabel("Amount ($)", { exact: true }).fill("11000");
  await page.getByRole("button", { name: "Preview order" }).click();
  await page.getByText(/^Overnight until \w+ 17:00 New York(, three nights)?$/).waitFor();
  expect(await fits(page)).toBe(true);
  await shot(page, "plain");
  await page.context().close();
});
