import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { awake, browserOf, fits, listening, shot } from "../browser";
import { violations } from "../inspect";
import { tamper } from "../scenarios";

/** A trader reads what each pair costs in the account, a press from where the order is. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let tess: Awaited<ReturnType<TestApp["trader"]>>;
let account: string;
beforeAll(async () => {
  app = await testApp();
  browser = await browserOf(app);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const ann = await app.admin();
  const terms = { name: "The raw one", spreadPips: "1.0", commission: "0", minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" };
  await ann.post("/api/admin/groups", { id: "raw", ...terms, spreads: "forex-minor 2\nEUR/USD 0.8 fixed" });
  const effectiveAt = new Date(Date.now() + 86_400_000).toISOString();
  await ann.patch("/api/admin/groups", { id: "raw", version: 1, spreads: "forex-minor 2\nEUR/USD 1.2", effectiveAt, reason: "A test" });
  tess = await app.trader();
  account = (await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "raw", isDemo: true })).body.id;
});
afterAll(async () => {
  expect([...(await browser.close()), ...(await app.faults())]).toEqual([]);
  await app.end();
});

for (const [size, viewport, colorScheme] of [
  ["desk", { width: 1440, height: 900 }, "light"],
  ["phone", { width: 360, height: 740 }, "dark"],
] as const)
  test(`the order leads to the account's spreads by pair, which are searched, with what comes later (${size})`, async () => {
    const page = await browser.visitAs(tess, { viewport, colorScheme, hasTouch: size === "phone", isMobile: size === "phone" });
    await page.goto(`/traders-portal?account=${account}`);
    await awake(page);
    if (size === "phone") await page.getByRole("group", { name: "Trade EUR/USD" }).getByRole("button", { name: "BUY" }).tap();
    const spread = page.locator("[data-island=OrderPanel]").getByRole("link", { name: "Spread 0.8 pips" });
    await spread.waitFor();
    expect(await violations(page)).toEqual([]);
    await shot(page, `spread-order-${size}`);
    await spread.click();
    await page.waitForURL(/\/dashboard\?tab=accounts&account=.*#spreads$/);
    const list = page.getByRole("region", { name: "Spreads" });
    const rows = list.locator("[data-row]");
    await list.getByText("0.8 pips, fixed").waitFor();
    await page.getByRole("link", { name: "0.8 pips", exact: true }).waitFor();
    const all = await rows.count();
    expect(all).toBeGreaterThan(10);
    await list.scrollIntoViewIfNeeded();
    await shot(page, `spread-list-${size}`);
    await list.getByLabel("Search").fill("eurusd");
    await rows.nth(1).waitFor({ state: "detached" });
    expect(await rows.count()).toBe(1);
    await rows.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC: from 1\.2 pips/).waitFor();
    await rows.getByText(/^What is open by then follows at /).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await fits(page)).toBe(true);
    await list.scrollIntoViewIfNeeded();
    await shot(page, `spread-found-${size}`);
    await list.getByLabel("Search").fill("nothing");
    await list.getByText("No pair is called that").waitFor();
    await page.goto(`/trading?tab=trading&account=${account}`);
    await page.getByRole("link", { name: "Spread 0.8 pips" }).waitFor();
    await shot(page, `spread-platform-${size}`);
    await page.context().close();
  });

test("while it stands open the list follows an instrument's mark-up", async () => {
  const page = await browser.visitAs(tess);
  await page.goto(`/dashboard?tab=accounts&account=${account}`);
  const list = page.getByRole("region", { name: "Spreads" });
  await list.scrollIntoViewIfNeeded();
  await awake(page);
  await list.getByLabel("Search").fill("gbpjpy");
  await list.locator("[data-row]").nth(1).waitFor({ state: "detached" });
  await list.getByText("from 2.0 pips").waitFor();
  const ann = await app.admin();
  expect((await ann.patch("/api/admin/instruments/GBP%2FJPY", { markup: "0.7", reason: "A test" })).status).toBe(200);
  await list.getByText("from 2.7 pips").waitFor();
  // What was typed stands.
  expect(await list.getByLabel("Search").inputValue()).toBe("gbpjpy");
  await page.context().close();
});

test("while pages stand open list and order follow the group's spread, and a move to another group", async () => {
  const ann = await app.admin();
  const terms = { name: "The tight one", spreadPips: "1.5", commission: "0", minimumDeposit: 0, leverage: 100, isOpen: true, reason: "A test" };
  for (const id of ["tight", "tighter"])
    await ann.post("/api/admin/groups", { id, ...terms, ...(id === "tighter" && { name: "The tighter one", spreadPips: "0.3" }) });
  const { id } = (await tess.post<{ id: string }>("/api/trading-accounts", { accountTypeId: "tight", isDemo: true })).body;
  const list = await browser.visitAs(tess);
  await list.goto(`/dashboard?tab=accounts&account=${id}`);
  const rows = list.getByRole("region", { name: "Spreads" });
  await rows.scrollIntoViewIfNeeded();
  await awake(list);
  const order = await browser.visitAs(tess);
  await order.goto(`/trading?tab=trading&account=${id}`);
  await awake(order);
  for (const page of [list, order]) await listening(page);
  await order.getByRole("link", { name: "Spread 1.5 pips" }).waitFor();
  await rows.getByText("from 1.5 pips").first().waitFor();
  expect((await ann.patch("/api/admin/groups", { id: "tight", version: 1, spreadPips: "0.9", reason: "A test" })).status).toBe(200);
  await order.getByRole("link", { name: "Spread 0.9 pips" }).waitFor();
  await rows.getByText("from 0.9 pips").first().waitFor();
  // As one that waited for its notice.
  const by = ann.id ?? "";
  await tamper(
    app.sql,
    (tx) => tx`
      insert into group_moves (account_id, from_group, to_group, effective_at, created_at, moved_by, reason)
      values (${id}, 'tight', 'tighter', clock_timestamp() + interval '1 second', clock_timestamp() - interval '1 day', ${by}, 'A test')
    `,
  );
  await order.getByRole("link", { name: "Spread 0.3 pips" }).waitFor();
  await rows.getByText("from 0.3 pips").first().waitFor();
  for (const page of [list, order]) await page.context().close();
});

test("without scripts all of them stand there", async () => {
  const page = await browser.visitAs(tess, { javaScriptEnabled: false });
  await page.goto(`/dashboard?tab=accounts&account=${account}`);
  await page.getByRole("region", { name: "Spreads" }).getByText("0.8 pips, fixed").waitFor();
  expect(await page.getByLabel("Search", { exact: true }).isVisible()).toBe(false);
});
