import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { counted, times } from "../testing/money";
import type { Ticket, TicketReply, TicketThread } from "./schema";
import type { StaffThread, StaffTicket } from "./schema_inbox";

/** Tickets of one person that become one. */

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

const ask = async (who: Trader, subject: string, priority = "medium") =>
  (await who.post<Ticket>("/api/support/tickets", { subject, message: `Words of ${subject}`, category: "general", priority })).body;
const decide = (id: string, body: Record<string, unknown>, who = ann) => who.post<StaffTicket & { message: string }>(`/api/admin/support-tickets/${id}`, body);
const merge = (id: string, tickets: string[], who = ann, key?: string) =>
  who.post<StaffTicket & { message: string; code: string }>(
    `/api/admin/support-tickets/${id}/merge`,
    { tickets },
    key ? { "idempotency-key": key } : undefined,
  );
const threadOf = async (who: Trader, id: string) => (await who.get<TicketThread>(`/api/support/tickets/${id}`)).body;
const reply = (who: Trader, id: string, message: string) => who.post<TicketReply & { message: string }>(`/api/support/tickets/${id}/replies`, { message });
const said = ({ message, replies }: TicketThread) => [message, ...replies.map((each) => `${each.message}${each.mergedFrom ? ` (${each.mergedFrom})` : ""}`)];

test("what was said in both is read in one, in its order and with where it was said; nothing said before has changed", async () => {
  const tess = await app.trader();
  const first = await ask(tess, "Deposit", "low");
  const second = await ask(tess, "Deposit again", "high");
  await decide(first.id, { adminResponse: "We look into it." });
  await reply(tess, second.id, "Hello?");
  const before = await app.sql`select id, ticket_id, message from ticket_messages order by id`;
  const { status, body } = await merge(first.id, [second.id]);
  expect([status, body.messages, body.waitingSince, body.priority, body.version]).toEqual([200, 4, expect.any(String), "high", 3] as never);
  expect(await app.sql`select id, ticket_id, message from ticket_messages order by id`).toEqual(before);

  const thread = await threadOf(tess, first.id);
  expect(said(thread)).toEqual(["Words of Deposit", "Words of Deposit again (Deposit again)", "We look into it.", "Hello? (Deposit again)"]);
  expect([thread.merged.map(({ subject }) => subject), thread.isUnread, thread.mergedInto]).toEqual([["Deposit again"], true, null] as never);
  const gone = await threadOf(tess, second.id);
  expect([gone.status, gone.mergedInto, said(gone)]).toEqual(["closed", { id: first.id, subject: "Deposit" }, ["Words of Deposit again", "Hello?"]] as never);
  expect((await ann.get<StaffThread>(`/api/admin/support-tickets/${second.id}`)).body).toMatchObject({
    mergedInto: { id: first.id, subject: "Deposit" },
    waitingSince: null,
  });
  const rows = await app.sql<{ details: unknown }[]>`select details from admin_actions where action = 'ticket.merge' and target_user_id = ${tess.id}`;
  expect(rows.map(({ details }) => details)).toEqual([{ ticketId: first.id, subject: "Deposit", merged: "Deposit again", mergedIds: second.id }]);
});

test("what its owner writes to the merged one goes to where it goes on; it can't be closed, answered or given away by itself", async () => {
  const tess = await app.trader();
  const [one, two] = [await ask(tess, "One"), await ask(tess, "Two")];
  await decide(one.id, { adminResponse: "Yes.", status: "resolved" });
  await decide(two.id, { status: "resolved" });
  await merge(one.id, [two.id]);
  expect((await threadOf(tess, one.id)).status).toBe("resolved");
  const { status, body } = await reply(tess, two.id, "From an old page");
  expect([status, body.ticketId]).toEqual([201, one.id]);
  expect(await threadOf(tess, one.id)).toMatchObject({ status: "open", replies: [{}, {}, { message: "From an old page", mergedFrom: null }] });
  const close = await tess.post(`/api/support/tickets/${two.id}/close`);
  expect([close.status, close.body.message]).toEqual([409, "This ticket was merged into “One”. Close that one."]);
  for (const change of [{ adminResponse: "Here" }, { status: "open" }, { assignedTo: bob.id }])
    expect((await decide(two.id, change)).body.message).toBe("This ticket was merged into “One”. It goes on there.");
  expect((await threadOf(tess, one.id)).status).toBe("open");
});

test("a ticket that others were merged into leads on, when it is merged itself", async () => {
  const tess = await app.trader();
  const [one, two, three] = [await ask(tess, "One"), await ask(tess, "Two"), await ask(tess, "Three")];
  await merge(two.id, [three.id]);
  await merge(one.id, [two.id]);
  expect((await threadOf(tess, three.id)).mergedInto).toEqual({ id: one.id, subject: "One" });
  expect(said(await threadOf(tess, one.id))).toEqual(["Words of One", "Words of Two (Two)", "Words of Three (Three)"]);
});

test("is refused across people, into itself, twice, without a right, for one's own, and of what is not there", async () => {
  const [tess, otto] = [await app.trader(), await app.trader()];
  const [one, two, his] = [await ask(tess, "One"), await ask(tess, "Two"), await ask(otto, "His")];
  const across = await merge(one.id, [two.id, his.id]);
  expect([across.status, across.body.code, across.body.message]).toEqual([
    422,
    "other_person",
    "“His” is another person's. Only tickets of one person can be merged.",
  ]);
  expect((await threadOf(tess, two.id)).mergedInto).toBeNull();
  expect((await merge(one.id, [one.id])).status).toBe(400);
  expect((await merge(one.id, [])).status).toBe(400);
  expect((await merge(one.id, [crypto.randomUUID()])).status).toBe(404);
  expect((await merge(crypto.randomUUID(), [one.id])).status).toBe(404);
  expect((await merge(one.id, [two.id], tess)).status).toBe(403);
  expect((await merge(one.id, [two.id])).status).toBe(200);
  expect((await merge(one.id, [two.id])).body.message).toBe("“Two” was merged already.");
  expect((await merge(two.id, [one.id])).body.message).toBe("This ticket was merged into “One”. It goes on there.");
  const [mine, also] = [await ask(ann, "Mine"), await ask(ann, "Also mine")];
  expect([(await merge(mine.id, [also.id])).status, (await merge(mine.id, [also.id], bob)).status]).toEqual([403, 200]);
});

test("its files are read from both, by their owner alone", async () => {
  const [tess, otto] = [await app.trader(), await app.trader()];
  const [one, two] = [await ask(tess, "One"), await ask(tess, "Two")];
  const PNG = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const attach = (id: string) =>
    tess.fetch("POST", `/api/support/tickets/${id}/files?name=a.png`, { headers: { "content-type": "image/png" }, raw: PNG as unknown as string });
  expect((await attach(two.id)).status).toBe(201);
  await merge(one.id, [two.id]);
  expect((await attach(two.id)).status).toBe(201);
  const { files } = await threadOf(tess, one.id);
  expect(files.map(({ ticketId, mergedFrom }) => [ticketId, mergedFrom])).toEqual([
    [two.id, "Two"],
    [one.id, null],
  ]);
  for (const { id, ticketId } of files) {
    expect((await tess.fetch("GET", `/api/support/tickets/${ticketId}/files/${id}`)).status).toBe(200);
    expect((await otto.fetch("GET", `/api/support/tickets/${ticketId}/files/${id}`)).status).toBe(404);
  }
});

describe("at once", () => {
  test("two who merge the same: one does, the other hears it; under one key it is one", async () => {
    const tess = await app.trader();
    const [one, two] = [await ask(tess, "One"), await ask(tess, "Two")];
    expect(counted(await times(12, (n) => merge(one.id, [two.id], n % 2 ? ann : bob)))).toEqual({ 200: 1, 409: 11 });
    const three = await ask(tess, "Three");
    const key = crypto.randomUUID();
    expect(counted(await times(12, () => merge(one.id, [three.id], ann, key)))).toEqual({ 200: 12 });
    expect(await app.sql`select from admin_actions where action = 'ticket.merge' and target_user_id = ${tess.id}`).toHaveLength(2);
  });

  test("each into the other: one stands", async () => {
    for (let round = 0; round < 8; round++) {
      const tess = await app.trader();
      const [one, two] = [await ask(tess, "One"), await ask(tess, "Two")];
      expect(counted(await Promise.all([merge(one.id, [two.id], ann), merge(two.id, [one.id], bob)]))).toEqual({ 200: 1, 409: 1 });
      const merged = await Promise.all([one, two].map(async ({ id }) => (await threadOf(tess, id)).mergedInto));
      expect(merged.filter((each) => each === null)).toHaveLength(1);
    }
  });

  test("a reply, an answer and a file that come in the middle of it are lost nowhere", async () => {
    for (let round = 0; round < 8; round++) {
      const tess = await app.trader();
      const [one, two] = [await ask(tess, "One"), await ask(tess, "Two")];
      const doers = [() => merge(one.id, [two.id]), () => reply(tess, two.id, "Still there?"), () => decide(two.id, { adminResponse: "Yes" }, bob)];
      const order = round % 2 ? [0, 1, 2] : [2, 1, 0];
      const started = order.map((n) => doers[n]?.());
      const [merged, replied, answered] = await Promise.all([0, 1, 2].map((n) => started[order.indexOf(n)]));
      expect([merged?.status, replied?.status]).toEqual([200, 201]);
      expect(answered?.status).toBeOneOf([200, 409]);
      const words = said(await threadOf(tess, one.id)).map((each) => each.replace(" (Two)", ""));
      expect(words.slice(0, 2)).toEqual(["Words of One", "Words of Two"]);
      expect(words.includes("Still there?")).toBe(true);
      expect(words.includes("Yes")).toBe(answered?.status === 200);
    }
  });
});
