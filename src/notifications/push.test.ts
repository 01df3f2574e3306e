import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { deviceOf, openPushService, type PushBrowser } from "../testing/push_service";
import { raise } from "./commands";
import { keepDevice } from "./commands_push";
import { isPublic } from "./push";
import { reaches } from "./rules";
import type { NotificationType } from "./schema";
import type { PushState } from "./schema_push";

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;

const service = openPushService();
const { got, newBrowser } = service;

beforeAll(async () => {
  app = await testApp({}, undefined, service.parts);
  admin = await app.admin();
});
beforeEach(() => {
  got.length = 0;
  service.answerWith = 201;
});
afterAll(async () => {
  await app.end();
  await service.stop();
});

const me = async (who = admin) => {
  const [row] = await app.sql<{ id: string }[]>`select id from sessions where user_id = ${who.id}`;
  return { id: who.id, sessionId: row?.id ?? "" } as Parameters<typeof keepDevice>[1];
};
const keep = async (browser: PushBrowser, kinds: NotificationType[], who = admin) => keepDevice(app.sql, await me(who), { ...browser, kinds }, "Test browser");
const devices = async () => (await app.sql<{ endpoint: string }[]>`select endpoint from push_devices`).map(({ endpoint }) => endpoint);
const news = (type: NotificationType, message = "It happened.", metadata = {}) =>
  raise(app.sql, { type, title: "News", message, userId: null, relatedId: crypto.randomUUID(), metadata });
/** Tells what was raised. */
const told = async () => {
  await app.notifications.wake();
  await app.push.idle();
};
async function until(count: number) {
  while (got.length < count) await Bun.sleep(10);
}

describe("a device", () => {
  test("is told what it asked for, and nothing else, so that only its browser can read it", async () => {
    const browser = await newBrowser();
    await keep(browser, ["deposit"]);
    await news("withdrawal");
    await news("deposit", "Vera Ventriloquist wants to deposit $100.00 by card.");
    await told();
    await until(1);
    await app.push.idle();
    expect(got).toHaveLength(1);
    expect(got[0]?.message).toEqual({
      title: "News",
      body: "Vera Ventriloquist wants to deposit $100.00 by card.",
      tag: "deposit",
      url: "/admin-app?tab=deposits",
    });
    const { headers } = got[0] as (typeof got)[number];
    expect(headers.get("content-encoding")).toBe("aes128gcm");
    expect(headers.get("authorization")).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=[\w-]{87}$/);
    expect(Number(headers.get("ttl"))).toBeGreaterThan(0);
    const key = /k=(.+)$/.exec(headers.get("authorization") ?? "")?.[1];
    expect((await admin.get<PushState>("/api/admin/push")).body).toEqual({ publicKey: key as string, devices: 1 });
  });

  test("that is gone is forgotten; one whose service fails is kept and asked again", async () => {
    const [gone, failing] = [await newBrowser(), await newBrowser()];
    await keep(gone, ["ticket"]);
    await keep(failing, ["ticket"]);
    service.lose(gone);
    service.answerWith = 503;
    await news("ticket");
    await told();
    await until(1);
    await app.push.idle();
    expect(await devices()).not.toContain(gone.endpoint);
    expect(await devices()).toContain(failing.endpoint);
    expect(await app.sql`select failures from push_devices where endpoint = ${failing.endpoint}`).toMatchObject([{ failures: 1 }]);
    service.answerWith = 201;
    await news("ticket");
    await told();
    await until(2);
    await app.push.idle();
    expect(await app.sql`select failures from push_devices where endpoint = ${failing.endpoint}`).toMatchObject([{ failures: 0 }]);
  });

  test("hears of many at once in few words", async () => {
    const browser = await newBrowser();
    await keep(browser, ["chat"]);
    await app.sql.begin(async (tx) => {
      for (let n = 0; n < 30; n++) await raise(tx, { type: "chat", title: "News", message: `Line ${n}`, userId: null, relatedId: null });
    });
    await told();
    await until(1);
    expect(got.map(({ message }) => message.body)).toEqual(["Line 29 And 29 more."]);
  });

  test("is no longer told after a sign-out there, a ban, or the loss of the role", async () => {
    const [one, two, three] = [await app.admin(), await app.admin(), await app.admin()];
    const [a, b, c] = [await newBrowser(), await newBrowser(), await newBrowser()];
    await keep(a, ["contact"], one);
    await keep(b, ["contact"], two);
    await keep(c, ["contact"], three);
    await one.post("/api/auth/logout");
    await admin.post(`/api/admin/users/${two.id}/ban`, { reason: "Left the firm" });
    await app.sql`update users set role = 'user' where id = ${three.id}`;
    const own = await newBrowser();
    await keep(own, ["contact"]);
    while ((await devices()).includes(a.endpoint) || (await devices()).includes(b.endpoint)) await Bun.sleep(10);
    await news("contact");
    await told();
    await until(1);
    await app.push.idle();
    expect(got.map(({ device }) => device)).toEqual([deviceOf(own)]);
  });

  test("that another administrator signs in on is that person's from then on", async () => {
    const browser = await newBrowser();
    const other = await app.admin();
    await keep(browser, ["deposit"]);
    await keep(browser, ["trade"], other);
    expect(await app.sql`select admin_id, kinds from push_devices where endpoint = ${browser.endpoint}`).toMatchObject([
      { admin_id: other.id, kinds: ["trade"] },
    ]);
  });

  test("of an administrator are at most twenty", async () => {
    const many = await app.admin();
    for (let n = 0; n < 23; n++) await keep(await newBrowser(), ["deposit"], many);
    expect(await app.sql`select from push_devices where admin_id = ${many.id}`).toHaveLength(20);
  });
});

describe("the routes", () => {
  const keys = { p256dh: "B".repeat(87), auth: "A".repeat(22) };
  for (const endpoint of [
    "http://push.example.com/x",
    "https://127.0.0.1/x",
    "https://localhost/x",
    "https://[::1]/x",
    "https://10.0.0.8/x",
    "https://169.254.169.254/latest",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://push.example.com:8443/x",
    "https://user@push.example.com/x",
    "https://no-such-name.invalid/x",
    "javascript:alert(1)",
    5,
  ])
    test(`refuse to send to ${endpoint}`, async () => {
      const { status } = await admin.post("/api/admin/push/subscribe", { endpoint, keys, kinds: [] });
      expect(status).toBe(400);
    });

  test("refuse keys that are none, and kinds that are not known", async () => {
    const good = { endpoint: "https://push.example.com/x", keys, kinds: [] };
    for (const bad of [{ keys: {} }, { keys: { ...keys, auth: "x" } }, { keys: null }, { kinds: ["everything"] }, { kinds: "deposit" }])
      expect((await admin.post("/api/admin/push/subscribe", { ...good, ...bad })).status).toBe(400);
  });

  test("send a test to one's own device only, and forget it when asked", async () => {
    const browser = await newBrowser();
    const other = await app.admin();
    await keep(browser, ["deposit"], other);
    expect((await admin.post("/api/admin/push/test", { endpoint: browser.endpoint })).status).toBe(404);
    expect((await other.post("/api/admin/push/test", { endpoint: browser.endpoint })).body).toEqual({ delivered: true });
    expect(got.map(({ message }) => message.title)).toEqual(["Test notification"]);
    service.answerWith = 500;
    expect((await other.post("/api/admin/push/test", { endpoint: browser.endpoint })).body).toEqual({ delivered: false });
    await admin.post("/api/admin/push/unsubscribe", { endpoint: browser.endpoint });
    expect(await devices()).toContain(browser.endpoint);
    expect((await other.post<PushState>("/api/admin/push/unsubscribe", { endpoint: browser.endpoint })).body.devices).toBe(0);
  });
});

test("names on the internet are reached, those of inner networks are not", async () => {
  expect(await isPublic(new URL("https://localhost.localdomain/x"))).toBe(false);
  expect(await isPublic(new URL("https://8.8.8.8/x"))).toBe(false);
});

test("a demo trade and what was not asked for reach nobody", () => {
  const deal = { type: "trade" as const, metadata: { demo: true } };
  expect([reaches(deal, ["trade"]), reaches({ ...deal, metadata: {} }, ["trade"]), reaches({ type: "visitor", metadata: {} }, ["trade"])]).toEqual([
    false,
    true,
    false,
  ]);
});
