import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Notification } from "../notifications/schema";
import { type TestApp, testApp } from "../testing/app";
import { LiveStream } from "../testing/live_stream";
import { counted, times } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { ChatMessage, ChatSession } from "./schema_chat";
import { Typing } from "./typing";

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
let app: TestApp;
let base = "";
let ann: Trader;
let bob: Trader;
beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  [ann, bob] = await Promise.all([app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  void app.router.server?.stop(true);
  await app.end();
});

const say = (who: Trader, message: string, clientId?: string) => who.post<ChatMessage>("/api/chat/messages", { message, clientId });
const told = async (who: Trader, query = "") => (await who.get<ChatMessage[]>(`/api/chat/messages${query}`)).body;
const sessions = async (query = "") => (await ann.get<ChatSession[]>(`/api/admin/chat/sessions${query}`)).body;
const answer = (who: Trader, sessionId: string, message: string) => who.post<ChatMessage>(`/api/admin/chat/sessions/${sessionId}/messages`, { message });
const streamOf = (who: Trader) => LiveStream.open(`${base}/api/stream`, { cookie: who.cookie });
/** The events `chat` of a stream so far. */
const chatIn = (stream: LiveStream) =>
  [...stream.text.matchAll(/^event: chat\ndata: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data) as Record<string, unknown>);

describe("a chat", () => {
  test("goes both ways, with what the stored message has", async () => {
    const tess = await app.trader();
    const { status, body } = await say(tess, "  Hello\nthere ");
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        sessionId: expect.any(String),
        userId: tess.id,
        adminUserId: null,
        number: 1,
        message: "Hello\nthere",
        messageType: "text",
        isFromAdmin: false,
        author: "Tess Trader",
        isRead: false,
        readAt: null,
        fileUrl: null,
        clientId: expect.any(String),
        createdAt: expect.any(String),
      },
    ] as never);
    expect((await sessions(`?q=${tess.email}`))[0]).toMatchObject({ id: body.sessionId, unread: 1, status: "open", lastMessage: "Hello\nthere" });
    expect((await answer(ann, body.sessionId, "Hi")).body).toMatchObject({ number: 2, isFromAdmin: true, adminUserId: ann.id, author: "Site Administrator" });
    expect((await told(tess)).map(({ message, isRead }) => [message, isRead])).toEqual([
      ["Hi", false],
      ["Hello\nthere", true],
    ]);
    expect((await tess.get<{ count: number }>("/api/chat/unread")).body.count).toBe(1);
    expect((await tess.post<{ count: number }>("/api/chat/read", { through: 2 })).body.count).toBe(0);
    const rows = await app.sql<{ action: string }[]>`select action from admin_actions where details->>'sessionId' = ${body.sessionId}`;
    expect(rows.map(({ action }) => action)).toEqual(["chat.answer"]);
  });

  test("holds nobody else's messages", async () => {
    const [tess, otto] = [await app.trader(), await app.trader()];
    const { body } = await say(tess, "Mine");
    expect(await told(otto)).toEqual([]);
    const tries = ["messages", "read", "typing", "end"].map((command) =>
      otto.post(`/api/admin/chat/sessions/${body.sessionId}/${command}`, { message: "x", through: 9 }),
    );
    expect(counted(await Promise.all(tries))).toEqual({ 403: 4 });
    expect((await otto.get("/api/admin/chat/sessions")).status).toBe(403);
  });

  test.each([{ message: "" }, { message: "x".repeat(5001) }, { message: 5 }, { message: "a\u0000b" }, { message: "ok", clientId: "1" }])(
    "refuses %#",
    async (body) => {
      const tess = await app.trader();
      expect((await tess.post("/api/chat/messages", body)).status).toBe(400);
      expect(await told(tess)).toEqual([]);
    },
  );

  test("believes nothing of who wrote it", async () => {
    const [tess, otto] = [await app.trader(), await app.trader()];
    const { body } = await tess.post<ChatMessage>("/api/chat/messages", {
      message: "Forged",
      userId: otto.id,
      adminUserId: ann.id,
      isFromAdmin: true,
      isRead: true,
    });
    expect(body).toMatchObject({ userId: tess.id, adminUserId: null, isFromAdmin: false, isRead: false });
  });

  test("stores a message once, however often its browser sends it", async () => {
    const tess = await app.trader();
    const clientId = crypto.randomUUID();
    const answers = await times(20, () => say(tess, "Once", clientId));
    expect([counted(answers), new Set(answers.map(({ body }) => body.id)).size]).toEqual([{ 201: 20 }, 1]);
    expect((await told(tess)).length).toBe(1);
  });

  test("numbers what both sides write at once without a gap, and tells it by what was missed", async () => {
    const tess = await app.trader();
    const { body } = await say(tess, "0");
    await times(16, (n) => (n % 2 ? answer(n % 4 === 1 ? ann : bob, body.sessionId, `s${n}`) : say(tess, `t${n}`)));
    const missed = await told(tess, "?after=1");
    expect(missed.map(({ number }) => number)).toEqual(Array.from({ length: 16 }, (_, n) => n + 2));
    expect(await told(tess, "?after=17")).toEqual([]);
    const page = await tess.get<ChatMessage[]>("/api/chat/messages?limit=10");
    expect(page.body.map(({ number }) => number)).toEqual([17, 16, 15, 14, 13, 12, 11, 10, 9, 8]);
    expect((await told(tess, `?cursor=${page.headers.get("x-next-cursor")}`)).map(({ number }) => number)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  });

  test("refuses a flood and says when to come back", async () => {
    const tess = await app.trader();
    // The ten seconds do not end under a busy machine.
    const putBack = await withoutGuard(app.sql, "chat_say", "interval '10 seconds'", "interval '1 hour'");
    const answers = await times(25, (n) => say(tess, `${n}`)).finally(putBack);
    expect(counted(answers)).toEqual({ 201: 10, 429: 15 });
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  test("ends once, whoever ends it, and begins again with the next message", async () => {
    const tess = await app.trader();
    const { body } = await say(tess, "Hello");
    const path = `/api/admin/chat/sessions/${body.sessionId}/end`;
    expect(counted(await times(10, (n) => (n % 2 ? ann : bob).post(path)))).toEqual({ 200: 1, 409: 9 });
    const late = await answer(bob, body.sessionId, "Late");
    expect([late.status, (late.body as unknown as { message: string }).message]).toEqual([
      409,
      "Site Administrator has ended this chat. It begins again with the trader's next message.",
    ]);
    const next = (await say(tess, "Me again")).body;
    expect([next.number, next.sessionId === body.sessionId]).toEqual([2, false]);
    expect((await sessions(`?q=${tess.email}`)).map(({ status }) => status)).toEqual(["open", "ended"]);
  });

  test("never opens two sessions, also when it ends while the trader writes", async () => {
    for (let round = 0; round < 5; round++) {
      const tess = await app.trader();
      const { body } = await say(tess, "Hello");
      await Promise.all([times(5, (n) => say(tess, `${n}`)), ann.post(`/api/admin/chat/sessions/${body.sessionId}/end`)]);
      expect((await sessions(`?q=${tess.email}&status=open`)).length).toBeLessThanOrEqual(1);
      expect((await told(tess)).map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1]);
    }
  });

  test("keeps its words for ever", async () => {
    const tess = await app.trader();
    await say(tess, "Kept");
    for (const command of ["update chat_messages set message = 'other'", "delete from chat_messages", "truncate chat_messages"])
      await expect(app.sql.unsafe(command).then(() => "done")).rejects.toThrow(/append-only/);
  });

  test("tells staff of the first message that nobody has read", async () => {
    const tess = await app.trader({ firstName: "Nora" });
    const { body } = await say(tess, "One");
    await say(tess, "Two");
    await answer(ann, body.sessionId, "Yes?");
    await say(tess, "Three");
    const news = async () => (await ann.get<Notification[]>("/api/admin/notifications?type=chat")).body.filter(({ userId }) => userId === tess.id);
    while ((await news()).length < 2) await Bun.sleep(20);
    expect((await news()).map(({ message }) => message)).toEqual(["Nora Trader: Three", "Nora Trader: One"]);
  });
});

describe("the stream", () => {
  test("tells the trader and every administrator, and nobody else", async () => {
    const [tess, otto] = [await app.trader(), await app.trader()];
    const [hers, his, staff] = await Promise.all([streamOf(tess), streamOf(otto), streamOf(bob)]);
    const forged = "Hi\nevent: chat\ndata: {}\n\n<script>alert(1)</script>";
    const { body } = await say(tess, forged);
    // Not by its words: the notice of a first message has them too, and may come before the chat's own event.
    await Promise.all([staff.has('"about":"message"'), hers.has('"about":"message"')]);
    expect(chatIn(staff)).toEqual([{ userId: tess.id, sessionId: body.sessionId, about: "message", message: body }] as never);
    await tess.post("/api/chat/typing");
    await staff.has('"typing"');
    await ann.post(`/api/admin/chat/sessions/${body.sessionId}/typing`);
    await hers.has('"typing"');
    await answer(ann, body.sessionId, "An answer");
    await hers.has("An answer");
    await hers.has('"read"');
    await tess.post("/api/chat/read", { through: 2 });
    await staff.has('"from":"trader","through":2');
    await ann.post(`/api/admin/chat/sessions/${body.sessionId}/end`);
    await hers.has('"ended"');
    // Another's stream that has heard something later has heard all that it will.
    await say(otto, "Mine alone");
    await his.has("Mine alone");
    expect(chatIn(his).map(({ userId }) => userId)).toEqual([otto.id]);
    expect(chatIn(hers).filter(({ about, from }) => about === "typing" && from === "trader")).toEqual([]);
    for (const stream of [hers, his, staff]) stream.close();
  });

  test("tells the owner of a ticket that staff answered it", async () => {
    const [tess, otto] = [await app.trader(), await app.trader()];
    const [hers, his] = await Promise.all([streamOf(tess), streamOf(otto)]);
    const { body } = await tess.post<{ id: string }>("/api/support/tickets", { subject: "Live", message: "Hello", category: "general" });
    await ann.post(`/api/admin/support-tickets/${body.id}`, { adminResponse: "An answer" });
    await hers.has("Support answered your ticket");
    await hers.has('"adminResponse":"An answer"');
    await otto.post("/api/support/tickets", { subject: "His own", message: "Hello", category: "general" });
    await his.has("His own");
    expect(his.text).not.toContain(body.id);
    for (const stream of [hers, his]) stream.close();
  });
});

test("a word that somebody is typing goes through once in a while, for each alone", () => {
  let now = 0;
  const typing = new Typing(() => now);
  expect([typing.mayTell("a"), typing.mayTell("a"), typing.mayTell("b")]).toEqual([true, false, true]);
  typing.forget("b");
  expect(typing.mayTell("b")).toBe(true);
  now = 2000;
  expect(typing.mayTell("a")).toBe(true);
  for (let n = 0; n < 20_000; n++) typing.mayTell(`${n}`);
  // Forgotten, since so many came after it.
  expect(typing.mayTell("a")).toBe(true);
});
