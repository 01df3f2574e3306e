import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { eventually, listening, openStaff, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { ask, breathe, field, list, opens, shown } from "../inbox";
import { violations } from "../inspect";
import { tamper } from "../scenarios";

/** What stands round a conversation of the inbox: its client, other tickets to merge, the list with its pages and addresses. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
let ann: (typeof staff)["ann"];
let at: (typeof staff)["at"];
const INBOX = "/admin?tab=support";
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  staff = await openStaff(app);
  ({ ann, at } = staff);
});
afterAll(async () => expect(await staff.end()).toEqual([]));
// Each test begins with nothing that waits.
beforeEach(async () => {
  await tamper(app.sql, async (tx) => {
    await tx`update support_tickets set waiting_since = null`;
    await tx`update chat_sessions set waiting_since = null`;
  });
});

test("tickets of one client are merged; each of the two says so, to staff and to the client", async () => {
  const nora = await app.trader({ firstName: "Nora" });
  const [one, two] = [await ask(nora, "My deposit"), await ask(nora, "My deposit again")];
  const client = await at(nora, `/support?ticket=${two.id}`);
  await listening(client);
  const page = await at(ann, `/admin?tab=support&ticket=${one.id}`);
  await page.getByRole("button", { name: "Merge tickets" }).click();
  const dialog = page.getByRole("dialog", { name: "Merge tickets" });
  await dialog.getByRole("button", { name: "Merge" }).click();
  await dialog.getByText("Choose the tickets to merge.").waitFor();
  await dialog.getByLabel(/My deposit again/).check();
  expect(await violations(page)).toEqual([]);
  await breathe(page);
  await dialog.getByRole("button", { name: "Merge" }).click();
  await told(page, "Ticket merged");
  const said = page.getByRole("list", { name: "Conversation" });
  await said.getByText("Words of My deposit again").waitFor();
  await said.getByText("“My deposit again” was merged into this ticket").waitFor();
  await told(client, "Support merged a ticket of yours");
  await client.getByText("Our support team merged this ticket into").waitFor();
  expect(await violations(client)).toEqual([]);
  await client.getByRole("link", { name: "My deposit", exact: true }).click();
  await client.waitForURL(`**ticket=${one.id}`);
  await client.getByRole("list", { name: "Conversation" }).getByText("Words of My deposit again").waitFor();
  await page.goto(`/admin?tab=support&ticket=${two.id}`);
  await page.getByText("This ticket was merged into").waitFor();
  expect(await field(page).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
});

test("beside the conversation stand the client's figures; what comes meanwhile moves no row under the pointer", async () => {
  const nora = await app.trader({ firstName: "Nora" });
  await ask(nora, "Before");
  const { id } = await ask(nora, "Now", "urgent");
  await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = now() - interval '5 hours' where id = ${id}`);
  const page = await at(ann, INBOX);
  await shown(page).first().getByText("5 h, late").waitFor();
  await list(page).getByRole("link", { name: /Now/ }).click();
  const beside = page.getByRole("complementary", { name: "About Nora Trader" });
  await beside.getByText("Balance $0.00 of live money").waitFor();
  await beside.getByText(/Waits for staff: .*2 tickets/).waitFor();
  await beside.getByRole("link", { name: "Before" }).waitFor();
  expect(await beside.locator("[data-beside]").getAttribute("data-beside")).toBe(nora.id);
  await shown(page).first().hover();
  const before = await shown(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row));
  const late = await ask(await app.trader({ firstName: "Newcomer" }), "Most urgent", "urgent");
  await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = now() - interval '9 hours' where id = ${late.id}`);
  await ask(await app.trader(), "And another");
  await page.getByRole("button", { name: "2 new" }).waitFor();
  expect(await shown(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row))).toEqual(before);
  await page.getByRole("button", { name: "2 new" }).click();
  await eventually(async () => expect(await shown(page).first().getAttribute("data-row")).toBe(late.id));
  expect(await violations(page)).toEqual([]);
});

test("the addresses of before lead where they led, and a filter gets a name", async () => {
  const { id } = await ask(await app.trader({ firstName: "Nora" }), "Where am I?");
  const page = await at(ann, "/admin?tab=support&status=active&sort=waiting");
  await page.getByRole("table", { name: "Support tickets" }).getByRole("link", { name: "Where am I?" }).waitFor();
  await page.goto("/admin?tab=support&q=where");
  await page.getByRole("table", { name: "Support tickets" }).getByRole("link", { name: "Where am I?" }).click();
  await page.waitForURL(`**/admin?tab=support&ticket=${id}`);
  await opens(page, "Where am I?");
  await page.goto("/admin?tab=support&view=inbox&state=all&kind=ticket");
  await page.getByRole("button", { name: "Save this filter" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Every ticket");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Every ticket" }).waitFor();
  await page.goto("/admin?tab=support");
  await page.getByRole("link", { name: "Every ticket" }).click();
  await page.waitForURL("**state=all**");
  await list(page)
    .getByRole("link", { name: /Where am I/ })
    .first()
    .waitFor();
});

test("more than a page holds are all reached", async () => {
  const tess = await app.trader();
  await tamper(app.sql, async (tx) => {
    await tx`
      insert into support_tickets (user_id, subject, message, category, waiting_since)
      select ${tess.id}, 'Mass ' || n, 'Please', 'general', now() - n * interval '1 minute' from generate_series(1, 520) n
    `;
  });
  const page = await at(ann, INBOX);
  const seen = new Set<string>();
  for (let pages = 1; ; pages++) {
    await shown(page).first().waitFor();
    for (const row of await shown(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row ?? ""))) seen.add(row);
    const on = page.getByRole("link", { name: "Next page" });
    if ((await on.count()) === 0) {
      expect(pages).toBe(11);
      break;
    }
    await on.click();
    await page.waitForURL((url) => url.searchParams.has("cursor"));
    await eventually(async () => expect(seen.has((await shown(page).first().getAttribute("data-row")) ?? "")).toBe(false));
  }
  expect(seen.size).toBe(520);
  // Who picks a row stays on its page, which says so truly once nothing of it is left.
  const row = (await shown(page).nth(3).getAttribute("data-row")) ?? "";
  await shown(page).nth(3).click();
  await page.getByRole("article", { name: /^Mass/ }).waitFor();
  expect(page.url()).toMatch(new RegExp(`cursor=.*&ticket=${row}$`));
  await page.reload();
  expect(await shown(page).nth(3).getAttribute("data-row")).toBe(row);
  const here = await shown(page).evaluateAll((rows) => rows.map((each) => (each as HTMLElement).dataset.row ?? ""));
  await page.mouse.move(1400, 500);
  await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = null where id = any(${here})`);
  await ann.post(`/api/admin/support-tickets/${row}`, { status: "resolved" });
  await page.getByText("Nothing is left on this page").waitFor();
  await page.getByRole("link", { name: "First page" }).click();
  await page.waitForURL((url) => !url.searchParams.has("cursor"));
  await shown(page).first().waitFor();
});
