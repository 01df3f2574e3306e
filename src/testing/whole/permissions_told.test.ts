import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Found } from "../../admin/schema_search";
import type { Waiting } from "../../admin/schema";
import type { Realtime } from "../../admin/schema_app";
import { allPermissions } from "../../lib/permissions";
import { raise } from "../../notifications/commands";
import { keepDevice } from "../../notifications/commands_push";
import { alertKinds } from "../../notifications/rules";
import { type Notification, notificationTypes, type Unread } from "../../notifications/schema";
import { type TestApp, testApp } from "../app";
import { LiveStream } from "../live_stream";
import { openPushService } from "../push_service";

/** What somebody of the staff is told, finds and is counted follows the role. */

let app: TestApp;
let base: string;
type Admin = Awaited<ReturnType<TestApp["admin"]>>;
let support: Admin, finance: Admin, vera: Awaited<ReturnType<TestApp["trader"]>>;
const service = openPushService();

const inRole = async (role: string): Promise<Admin> => {
  const person = await app.admin();
  await app.sql`update users set staff_role = ${role} where id = ${person.id}`;
  return person;
};
beforeAll(async () => {
  app = await testApp({}, undefined, service.parts);
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false, idleTimeout: 30 });
  base = `http://127.0.0.1:${app.router.server?.port}`;
  [support, finance, vera] = [await inRole("support"), await inRole("finance"), await app.trader({ firstName: "Vera", lastName: "Ventriloquist" })];
});
afterAll(async () => {
  void app.router.server?.stop(true);
  await app.end();
  await service.stop();
});

/** Makes a ticket after a deposit: who hears of the ticket would have heard of the deposit before. */
async function depositThenTicket(amount: number) {
  const deposit = await vera.post("/api/deposits", { amount, currency: "USD", method: "card", notes: "" });
  expect(deposit.status).toBe(201);
  await app.notifications.wake();
  const ticket = await vera.post("/api/support/tickets", { subject: `About ${amount}`, message: "Where is it?", category: "account", priority: "low" });
  expect(ticket.status).toBe(201);
  await app.notifications.wake();
  return { deposit: String(deposit.body.id), ticket: String(ticket.body.id) };
}

describe("notifications", () => {
  test("every kind takes a permission that there is", async () => {
    const metadatas = [{}, { limitOf: "EUR/USD" }, { documentId: "1" }, { clientId: "1" }, { clientId: "1", adminId: "2" }, { permission: "roles.read" }];
    for (const type of notificationTypes)
      for (const metadata of metadatas) {
        const [row] = await app.sql<{ permission: string }[]>`select news_permission(${type}, ${JSON.stringify(metadata)}::text::jsonb) as permission`;
        expect(allPermissions).toContain(row?.permission as never);
      }
  });

  test("of what one may not see come neither on a stream, nor after an absence, nor in the list, nor in the count", async () => {
    const paths = ["/api/admin/notifications/stream", "/api/stream"];
    const open = (who: Admin, headers = {}) => Promise.all(paths.map((path) => LiveStream.open(base + path, { Cookie: who.cookie, ...headers })));
    const [own, others] = [await open(support), await open(finance)];
    await Promise.all([...own, ...others].map((stream) => stream.has("event: unread")));
    await depositThenTicket(71);
    await Promise.all(own.map((stream) => stream.has("About 71")));
    await Promise.all(others.map((stream) => stream.has("wants to deposit $71.00")));
    // The figures come by themselves, by a look at the database.
    await Promise.all([own[1], others[1]].map((stream) => stream?.has('"onlineVisitors"')));
    for (const stream of own) expect(stream.text).not.toContain("wants to deposit");
    expect(own[1]?.text).not.toMatch(/"changed":\[[^\]]*"deposit"/);
    expect(own[1]?.text).toContain('event: realtime\ndata: {"onlineVisitors":0,"pendingDeposits":null}');
    expect(others[1]?.text).toContain('"onlineVisitors":null');
    for (const stream of [...own, ...others]) stream.close();

    const back = await open(support, { "Last-Event-ID": "0" });
    await back[0]?.has("About 71");
    expect(back[0]?.text).not.toContain("wants to deposit");
    for (const stream of back) stream.close();

    const { body: list } = await support.get<Notification[]>("/api/admin/notifications");
    expect(new Set(list.map(({ type }) => type))).toEqual(new Set(["registration", "ticket"]));
    const { body: missed } = await support.get<Notification[]>("/api/admin/notifications?after=0");
    expect(missed.map(({ type }) => type)).not.toContain("deposit");
    expect((await support.get<Unread>("/api/admin/notifications/unread")).body.count).toBe(list.length);
    const [news] = (await finance.get<Notification[]>("/api/admin/notifications?type=deposit")).body;
    expect((await support.post(`/api/admin/notifications/${news?.id}/read`)).status).toBe(404);
    expect((await finance.post(`/api/admin/notifications/${news?.id}/read`)).status).toBe(200);
  });

  test("go to no device of whoever may not see them", async () => {
    const browser = await service.newBrowser();
    const [row] = await app.sql<{ id: string }[]>`select id from sessions where user_id = ${support.id}`;
    await keepDevice(app.sql, { id: support.id, sessionId: row?.id ?? "" } as never, { ...browser, kinds: [...alertKinds] }, "Test browser");
    const news = { title: "News", userId: null, relatedId: null };
    // A registration and a document are of one kind, and not for the same people.
    await raise(app.sql, { ...news, type: "registration", message: "A document.", metadata: { documentId: "1" } });
    await raise(app.sql, { ...news, type: "deposit", message: "A deposit." });
    await raise(app.sql, { ...news, type: "registration", message: "A newcomer." });
    await app.notifications.wake();
    await app.push.idle();
    expect(service.got.map(({ message }) => message.body)).toEqual(["A newcomer."]);
  });
});

test("what is found is what one may see, and commands about people are for whoever may give them", async () => {
  const { deposit, ticket } = await depositThenTicket(72);
  const kinds = async (who: Admin, q: string) => (await who.get<Found[]>(`/api/admin/search?q=${encodeURIComponent(q)}`)).body.map(({ kind }) => kind);
  expect(await kinds(support, deposit)).toEqual([]);
  expect(await kinds(finance, deposit)).toEqual(["deposit"]);
  expect(await kinds(support, ticket)).toEqual(["ticket"]);
  expect(await kinds(finance, ticket)).toEqual([]);
  expect(await kinds(support, "ventriloquist")).toEqual(["person", "account", "registration", "ticket", "ticket"]);
  expect(await kinds(support, "suspend ventriloquist")).toEqual([]);
  expect(await kinds(await inRole("compliance"), "suspend ventriloquist")).toEqual(["person"]);
});

test("what waits is counted for whoever sees it", async () => {
  const [own, others] = await Promise.all([support, finance].map(async (who) => (await who.get<Waiting>("/api/admin/waiting")).body));
  expect(own).toMatchObject({ deposits: 0, registrations: 1, support: 2 });
  expect(others).toMatchObject({ deposits: 2, registrations: 1, support: 0 });
  expect((await support.get<Realtime>("/api/admin/realtime-data")).body).toMatchObject({ pendingDeposits: null, onlineVisitors: 0 });
});

test("files of others open to whoever sees what they belong to", async () => {
  const { deposit, ticket } = await depositThenTicket(73);
  const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
  const send = (path: string) => fetch(base + path, { method: "POST", headers: { Cookie: vera.cookie, "Content-Type": "image/png" }, body: png });
  expect((await send(`/api/deposits/${deposit}/proof`)).ok).toBe(true);
  const sent = (await (await send(`/api/support/tickets/${ticket}/files?name=a.png`)).json()) as { file?: { id: string }; id?: string };
  const [proof, file] = [`/api/deposits/${deposit}/proof`, `/api/support/tickets/${ticket}/files/${sent.file?.id ?? sent.id}`];
  expect([(await support.get(proof)).status, (await finance.get(proof)).status]).toEqual([404, 200]);
  expect([(await support.get(file)).status, (await finance.get(file)).status]).toEqual([200, 404]);
});
