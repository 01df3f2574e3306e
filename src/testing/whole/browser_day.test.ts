import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { DayBook } from "../../admin/schema_days";
import { DAY } from "../../lib/time";
import { type Person, type TestApp, testApp } from "../app";
import { openPosition, win } from "../corrections";
import { browserOf, eventually, told } from "../browser";
import { inspectHere } from "../inspect";
import { deposit, fundedTrader, withdrawal } from "../money";
import { fundLive, tamper } from "../scenarios";

/** The staff's day in a browser: one look for the result, a few presses to close it. Presses are counted by the page. */

type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Admin;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  browser = await browserOf(app);
  ann = await app.admin();
  await app.sql`update users set first_name = 'Ann' where id = ${ann.id}`;
});
afterAll(async () => {
  const faults = await browser.close();
  expect(await app.faults()).toEqual([]);
  await app.end();
  expect(faults).toEqual([]);
});

/** A browser in which this person is signed in, at `path`, and how often was pressed since, over all pages. */
async function at(person: Person, path: string): Promise<{ page: Page; clicks: () => number }> {
  const page = await browser.visitAs(person);
  let clicks = 0;
  await page.exposeFunction("pressed", () => void clicks++);
  // An island that wakes is given again what was pressed before, which nobody pressed.
  await page.addInitScript(() => addEventListener("click", (event) => event.isTrusted && (globalThis as unknown as { pressed(): void }).pressed(), true));
  await page.goto(path);
  return { page, clicks: () => clicks };
}

test("the house's result is there without a press, and follows what is booked without a reload", async () => {
  const tess = await fundedTrader(app, ann, 900);
  const { page, clicks } = await at(ann, "/admin");
  const house = page.locator("[data-figure=house]");
  const box = await house.boundingBox();
  expect(box && box.y + box.height < 900).toBe(true);
  expect(await house.innerText()).toContain("$0.00");
  const waiting = page.locator("[data-queue=deposits] td").first();
  expect(await waiting.innerText()).toBe("0");
  const { body } = await deposit(tess, { amount: 5000, method: "card" });
  await page.locator("[data-queue=deposits] td", { hasText: /^1$/ }).first().waitFor();
  await ann.post(`/api/admin/deposits/${body.id}/approve`, { confirmAmount: 5000 });
  // The bonus that it earned is what the house paid.
  await house.getByText("−$500.00").waitFor();
  await page.locator("[data-part=in-card]", { hasText: "$5,000.00" }).waitFor();
  expect(clicks()).toBe(0);
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await inspectHere(page, "day")).toEqual([]);
  }
  await page.context().close();
});

test("a day is closed by at most three presses, from any page of staff, and says so to who looks at it", async () => {
  await tamper(app.sql, (tx) => tx`update users set created_at = created_at - interval '20 days' where id = ${ann.id}`);
  await tamper(app.sql, (tx) => tx`update ledger_entries set created_at = created_at - interval '1 day'`);
  const yesterday = new Date(Date.parse((await app.sql<{ now: string }[]>`select now()`)[0]?.now ?? "") - DAY).toISOString().slice(0, 10);
  const [{ page, clicks }, other] = await Promise.all([at(ann, "/admin?tab=users"), at(await app.admin(), `/admin?tab=today&day=${yesterday}`)]);
  // The search leads to the question itself.
  const before = (days: number) => new Date(Date.parse(yesterday) - days * DAY).toISOString().slice(0, 10);
  expect((await ann.post(`/api/admin/days/${before(2)}/close`)).status).toBe(200);
  await page.getByText("Search everything", { exact: true }).first().click();
  await page.keyboard.type("close");
  await page.getByRole("option", { name: /^Close the day/ }).click();
  await page.waitForURL("**/admin?tab=today");
  await page.getByRole("dialog").getByText("House's result").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Close the day" }).click();
  await told(page, /is closed$/);
  expect((await ann.get<DayBook>(`/api/admin/days/${before(1)}`)).body.closed?.closedBy).toBe("Ann Administrator");
  const bySearch = clicks();
  expect(bySearch).toBeLessThanOrEqual(3);
  expect(page.url()).not.toContain("close");
  await page.goto("/admin?tab=users");
  await page.getByRole("tab", { name: "Today" }).click();
  await page.getByRole("button", { name: /^Close \d/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("−$500.00").waitFor();
  expect(await inspectHere(page, "day")).toEqual([]);
  await dialog.getByRole("button", { name: "Close the day" }).click();
  await page.getByRole("button", { name: /^Close \d/ }).waitFor({ state: "detached" });
  expect(clicks() - bySearch).toBeLessThanOrEqual(3);
  const { body } = await ann.get<DayBook>(`/api/admin/days/${yesterday}`);
  expect(body.closed?.figures.house).toBe("-500.00");
  await other.page.getByText("Nothing has changed since.").waitFor();
  await Promise.all([page.context().close(), other.page.context().close()]);
});

test("why a client is angry is read after at most four presses, from any page of staff", async () => {
  const tess = await fundedTrader(app, ann, 500);
  await app.sql`update users set first_name = 'Tessa', last_name = 'Furious' where id = ${tess.id}`;
  const { body } = await withdrawal(tess, { amount: 80 });
  await ann.post(`/api/admin/withdrawals/${body.id}/reject`, { reason: "The account is somebody else's" });
  for (const from of ["/admin?tab=system", "/admin-registrations", `/admin/users/${ann.id}?tab=audit`]) {
    const { page, clicks } = await at(ann, from);
    if (from === "/admin-registrations") await page.getByRole("link", { name: "Control Panel" }).first().click();
    if (from.startsWith("/admin/users")) await page.getByRole("link", { name: "All users" }).click();
    else await page.getByRole("tab", { name: "Users" }).click();
    await page.getByRole("searchbox").fill("furious");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Tessa Furious" }).first().click();
    const sentences = page.locator("[data-sentences]");
    await sentences.getByText("Withdrawal rejected, money returned: The account is somebody else's").waitFor();
    await sentences.getByText("Balance $500.00 of live money").waitFor();
    expect(clicks()).toBeLessThanOrEqual(4);
    if (from === "/admin?tab=system") {
      // What happens meanwhile comes by itself.
      await tess.post("/api/support/tickets", { subject: "Where is it?", message: "Now", category: "financial" });
      await sentences.getByText(/Waits for staff: .*a ticket/).waitFor();
      for (const theme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: theme });
        expect(await inspectHere(page, "timeline")).toEqual([]);
      }
    }
    await page.context().close();
  }
});

test("Trade Control has its totals in one line, its positions in sight, and warns from a limit on", async () => {
  const tess = await app.trader();
  const accountId = await fundLive(app, tess, "1000.00");
  for (let n = 0; n < 3; n++) await openPosition(tess, { accountId, amount: 2000 });
  const { page } = await at(ann, "/admin?tab=trades");
  const first = await page.locator("tbody tr[data-row]:visible").first().boundingBox();
  expect(first && first.y <= 400).toBe(true);
  const totals = page.locator("[data-totals]");
  await totals.getByText("long $6,000.00").waitFor();
  await page.locator("summary", { hasText: "Exposure" }).click();
  await page.getByRole("button", { name: "Limit of EUR/USD" }).click();
  await page.getByLabel("Limit in USD, empty for none").fill("5000");
  expect(await inspectHere(page, "limit")).toEqual([]);
  await page.getByRole("button", { name: "Set the limit" }).click();
  await totals.getByText("Limit reached: EUR/USD").waitFor();
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await inspectHere(page, "exposure")).toEqual([]);
  }
  // Figures of a large house have room, too, at every width.
  for (const width of [360, 768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await totals.evaluate((box) => {
      const shown = [...box.children].slice(0, 5).map((each) => each.cloneNode(true) as HTMLElement);
      shown.forEach(
        (each, n) => (each.textContent = ["12,345 open", "long $98,765,432.10", "short $98,765,432.10", "net +$98,765,432.10", "result −$765,432.10"][n] ?? ""),
      );
      const copy = box.cloneNode() as HTMLElement;
      copy.append(...shown);
      box.after(copy);
      (box as HTMLElement).style.display = "none";
      const edge = copy.getBoundingClientRect().right;
      const over = shown.filter((each) => each.getBoundingClientRect().right > edge + 0.5).map((each) => each.textContent);
      copy.remove();
      (box as HTMLElement).style.display = "";
      return over;
    });
    expect([width, cut]).toEqual([width, []]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  // Another symbol is a row more in the open box: nothing below it moves under a pointer.
  const held = page.locator("main tbody tr[data-row]:visible").last();
  await held.hover();
  const stood = await held.boundingBox();
  await app.quote("GBP/USD", "1.27000", "1.27080");
  await openPosition(tess, { accountId, symbol: "GBP/USD", amount: 2000 });
  await totals.getByText("4 open").waitFor();
  expect(await held.boundingBox()).toEqual(stood);
  const { id } = await openPosition(tess, { accountId, amount: 1000 });
  for (const bid of ["1.08430", "1.08450", "1.08410"]) await app.quote("EUR/USD", bid, (Number(bid) + 0.0008).toFixed(5));
  await win(ann, id, "4.00");
  await app.quote("EUR/USD", "1.08460", "1.08540");
  await tess.post(`/api/trading/positions/${id}/dispute`, { message: "I doubt it" });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin?tab=trades&status=disputes");
  await page.getByRole("link", { name: "Ticks and receipt" }).first().click();
  await page.getByRole("region", { name: "Ticks and receipt" }).getByText("Closing fill").waitFor();
  // What was quoted last is recorded a little later.
  await eventually(async () => {
    await page.reload();
    expect(await page.getByRole("img", { name: "5 ticks of EUR/USD" }).count()).toBe(1);
  });
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await inspectHere(page, "evidence")).toEqual([]);
  }
  await page.context().close();
});
