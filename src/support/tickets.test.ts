import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { counted, times } from "../testing/money";
import type { Ticket, TicketReply, TicketThread } from "./schema";

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
let app: TestApp;
let tess: Trader;
let other: Trader;
beforeAll(async () => {
  app = await testApp();
  [tess, other] = await Promise.all([app.trader(), app.trader({ firstName: "Otto", lastName: "Other" })]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const ASKED = { subject: "My deposit", message: "Where is it?\nIt left on Monday.", category: "financial", priority: "high" };
const ask = async (over: Record<string, unknown> = {}, who = tess) => (await who.post<Ticket>("/api/support/tickets", { ...ASKED, ...over })).body;
const listed = async (who = tess) => (await who.get<Ticket[]>("/api/support/tickets")).body;
const threadOf = async (id: string, who = tess) => (await who.get<TicketThread>(`/api/support/tickets/${id}`)).body;

describe("a ticket", () => {
  test("is kept as written, is open, and is its owner's", async () => {
    const { status, body } = await tess.post<Ticket>("/api/support/tickets", { ...ASKED, userId: other.id, status: "closed", assignedTo: tess.id });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...ASKED,
      id: expect.any(String),
      userId: tess.id,
      status: "open",
      adminResponse: null,
      respondedAt: null,
      assignedTo: null,
      resolvedBy: null,
      resolvedAt: null,
      positionId: null,
      isUnread: false,
      mergedInto: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    } as never);
    expect((await listed())[0]).toEqual(body);
    expect(await threadOf(body.id)).toEqual({ ...body, replies: [], files: [], merged: [] });
  });

  test("has medium priority where none was asked for", async () => {
    const { priority: _, ...without } = ASKED;
    expect((await tess.post<Ticket>("/api/support/tickets", without)).body.priority).toBe("medium");
  });

  test.each([{ subject: " " }, { message: "" }, { category: "" }, { category: undefined }])("needs subject, message and category: %j", async (over) => {
    const { status, body } = await tess.post("/api/support/tickets", { ...ASKED, ...over });
    expect([status, body.message]).toEqual([400, "Subject, message, and category are required."]);
  });

  test.each([{ subject: "x".repeat(201) }, { message: "x".repeat(5001) }, { category: "gossip" }, { priority: "now" }, { subject: ["x"] }])(
    "is refused: %#",
    async (over) => expect((await tess.post("/api/support/tickets", { ...ASKED, ...over })).status).toBe(400),
  );

  test("sent twenty times under one key is one ticket", async () => {
    const before = (await listed()).length;
    const key = { "idempotency-key": crypto.randomUUID() };
    const answers = await times(20, () => tess.post<Ticket>("/api/support/tickets", ASKED, key));
    expect(counted(answers)).toEqual({ 201: 20 });
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await listed()).length).toBe(before + 1);
    expect((await tess.post("/api/support/tickets", { ...ASKED, subject: "Another" }, key)).status).toBe(409);
  });

  test("of somebody else does not exist", async () => {
    const { id } = await ask();
    const tries: Promise<Answer>[] = [
      other.get(`/api/support/tickets/${id}`),
      other.post(`/api/support/tickets/${id}/replies`, { message: "Mine" }),
      other.post(`/api/support/tickets/${id}/close`),
      other.post(`/api/support/tickets/${id}/read`),
    ];
    expect(counted(await Promise.all(tries))).toEqual({ 404: 4 });
    expect((await listed(other)).length).toBe(0);
  });
});

describe("its owner", () => {
  test("replies, closes it, and opens it again by a reply", async () => {
    const { id } = await ask();
    const { status, body } = await tess.post<TicketReply>(`/api/support/tickets/${id}/replies`, { message: "Still waiting" });
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        ticketId: id,
        message: "Still waiting",
        mergedFrom: null,
        isFromStaff: false,
        author: "Tess Trader",
        createdAt: expect.any(String),
      },
    ] as never);
    expect((await threadOf(id)).replies).toEqual([body]);
    expect((await tess.post<Ticket>(`/api/support/tickets/${id}/close`)).body.status).toBe("closed");
    const late = await tess.post(`/api/support/tickets/${id}/close`);
    expect([late.status, late.body.message]).toEqual([409, "This ticket is already closed."]);
    await tess.post(`/api/support/tickets/${id}/replies`, { message: "Not over" });
    expect((await threadOf(id)).status).toBe("open");
  });

  test("closes it once, however often at once", async () => {
    const { id } = await ask();
    expect(counted(await times(20, () => tess.post(`/api/support/tickets/${id}/close`)))).toEqual({ 200: 1, 409: 19 });
  });

  test("replies once under one key", async () => {
    const { id } = await ask();
    const key = { "idempotency-key": crypto.randomUUID() };
    expect(counted(await times(20, () => tess.post(`/api/support/tickets/${id}/replies`, { message: "Once" }, key)))).toEqual({ 201: 20 });
    expect((await threadOf(id)).replies.length).toBe(1);
  });
});

describe("a file", () => {
  const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const send = (who: Trader, id: string, name: string, body: Uint8Array = PNG) =>
    app.router.handle(
      new Request(`http://halyard.test/api/support/tickets/${id}/files?name=${encodeURIComponent(name)}`, {
        method: "POST",
        headers: { cookie: who.cookie, "content-type": "image/png" },
        body: body as Uint8Array<ArrayBuffer>,
      }),
    );

  test("is kept with its ticket, and handed to its owner and to staff alone, never to be drawn", async () => {
    const { id } = await ask();
    const admin = await app.admin();
    expect((await send(tess, id, "../Снимок\u0000.exe")).status).toBe(201);
    const [file] = (await threadOf(id)).files;
    expect(file).toMatchObject({ name: "..Снимок.exe", mediaType: "image/png", size: PNG.length, author: "Tess Trader" });
    const path = `/api/support/tickets/${id}/files/${file?.id}`;
    for (const reader of [tess, admin]) {
      const answer = await reader.fetch("GET", path);
      expect([answer.status, answer.headers.get("x-content-type-options"), answer.headers.get("content-type")]).toEqual([200, "nosniff", "image/png"]);
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="\.\.______\.png"; filename\*=UTF-8''\.\.%D0%A1/);
      expect(answer.headers.get("content-security-policy")).toContain("sandbox");
      expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true);
    }
    expect((await other.get(path)).status).toBe(404);
    expect((await app.stranger().get(path)).status).toBe(401);
    const { id: another } = await ask();
    expect((await tess.get(`/api/support/tickets/${another}/files/${file?.id}`)).status).toBe(404);
  });

  test("of another kind, for another's ticket or for a closed one is refused", async () => {
    const { id } = await ask();
    expect((await send(tess, id, "a.html", Buffer.from("<script>alert(1)</script>"))).status).toBe(400);
    expect((await send(other, id, "a.png")).status).toBe(404);
    await tess.post(`/api/support/tickets/${id}/close`);
    expect((await send(tess, id, "a.png")).status).toBe(409);
    expect((await threadOf(id)).files).toEqual([]);
  });
});
