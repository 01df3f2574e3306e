import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Notification } from "../notifications/schema";
import { type TestApp, testApp } from "../testing/app";
import { counted, times } from "../testing/money";
import { sentBy } from "../testing/statements";
import type { Ticket, TicketThread } from "./schema";
import type { Agent, CannedAnswer, StaffThread, StaffTicket } from "./schema_inbox";

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
let app: TestApp;
let tess: Trader;
let ann: Trader;
let bob: Trader;
beforeAll(async () => {
  app = await testApp();
  [tess, ann, bob] = await Promise.all([app.trader(), app.admin(), app.admin()]);
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const staff = () => [ann, bob];
const ask = async (over: Record<string, unknown> = {}, who = tess) =>
  (await who.post<Ticket>("/api/support/tickets", { subject: "Help", message: "Please.", category: "general", ...over })).body;
const decide = (who: Trader, id: string, body: Record<string, unknown>, key?: string) =>
  who.post<StaffTicket & { message: string }>(`/api/admin/support-tickets/${id}`, body, key ? { "idempotency-key": key } : undefined);
const inbox = async (query = "") => (await ann.get<StaffTicket[]>(`/api/admin/support-tickets${query}`)).body;
const threadOf = async (id: string) => (await tess.get<TicketThread>(`/api/support/tickets/${id}`)).body;
const audits = (id: string) =>
  app.sql<{ action: string }[]>`select action from admin_actions where details->>'ticketId' = ${id} order by id`.then((rows) =>
    rows.map(({ action }) => action),
  );

describe("the inbox", () => {
  test("shows whose a ticket is and since when it waits, and finds it", async () => {
    const { id } = await ask({ subject: "Needle in a hay%stack", priority: "urgent" });
    const [found, ...more] = await inbox(`?q=${encodeURIComponent("hay%st")}&status=active&priority=urgent&category=general&assignee=none`);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ id, email: tess.email, firstName: "Tess", messages: 1, version: 1, assigneeName: null, waitingSince: expect.any(String) });
    for (const query of ["?q=nothing", "?status=closed&q=needle", "?priority=low&q=needle", "?assignee=me&q=needle"]) expect(await inbox(query)).toEqual([]);
    expect((await inbox(`?q=${id}`)).map((each) => each.id)).toEqual([id]);
    const { text } = await ann.get(`/api/admin/support-tickets?format=csv&q=${id}`);
    expect(text.trim().split("\r\n")).toEqual([expect.stringMatching(/^"ID","Created/), expect.stringContaining(`"${tess.email}","Needle in a hay%stack"`)]);
  });

  test("asks for no list of what a search did not find", async () => {
    await ask({ subject: "Spindle" });
    for (const [q, times] of [
      ["nobody at all", 0],
      ["Spindle", 1],
    ] as const) {
      const sent = await sentBy(app.sql, async () => expect(await inbox(`?q=${encodeURIComponent(q)}`)).toHaveLength(times));
      expect([q, sent.filter(({ text }) => text.includes("ticket_agent_json(t)")).length]).toEqual([q, times]);
    }
  });

  test.each(["-created", "created", "-updated", "waiting", "-waiting", "-priority", "priority"])("pages through every ticket once, by %s", async (sort) => {
    const otto = await app.trader();
    for (let n = 0; n < 3; n++) await ask({ priority: n === 1 ? "high" : "low" }, otto);
    const all = (await inbox(`?sort=${sort}`)).map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const page = await ann.get<StaffTicket[]>(`/api/admin/support-tickets?sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers.get("x-next-cursor") ?? "";
      if (!cursor) break;
    }
    expect(seen).toEqual(all);
  });

  test("answers, which puts it in progress, gives it to who answered, and tells the owner", async () => {
    const { id } = await ask();
    const { status, body } = await decide(ann, id, { adminResponse: "We look into it." });
    expect([status, body.status, body.adminResponse, body.assignedTo, body.waitingSince]).toEqual([
      200,
      "in_progress",
      "We look into it.",
      ann.id,
      null,
    ] as never);
    const thread = await threadOf(id);
    expect(thread).toMatchObject({ isUnread: true, replies: [{ message: "We look into it.", isFromStaff: true, author: "Site Administrator" }] });
    expect((await tess.post<Ticket>(`/api/support/tickets/${id}/read`)).body.isUnread).toBe(false);
    await tess.post(`/api/support/tickets/${id}/replies`, { message: "Thanks, and?" });
    expect((await ann.get<StaffThread>(`/api/admin/support-tickets/${id}`)).body).toMatchObject({ waitingSince: expect.any(String), messages: 3 });
    await decide(bob, id, { adminResponse: "Done.", status: "resolved" });
    expect(await threadOf(id)).toMatchObject({ status: "resolved", resolvedBy: bob.id, resolvedAt: expect.any(String), assignedTo: ann.id });
    expect(await audits(id)).toEqual(["ticket.answer", "ticket.answer"]);
  });

  test("gives tickets to administrators only", async () => {
    const { id } = await ask();
    const agents = (await ann.get<Agent[]>("/api/admin/support-agents")).body.map((agent) => agent.id);
    expect(agents.toSorted()).toEqual(
      staff()
        .map((who) => who.id)
        .toSorted(),
    );
    expect((await decide(ann, id, { assignedTo: bob.id })).body.assigneeName).toBe("Site Administrator");
    expect((await decide(ann, id, { assignedTo: tess.id })).status).toBe(400);
    expect((await decide(ann, id, { assignedTo: bob.id })).status).toBe(409);
    expect((await decide(ann, id, { assignedTo: null })).body.assignedTo).toBeNull();
    expect(await audits(id)).toEqual(["ticket.assign", "ticket.assign"]);
  });

  test.each([
    [["resolved", "closed"], 200],
    [["closed", "resolved"], 409],
    [["closed", "in_progress"], 200],
    [["resolved", "resolved"], 409],
    [["resolved", "open"], 200],
  ] as const)("allows what leads on: %j is %d", async ([first, second], status) => {
    const { id } = await ask();
    expect((await decide(ann, id, { status: first })).status).toBe(200);
    expect((await decide(bob, id, { status: second })).status).toBe(status);
  });

  test("refuses nothing, an answer to a closed ticket, and one's own", async () => {
    const { id } = await ask();
    expect((await decide(ann, id, {})).status).toBe(400);
    await tess.post(`/api/support/tickets/${id}/close`);
    const late = await decide(ann, id, { adminResponse: "Too late" });
    expect([late.status, late.body.message]).toEqual([409, "This ticket is closed. Reopen it to answer."]);
    expect((await threadOf(id)).replies).toEqual([]);
    const own = await ask({}, ann);
    expect((await decide(ann, own.id, { status: "resolved" })).status).toBe(403);
    expect((await decide(bob, own.id, { status: "resolved" })).status).toBe(200);
  });

  test("sends the owner a file, once told, and none about one's own ticket or a closed one", async () => {
    const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    const send = (who: Trader, ticketId: string, body: Uint8Array = PNG) =>
      app.router.handle(
        new Request(`http://halyard.test/api/admin/support-tickets/${ticketId}/files?name=form.png`, {
          method: "POST",
          headers: { cookie: who.cookie, "content-type": "image/png" },
          body: body as Uint8Array<ArrayBuffer>,
        }),
      );
    const { id } = await ask();
    expect((await send(ann, id)).status).toBe(201);
    const { files, isUnread } = await threadOf(id);
    expect([files, isUnread]).toEqual([
      [expect.objectContaining({ name: "form.png", mediaType: "image/png", isFromStaff: true, author: "Site Administrator" })],
      true,
    ] as never);
    expect((await tess.fetch("GET", `/api/support/tickets/${id}/files/${files[0]?.id}`)).status).toBe(200);
    expect(await audits(id)).toEqual(["ticket.file"]);
    expect((await send(tess, id)).status).toBe(403);
    expect((await send(ann, id, Buffer.from("<script>alert(1)</script>"))).status).toBe(400);
    expect((await send(ann, crypto.randomUUID())).status).toBe(404);
    await tess.post(`/api/support/tickets/${id}/close`);
    expect((await send(ann, id)).status).toBe(409);
    const own = await ask({}, ann);
    expect((await send(ann, own.id)).status).toBe(403);
    for (const ticketId of [id, own.id]) expect(await audits(ticketId)).toHaveLength(ticketId === id ? 1 : 0);
    // As many as the ticket can hold, however many at once.
    const statuses = await times(25, async () => (await send(bob, own.id)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
  });

  test("keeps the words of a ticket for ever", async () => {
    const { id } = await ask();
    await decide(ann, id, { adminResponse: "Mine" });
    for (const command of [
      "update support_tickets set message = 'other'",
      "delete from support_tickets",
      "update ticket_messages set message = 'other'",
      "delete from ticket_messages",
      "truncate ticket_files",
    ])
      await expect(app.sql.unsafe(command).then(() => "done")).rejects.toThrow(/append-only/);
  });

  test("tells staff of a new ticket and of the first word after an answer", async () => {
    const { id } = await ask({ subject: "Tell them" });
    await decide(ann, id, { adminResponse: "Yes?" });
    for (const message of ["One", "Two"]) await tess.post(`/api/support/tickets/${id}/replies`, { message });
    const told = async () => (await ann.get<Notification[]>("/api/admin/notifications?type=ticket")).body.filter(({ metadata }) => metadata.ticketId === id);
    while ((await told()).length < 2) await Bun.sleep(20);
    expect((await told()).map(({ title }) => title)).toEqual(["Reply to a support ticket", "New support ticket"]);
  });

  test("rings for a ticket of low priority, too", async () => {
    const { id } = await ask({ subject: "No hurry", priority: "low" });
    const news = async () => (await ann.get<Notification[]>("/api/admin/notifications?type=ticket")).body.find(({ metadata }) => metadata.ticketId === id);
    while (!(await news())) await Bun.sleep(20);
    // What is low counts nowhere.
    expect((await news())?.priority).toBe("medium");
  });
});

describe("two at once", () => {
  const twenty = (command: (who: Trader, n: number) => Promise<{ status: number }>) => times(20, (n) => command(staff()[n % 2] as Trader, n));

  test("who answers what they saw is one", async () => {
    const { id } = await ask();
    const answers = await twenty((who, n) => decide(who, id, { adminResponse: `Answer ${n}`, version: 1 }));
    expect(counted(answers as never)).toEqual({ 200: 1, 409: 19 });
    expect((await threadOf(id)).replies.length).toBe(1);
    const late = await decide(bob, id, { adminResponse: "Again", version: 1 });
    expect(late.body.message).toBe("Somebody changed this ticket a moment ago. Look at what is new, then decide again.");
  });

  test("who takes it is one", async () => {
    const { id } = await ask();
    expect(counted((await twenty((who) => decide(who, id, { assignedTo: who.id, version: 1 }))) as never)).toEqual({ 200: 1, 409: 19 });
    expect(await audits(id)).toEqual(["ticket.assign"]);
  });

  test("who resolves it is one, also without a version", async () => {
    const { id } = await ask();
    expect(counted((await twenty((who) => decide(who, id, { status: "resolved" }))) as never)).toEqual({ 200: 1, 409: 19 });
    expect(await audits(id)).toEqual(["ticket.status"]);
  });

  test("an answer and the owner's closing: whoever is second hears it", async () => {
    for (let round = 0; round < 10; round++) {
      const otto = await app.trader();
      const { id } = await ask({}, otto);
      const answering = () => staff().map((who) => decide(who, id, { adminResponse: "An answer" }));
      const closing = () => otto.post(`/api/support/tickets/${id}/close`);
      const done = await Promise.all(round % 2 ? [closing(), ...answering()] : [...answering(), closing()]);
      const { status, replies } = (await otto.get<TicketThread>(`/api/support/tickets/${id}`)).body;
      expect(status).toBe("closed");
      expect(replies.length).toBe(done.filter((each) => each.status === 200).length - 1);
    }
  });

  test("a reply that comes while staff resolve the ticket opens it again", async () => {
    const { id } = await ask();
    const { sql } = app;
    const waits = async () =>
      (
        await sql`select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database() and a.query like '%ticket_reply%'`
      ).length > 0;
    let replied: Promise<{ status: number }> | undefined;
    await sql.begin(async (tx) => {
      await tx`select ticket_decide(${ann.id}, ${id}, null, 'resolved', null, false, null, '', '', null, null)`;
      replied = tess.post(`/api/support/tickets/${id}/replies`, { message: "Not yet" });
      while (!(await waits())) await Bun.sleep(5);
    });
    expect((await replied)?.status).toBe(201);
    expect(await threadOf(id)).toMatchObject({ status: "open", resolvedAt: null, resolvedBy: null });
  });

  test("the same answer under one key is one", async () => {
    const { id } = await ask();
    const key = crypto.randomUUID();
    expect(counted((await times(20, () => decide(ann, id, { adminResponse: "Once" }, key))) as never)).toEqual({ 200: 20 });
    expect((await threadOf(id)).replies.length).toBe(1);
    expect(await audits(id)).toEqual(["ticket.answer"]);
  });
});

describe("who may not write", () => {
  test("a banned person is refused, also in the middle of it", async () => {
    const otto = await app.trader();
    const { id } = await ask({}, otto);
    const writing = times(10, () => otto.post(`/api/support/tickets/${id}/replies`, { message: "Still here" }));
    const banned = ann.post(`/api/admin/users/${otto.id}/ban`, { reason: "Abuse" });
    const statuses = new Set((await writing).map(({ status }) => status));
    expect((await banned).status).toBe(200);
    for (const status of statuses) expect(status).toBeOneOf([201, 401, 403]);
    for (const path of [`/api/support/tickets/${id}/replies`, "/api/support/tickets", "/api/chat/messages"])
      expect((await otto.post(path, { subject: "S", category: "general", message: "Hello" })).status).toBe(401);
    // Past the route: a request that was let in before the ban.
    await expect(app.sql`select ticket_reply(${otto.id}, ${id}, 'Late', null, null)`.then(() => "done")).rejects.toThrow(/can't be used/);
    await expect(app.sql`select chat_say(${otto.id}, 'Late', ${crypto.randomUUID()})`.then(() => "done")).rejects.toThrow(/can't be used/);
  });

  test("a flood is refused and told when to come back", async () => {
    const otto = await app.trader();
    const { id } = await ask({}, otto);
    const answers = await times(40, () => otto.post(`/api/support/tickets/${id}/replies`, { message: "More" }));
    expect(counted(answers)).toEqual({ 201: 30, 429: 10 });
    expect(Number(answers.find(({ status }) => status === 429)?.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("ready answers", () => {
  const add = (title: string, who = ann) => who.post<CannedAnswer>("/api/admin/canned-answers", { title, body: `Body of ${title}` });

  test("are added, changed and deleted, each in the audit book", async () => {
    const { status, body } = await add("Greeting");
    expect([status, body.version, body.updatedBy]).toEqual([201, 1, "Site Administrator"] as never);
    expect((await add("greeting")).status).toBe(409);
    const changed = await ann.patch<CannedAnswer>(`/api/admin/canned-answers/${body.id}`, { title: "Greeting", body: "Hello", version: 1 });
    expect([changed.status, changed.body.body]).toEqual([200, "Hello"]);
    expect((await bob.patch(`/api/admin/canned-answers/${body.id}`, { title: "Greeting", body: "Mine", version: 1 })).status).toBe(409);
    expect((await bob.call("DELETE", `/api/admin/canned-answers/${body.id}`)).status).toBe(204);
    expect((await bob.call("DELETE", `/api/admin/canned-answers/${body.id}`)).status).toBe(404);
    const rows = await app.sql<{ action: string }[]>`select action from admin_actions where action like 'canned.%' order by id`;
    expect(rows.map(({ action }) => action)).toEqual(["canned.create", "canned.change", "canned.delete"]);
  });

  test("have one of each title, however many add it at once", async () => {
    expect(counted(await times(10, (n) => add("The same", staff()[n % 2])))).toEqual({ 201: 1, 409: 9 });
  });
});
