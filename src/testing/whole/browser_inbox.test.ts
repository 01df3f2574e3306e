import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { ChatMessage } from "../../support/schema_chat";
import { eventually, openStaff, told } from "../browser";
import { type Person, type TestApp, testApp } from "../app";
import { ask, breathe, field, list, next, opens, shown, writes } from "../inbox";
import { violations } from "../inspect";
import { tamper } from "../scenarios";

/** The inbox of staff: what needs an answer, answered one after the other, by mouse, by keyboard, and on a phone. */

let app: TestApp;
let staff: Awaited<ReturnType<typeof openStaff>>;
let ann: (typeof staff)["ann"];
let bea: (typeof staff)["bea"];
let at: (typeof staff)["at"];
const INBOX = "/admin?tab=support";
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.08420", "1.08500");
  staff = await openStaff(app);
  ({ ann, bea, at } = staff);
  for (const [title, body] of [
    ["Deposit is late", "Dear {first name}, your deposit is on its way."],
    ["Late withdrawal", "Dear {name}, we pay out within a day."],
    ["Greeting", "Hello {first name}!"],
  ])
    await ann.post("/api/admin/canned-answers", { title, body });
});
afterAll(async () => expect(await staff.end()).toEqual([]));
// Each test begins with nothing that waits.
beforeEach(async () => {
  await tamper(app.sql, async (tx) => {
    await tx`update support_tickets set waiting_since = null`;
    await tx`update chat_sessions set waiting_since = null`;
  });
});

/** What the person's hands do from here on: keys and clicks that the page hears; a chord is one. */
async function counting(page: Page) {
  await page.evaluate(() => {
    const count = { keys: 0, clicks: 0 };
    Object.assign(window, { handiwork: count });
    const isHeld = (key: string) => ["Control", "Shift", "Meta", "Alt"].includes(key);
    window.addEventListener("keydown", ({ isTrusted, key }) => void (isTrusted && !isHeld(key) && count.keys++), true);
    window.addEventListener("pointerdown", ({ isTrusted }) => void (isTrusted && count.clicks++), true);
  });
  return () => page.evaluate(() => (window as unknown as { handiwork: { keys: number; clicks: number } }).handiwork);
}
const say = async (who: Person, message: string) => (await who.post<ChatMessage>("/api/chat/messages", { message })).body;
/** So many tickets, each of a person of its own, the first waiting longest. */
async function tickets(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push((await ask(await app.trader({ firstName: `Client${n}` }), `Question ${n}`)).id);
  return ids;
}
const resolved = async (ids: string[]) => (await app.sql`select from support_tickets where id = any(${ids}) and status = 'resolved'`).length;
const answers = async (ids: string[]) => (await app.sql`select from ticket_messages where ticket_id = any(${ids}) and is_from_staff`).length;

test("ten tickets by mouse: at most 24 clicks, the most overdue first, the writing at hand", async () => {
  const ids = await tickets(10);
  const page = await at(ann, INBOX);
  await eventually(async () => expect(await shown(page).count()).toBe(10));
  const hands = await counting(page);
  await list(page)
    .getByRole("link", { name: /Question 0/ })
    .click();
  for (let n = 0; n < 10; n++) {
    await opens(page, `Question ${n}`);
    await writes(page);
    await page.keyboard.type(`Answer ${n}`);
    await breathe(page);
    await next(page).click();
  }
  await page.getByText("Nothing needs an answer").or(page.getByText("Choose a conversation")).first().waitFor();
  await eventually(async () => expect(await resolved(ids)).toBe(10));
  const { clicks } = await hands();
  console.log(`answer 10 tickets: ${clicks} clicks`);
  expect(clicks).toBeLessThanOrEqual(24);
  expect(await answers(ids)).toBe(10);
});

test("ten tickets by keyboard alone: three keys each beside the words at most", async () => {
  const ids = await tickets(10);
  const page = await at(ann, INBOX);
  await eventually(async () => expect(await shown(page).count()).toBe(10));
  const hands = await counting(page);
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  let letters = 0;
  for (let n = 0; n < 10; n++) {
    await opens(page, `Question ${n}`);
    await writes(page);
    const words = `Answer ${n}`;
    letters += words.length;
    await page.keyboard.type(words);
    await breathe(page);
    await page.keyboard.press("Control+Shift+Enter");
  }
  await eventually(async () => expect(await resolved(ids)).toBe(10));
  const { keys, clicks } = await hands();
  console.log(`answer 10 tickets: ${keys - letters} keys beside the words`);
  expect([keys - letters <= 24, clicks, await answers(ids)]).toEqual([true, 0, 10]);
});

test("a double press sends one answer, and hits nothing of the next ticket", async () => {
  const ids = await tickets(2);
  const page = await at(ann, INBOX);
  await list(page)
    .getByRole("link", { name: /Question 0/ })
    .click();
  await opens(page, "Question 0");
  await field(page).fill("Once");
  await breathe(page);
  await next(page).dblclick();
  await opens(page, "Question 1");
  expect(await page.getByText("Please write an answer.").count()).toBe(0);
  expect([await answers(ids), await resolved(ids)]).toEqual([1, 1]);
  // What is done with stays where it stood, marked.
  await shown(page).first().getByText("Resolved").waitFor();
});

test("tickets and chats stand in one list; a chat is answered, ended and left in the same way", async () => {
  const [nora, omar] = [await app.trader({ firstName: "Nora" }), await app.trader({ firstName: "Omar" })];
  const ticket = await ask(nora, "About my card", "urgent");
  const { sessionId, number } = await say(omar, "Is anybody there?");
  const page = await at(ann, INBOX);
  // Ten minutes are due before two hours.
  await eventually(async () =>
    expect(await shown(page).evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.row))).toEqual([sessionId, ticket.id]),
  );
  await list(page)
    .getByRole("link", { name: /Chat of Omar/ })
    .click();
  await page.getByRole("log").getByText("Is anybody there?").waitFor();
  expect(page.url()).toContain(`session=${sessionId}`);
  // Read is not answered.
  await eventually(async () => expect(await app.sql`select from chat_messages where session_id = ${sessionId} and read_at is not null`).toHaveLength(1));
  expect(await shown(page).count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  await field(page, "Message").fill("Yes. Anything else?");
  await page.keyboard.press("Enter");
  await page.getByRole("log").getByText("Yes. Anything else?").waitFor();
  await say(omar, "No, thanks");
  await page.getByRole("log").getByText("No, thanks").waitFor();
  await field(page, "Message").fill("Good day!");
  await breathe(page);
  await page.keyboard.press("Control+Shift+Enter");
  await opens(page, "About my card");
  await writes(page);
  const [session] = await app.sql<
    { ended: boolean; last: string }[]
  >`select ended_at is not null as ended, last_number as last from chat_sessions where id = ${sessionId}`;
  expect(session).toEqual({ ended: true, last: number + 3 } as never);
  expect(await field(page).inputValue()).toBe("");
});

test("two staff press 'Send, resolve, next' on one ticket: one answer goes, the other is kept and says why", async () => {
  const trader = await app.trader({ firstName: "Tick" });
  const { id } = await ask(trader, "Wanted by two");
  const path = `/admin?tab=support&ticket=${id}`;
  const [one, two] = await Promise.all([at(ann, path), at(bea, path)]);
  await field(one).fill("From Ann");
  await field(two).fill("From Bea");
  await two.getByText("Ann Administrator is writing an answer").waitFor();
  await Promise.all([next(one).click(), next(two).click()]);
  const lost = async (page: Page) => (await page.getByText(/Somebody changed this ticket a moment ago|has answered since you began to write/).count()) > 0;
  await eventually(async () => expect(Number(await lost(one)) + Number(await lost(two))).toBe(1));
  const loser = (await lost(one)) ? one : two;
  expect(await field(loser).inputValue()).toBe(loser === one ? "From Ann" : "From Bea");
  expect([await answers([id]), await resolved([id])]).toEqual([1, 1]);
  expect(await app.sql`select from admin_actions where action like 'ticket.%' and details->>'ticketId' = ${id}`).toHaveLength(1);
  expect(await violations(loser)).toEqual([]);
});

test("two staff who go on at once are led to one ticket each, and see where the other is", async () => {
  const ids = await tickets(4);
  const [one, two] = await Promise.all([at(ann, `${INBOX}&ticket=${ids[0]}`), at(bea, `${INBOX}&ticket=${ids[1]}`)]);
  await shown(two).first().getByText("Ann Administrator is looking at this").waitFor();
  await Promise.all([field(one).fill("From Ann"), field(two).fill("From Bea")]);
  await breathe(two);
  await Promise.all([next(one).click(), next(two).click()]);
  const opened = async (page: Page) => new URL(page.url()).searchParams.get("ticket") ?? "";
  await eventually(async () => expect([await opened(one), await opened(two)].toSorted()).toEqual([ids[2], ids[3]].toSorted() as string[]));
  await Promise.all([field(one).fill("From Ann"), field(two).fill("From Bea")]);
  await breathe(two);
  // While Bea is at what is left, nothing is for Ann.
  await next(one).click();
  await told(one, "Nothing is left for you");
  await next(two).click();
  await two.getByText("Choose a conversation").waitFor();
  expect([await answers(ids), await resolved(ids)]).toEqual([4, 4]);
});

test("what the client writes meanwhile is asked about first; an answer that could not be sent is kept", async () => {
  const trader = await app.trader({ firstName: "Late" });
  const { id } = await ask(trader, "One more thing");
  const page = await at(ann, `/admin?tab=support&ticket=${id}`);
  await field(page).fill("Here you are");
  await trader.post(`/api/support/tickets/${id}/replies`, { message: "It is solved" });
  await page.getByText("It is solved").waitFor();
  await next(page).click();
  await page.getByText("Late Trader has answered since you began to write.").waitFor();
  expect(await answers([id])).toBe(0);
  await page.context().setOffline(true);
  await breathe(page);
  await next(page).click();
  await page.getByText("No answer came. Press again to make sure: it is not done twice.").first().waitFor();
  expect(await field(page).inputValue()).toBe("Here you are");
  await page.context().setOffline(false);
  await breathe(page);
  await next(page).click();
  await eventually(async () => expect([await answers([id]), await resolved([id])]).toEqual([1, 1]));
});

test("an answer that is under way is sent once and keeps its words, and the keyboard stays where it was, by keys and by button", async () => {
  const { id } = await ask(await app.trader({ firstName: "Wait" }), "Under way");
  const page = await at(ann, `/admin?tab=support&ticket=${id}`);
  let sent = 0;
  let answer = () => {};
  await page.route(`**/api/admin/support-tickets/${id}`, async (route) => {
    if (route.request().method() === "GET") return route.fallback();
    sent++;
    await new Promise<void>((resolve) => (answer = resolve));
    await route.fulfill({ status: 422, json: { message: "Not now.", code: "invalid" } });
  });
  const button = page.getByRole("button", { name: "Send answer" });
  const focused = (element: typeof button) => element.evaluate((each) => each === document.activeElement);
  for (const [n, element] of [field(page), button].entries()) {
    await field(page).fill("Keep these words");
    await breathe(page);
    await element.focus();
    await page.keyboard.press(n === 0 ? "Control+Enter" : "Enter");
    await eventually(async () => expect([sent, await button.getAttribute("aria-disabled")]).toEqual([n + 1, "true"]));
    for (const key of ["Control+Enter", "x"]) await page.keyboard.press(key);
    expect([await focused(element), await field(page).inputValue()]).toEqual([true, "Keep these words"]);
    expect(await violations(page)).toEqual([]);
    answer();
    await eventually(async () => expect([sent, await button.getAttribute("aria-disabled")]).toEqual([n + 1, null]));
    await page.getByText("Not now.").waitFor();
    expect([await focused(element), await field(page).inputValue()]).toEqual([true, "Keep these words"]);
  }
});

test("a semicolon finds a ready answer by its name, which speaks of the client", async () => {
  const { id } = await ask(await app.trader({ firstName: "Nora", lastName: "Quill" }), "When?");
  const page = await at(ann, `/admin?tab=support&ticket=${id}`);
  const options = page.getByRole("listbox", { name: "Ready answers" }).getByRole("option");
  const chosen = () => page.getByRole("option", { selected: true }).locator("span").first().innerText();
  await field(page).click();
  await page.keyboard.type("Good day. ;late");
  await eventually(async () => expect(await options.count()).toBe(2));
  expect(await chosen()).toBe("Late withdrawal");
  expect(await field(page).evaluate((each) => document.getElementById(each.getAttribute("aria-activedescendant") ?? "")?.textContent)).toContain(
    "Late withdrawal",
  );
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("ArrowDown");
  await eventually(async () => expect(await chosen()).toBe("Deposit is late"));
  await page.keyboard.press("Tab");
  await eventually(async () => expect(await field(page).inputValue()).toBe("Good day. Dear Nora, your deposit is on its way."));
  expect(await options.count()).toBe(0);
  await page.keyboard.type(" ;");
  await eventually(async () => expect(await options.count()).toBe(3));
  await page.keyboard.press("Escape");
  await eventually(async () => expect(await options.count()).toBe(0));
  await page.keyboard.press("Backspace");
  await page.keyboard.type(";gree");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await field(page).inputValue()).toBe("Good day. Dear Nora, your deposit is on its way. Hello Nora!"));
  // Where none is named, Escape leads back to the list.
  await page.keyboard.press("Escape");
  await eventually(async () => expect(await page.evaluate(() => document.activeElement?.getAttribute("data-row"))).toBe(id));
});

test("who writes again after it was resolved is the next one again; one's own is never", async () => {
  const nora = await app.trader({ firstName: "Nora" });
  const [first, second] = [await ask(nora, "First"), await ask(await app.trader(), "Second")];
  await ask(ann, "Ann's own");
  const page = await at(ann, INBOX);
  await list(page).getByRole("link", { name: /First/ }).click();
  await opens(page, "First");
  await field(page).fill("Done");
  await breathe(page);
  await next(page).click();
  await opens(page, "Second");
  await nora.post(`/api/support/tickets/${first.id}/replies`, { message: "Not quite" });
  await page.waitForFunction(() => document.title.startsWith("(3)"));
  await field(page).fill("Done, too");
  await breathe(page);
  await next(page).click();
  await opens(page, "First");
  await field(page).fill("Now it is");
  await breathe(page);
  await next(page).click();
  await page.getByText("Choose a conversation").waitFor();
  expect([await resolved([first.id, second.id]), await answers([first.id, second.id])]).toEqual([2, 3]);
});
