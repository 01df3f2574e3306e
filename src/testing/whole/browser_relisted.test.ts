import { expect, test } from "bun:test";
import type { TestApp } from "../app";
import { awake, fits, listening, openStaff, shot } from "../browser";
import { inStaffHouse } from "../browser_house";
import { violations } from "../inspect";

/** Pages that are open learn of an instrument that is new, or hidden, without being loaded again. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
inStaffHouse((house) => ({ app, staff } = house));

for (const [size, viewport, symbol, hidden] of [
  ["desk", { width: 1440, height: 900 }, "EUR/SEK", "GBP/USD"],
  ["phone", { width: 360, height: 740 }, "EUR/NOK", "USD/CAD"],
] as const)
  test(`a watchlist, an order panel and the platform (${size})`, async () => {
    const tess = await app.trader();
    const [portal, platform] = [await staff.visitAs(tess, { viewport }), await staff.visitAs(tess, { viewport })];
    await portal.goto("/traders-portal?tab=forex");
    await platform.goto("/trading?tab=trading");
    for (const page of [portal, platform]) {
      await awake(page);
      await page.evaluate(() => void Object.assign(window, { isTheSame: true }));
    }
    const list = portal.getByRole("list", { name: "Forex Watchlist" });
    const rowOf = (of: string) => list.getByRole("listitem").filter({ has: portal.getByRole("heading", { name: of }) });
    const choices = platform.locator("#execute-trade").getByLabel("Currency Pair");
    await rowOf(hidden).waitFor();
    expect(await rowOf(symbol).count()).toBe(0);

    const krona = { name: "A krona", group: "forex-minor", digits: 5, simulatorStart: "11.30500", simulatorVolatility: 0.08, reason: "Clients ask for it" };
    expect((await staff.ann.post("/api/admin/instruments", { ...krona, symbol })).status).toBe(201);
    await app.quote(symbol, "11.30500", "11.30900");
    const row = rowOf(symbol);
    // What nobody sees is not drawn at each tick.
    await row.scrollIntoViewIfNeeded();
    await row.getByText("11.30").first().waitFor();
    await choices.locator("option", { hasText: symbol }).waitFor({ state: "attached" });
    await choices.selectOption(symbol);
    await platform.getByText("Margin for this order").waitFor();
    await shot(portal, `relisted-portal-${size}`);
    await shot(platform, `relisted-platform-${size}`);

    expect((await staff.ann.patch(`/api/admin/instruments/${encodeURIComponent(hidden)}`, { state: "hidden", reason: "The feed is thin" })).status).toBe(200);
    await rowOf(hidden).waitFor({ state: "detached" });
    await choices.locator("option", { hasText: hidden }).waitFor({ state: "detached" });
    for (const page of [portal, platform]) {
      expect(await page.evaluate(() => "isTheSame" in window)).toBe(true);
      expect(await fits(page)).toBe(true);
      // The bars that stay in sight cover what scrolls under them.
      await page.setViewportSize({ ...viewport, height: await page.evaluate(() => document.documentElement.scrollHeight) });
      expect(await violations(page)).toEqual([]);
    }
  });

for (const [size, viewport] of [
  ["desk", { width: 1440, height: 900 }],
  ["phone", { width: 360, height: 740 }],
] as const)
  test(`an order panel and the platform take the leverage that the trader's country allows by now (${size})`, async () => {
    // Ann decides it alone.
    await app.sql`update signature_rules set is_on = false where deed = 'compliance'`;
    const rules = { isServed: true, leverageMajor: null, leverageMinor: null, leverageCrypto: null, promotions: true, warning: null };
    const set = async (country: string, more: object) =>
      expect((await staff.ann.post("/api/admin/jurisdictions", { ...rules, country, ...more })).status).toBe(200);
    const tess = await app.trader({ country: "AT" });
    const page = await staff.visitAs(tess, { viewport });
    await page.goto("/trading?tab=trading&symbol=EUR%2FUSD");
    await awake(page);
    await listening(page);
    await page.evaluate(() => void Object.assign(window, { isTheSame: true }));
    const panel = page.locator("#execute-trade");
    await panel.getByLabel("Amount").fill("3000");
    await panel.getByText("Margin for this order: $30.00", { exact: true }).waitFor();

    await set("AT", { leverageMajor: 30 });
    await panel.getByText("Margin for this order: $100.00", { exact: true }).waitFor();
    await shot(page, `country-leverage-${size}`);
    await set("AT", { leverageMajor: 50, leverageCrypto: 2 });
    await panel.getByText("Margin for this order: $60.00", { exact: true }).waitFor();
    expect((await staff.ann.post("/api/admin/jurisdictions/remove", { country: "AT" })).status).toBe(200);
    await panel.getByText("Margin for this order: $30.00", { exact: true }).waitFor();
    expect(await panel.getByLabel("Amount").inputValue()).toBe("3000");
    expect(await page.evaluate(() => "isTheSame" in window)).toBe(true);
    await app.sql`update signature_rules set is_on = true where deed = 'compliance'`;
  });
