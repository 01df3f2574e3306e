import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserOf, eventually } from "../browser";
import { type TestApp, testApp } from "../app";
import { lose, openPosition, quoteTwice } from "../corrections";
import { violations } from "../inspect";
import { deposit, fundedTrader } from "../money";
import { fundLive } from "../scenarios";

/** The staff's one keyboard, on every page of theirs, and the one search by it. */

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Admin;
let page: Page;
let ada: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  browser = await browserOf(app);
  [ann] = [await app.admin(), await app.admin()];
  await app.sql`update users set first_name = 'Ann' where id = ${ann.id}`;
  ada = await fundedTrader(app, ann, 900);
  await app.sql`update users set first_name = 'Ada', last_name = 'Lovelace' where id = ${ada.id}`;
  for (let n = 0; n < 3; n++) {
    await deposit(await app.trader({ firstName: `Client${n}` }), { amount: 50 + n });
    await ada.post("/api/support/tickets", { subject: `Question ${n}`, message: "Please", category: "general" });
  }
  page = await browser.visitAs(ann);
});
afterAll(async () => {
  const faults = await browser.close();
  await app.end();
  expect(faults).toEqual([]);
});

const PAGES = [
  ...["today", "users", "deposits", "withdrawals", "trades", "visitors", "support", "audit", "overview", "wallets", "system"].map((tab) => `/admin?tab=${tab}`),
  ...["/admin-registrations", "/admin?tab=support&view=chat", "/admin-app?tab=users", "/admin/search"],
];
const dialog = () => page.getByRole("dialog", { name: "Search everything" });
const focusedRow = () => page.evaluate(() => document.activeElement?.closest("[data-row]")?.getAttribute("data-row") ?? null);
const rowsOf = () => page.$$eval("main [data-row]", (rows) => rows.map((row) => row.getAttribute("data-row")));

test.each([...PAGES, "client"])("%s: any client is a chord, some letters and Enter away", async (path) => {
  await page.goto(path === "client" ? `/admin/users/${ada.id}?tab=notes` : path);
  let chords = 0;
  let letters = 0;
  let others = 0;
  await page.exposeFunction(
    `heard${path.replace(/\W/g, "")}`,
    (key: string, chord: boolean) => void (chord ? chords++ : key.length === 1 ? letters++ : others++),
  );
  await page.evaluate(
    (name) =>
      document.addEventListener(
        "keydown",
        ({ key, ctrlKey }) => key !== "Control" && void (globalThis as unknown as Record<string, (key: string, chord: boolean) => void>)[name]?.(key, ctrlKey),
        true,
      ),
    `heard${path.replace(/\W/g, "")}`,
  );
  await page.keyboard.press("Control+k");
  await dialog().waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("dialog [role=combobox]"));
  await page.keyboard.type("lovelace ada");
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/admin/users/${ada.id}`);
  expect({ chords, letters, others }).toEqual({ chords: 1, letters: "lovelace ada".length, others: 1 });
});

test("results come as one types, by kind; arrows choose, Enter opens, Escape closes; nothing of it is a fault to axe", async () => {
  await page.goto("/admin?tab=users");
  await page.keyboard.press("Control+k");
  await dialog()
    .getByRole("option", { name: /Go to Deposits/ })
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("lovelace");
  for (const name of ["People", "Trading accounts", "Tickets"]) await dialog().getByRole("group", { name }).waitFor();
  expect(await violations(page)).toEqual([]);
  const chosen = () => dialog().locator("[aria-selected=true]").innerText();
  // The page under it stays where it is.
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await chosen()).toContain("Ada Lovelace");
  await page.keyboard.press("ArrowUp");
  const last = await chosen();
  await page.keyboard.press("ArrowDown");
  expect(last).not.toBe(await chosen());
  const ticket = dialog().getByRole("option", { name: /Question 1/ });
  while ((await ticket.getAttribute("aria-selected")) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**ticket=**");
  await page.keyboard.press("Control+k");
  await dialog().waitFor();
  await page.keyboard.type("ada");
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("<img src=x onerror=document.title=1>");
  await dialog().getByText("Nothing found").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1440, height: 900 });
});

test("Escape and the keys again at once: the search is open, however late the browser tells of the closing", async () => {
  await page.goto("/admin?tab=users");
  await page.keyboard.press("Control+k");
  await dialog().waitFor();
  // Between the closing and the browser's word of it, as on a busy machine.
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      if (document.querySelector("dialog[open]")) return;
      observer.disconnect();
      window.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
      Object.assign(window, { again: true });
    }).observe(document.body, { attributes: true, childList: true, subtree: true }),
  );
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => "again" in window);
  await page.keyboard.type("lovelace");
  await dialog()
    .getByRole("option", { name: /Ada Lovelace/ })
    .first()
    .waitFor();
});

test("a command suspends whom it names, after its dialog, once", async () => {
  await page.goto("/admin?tab=audit");
  await page.keyboard.press("Control+k");
  await dialog().waitFor();
  await page.keyboard.type("suspend lovelace");
  await dialog()
    .getByRole("option", { name: /Suspend Ada Lovelace/ })
    .waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/admin/users/${ada.id}**`);
  await page.getByRole("dialog", { name: /Suspend/ }).waitFor();
  await page.waitForURL(`**/admin/users/${ada.id}`);
  await page.reload();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

/** `g` and a letter, the second without waiting until the page has heard of the first. */
const goTo = (letter: string) => Promise.all(["g", letter].map((key) => page.keyboard.press(key)));

test("g and a letter go to each tab, and while one writes they are letters", async () => {
  await page.goto("/admin?tab=users");
  for (const [key, part] of [
    ["t", "tab=today"],
    ["r", "/admin-registrations"],
    ["d", "tab=deposits"],
    ["w", "tab=withdrawals"],
    ["c", "tab=trades"],
    ["v", "tab=visitors"],
    ["s", "tab=support"],
    ["a", "tab=audit"],
    ["o", "tab=overview"],
    ["l", "tab=wallets"],
    ["y", "tab=system"],
    ["u", "tab=users"],
  ] as const) {
    await goTo(key);
    await page.waitForURL(`**${part}`);
  }
  await page.keyboard.press("/");
  await page.keyboard.type("gd jk ? x");
  expect(await page.getByRole("searchbox").inputValue()).toBe("gd jk ? x");
  expect(page.url()).toContain("tab=users");
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("the letter after g counts as pressed when it was, however late a busy page hears of it", async () => {
  await page.goto("/admin?tab=users");
  await page.evaluate(() =>
    window.addEventListener("keydown", () => {
      for (const end = performance.now() + 2000; performance.now() < end;);
    }),
  );
  await goTo("d");
  await page.waitForURL("**tab=deposits");
});

test("? lists every key", async () => {
  await page.goto("/admin?tab=users");
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  for (const key of ["j", "k", "o", "a", "r", "x", "/", "?", "Ctrl K", "g d", "g u"]) await sheet.getByText(key, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});

test.each(["/admin?tab=users", "/admin?tab=deposits", "/admin?tab=support", "/admin?tab=support&view=tickets", "/admin?tab=audit", "/admin-registrations"])(
  "%s is walked by j and k",
  async (path) => {
    await page.goto(path);
    const rows = await rowsOf();
    expect(rows.length).toBeGreaterThan(2);
    await page.keyboard.press("j");
    await eventually(async () => expect(await focusedRow()).toBe(rows[0] as string));
    await page.keyboard.press("j");
    await eventually(async () => expect(await focusedRow()).toBe(rows[1] as string));
    await page.keyboard.press("k");
    await eventually(async () => expect(await focusedRow()).toBe(rows[0] as string));
  },
);

test("o opens what belongs to a row, or what of it was too long; x selects it", async () => {
  await page.goto("/admin?tab=support");
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  await page.waitForURL("**ticket=**");
  await page.goto("/admin?tab=audit");
  await page.keyboard.press("j");
  const row = page.locator("main tr[data-row]").first();
  expect((await row.boundingBox())?.height).toBe(40);
  await page.keyboard.press("o");
  await eventually(async () => expect((await row.boundingBox())?.height).toBeGreaterThan(40));
  await page.keyboard.press("o");
  await eventually(async () => expect((await row.boundingBox())?.height).toBe(40));
  await page.goto("/admin?tab=deposits");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const box = page.locator("main tr[data-row] input[data-select]").first();
  await eventually(async () => expect(await box.isChecked()).toBe(true));
  await page.keyboard.press("x");
  await eventually(async () => expect(await box.isChecked()).toBe(false));
});

test("a and r decide where a list has no keys of its own", async () => {
  // Dealt in on a weekend, too.
  const live = await testApp({ SITE_MODE: "live", FEED: "kraken", MARKET_HOURS: "always", ADVERSE_CORRECTIONS: "four-eyes" });
  try {
    const [one, two] = [await live.admin(), await live.admin()];
    await live.sql`update users set first_name = 'Bea' where id = ${two.id}`;
    const tess = await live.trader();
    const accountId = await fundLive(live, tess, "1000.00");
    // Neither deal waits for what may take longer than a price holds.
    await quoteTwice(live, "1.08420", "1.08500");
    const position = await openPosition(tess, { accountId });
    await quoteTwice(live, "1.08420", "1.08500");
    expect((await lose(one, position.id, 5)).status).toBe(202);
    live.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
    const url = `http://127.0.0.1:${live.router.server?.port}`;
    const opened = await browser.visitAs(two, { baseURL: url });
    await opened.goto("/admin?tab=trades&status=waiting");
    await opened.keyboard.press("j");
    await opened.keyboard.press("r");
    await opened.getByRole("dialog", { name: /Decline/ }).waitFor();
    await opened.keyboard.press("Escape");
    await opened.getByRole("dialog").waitFor({ state: "detached" });
    await opened.keyboard.press("a");
    await opened.getByRole("dialog", { name: /Confirm/ }).waitFor();
    await opened.context().close();
  } finally {
    void live.router.server?.stop(true);
    await live.end();
  }
});
