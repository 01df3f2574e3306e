import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, times } from "../testing/money";
import { tamper } from "../testing/scenarios";
import type { Ticket } from "./schema";
import type { ChatMessage, ChatSession } from "./schema_chat";
import type { InboxRow } from "./schema_inbox";

/** Tickets and chats in one list. */

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
let app: TestApp;
let ann: Trader;
let bob: Trader;
beforeAll(async () => {
  app = await testApp();
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
// Each test begins with nothing that waits.
beforeEach(async () => {
  await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = null`);
  await tamper(app.sql, (tx) => tx`update chat_sessions set waiting_since = null`);
});

const inbox = async (query = "", who = ann) => (await who.get<InboxRow[]>(`/api/admin/support-inbox${query}`)).body;
const texts = async (query = "", who = ann) => (await inbox(query, who)).map(({ text }) => text);
const say = async (who: Trader, message: string) => (await who.post<ChatMessage>("/api/chat/messages", { message })).body;
const answer = (who: Trader, sessionId: string, body: Record<string, unknown>) =>
  who.post<ChatMessage & { message: string }>(`/api/admin/chat/sessions/${sessionId}/messages`, body);
/** A ticket whose owner waits for so many minutes. */
async function ticket(subject: string, priority: string, minutes: number, who?: Trader) {
  const owner = who ?? (await app.trader());
  const { body } = await owner.post<Ticket>("/api/support/tickets", { subject, message: "Please", category: "general", priority });
  await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = now() - ${minutes}::integer * interval '1 minute' where id = ${body.id}`);
  return body;
}
async function chat(message: string, minutes: number, who?: Trader) {
  const said = await say(who ?? (await app.trader()), message);
  await tamper(app.sql, (tx) => tx`update chat_sessions set waiting_since = now() - ${minutes}::integer * interval '1 minute' where id = ${said.sessionId}`);
  return said;
}

describe("the order", () => {
  test("is by what is most overdue, each kind and priority by its own promise", async () => {
    await ticket("low, 49 h", "low", 49 * 60); // An hour late.
    await ticket("urgent, 4 h", "urgent", 240); // Two hours late.
    await ticket("high, 1 h", "high", 60); // Seven hours are left.
    await ticket("medium, 26 h", "medium", 26 * 60 + 30); // Two and a half hours late.
    await chat("chat, 20 min", 20); // Ten minutes late.
    await chat("chat, 1 min", 1);
    expect(await texts()).toEqual(["medium, 26 h", "urgent, 4 h", "low, 49 h", "chat, 20 min", "chat, 1 min", "high, 1 h"]);
    expect((await inbox("?kind=chat")).map(({ kind, priority, status }) => [kind, priority, status])).toEqual([
      ["chat", null, "open"],
      ["chat", null, "open"],
    ]);
    expect(await texts("?kind=ticket&priority=urgent")).toEqual(["urgent, 4 h"]);
    expect(await texts("?priority=urgent")).toEqual(["urgent, 4 h"]);
  });

  test.each(["waiting", "all", "resolved"])("pages reach all once, also when the last one seen was answered meanwhile: %s", async (state) => {
    const tess = await app.trader();
    const made = [];
    for (let n = 0; n < 7; n++) made.push(n % 2 ? (await ticket(`T${n}`, "high", 100 - n, tess)).id : (await chat(`C${n}`, 100 - n)).sessionId);
    if (state === "resolved")
      for (const [n, id] of made.entries())
        await ann.post(n % 2 ? `/api/admin/support-tickets/${id}` : `/api/admin/chat/sessions/${id}/end`, { status: "resolved" });
    const whole = (await inbox(`?state=${state}`)).map(({ id }) => id);
    expect(whole).toEqual(expect.arrayContaining(made));
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const page = await ann.get<InboxRow[]>(`/api/admin/support-inbox?state=${state}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? "";
      const last = page.body.at(-1);
      if (state === "waiting" && last) await tamper(app.sql, (tx) => tx`update support_tickets set waiting_since = null where id = ${last.id}`);
      if (!cursor) break;
    }
    expect(seen).toEqual(whole);
  });

  test("a cursor of nobody's making is refused", async () => {
    for (const cursor of ["x", "1_2", "2026-11-21T00:00:00.000Z_00000000-0000-0000-0000-000000000000"])
      expect((await ann.get(`/api/admin/support-inbox?cursor=${encodeURIComponent(cursor)}`)).status).toBe(400);
  });
});

test("is searched by person and words, and held to whose it is", async () => {
  const nora = await app.trader({ firstName: "Nora", lastName: "Quill" });
  const mine = await ticket("My card was refused", "low", 5, nora);
  const { sessionId } = await chat("Is my card there?", 5, nora);
  await ticket("Other", "low", 5);
  expect((await texts("?q=quill nora")).toSorted()).toEqual(["Is my card there?", "My card was refused"]);
  expect(await texts("?q=card was")).toEqual(["My card was refused"]);
  // A word may be of the person, another be said to the person.
  expect((await texts("?q=nora card")).toSorted()).toEqual(["Is my card there?", "My card was refused"]);
  expect(await texts("?q=quill please")).toEqual(["My card was refused"]);
  expect(await texts("?q=quill 100%25")).toEqual([]);
  expect(await texts(`?q=${sessionId}`)).toEqual(["Is my card there?"]);
  await ann.post(`/api/admin/support-tickets/${mine.id}`, { assignedTo: ann.id });
  expect([await texts("?q=quill&assignee=me"), await texts("?q=quill&assignee=me", bob)]).toEqual([["My card was refused"], []]);
  // A chat is whose answer in it is the newest.
  await answer(bob, sessionId, { message: "Let me see" });
  await say(nora, "Thanks");
  expect([await texts("?q=quill&assignee=me"), await texts("?q=quill&assignee=me", bob)]).toEqual([["My card was refused"], ["Thanks"]]);
  expect(await texts("?q=quill&assignee=none")).toEqual([]);
});

describe("a chat", () => {
  test("needs an answer until it has one, though it was read", async () => {
    const tess = await app.trader();
    const { sessionId, number } = await say(tess, "Hello?");
    const [row] = await inbox();
    expect([row?.kind, row?.id, row?.text, row?.assigneeName]).toEqual(["chat", sessionId, "Hello?", null]);
    expect(Date.parse(row?.due ?? "") - Date.parse(row?.since ?? "")).toBe(600_000);
    await ann.post(`/api/admin/chat/sessions/${sessionId}/read`, { through: number });
    expect(await texts()).toEqual(["Hello?"]);
    await say(tess, "Anybody?");
    expect((await inbox())[0]?.since).toBe(row?.since ?? "");
    await answer(ann, sessionId, { message: "Yes" });
    expect(await texts()).toEqual([]);
    expect((await inbox("?state=all"))[0]).toMatchObject({ id: sessionId, since: null, due: null, text: "Yes" });
  });

  test("is answered and ended at once, once, by whoever is first", async () => {
    const tess = await app.trader();
    const { sessionId, number } = await say(tess, "One question");
    const sent = await times(16, (n) => answer(n % 2 ? ann : bob, sessionId, { message: `Answer ${n}`, end: true, seen: number }));
    expect(counted(sent)).toEqual({ 201: 1, 409: 15 });
    const [session] = (await ann.get<ChatSession[]>(`/api/admin/chat/sessions?q=${sessionId}`)).body;
    expect(session).toMatchObject({ status: "ended", lastNumber: number + 1, unread: 0 });
    expect(sent.filter(({ status }) => status === 409).every(({ body }) => body.message.startsWith("Site Administrator has ended this chat"))).toBe(true);
    const rows = await app.sql<{ action: string }[]>`select action from admin_actions where details->>'sessionId' = ${sessionId} order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["chat.answer", "chat.end"]);
  });

  test("the same last word, sent again by its browser, is one", async () => {
    const tess = await app.trader();
    const { sessionId, number } = await say(tess, "One question");
    const clientId = crypto.randomUUID();
    const sent = await times(12, () => answer(ann, sessionId, { message: "Done", clientId, end: true, seen: number }));
    expect([counted(sent), new Set(sent.map(({ body }) => body.id)).size]).toEqual([{ 201: 12 }, 1]);
  });

  test("an answer to what is no longer the newest asks first, and takes nothing", async () => {
    const tess = await app.trader({ firstName: "Nora" });
    const { sessionId, number } = await say(tess, "One question");
    await say(tess, "And another");
    const late = await answer(ann, sessionId, { message: "Done", end: true, seen: number });
    expect([late.status, late.body.message]).toEqual([409, "Nora Trader wrote here a moment ago. Read it first; send again if yours is still needed."]);
    expect(await texts()).toEqual(["And another"]);
    expect((await answer(ann, sessionId, { message: "Done", end: true, seen: number + 1 })).status).toBe(201);
  });
});

test("what the staff's frame counts is what the list shows", async () => {
  await ticket("One", "high", 5);
  const { sessionId, number } = await chat("Two", 30);
  await ann.post(`/api/admin/chat/sessions/${sessionId}/read`, { through: number });
  expect(await texts()).toEqual(["Two", "One"]);
  expect((await ann.get("/admin?tab=audit")).text).toMatch(/Support<span[^>]*>2</);
});
