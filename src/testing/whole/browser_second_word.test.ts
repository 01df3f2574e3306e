import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually, openStaff } from "../browser";
import { type TestApp, testApp } from "../app";
import { lose, openLive, openPosition, win } from "../corrections";
import { violations } from "../inspect";

/** What waits for a second administrator, and what traders object to: evidence beside it, and the way to put it away. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
let ann: (typeof staff)["ann"];
let bea: (typeof staff)["bea"];
let at: (typeof staff)["at"];
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  staff = await openStaff(app);
  ({ ann, bea, at } = staff);
});
afterAll(async () => expect(await staff.end()).toEqual([]));

/** Chooses a time in the dialog that is open: the second of a double press would hit nothing of it. */
const inAnHour = (page: Page, after: string) =>
  eventually(async () => {
    const choice = page.getByRole("button", { name: "In 1 hour" });
    if (await choice.isVisible()) await choice.click({ timeout: 2000 });
    await page.getByText(after).waitFor({ timeout: 3000 });
  });

test("a correction that waits: evidence walks with the keys, it is put away, and comes back", async () => {
  const ids: string[] = [];
  for (const reason of ["The first late tick", "The second late tick"]) ids.push((await lose(ann, (await openLive(app)).position.id, 20, reason)).body.id);
  const page = await at(bea, "/admin?tab=trades&status=waiting");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByText("The first late tick").waitFor();
  await panel.getByText("Client since").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("The second late tick").waitFor();
  await page.keyboard.press("k");
  await panel.getByText("The first late tick").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Confirm: BUY EUR/USD $1,000.00" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("z");
  await page.getByRole("dialog", { name: "Put away: Correction of BUY EUR/USD $1,000.00" }).waitFor();
  await inAnHour(page, "1 put away by you");
  const other = await at(ann, "/admin?tab=trades&status=waiting");
  await other
    .locator(`tr[data-row="${ids[0]}"]`)
    .getByText(/Bea Administrator put this away until/)
    .waitFor();
  await page.reload();
  await page.locator(`tr[data-row="${ids[1]}"]`).waitFor();
  expect(await page.locator(`tr[data-row="${ids[0]}"]`).count()).toBe(0);
  await page.getByText("1 put away by you").click();
  await page.getByRole("button", { name: "Bring back Correction of BUY EUR/USD $1,000.00" }).click();
  // It was asked for, so it comes though somebody is in the list.
  await page.locator(`tr[data-row="${ids[0]}"]`).waitFor();
  // Where there is no room beside the list, it is a press away.
  const tablet = await at(bea, "/admin?tab=trades&status=waiting", { width: 768, height: 1024 });
  await tablet
    .getByRole("button", { name: /^Evidence for BUY EUR\/USD/ })
    .first()
    .click();
  await tablet.getByRole("dialog").getByText("Client since").waitFor();
  expect(await violations(tablet)).toEqual([]);
});

test("an objection: the words of both beside the list, and it is put away", async () => {
  const tess = await app.trader({ firstName: "Tess" });
  for (const message of ["I doubt the first", "I doubt the second"]) {
    const { id } = await openPosition(tess);
    await win(ann, id, 5, "A late price");
    await tess.post(`/api/trading/positions/${id}/dispute`, { message });
  }
  const page = await at(bea, "/admin?tab=trades&status=disputes");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  // Who objected first is first.
  await panel.getByText("I doubt the first").waitFor();
  await panel.getByText("A late price").waitFor();
  await panel.getByText("2, 2 disputed").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("I doubt the second").waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Put away..." }).click();
  await inAnHour(page, "1 put away by you");
  await page.reload();
  await panel.getByText("I doubt the first").waitFor();
  expect(await page.locator("tr[data-row]").count()).toBe(1);
});

test("what visitors wrote: who waits longest first, the whole of it beside the list, decided by the keys, and put away", async () => {
  for (const subject of ["The first letter", "The second letter"])
    await app.stranger().post("/api/contact", { name: "Vera Visitor", email: "vera@example.test", subject, message: `${subject} has more to say` });
  const page = await at(bea, "/admin?tab=support&view=contact");
  const panel = page.getByRole("complementary", { name: "Evidence" });
  await panel.getByText("The first letter has more to say").waitFor();
  await panel.getByText("No client has this address.").waitFor();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  await panel.getByText("The second letter has more to say").waitFor();
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Put away..." }).click();
  await inAnHour(page, "1 put away by you");
  await page.reload();
  await panel.getByText("The first letter has more to say").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const dialog = page.getByRole("dialog", { name: "Mark answered: Vera Visitor" });
  await dialog.waitFor();
  await eventually(async () => {
    if (await dialog.isVisible()) await dialog.getByRole("button", { name: "Mark answered" }).click({ timeout: 2000 });
    await page.locator("tr[data-marked]").getByText("Answered").waitFor({ timeout: 3000 });
  });
  expect(await app.sql`select from contact_messages where status = 'answered'`).toHaveLength(1);
});

test("who is to become an administrator is decided on the list of users, with what is known of the person a press away", async () => {
  for (const firstName of ["Nora", "Otto"]) {
    const person = await app.trader({ firstName, password: "Corr3ct-horse-battery" });
    await ann.post(`/api/admin/approve-registration/${person.id}`);
    expect((await ann.post(`/api/admin/users/${person.id}/role`, { role: "admin", reason: `${firstName} helps us` })).status).toBe(202);
  }
  const [page, own] = [await at(bea, "/admin?tab=users"), await at(ann, "/admin?tab=users")];
  await own.getByText("Another administrator decides").first().waitFor();
  const queue = page.getByRole("table", { name: "New administrators that wait for a second one" });
  expect(await queue.locator("tbody tr").first().innerText()).toContain("Nora");
  await queue.getByRole("button", { name: /^Evidence for Nora/ }).click();
  const dialog = page.getByRole("dialog", { name: /^Nora/ });
  await dialog.getByText("Client since").waitFor();
  expect(await violations(page)).toEqual([]);
  await eventually(async () => {
    const away = dialog.getByRole("button", { name: "Put away..." });
    if (await away.isVisible()) await away.click({ timeout: 2000 });
    await page.getByRole("dialog", { name: /^Put away: Nora/ }).waitFor({ timeout: 3000 });
  });
  await inAnHour(page, "1 put away by you");
  await queue.getByRole("button", { name: /^Decline Otto/ }).click();
  await eventually(async () => {
    const decline = page.getByRole("dialog").getByRole("button", { name: "Decline" });
    if (await decline.isVisible()) await decline.click({ timeout: 2000 });
    await queue.locator("tr", { hasText: "Otto" }).getByText("Declined").waitFor({ timeout: 3000 });
  });
  expect(await app.sql`select from role_decisions where decision = 'declined'`).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
});
