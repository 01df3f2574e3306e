import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually, holdClock, openStaff, told } from "../browser";
import { type TestApp, testApp } from "../app";
import { violations } from "../inspect";
import { deposit } from "../money";
import { keepFresh, until } from "../scenarios";

/** Two administrators and a trader at once: nothing that staff decide about moves under a hand, and everybody is told. */

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

const standing = async (id: string) => (await app.sql<{ status: string }[]>`select registration_status as status from users where id = ${id}`)[0]?.status;
const place = async (of: Locator) => {
  const box = await of.boundingBox();
  if (!box) throw new Error("is not there");
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test("two presses approve one person; a newcomer never comes under the pointer; the decision is taken back within eight seconds", async () => {
  const people = [];
  for (const firstName of ["Nora", "Otto", "Pia"]) people.push(await app.trader({ firstName }));
  const [nora, otto] = people as [(typeof people)[0], (typeof people)[0]];
  const [one, two, trader] = await Promise.all([at(ann, "/admin-registrations"), at(bea, "/admin-registrations"), at(nora, "/dashboard")]);
  await trader.getByText("Your registration is awaiting approval.").waitFor();
  const approve = one.getByRole("button", { name: "Approve Nora" });
  const spot = await place(approve);
  await one.mouse.move(spot.x, spot.y);
  // Who came while the pointer rests waits behind the button, in the other window too where nothing rests it comes in.
  await app.trader({ firstName: "Quinn" });
  await one.getByRole("button", { name: "1 new" }).waitFor();
  await two.getByRole("button", { name: "Approve Quinn" }).waitFor();
  expect(await place(approve)).toEqual(spot);
  // What is offered for eight seconds, and a second press within half a second, are here as the test says.
  await holdClock(one);
  await one.mouse.down();
  await one.mouse.up();
  await one.clock.runFor(200);
  await one.mouse.down();
  await one.mouse.up();
  await one.getByRole("button", { name: "Undo: Nora" }).waitFor();
  await trader.getByText("Your registration was approved.").first().waitFor();
  expect([await standing(nora.id), await standing(otto.id)]).toEqual(["approved", "pending"]);
  await two.getByRole("button", { name: "Approve Nora" }).waitFor({ state: "detached" });
  const putBack = await keepFresh(app.sql, nora.id);
  await one.getByRole("button", { name: "Undo: Nora" }).click();
  await told(one, "Decision undone");
  await putBack();
  expect(await standing(nora.id)).toBe("pending");
  await one.getByRole("button", { name: "Approve Nora" }).waitFor();
  await two.getByRole("button", { name: "Approve Nora" }).waitFor();
  await told(trader, "Your registration is looked at again");
  await one.clock.runFor(600);
  await one.getByRole("button", { name: "Approve Otto" }).click();
  await one.getByRole("button", { name: "Undo: Otto" }).waitFor();
  await one.clock.resume();
  expect(await violations(one)).toEqual([]);
  await one.getByRole("button", { name: "1 new" }).click();
  await one.getByRole("button", { name: "Approve Quinn" }).waitFor();
});

test("what a colleague decided stays under the pointer and says so, and the keyboard hits no row that was decided", async () => {
  const trader = await app.trader({ firstName: "Grace" });
  const ids: string[] = [];
  const ask = async (amount: number) => ids.push((await deposit(trader, { amount })).body.id);
  for (const amount of [11, 12, 13, 14]) await ask(amount);
  const [one, two] = await Promise.all([at(ann, "/admin?tab=deposits"), at(bea, "/admin?tab=deposits")]);
  const rows = (page: Page) => page.locator("section[aria-label='Waiting deposits'] tr[data-row]");
  const row = (page: Page, n: number) => page.locator(`section[aria-label='Waiting deposits'] tr[data-row="${ids[n]}"]`);
  // Who has waited longest is first.
  await eventually(async () => expect(await rows(one).first().getAttribute("data-row")).toBe(ids[0] as string));
  const button = row(one, 2).getByRole("button", { name: /^Reject/ });
  const spot = await place(button);
  await one.mouse.move(spot.x, spot.y);
  for (let n = 0; n < 3; n++) await ask(100 + n);
  await until("all are told of", async () => Number(await one.locator("[data-fresh]").first().getAttribute("data-fresh")) === 3);
  expect(await place(button)).toEqual(spot);
  expect(await rows(one).count()).toBe(4);
  // Decided by the other one: it stays, and says so.
  await bea.post(`/api/admin/deposits/${ids[2]}/reject`, { reason: "Never came" });
  await row(one, 2).getByText(`rejected by ${bea.email}`).waitFor();
  expect(await one.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest("tr")?.dataset.row, spot)).toBe(ids[2] as string);
  expect(await violations(one)).toEqual([]);
  // By keyboard, as quickly as it goes: each row once.
  await two.mouse.move(0, 0);
  await two.keyboard.press("j");
  for (const n of [0, 1, 3]) {
    await until(`the row ${n} is next`, async () => (await two.evaluate(() => document.querySelector("[data-current]")?.getAttribute("data-row"))) === ids[n]);
    await until("the dialog is open", async () => {
      await two.keyboard.press("a");
      return (await two.locator("dialog[open] [type=submit]:enabled").count()) === 1;
    });
    await two.keyboard.press("Enter");
    await two.keyboard.press("Enter");
    await two.keyboard.press("a");
    await until("it is approved", async () => {
      if ((await app.sql`select from deposits where id = ${ids[n] as string} and status = 'approved'`).length === 1) return true;
      // On a busy machine the dialog may not have had its focus yet: its question still stands, and is answered again.
      const asks = await two.locator("dialog[open] [type=submit]:enabled").count();
      if (asks === 1 && (await two.evaluate(() => document.querySelector("[data-current]")?.getAttribute("data-row"))) === ids[n])
        await two.keyboard.press("Enter");
      return false;
    });
  }
  expect(await two.getByText("This deposit is already").count()).toBe(0);
});

test("of many that wait all can be reached, and the count is theirs", async () => {
  await app.sql`update deposits set status = 'cancelled', decided_at = now() where status = 'pending'`;
  const trader = await app.trader({ firstName: "Many" });
  await app.sql`
    insert into deposits (user_id, amount, currency, method, notes, created_at)
    select ${trader.id}, 20, 'USD', 'bank', '', date_trunc('milliseconds', now()) - make_interval(mins => n) from generate_series(1, 122) n
  `;
  const page = await at(ann, "/admin?tab=deposits");
  const waiting = page.getByRole("region", { name: "Waiting deposits" });
  await eventually(async () => expect(await waiting.locator("[data-count=waiting]").innerText()).toBe("122"));
  const [oldest] = await app.sql<{ id: string }[]>`select id from deposits where status = 'pending' order by created_at limit 1`;
  await eventually(async () => expect(await waiting.locator("tr[data-row]").first().getAttribute("data-row")).toBe(oldest?.id as string));
  await waiting.getByRole("button", { name: "Show more that wait" }).click();
  await until("all are there", async () => (await waiting.locator("tr[data-row]").count()) === 122);
  expect(await waiting.locator("[data-count=waiting]").innerText()).toBe("122");
  await app.sql`update deposits set status = 'cancelled', decided_at = now() where status = 'pending'`;
});

test("two who answer one ticket see each other, and neither answer goes beside the other's unread", async () => {
  const trader = await app.trader({ firstName: "Tick" });
  const ticket = (await trader.post<{ id: string }>("/api/support/tickets", { subject: "Help", message: "Please", category: "general", priority: "low" })).body;
  const path = `/admin?tab=support&ticket=${ticket.id}`;
  const [one, two] = await Promise.all([at(ann, path), at(bea, path)]);
  await one.getByLabel("Answer", { exact: true }).fill("From Ann");
  await two.getByText("Ann Administrator is writing an answer").waitFor();
  await two.getByLabel("Answer", { exact: true }).fill("From Bea");
  await one.getByText("Bea Administrator is writing an answer").waitFor();
  await two.getByRole("button", { name: "Send answer" }).click();
  await one.getByText("From Bea").waitFor();
  await one.getByRole("button", { name: "Send answer" }).click();
  await one.getByText("Bea Administrator has answered since you began to write.").waitFor();
  expect(await violations(one)).toEqual([]);
  const said = async () => (await app.sql`select from ticket_messages where ticket_id = ${ticket.id}`).length;
  expect(await said()).toBe(1);
  // Who presses again before the question can be read is not heard; the words are still there, and so is the button.
  await eventually(async () => {
    if ((await said()) === 1 && (await one.getByLabel("Answer", { exact: true }).inputValue()) !== "")
      await one.getByRole("button", { name: "Send answer" }).click({ timeout: 2000 });
    expect(await said()).toBe(2);
  });
  // The bell rings for a ticket of low priority, too.
  const [news] = await app.sql<
    { priority: string }[]
  >`select priority from admin_notifications where type = 'ticket' and user_id = ${trader.id} order by number limit 1`;
  expect(news?.priority).toBe("medium");
});

test("a claim says how long it was left alone, and is over five minutes after the last touch; touched again, it is there again", async () => {
  const trader = await app.trader({ firstName: "Left" });
  const { id } = (await trader.post<{ id: string }>("/api/support/tickets", { subject: "Alone", message: "Please", category: "general", priority: "urgent" }))
    .body;
  const one = await staff.visitAs(ann);
  await holdClock(one);
  await one.goto(`/admin?tab=support&ticket=${id}`);
  const two = await at(bea, "/admin?tab=support");
  const row = two.locator(`[data-row="${id}"]`);
  await row.getByText("Ann Administrator is looking at this").waitFor();
  let renewed = 0;
  one.on("request", (request) => void (request.method() === "POST" && request.url().endsWith("/api/admin/claims") && renewed++));
  /** The clocks of the page and of the database go on by so many seconds, and Bea's page hears of it. */
  const goOn = async (seconds: number) => {
    await app.sql`
      update claims set touched_at = touched_at - ${seconds} * interval '1 second', expires_at = expires_at - ${seconds} * interval '1 second'
    `;
    renewed = 0;
    await one.clock.fastForward(seconds * 1000);
  };
  const hear = () => app.context.bus.publish("staff", { about: "claim" });
  await goOn(130);
  await eventually(async () => expect(renewed).toBe(1));
  await eventually(async () => {
    hear();
    await row.getByText("Ann Administrator has this open, untouched for 2 min").waitFor({ timeout: 2000 });
  });
  expect(await violations(two)).toEqual([]);
  await goOn(171);
  expect(renewed).toBe(0);
  await eventually(async () => {
    hear();
    await row.getByText(/Ann Administrator/).waitFor({ state: "detached", timeout: 2000 });
  });
  // It is the next one for Bea, as if nobody had it open.
  const next = async () => (await bea.post<{ next: { id: string } | null }>("/api/admin/support-inbox/next", { priority: "urgent" })).body.next?.id;
  expect(await next()).toBe(id);
  await one.mouse.move(5, 5);
  await row.getByText("Ann Administrator is looking at this").waitFor();
  expect(await next()).toBeUndefined();
});

test("a colleague's words in a chat carry the colleague's name", async () => {
  const trader = await app.trader({ firstName: "Chat" });
  const { sessionId } = (await trader.post<{ sessionId: string }>("/api/chat/messages", { message: "Hello?" })).body;
  await ann.post(`/api/admin/chat/sessions/${sessionId}/messages`, { message: "This is Ann" });
  const page = await at(bea, `/admin?tab=support&view=chat&session=${sessionId}`);
  const log = page.getByRole("log");
  await log.getByText("Ann Administrator").waitFor();
  expect(await log.getByText("You", { exact: true }).count()).toBe(0);
});

test("a session that ends while its owner writes says so, and what was written is there again", async () => {
  const cleo = await app.admin();
  await app.sql`update users set first_name = 'Cleo' where id = ${cleo.id}`;
  const trader = await app.trader({ firstName: "Long" });
  const ticket = (await trader.post<{ id: string }>("/api/support/tickets", { subject: "Long", message: "Please", category: "general" })).body;
  const page = await at(cleo, `/admin?tab=support&ticket=${ticket.id}`);
  const answer = page.getByLabel("Answer", { exact: true });
  await answer.fill("A long answer, nearly done");
  const [session] = (await ann.get<{ id: string }[]>(`/api/admin/users/${cleo.id}/sessions`)).body;
  await ann.call("DELETE", `/api/admin/sessions/${session?.id}`);
  await page.waitForURL("**/login?returnTo=**");
  await page.getByText("Your session has ended.").waitFor();
  await page.getByLabel("Email address").fill(cleo.email);
  await page.getByLabel("Password", { exact: true }).fill("Corr3ct-horse-battery");
  await page.getByRole("button", { name: "Sign In" }).click();
  await page.waitForURL(`**ticket=${ticket.id}`);
  await eventually(async () => expect(await answer.inputValue()).toBe("A long answer, nearly done"));
  // The island knows of it, too: what is drawn next leaves it.
  await answer.press("End");
  await answer.press(".");
  await eventually(async () => expect(await answer.inputValue()).toBe("A long answer, nearly done."));
});
