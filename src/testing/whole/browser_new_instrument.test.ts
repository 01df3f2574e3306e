import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { ADMIN, openSite, register, type Site, told, shot } from "../browser";
import { violations } from "../inspect";

/** A new instrument, from nothing to its first trade: in the panel alone, without a restart, counted in presses. */

let site: Site;
beforeAll(async () => {
  site = await openSite();
});
afterAll(async () => {
  const { faults } = site;
  await site.close();
  expect(faults).toEqual([]);
});

const SIZES = [
  ["desk", { width: 1440, height: 900 }, "EUR/SEK", "Euro / Swedish Krona"],
  ["phone", { width: 360, height: 740 }, "EUR/NOK", "Euro / Norwegian Krone"],
] as const;

for (const [size, viewport, symbol, name] of SIZES)
  test(`a pair is listed with three presses, one of them refused, and dealt with one more (${size})`, async () => {
    let presses = 0;
    const press = async (button: Locator) => {
      presses += 1;
      await button.click();
    };
    const page = await site.visit({ viewport });
    expect((await page.request.post("/api/auth/login", { data: ADMIN })).status()).toBe(200);
    await page.goto("/admin?tab=settings&view=instruments");
    await press(page.getByRole("button", { name: "New instrument" }));
    const dialog = page.getByRole("dialog", { name: "New instrument" });
    const write = (label: string, text: string) => dialog.getByLabel(label, { exact: true }).fill(text);
    await write("Symbol", symbol);
    await write("Name", name);
    await write("Digits", "5");
    await write("Simulator’s first price", "11.30500");
    await write("Volatility a year", "0.08");
    await write("Sessions", "Mon-Sun 00:00-24:00\nWed 10:00-11:00");
    await write("Reason", "Clients ask for it");
    await shot(page, `new-instrument-${size}`);
    await press(dialog.getByRole("button", { name: "List", exact: true }));
    await dialog.getByText("Row 2, from: it overlaps row 1 on Wed.").waitFor();
    expect(await dialog.getByLabel("Sessions", { exact: true }).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await shot(page, `new-instrument-refused-${size}`);
    await write("Sessions", "Mon-Sun 00:00-24:00");
    await press(dialog.getByRole("button", { name: "List", exact: true }));
    await told(page, `${symbol} was listed`);
    await page.locator(`[data-row="${symbol}"]`).waitFor();
    expect(presses).toBe(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)).toBe(true);

    const trader = await site.visit({ viewport });
    await register(trader, "Tess");
    await trader.goto("/trading?tab=trading");
    presses = 0;
    const panel = trader.locator("#execute-trade");
    await panel.getByLabel("Currency Pair").selectOption(symbol);
    await panel.getByLabel(/^Amount/).fill("100");
    await press(panel.getByRole("button", { name: /^Execute Trade/ }));
    await told(trader, `BUY order for $100 on ${symbol} has been placed successfully`);
    await trader.goto(`/trading?tab=positions`);
    await trader.getByText(symbol).first().waitFor();
    await shot(trader, `new-instrument-dealt-${size}`);
    expect(presses).toBe(1);
  });
