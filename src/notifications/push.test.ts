import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestHouse, testHouse } from "../testing/house";
import { raise } from "./commands";
import { keepDevice } from "./commands_push";
import { decoded, encoded, stretched } from "./envelope";
import { isPublic } from "./push";
import { reaches } from "./rules";
import type { NotificationType } from "./schema";
import type { PushState } from "./schema_push";

let house: TestHouse;
let admin: Awaited<ReturnType<TestHouse["admin"]>>;

/** A push service that reads what it gets, as the browser behind it would. */
type Got = { device: string; message: Record<string, string>; headers: Headers };
const got: Got[] = [];
let answerWith = 201;
const browsers = new Map<string, Browser>();
const service = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const device = new URL(request.url).pathname.slice(1);
    const browser = browsers.get(device);
    if (!browser) return new Response("gone", { status: 410 });
    const body = new Uint8Array(await request.arrayBuffer());
    got.push({ device, headers: request.headers, message: JSON.parse(await opened(body, browser)) as Record<string, string> });
    return new Response(null, { status: answerWith });
  },
});

type Browser = { endpoint: string; keys: { p256dh: string; auth: string }; privateKey: CryptoKey };
async function newBrowser(): Promise<Browser> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"])) as CryptoKeyPair;
  const device = crypto.randomUUID();
  const p256dh = encoded(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const browser = {
    endpoint: `https://push.test/${device}`,
    keys: { p256dh, auth: encoded(crypto.getRandomValues(new Uint8Array(16))) },
    privateKey: pair.privateKey,
  };
  browsers.set(device, browser);
  return browser;
}

/** RFC 8291 from the browser's side. */
async function opened(body: Uint8Array, { keys, privateKey }: Browser): Promise<string> {
  const [salt, theirs, record] = [body.slice(0, 16), body.slice(21, 86), body.slice(86)];
  expect([new DataView(body.buffer).getUint32(16), body[20]]).toEqual([4096, 65]);
  const theirKey = await crypto.subtle.importKey("raw", theirs, { name: "ECDH", namedCurve: "P-256" }, false, []);
  const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirKey }, privateKey, 256));
  const text = (words: string) => new TextEncoder().encode(words);
  const secret = await stretched(shared, decoded(keys.auth), Buffer.concat([text("WebPush: info\0"), decoded(keys.p256dh), theirs]), 32);
  const key = await stretched(secret, salt, text("Content-Encoding: aes128gcm\0"), 16);
  const iv = await stretched(secret, salt, text("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["decrypt"]);
  const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: iv as Uint8Array<ArrayBuffer> }, aes, record));
  expect(plain.at(-1)).toBe(2);
  return new TextDecoder().decode(plain.slice(0, -1));
}

beforeAll(async () => {
  house = await testHouse({}, undefined, {
    allowed: async (url) => url.hostname === "push.test" || (await isPublic(url)),
    fetch: (url, init) => fetch(url.replace("https://push.test", `http://127.0.0.1:${service.port}`), init),
    restMs: 150,
  });
  admin = await house.admin();
});
beforeEach(() => {
  got.length = 0;
  answerWith = 201;
});
afterAll(async () => {
  await house.end();
  await service.stop(true);
});

const me = async (who = admin) => {
  const [row] = await house.sql<{ id: string }[]>`select id from sessions where user_id = ${who.id}`;
  return { id: who.id, sessionId: row?.id ?? "" } as Parameters<typeof keepDevice>[1];
};
const keep = async (browser: Browser, kinds: NotificationType[], who = admin) => keepDevice(house.sql, await me(who), { ...browser, kinds }, "Test browser");
const devices = async () => (await house.sql<{ endpoint: string }[]>`select endpoint from push_devices`).map(({ endpoint }) => endpoint);
const news = (type: NotificationType, message = "It happened.", metadata = {}) =>
  raise(house.sql, { type, title: "News", message, userId: null, relatedId: crypto.randomUUID(), metadata });
/** Tells what was raised. */
const told = async () => {
  await house.notifications.wake();
  await house.push.idle();
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
    await house.push.idle();
    expect(got).toHaveLength(1);
    expect(got[0]?.message).toEqual({
      title: "News",
      body: "Vera Ventriloquist wants to deposit $100.00 by card.",
      tag: "deposit",
      url: "/admin-app?tab=deposits",
    });
    const { headers } = got[0] as Got;
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
    browsers.delete(gone.endpoint.slice(-36));
    answerWith = 503;
    await news("ticket");
    await told();
    await until(1);
    await house.push.idle();
    expect(await devices()).not.toContain(gone.endpoint);
    expect(await devices()).toContain(failing.endpoint);
    expect(await house.sql`select failures from push_devices where endpoint = ${failing.endpoint}`).toMatchObject([{ failures: 1 }]);
    answerWith = 201;
    await news("ticket");
    await told();
    await until(2);
    await house.push.idle();
    expect(await house.sql`select failures from push_devices where endpoint = ${failing.endpoint}`).toMatchObject([{ failures: 0 }]);
  });

  test("hears of many at once in few words", async () => {
    const browser = await newBrowser();
    await keep(browser, ["chat"]);
    await house.sql.begin(async (tx) => {
      for (let n = 0; n < 30; n++) await raise(tx, { type: "chat", title: "News", message: `Line ${n}`, userId: null, relatedId: null });
    });
    await told();
    await until(1);
    expect(got.map(({ message }) => message.body)).toEqual(["Line 29 And 29 more."]);
  });

  test("is no longer told after a sign-out there, a ban, or the loss of the role", async () => {
    const [one, two, three] = [await house.admin(), await house.admin(), await house.admin()];
    const [a, b, c] = [await newBrowser(), await newBrowser(), await newBrowser()];
    await keep(a, ["contact"], one);
    await keep(b, ["contact"], two);
    await keep(c, ["contact"], three);
    await one.post("/api/auth/logout");
    await admin.post(`/api/admin/users/${two.id}/ban`, { reason: "Left the firm" });
    await house.sql`update users set role = 'user' where id = ${three.id}`;
    const own = await newBrowser();
    await keep(own, ["contact"]);
    while ((await devices()).includes(a.endpoint) || (await devices()).includes(b.endpoint)) await Bun.sleep(10);
    await news("contact");
    await told();
    await until(1);
    await house.push.idle();
    expect(got.map(({ device }) => device)).toEqual([own.endpoint.slice(-36)]);
  });

  test("that another administrator signs in on is that person's from then on", async () => {
    const browser = await newBrowser();
    const other = await house.admin();
    await keep(browser, ["deposit"]);
    await keep(browser, ["trade"], other);
    expect(await house.sql`select admin_id, kinds from push_devices where endpoint = ${browser.endpoint}`).toMatchObject([
      { admin_id: other.id, kinds: ["trade"] },
    ]);
  });

  test("of an administrator are at most twenty", async () => {
    const many = await house.admin();
    for (let n = 0; n < 23; n++) await keep(await newBrowser(), ["deposit"], many);
    expect(await house.sql`select from push_devices where admin_id = ${many.id}`).toHaveLength(20);
  });
});

describe("the doors", () => {
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
    const other = await house.admin();
    await keep(browser, ["deposit"], other);
    expect((await admin.post("/api/admin/push/test", { endpoint: browser.endpoint })).status).toBe(404);
    expect((await other.post("/api/admin/push/test", { endpoint: browser.endpoint })).body).toEqual({ delivered: true });
    expect(got.map(({ message }) => message.title)).toEqual(["Test notification"]);
    answerWith = 500;
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
