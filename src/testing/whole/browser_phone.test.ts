import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { browserOf, eventually, holdClock } from "../browser";
import { type Person, type TestApp, testApp } from "../app";
import { violations } from "../inspect";
import { lose, openLive, openPosition } from "../corrections";
import { png } from "../files";
import { deposit, fundedTrader } from "../money";
import { tamper, until } from "../scenarios";

/** Staff's queues on a phone: low cards, decided by a swipe or a button, with the evidence and the chat. */

let app: TestApp;
let browser: Awaited<ReturnType<typeof browserOf>>;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ ADVERSE_CORRECTIONS: "four-eyes" });
  await app.quote("EUR/USD", "1.08420", "1.08500");
  browser = await browserOf(app);
  ann = await app.admin();
});
afterAll(async () => {
  const faults = await browser.close();
  expect(await app.faults()).toEqual([]);
  await app.end();
  expect(faults).toEqual([]);
});

async function phone(person: Person, path: string): Promise<Page> {
  const page = await browser.visitAs(person, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await page.goto(path);
  return page;
}

/** A finger put down in the middle of something and drawn so far; `lift` false: it stays there. */
async function draw(page: Page, of: Locator, [dx, dy]: [number, number]) {
  await of.scrollIntoViewIfNeeded();
  let box = await of.boundingBox();
  // A page that a finger left still goes on for a while, and another card would be hit.
  for (let last: number | undefined; box?.y !== last; box = await of.boundingBox()) {
    last = box?.y;
    await Bun.sleep(50); // Not in pictures of the page, whose clock may be in the test's hand.
  }
  if (!box) throw new Error("is not there");
  const [x, y] = [box.x + box.width / 2, box.y + 20];
  const finger = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: { x: number; y: number }[]) =>
    finger.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  for (let part = 1; part <= 10; part++) await touch("touchMove", [{ x: x + (dx * part) / 10, y: y + (dy * part) / 10 }]);
  await touch("touchEnd", []);
  await finger.detach();
}

/** A passport that the person sent: unlike a row made by hand it can be looked at. Answers its id. */
async function sentDocument(person: Person): Promise<string> {
  const form = new FormData();
  form.set("kind", "identity");
  form.append("file", new File([png() as BlobPart], "passport.png", { type: "image/png" }));
  const sent = await app.router.handle(
    new Request("http://halyard.test/api/kyc/documents", { method: "POST", body: form, headers: { Cookie: person.cookie } }),
  );
  return ((await sent.json()) as { id: string }).id;
}
const settled = (page: Page) => page.evaluate(() => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go))));
const over = () => app.sql`update deposits set status = 'cancelled', decided_at = now() where status = 'pending'`;

test("72 deposits fit in 9,000 pixels, each card in 120, with its decision and its evidence", async () => {
  const trader = await app.trader({ firstName: "Seventytwo" });
  await app.sql`
    insert into deposits (user_id, amount, currency, method, notes, created_at)
    select ${trader.id}, 20 + n, case n % 5 when 0 then 'EUR' else 'USD' end, 'bank', 'A long note of the sender, number ' || n || ', that goes on and on',
      date_trunc('milliseconds', now()) - make_interval(mins => n)
    from generate_series(1, 72) n
  `;
  const page = await phone(ann, "/admin-app?tab=deposits");
  const cards = page.getByRole("list", { name: "Waiting deposits" }).locator("[data-row]");
  await eventually(async () => expect(await cards.count()).toBe(72));
  const heights = await cards.evaluateAll((all) => all.map((card) => card.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(120);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  console.log(`72 deposits: ${height} px, a card ${Math.max(...heights)} px`);
  expect(height).toBeLessThanOrEqual(9000);
  // What a thumb presses is as large as a thumb.
  const buttons = await cards
    .first()
    .getByRole("button")
    .evaluateAll((all) => all.map((button) => button.getBoundingClientRect().height));
  expect(buttons).toEqual([44, 44, 44]);
  expect(await violations(page)).toEqual([]);
  await cards
    .first()
    .getByRole("button", { name: /^Evidence for Seventytwo/ })
    .tap();
  const sheet = page.getByRole("dialog", { name: "$92.00" });
  await sheet.getByText("A long note of the sender, number 72, that goes on and on").waitFor();
  await sheet.getByText("Client since").waitFor();
  expect(await violations(page)).toEqual([]);
  await over();
});

test("a swipe asks, and only one that went far enough; a scroll decides nothing", async () => {
  const trader = await app.trader({ firstName: "Swipe" });
  const ids: string[] = [];
  for (let n = 0; n < 14; n++) ids.push((await deposit(trader, { amount: 50 + n })).body.id);
  const page = await phone(ann, "/admin-app?tab=deposits");
  const card = (n: number) => page.locator(`[data-row="${ids[n]}"] [data-swipe]`);
  await card(13).waitFor();
  const asks = () => page.getByRole("dialog").count();
  const top = () => page.evaluate(() => scrollY);
  // Not far enough, either way.
  for (const dx of [80, -80, 20]) await draw(page, card(2), [dx, 0]);
  await settled(page);
  expect(await asks()).toBe(0);
  // Up and down: the page goes, and nothing is asked, however slanted.
  await page.evaluate(() => scrollTo(0, 0));
  for (const way of [
    [0, -200],
    [60, -160],
    [-120, -200],
  ] as [number, number][]) {
    const before = await top();
    await draw(page, card(3), way);
    await until("the page went", async () => (await top()) !== before);
  }
  expect(await asks()).toBe(0);
  await draw(page, card(2), [170, 6]);
  const approval = page.getByRole("dialog", { name: "Approve $52.00" });
  await approval.waitFor();
  expect(await app.sql`select from deposits where id = any(${ids}) and status <> 'pending'`).toHaveLength(0);
  await eventually(async () => {
    if (await approval.isVisible()) await approval.getByRole("button", { name: "Approve", exact: true }).tap({ timeout: 2000 });
    await page.locator(`[data-row="${ids[2]}"]`).getByText("Approved", { exact: true }).waitFor({ timeout: 5000 });
  });
  expect(await app.sql`select from deposits where id = ${ids[2] as string} and status = 'approved'`).toHaveLength(1);
  await draw(page, card(4), [-170, 0]);
  await page.getByRole("dialog", { name: "Reject $54.00" }).waitFor();
  await page.keyboard.press("Escape");
  // What was decided does not swipe any more.
  expect(await card(2).count()).toBe(0);
  await over();
});

test("a registration is approved by a swipe, and taken back within eight seconds", async () => {
  const person = await app.trader({ firstName: "Newcomer" });
  const page = await phone(ann, "/admin-registrations");
  const row = page.locator(`[data-row="${person.id}"]`);
  await row.waitFor();
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(120);
  await draw(page, row.locator("[data-swipe]"), [80, 0]);
  await draw(page, row.locator("[data-swipe]"), [30, 150]);
  await settled(page);
  const standing = async () => (await app.sql<{ status: string }[]>`select registration_status as status from users where id = ${person.id}`)[0]?.status;
  expect(await standing()).toBe("pending");
  await draw(page, row.locator("[data-swipe]"), [170, 0]);
  await row.getByRole("button", { name: /^Undo: Newcomer/ }).waitFor();
  expect(await standing()).toBe("approved");
  expect(await violations(page)).toEqual([]);
});

test("the panel's rows are low cards, too: unfolded by a press, decided by a swipe or a button; so are the app's people and positions", async () => {
  const tess = await fundedTrader(app, ann, 400);
  const { id } = (await deposit(tess, { amount: 61, notes: "For my account" })).body;
  const panel = await phone(ann, "/admin?tab=deposits");
  const row = panel.locator(`tr[data-row="${id}"]`);
  expect((await row.boundingBox())?.height).toBeLessThanOrEqual(120);
  expect(await row.getByText("For my account").isVisible()).toBe(false);
  await row.getByRole("button", { name: "All of it" }).tap();
  await row.getByText("For my account").waitFor();
  expect(await violations(panel)).toEqual([]);
  await row.getByRole("button", { name: "All of it" }).tap();
  for (const dx of [80, -80]) await draw(panel, row, [dx, 0]);
  await settled(panel);
  expect(await panel.getByRole("dialog").count()).toBe(0);
  await draw(panel, row, [170, 0]);
  await panel.getByRole("dialog", { name: "Approve $61.00" }).waitFor();
  await panel.keyboard.press("Escape");
  await draw(panel, row, [-170, 0]);
  await panel.getByRole("dialog", { name: "Reject $61.00" }).waitFor();
  expect(await app.sql`select from deposits where id = ${id} and status = 'pending'`).toHaveLength(1);
  await over();
  const position = await openPosition(tess);
  for (const [path, name, right, left] of [
    ["/admin-app?tab=users", tess.id, /KYC/, /^Suspend/],
    ["/admin?tab=users", tess.id, /KYC/, /^Suspend/],
    ["/admin-app?tab=trades", position.id, /^Force Win/, /^Force Loss/],
    ["/admin?tab=trades", position.id, /^Force Win/, /^Force Loss/],
  ] as const) {
    await panel.goto(path);
    const card = panel.locator(`[data-row="${name}"]`);
    const swipes = card
      .locator("[data-swipe]")
      .or(panel.locator(`[data-row="${name}"][data-swipe]`))
      .first();
    await swipes.waitFor();
    expect([path, ((await card.boundingBox())?.height ?? 999) <= 120]).toEqual([path, true]);
    for (const [dx, title] of [
      [170, right],
      [-170, left],
    ] as const) {
      await draw(panel, swipes, [dx, 0]);
      await panel.getByRole("dialog", { name: title }).waitFor();
      await panel.keyboard.press("Escape");
      await panel.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
});

test("documents and second approvals are low cards, too, decided by a swipe or a button, with the evidence a tap away", async () => {
  const { tess, position } = await openLive(app);
  const bea = await app.admin();
  await app.sql`update users set first_name = 'Bea' where id = ${bea.id}`;
  const correction = (await lose(bea, position.id, 20)).body.id;
  const document = await sentDocument(tess);
  for (const [path, id, right, left, evidence] of [
    ["/admin?tab=kyc", document, "Accept: ", "Reject: ", "Look"],
    ["/admin?tab=trades&status=waiting", correction, "Confirm", "Decline", "Evidence for BUY EUR/USD"],
  ] as const) {
    const page = await phone(ann, path);
    const row = page.locator(`tr[data-row="${id}"][data-swipe]`);
    await row.waitFor();
    expect([path, ((await row.boundingBox())?.height ?? 999) <= 120]).toEqual([path, true]);
    const shows = (name: string) => page.getByRole("dialog", { name: new RegExp(`^${name}`) });
    const closes = async () => {
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    for (const dx of [80, -80]) await draw(page, row, [dx, 0]);
    await settled(page);
    expect(await page.getByRole("dialog").count()).toBe(0);
    for (const [dx, name] of [
      [170, right],
      [-170, left],
    ] as const) {
      await draw(page, row, [dx, 0]);
      await shows(name).waitFor();
      await closes();
      await row.getByRole("button", { name: new RegExp(`^${name}`) }).tap();
      await shows(name).waitFor();
      await closes();
    }
    await row.getByRole("button", { name: new RegExp(`^${evidence}`) }).tap();
    await page.getByRole("dialog").getByText("Client since").waitFor();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  }
  expect(await app.sql`select from documents where id = ${document} and status = 'pending'`).toHaveLength(1);
  expect(await app.sql`select from corrections where position_id = ${position.id}`).toHaveLength(0);
  // Beside millions a name keeps its room.
  const { id } = (await deposit(tess)).body;
  await tamper(app.sql, (tx) => tx`update deposits set amount = 1234567.89 where id = ${id}`);
  const page = await phone(ann, "/admin?tab=deposits");
  const name = await page.locator(`tr[data-row="${id}"] [data-cell=who] > div`).boundingBox();
  expect(name?.width).toBeGreaterThanOrEqual(120);
  await over();
});

test("a toast goes with a swipe aside, of which the browser takes nothing", async () => {
  await app.trader({ firstName: "Toasted" });
  const page = await phone(ann, "/admin-registrations");
  // It stays for as long as the finger needs.
  await holdClock(page);
  await page.getByRole("button", { name: "Approve Toasted" }).tap();
  const toast = page.locator("#toasts > [data-state=open]");
  await toast.waitFor();
  const taken = await toast.evaluateHandle((element) => {
    const events: string[] = [];
    for (const type of ["pointercancel", "pointerup"]) element.addEventListener(type, () => void events.push(type));
    return events;
  });
  await draw(page, toast, [30, 0]);
  await eventually(async () => expect(await taken.evaluate((events) => [...events])).toEqual(["pointerup"]));
  expect(await toast.count()).toBe(1);
  await draw(page, toast, [120, 0]);
  await page.locator("#toasts > [data-state=closed]").waitFor({ state: "attached" });
  expect(await taken.evaluate((events) => [...events])).toEqual(["pointerup", "pointerup"]);
});

test("the app has the chat: an alert leads to it, and it is answered there", async () => {
  const trader = await app.trader({ firstName: "Chatty" });
  await trader.post("/api/chat/messages", { message: "Hello from a phone" });
  const page = await phone(ann, "/admin-app?tab=support");
  await page.getByRole("link", { name: "Live Chat" }).tap();
  await page.waitForURL("**/admin-app?tab=support&view=chat");
  await page.getByRole("link", { name: /Chatty/ }).tap();
  await page.waitForURL("**/admin-app?tab=support&view=chat&session=*");
  const log = page.getByRole("log");
  await log.getByText("Hello from a phone").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("textbox", { name: /message/i }).fill("Hello from Ann");
  await page.getByRole("button", { name: "Send" }).tap();
  await log.getByText("Hello from Ann").waitFor();
  await until("the trader has it", async () => (await trader.get<{ message: string }[]>("/api/chat/messages")).text.includes("Hello from Ann"));
});
