import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserOf, eventually } from "../browser";
import { type TestApp, testApp } from "../app";
import { lose, openLive, openPosition, win } from "../corrections";
import { violations } from "../inspect";
import { deposit, fundedTrader, withdrawal } from "../money";
import { until } from "../scenarios";

/** The frame of the staff's pages: one line above the tabs, rows of one height in columns that stay where they are, one filled button. */

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Admin;
let page: Page;
let client: string;

const LONG = "A long sentence of somebody who has much to tell, ".repeat(8).trim();

beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.08420", "1.08500");
  browser = await browserOf(app);
  [ann] = [await app.admin(), await app.admin()];
  await app.sql`update users set first_name = 'Ann' where id = ${ann.id}`;
  const trader = await fundedTrader(app, ann, 4000);
  client = trader.id;
  await deposit(trader, { amount: 70, notes: LONG });
  await deposit(trader, { amount: 905_444.12, currency: "EUR" });
  await deposit(trader, { amount: 4990.5, currency: "BTC", method: "crypto", notes: LONG, transactionHash: "f".repeat(64) });
  const { body: refused } = await deposit(trader, { amount: 80 });
  await ann.post(`/api/admin/deposits/${refused.id}/reject`, { reason: LONG });
  await withdrawal(trader, { walletAddress: "DE02 1203 0000 0000 2020 51" });
  for (const position of [await openPosition(trader), await openPosition(trader)]) await win(ann, position.id, 12, LONG);
  const forced = await openPosition(trader);
  await lose(ann, forced.id, 5, LONG);
  await trader.post(`/api/trading/positions/${forced.id}/dispute`, { message: LONG });
  await openPosition(trader);
  await lose(ann, (await openLive(app)).position.id, 20, LONG);
  await trader.post("/api/support/tickets", { subject: LONG.slice(0, 190), message: LONG, category: "general", priority: "low" });
  await trader.post("/api/chat/messages", { message: LONG });
  await trader.post("/api/contact", { name: "Nora", email: "nora@example.test", message: LONG });
  await app.trader({ firstName: "Wilhelmina-Alexandrina", lastName: "of-a-House-with-a-Name-that-Ends-Late" });
  await ann.post("/api/admin/canned-answers", { title: "Greeting", body: "Thank you." });
  // Alone, so that nobody has to sign it.
  await app.sql`update signature_rules set is_on = false where deed = 'wallet'`;
  await ann.post("/api/admin/wallets", { currency: "BTC", network: "Mainnet", walletAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", description: LONG });
  await app.stranger().post("/api/admin/visitors/track", { page: "/faq" });
  await until("the visit is written", async () => (await app.sql`select from visits`).length === 1);
  page = await browser.visitAs(ann);
});
afterAll(async () => {
  const faults = await browser.close();
  await app.end();
  expect(faults).toEqual([]);
});

const QUEUES = [
  ...["users", "deposits", "withdrawals", "support", "support&view=tickets", "support&view=chat", "support&view=contact", "audit", "wallets"].map(
    (tab) => `/admin?tab=${tab}`,
  ),
  ...["waiting", "corrections", "disputes", "exceptions"].map((status) => `/admin?tab=trades&status=${status}`),
  "/admin-registrations",
  "/admin?tab=visitors",
  "/admin?tab=system",
];
const OTHERS = [
  "/admin",
  `/admin/days/${new Date().toISOString().slice(0, 10)}`,
  "/admin?tab=trades",
  "/admin?tab=support&view=answers",
  "/admin?tab=overview",
];
const ELSEWHERE = ["/enhanced-admin", "/admin-comprehensive", "/admin-portal"];

/** Buttons and links on the page, outside of dialogs, that are filled with the colour of what can be acted on. */
const filled = () =>
  page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.className = "bg-accent";
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll<HTMLElement>("button, a")]
      .filter(
        (each) => !each.closest("dialog") && each.checkVisibility() && getComputedStyle(each).backgroundColor === accent && !each.matches("a[href='#main']"),
      )
      .map((each) => each.textContent);
  });

const heightsOf = () =>
  page.$$eval(".staff-rows tbody tr, ul[aria-label='Pending registrations'] > li, main td.lg\\:h-10, main dl.text-table > div", (rows) => [
    ...new Set(rows.filter((row) => row.checkVisibility()).map((row) => row.getBoundingClientRect().height)),
  ]);
const tallest = () =>
  page.$$eval("main [data-row]", (rows) => Math.max(0, ...rows.filter((row) => row.checkVisibility()).map((row) => row.getBoundingClientRect().height)));
/** Cells of rows of one height that hold half a line more than is seen. */
const clipped = () =>
  page.$$eval(".staff-rows tbody tr:not([data-unfolded]) > td > div", (cells) =>
    cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 8).map((cell) => `${cell.parentElement?.dataset.cell}: ${cell.textContent.slice(0, 60)}`),
  );
const wider = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.each([...QUEUES, ...OTHERS, ...ELSEWHERE, "client"])("%s: one line, then the tabs, then its work", async (path) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path === "client" ? `/admin/users/${client}?tab=deposits` : path);
  await page.$$eval("main details:not([data-menu])", (folded) => folded.forEach((each) => each.setAttribute("open", "")));
  const banner = page.getByRole("banner");
  expect(await banner.getByRole("link").allInnerTexts()).not.toContain("Traders Portal");
  const line = await banner.locator(":scope > div").first().boundingBox();
  const tabs = await banner.getByRole("tablist").boundingBox();
  expect([line?.y, line?.height]).toEqual([0, 48]);
  expect([tabs?.y, (tabs?.height ?? 99) <= 42]).toEqual([48, true]);
  expect((await filled()).length).toBeLessThanOrEqual(1);
  const heights = await heightsOf();
  expect(heights.filter((height) => height !== 40)).toEqual([]);
  expect(await clipped()).toEqual([]);
  if (QUEUES.includes(path)) {
    if (!/support|wallets/.test(path)) expect(heights).toEqual([40]);
    const first = await page.locator("main [data-row], main dl.text-table > div").first().boundingBox();
    expect(first?.y).toBeLessThanOrEqual(170);
  }
  for (const [width, height] of [
    [360, 740],
    [1024, 768],
    [768, 1024],
  ] as const) {
    await page.setViewportSize({ width, height });
    expect([path, width, await wider()]).toEqual([path, width, 0]);
    if (width === 1024) expect(await clipped()).toEqual([]);
    // On a phone the rows of all queues are low.
    if (width === 360 && QUEUES.includes(path)) expect(await tallest()).toBeLessThanOrEqual(120);
    expect((await banner.locator(":scope > div").first().boundingBox())?.height).toBe(48);
  }
});

test("the app has the line, and its own layout under it", async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin-app?tab=deposits");
  expect((await page.getByRole("banner").boundingBox())?.height).toBe(49);
  expect(await page.getByRole("banner").getByRole("tablist").count()).toBe(0);
  await page.getByRole("navigation", { name: "Quick" }).waitFor();
  expect(await wider()).toBe(0);
});

test("that it is a demonstration is a dot: its words are read aloud, come with pointer and focus, and stay with a press", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin?tab=users");
  const words = "Demonstration. Prices are simulated and no real money is held or traded here.";
  const dot = page.getByRole("banner").locator("summary", { hasText: "Demonstration." });
  expect(await dot.innerText()).toContain(words);
  await dot.hover();
  await page.getByRole("tooltip").getByText(words).waitFor();
  await page.mouse.move(700, 700);
  await page.getByRole("tooltip").waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  await eventually(async () => {
    if (!(await dot.evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
    expect(await dot.evaluate((element) => element === document.activeElement)).toBe(true);
  });
  await page.getByRole("tooltip").getByText(words).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("banner").getByRole("paragraph").getByText(words).waitFor();
  expect(await violations(page)).toEqual([]);
});

test("no column moves when what stands in it does, and numbers stand under each other", async () => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin?tab=deposits");
  const edges = () => page.$$eval("section[aria-label='Waiting deposits'] th", (heads) => heads.map((head) => head.getBoundingClientRect().left));
  const before = await edges();
  const amounts = await page.$$eval("section[aria-label='Waiting deposits'] td[data-cell=amount] .line:first-child", (cells) =>
    cells.map((cell) => ({ align: getComputedStyle(cell).textAlign, figures: getComputedStyle(cell).fontVariantNumeric })),
  );
  expect(amounts).toEqual(amounts.map(() => ({ align: "right", figures: "tabular-nums" })));
  // What it credits stands there in full.
  const credits = page.locator("section[aria-label='Waiting deposits'] td[data-cell=amount] .line", { hasText: /^credits \$9\d\d,\d{3}\.\d\d$/ });
  expect(await credits.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const other = await app.trader({ firstName: "M".repeat(90), lastName: "W".repeat(90) });
  await deposit(other, { amount: 4_000_000.5, notes: LONG });
  await page.getByText("M".repeat(90)).first().waitFor();
  expect(await edges()).toEqual(before);
  expect(await heightsOf()).toEqual([40]);
});

test("the number of an account stands there whole, or with its end where there is no room, and whole under the pointer", async () => {
  const cuts = new Set<boolean>();
  let shown = false;
  for (const [path, name] of [
    ["/admin?tab=trades", "Open positions of all accounts"],
    ["/admin?tab=trades&status=waiting", "Corrections that wait for a second administrator"],
    ["/admin?tab=trades&status=corrections", "Corrections"],
    ["/admin?tab=trades&status=disputes", "Disputed corrections"],
    [`/admin/users/${client}?tab=accounts`, "Trading accounts"],
  ] as const) {
    await page.goto(path);
    const line = page.getByRole("table", { name, exact: true }).locator(".by-end").first();
    for (const width of [1024, 1152, 1280, 1366, 1407, 1408, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const { cut, end, whole } = await line.evaluate((box) => {
        const node = document.createTreeWalker(box, NodeFilter.SHOW_TEXT).nextNode() as Text;
        const last = document.createRange();
        last.setStart(node, node.length - 6);
        last.setEnd(node, node.length);
        const [inner, outer] = [last.getBoundingClientRect(), box.getBoundingClientRect()];
        return { cut: box.scrollWidth > box.clientWidth, end: inner.left >= outer.left && inner.right <= outer.right + 0.5, whole: node.data };
      });
      expect([path, width, end]).toEqual([path, width, true]);
      cuts.add(cut);
      if (!cut || shown) continue;
      // A row that is drawn anew under the pointer closes it.
      await eventually(async () => {
        await page.mouse.move(0, 0);
        await line.hover({ timeout: 3000 });
        await page.getByRole("tooltip").getByText(whole).waitFor({ timeout: 3000 });
      });
      shown = true;
    }
  }
  expect([...cuts].sort()).toEqual([false, true]);
});

test("a title counts its own queue, on arrival and as it changes, and a list without one counts nothing", async () => {
  const trader = await fundedTrader(app, ann, 100);
  const [{ waiting } = { waiting: 0 }] = await app.sql<{ waiting: number }[]>`select count(*)::int as waiting from deposits where status = 'pending'`;
  await page.goto("/admin?tab=deposits", { waitUntil: "commit" });
  expect((await ann.get("/admin?tab=deposits")).text).toContain(`<title>(${waiting}) Deposits · Control Panel`);
  await deposit(trader, { amount: 61 });
  await page.waitForFunction((title) => document.title.startsWith(title), `(${waiting + 1}) Deposits · Control Panel`);
  await page.goto("/admin?tab=users");
  await deposit(trader, { amount: 62 });
  await page.getByRole("tab", { name: `Deposits ${waiting + 2}` }).waitFor();
  expect(await page.title()).toStartWith("Users");
});

test("who shares a name with a colleague is asked for another, over the page as it was drawn", async () => {
  const namesake = await app.admin();
  const own = await browser.visitAs(namesake, { bypassCSP: false });
  await own.goto("/admin?tab=users");
  await own.getByRole("dialog", { name: "Your name" }).waitFor();
  expect(browser.faults).toEqual([]);
  await own.context().close();
});
