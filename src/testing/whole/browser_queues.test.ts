import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, fits, openStaff, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { violations } from "../inspect";
import { deposit, fundedTrader, withdrawal } from "../money";
import { until } from "../scenarios";

/** The queues of staff: evidence beside the decision, many decided together, requests that are put away, filters with a name. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
let ann: (typeof staff)["ann"];
let bea: (typeof staff)["bea"];
let at: (typeof staff)["at"];
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  staff = await openStaff(app);
  ({ ann, bea, at } = staff);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

/** What the person's hands do from here on: keys and clicks that the page hears. */
async function counting(page: Page) {
  await page.evaluate(() => {
    const count = { keys: 0, clicks: 0 };
    Object.assign(window, { handiwork: count });
    addEventListener("keydown", ({ isTrusted }) => void (isTrusted && count.keys++), true);
    addEventListener("pointerdown", ({ isTrusted }) => void (isTrusted && count.clicks++), true);
  });
  return () => page.evaluate(() => (window as unknown as { handiwork: { keys: number; clicks: number } }).handiwork);
}
const asked = async (count: number, amount: (n: number) => number) => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await deposit(await app.trader({ firstName: `Client${n}` }), { amount: amount(n) })).body.id);
  return ids;
};
const approved = async (ids: string[]) => (await app.sql`select from deposits where id = any(${ids}) and status = 'approved'`).length;
const over = () => app.sql`update deposits set status = 'cancelled', decided_at = now() where status = 'pending'`;
const waiting = (page: Page) => page.getByRole("region", { name: "Waiting deposits" });

test("twenty deposits by keyboard: at most 22 keys, and who came after the selection is not among them", async () => {
  const ids = await asked(20, (n) => 100 + n);
  const page = await at(ann, "/admin?tab=deposits");
  await eventually(async () => expect(await waiting(page).locator("tr[data-row]").count()).toBe(20));
  const hands = await counting(page);
  await page.keyboard.press("Shift+X");
  await page.getByText("20 deposits, $2,190.00 selected").waitFor();
  // Comes between selection and question, and again between question and answer.
  const late = await asked(1, () => 77);
  await eventually(async () => expect(await waiting(page).locator("[data-count=waiting]").innerText()).toBe("21"));
  await page.getByText("20 deposits, $2,190.00 selected").waitFor();
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Approve 20 deposits, $2,190.00" });
  await dialog.getByText("Credits $2,190.00 in all to 20 people").waitFor();
  await dialog.getByText("None of them earns a bonus.").waitFor();
  expect(await violations(page)).toEqual([]);
  late.push(...(await asked(1, () => 78)));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "20 approved" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await until("the keyboard is at the way on", () => page.evaluate(() => document.activeElement?.textContent === "Done"));
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { keys } = await hands();
  console.log(`approve 20 deposits: ${keys} keys`);
  expect(keys).toBeLessThanOrEqual(22);
  expect([await approved(ids), await approved(late)]).toEqual([20, 0]);
  await over();
});

test("twenty deposits by mouse: at most 6 clicks; a colleague's rejection meanwhile is told as such", async () => {
  const ids = await asked(20, (n) => 200 + n);
  const page = await at(ann, "/admin?tab=deposits");
  await eventually(async () => expect(await waiting(page).locator("tr[data-row]").count()).toBe(20));
  const hands = await counting(page);
  await page.getByLabel("Select all shown").click();
  await page.getByRole("button", { name: "Approve together" }).click();
  const dialog = page.getByRole("dialog", { name: "Approve 20 deposits, $4,190.00" });
  await dialog.waitFor();
  await bea.post(`/api/admin/deposits/${ids[7]}/reject`, { reason: "Never came" });
  // The second of a double press on what opened it hits nothing: the person reads first.
  await eventually(async () => {
    if (await dialog.isVisible()) await dialog.getByRole("button", { name: "Approve 20 deposits" }).click({ timeout: 2000 });
    await page.getByRole("dialog", { name: "19 approved, 1 refused" }).waitFor({ timeout: 5000 });
  });
  const results = page.getByRole("list", { name: "Selected requests" });
  expect(await results.locator("[data-outcome=conflict]").innerText()).toContain("This deposit is already rejected.");
  expect(await results.locator("[data-outcome=done]").count()).toBe(19);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { clicks } = await hands();
  console.log(`approve 20 deposits: ${clicks} clicks`);
  expect(clicks).toBeLessThanOrEqual(6);
  expect(await approved(ids)).toBe(19);
  await over();
});

test("a range by Shift, the bonuses said beforehand, and a total above the threshold that is typed", async () => {
  const ids = await asked(6, (n) => (n === 2 ? 5000 : 2000 + n));
  const page = await at(ann, "/admin?tab=deposits");
  const box = (n: number) => waiting(page).locator(`tr[data-row="${ids[n]}"] input[data-select]`);
  await box(1).click();
  await box(4).click({ modifiers: ["Shift"] });
  await page.getByText("4 deposits, $11,008.00 selected").waitFor();
  await page.getByRole("button", { name: "Approve together" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Pays $500.00 of bonuses for 1 of them.").waitFor();
  await dialog.getByLabel("Type the total to approve: $11,008.00").fill("1100");
  await page.keyboard.press("Enter");
  await dialog.getByText("This is not the total.").waitFor();
  expect(await approved(ids)).toBe(0);
  await dialog.getByLabel("Type the total").fill("11008");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "4 approved" }).waitFor();
  expect(await approved(ids.slice(1, 5))).toBe(4);
  expect(await approved(ids)).toBe(4);
  await over();
});

test("deposits of several moneys: each money's own sum is said before the press", async () => {
  const one = (over: Record<string, unknown>) => app.trader().then((person) => deposit(person, over));
  for (const over of [{ amount: 100 }, { amount: 200, currency: "EUR" }, { amount: 50.25, currency: "EUR" }]) await one(over);
  await one({ amount: 300, currency: "BTC", method: "crypto", transactionHash: "ab".repeat(32) });
  const page = await at(ann, "/admin?tab=deposits");
  await page.getByLabel("Select all shown").click();
  await page.getByRole("button", { name: "Approve together" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Credits $671.42 in all to 4 people. Asked for: $100.00, €250.25, $300.00 in BTC.").waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await fits(page)).toBe(true);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.context().close();
  await over();
});

test("two windows approve overlapping selections: each request has one winner, and the other window says why", async () => {
  const ids = await asked(12, () => 10);
  const [one, two] = await Promise.all([at(ann, "/admin?tab=deposits"), at(bea, "/admin?tab=deposits")]);
  for (const page of [one, two]) {
    await page.getByLabel("Select all shown").click();
    await page.getByRole("button", { name: "Approve together" }).click();
    await page.getByRole("dialog").getByText("Credits $120.00 in all to 12 people").waitFor();
  }
  await Promise.all(
    [one, two].map((page) =>
      eventually(async () => {
        const submit = page.getByRole("dialog").getByRole("button", { name: "Approve 12 deposits" });
        if (await submit.isVisible()) await submit.click({ timeout: 2000 });
        await page.getByRole("button", { name: "Done" }).waitFor({ timeout: 5000 });
      }),
    ),
  );
  const done = await Promise.all([one, two].map((page) => page.locator("[data-outcome=done]").count()));
  const refused = await Promise.all([one, two].map((page) => page.locator("[data-outcome=conflict]").count()));
  expect([(done[0] ?? 0) + (done[1] ?? 0), (refused[0] ?? 0) + (refused[1] ?? 0)]).toEqual([12, 12]);
  expect(await approved(ids)).toBe(12);
});

test("evidence walks with j and k beside the rows, and is a press away where there is no room", async () => {
  const trader = await fundedTrader(app, ann, 300);
  await trader.post("/api/auth/confirm", { password: "Corr3ct-horse" });
  await withdrawal(trader, { amount: 60 });
  await withdrawal(trader, { amount: 70 });
  const page = await at(ann, "/admin?tab=withdrawals");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByText("First withdrawal to this address.").waitFor();
  await panel.getByText("$300.00 (1)").waitFor();
  await panel.getByRole("heading", { name: "$60.00" }).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await panel.getByRole("heading", { name: "$70.00" }).waitFor();
  await panel.getByRole("link", { name: "$60.00 withdrawal" }).waitFor();
  await page.keyboard.press("k");
  await panel.getByRole("heading", { name: "$60.00" }).waitFor();
  expect(await violations(page)).toEqual([]);
  const tablet = await at(ann, "/admin?tab=withdrawals", { width: 768, height: 1024 });
  await tablet.getByRole("button", { name: /^Evidence for .*\$70\.00/ }).click();
  await tablet.getByRole("dialog", { name: "$70.00" }).getByText("First withdrawal to this address.").waitFor();
  expect(await violations(tablet)).toEqual([]);
});

test("what is put away leaves this list alone, is seen by the others with who and until when, and comes back by itself", async () => {
  await over();
  const ids = await asked(3, (n) => 30 + n);
  const [one, two] = await Promise.all([at(ann, "/admin?tab=deposits"), at(bea, "/admin?tab=deposits")]);
  const row = (page: Page, n: number) => waiting(page).locator(`tr[data-row="${ids[n]}"]`);
  await row(one, 1).waitFor();
  await row(two, 0).waitFor();
  await one.mouse.move(0, 0);
  await one.keyboard.press("j");
  await one.keyboard.press("z");
  await one.getByRole("dialog", { name: /^Put away: Client0/ }).waitFor();
  expect(await violations(one)).toEqual([]);
  await eventually(async () => {
    const choice = one.getByRole("button", { name: "In 1 hour" });
    if (await choice.isVisible()) await choice.click({ timeout: 2000 });
    await one.getByText("1 put away by you").waitFor({ timeout: 3000 });
  });
  await row(two, 0)
    .getByText(/Ann Administrator put this away until/)
    .waitFor();
  // It is the oldest for the other, and counts for both.
  expect(await waiting(two).locator("tr[data-row]").first().getAttribute("data-row")).toBe(ids[0] as string);
  for (const page of [one, two]) expect(await waiting(page).locator("[data-count=waiting]").innerText()).toBe("3");
  // The list lets go of the row once nobody is in it.
  await one.mouse.move(0, 0);
  await one.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await row(one, 0).waitFor({ state: "detached" });
  expect(await violations(two)).toEqual([]);
  // Its moment comes: the database says so, and no page is reloaded.
  await app.sql`update snoozes set until = now() + interval '2 seconds' where object_id = ${ids[0] as string}`;
  app.context.bus.publish("staff", { about: "snooze" });
  await row(one, 0)
    .getByRole("button", { name: /^Approve/ })
    .waitFor();
  await one.getByText("1 put away by you").waitFor({ state: "detached" });
  // In the row and, for the row that is walked to, in the evidence beside it.
  await two
    .getByText(/put this away until/)
    .first()
    .waitFor({ state: "detached" });
  await over();
});

test("a decision that is under way keeps the focus, is sent once, and leaves the keyboard where it was when it is refused", async () => {
  await over();
  const [id = ""] = await asked(1, () => 45);
  const page = await at(ann, "/admin?tab=deposits");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const submit = page.getByRole("dialog").locator("[type=submit]");
  const focused = () => submit.evaluate((button) => button === document.activeElement);
  await eventually(async () => expect(await focused()).toBe(true));
  let sent = 0;
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(`**/api/admin/deposits/${id}/approve`, async (route) => {
    sent++;
    await answered;
    await route.fulfill({ status: 422, json: { message: "Not now.", code: "invalid" } });
  });
  await page.keyboard.press("Enter");
  await eventually(async () => expect([await submit.getAttribute("aria-disabled"), sent]).toEqual(["true", 1]));
  for (const key of ["Enter", " ", "Enter"]) await page.keyboard.press(key);
  expect(await focused()).toBe(true);
  answer();
  await page.locator("#approve-form").getByText("Not now.").waitFor();
  expect([sent, await focused(), await submit.getAttribute("aria-disabled")]).toEqual([1, true, null]);
  await over();
});

test("a filter gets a name, is an address, and is there on another device", async () => {
  const page = await at(ann, "/admin?tab=deposits&q=client1&sort=-amount");
  await page.getByRole("button", { name: "Save this filter" }).click();
  await page.getByLabel("Name").fill("Large ones");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await told(page, "Filter saved");
  const elsewhere = await at(ann, "/admin?tab=deposits");
  const link = elsewhere.getByRole("link", { name: "Large ones" });
  await link.click();
  await elsewhere.waitForURL(/q=client1.*sort=-amount|sort=-amount.*q=client1/);
  expect(await elsewhere.getByRole("link", { name: "Large ones" }).getAttribute("aria-current")).toBe("true");
  expect(await violations(elsewhere)).toEqual([]);
  const other = await at(bea, "/admin?tab=deposits");
  expect(await other.getByRole("link", { name: "Large ones" }).count()).toBe(0);
  await elsewhere.getByRole("button", { name: "Delete the filter Large ones" }).click();
  await page.getByRole("link", { name: "Large ones" }).waitFor({ state: "detached" });
});
