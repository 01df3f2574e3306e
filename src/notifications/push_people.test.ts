import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { deviceOf, openPushService } from "../testing/push_service";
import { order, until } from "../testing/scenarios";
import { keepDevice, keepOwnDevice } from "./commands_push";
import type { PushState } from "./schema_push";

/** What concerns a person comes to the devices that the person wants it on, whether a page is open or not. */

const service = openPushService();
const { got, newBrowser } = service;
let app: TestApp;
beforeAll(async () => {
  app = await testApp({}, undefined, service.parts);
});
beforeEach(() => void (got.length = 0));
afterAll(async () => {
  await app.end();
  await service.stop();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const me = async ({ id }: { id: string }) => {
  const [row] = await app.sql<{ id: string }[]>`select id from sessions where user_id = ${id}`;
  return { id, sessionId: row?.id ?? "" } as Parameters<typeof keepOwnDevice>[1];
};
/** A device of this person, told of what concerns the person. */
async function device(who: { id: string }) {
  const browser = await newBrowser();
  await keepOwnDevice(app.sql, await me(who), browser, "Test browser");
  return browser;
}
const tell = (who: { id: string }, message: string, topic: string | null = null) =>
  app.sql`select tell_person(${who.id}, 'News', ${message}, 'info', ${topic}, '/alerts', ${`tag ${message}`})`;
const told = async () => {
  await app.teller.wake();
  await app.push.idle();
};
const bodies = () => got.map(({ message }) => message.body);

describe("a trader's device", () => {
  test("is told of an alert that fires while no page is open, once", async () => {
    const tess = await app.trader();
    const [phone, desk] = [await device(tess), await device(tess)];
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const { body } = await tess.post<{ id: string }>("/api/alerts", { symbol: "EUR/USD", side: "ask", condition: "above", price: 1.101, note: "Sell" });
    await app.quote("EUR/USD", "1.10200", "1.10202");
    await app.quote("EUR/USD", "1.10300", "1.10302");
    await told();
    await until("both have it", () => got.length === 2);
    await told();
    expect(got.map(({ device: at }) => at).sort()).toEqual([deviceOf(phone), deviceOf(desk)].sort());
    expect(got[0]?.message).toEqual({
      title: "Price alert",
      body: "EUR/USD ask is at 1.10202; your alert: above or at 1.10100. Sell",
      tag: `alert-${body.id}`,
      url: "/alerts",
    });
  });

  test("is told of a waiting order that another of its group ended", async () => {
    const tess = await app.trader();
    const phone = await device(tess);
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const wait = (orderType: string, triggerPrice: number) =>
      tess.post<{ id: string }>("/api/trading/positions", {
        ...order,
        ...{ symbol: "BTC/USD", orderType, triggerPrice, ocoGroup: "11111111-2222-4333-8444-555555555555" },
      });
    await wait("limit", 99_000);
    const { body } = await wait("stop", 101_000);
    await app.quote("BTC/USD", "98900.00", "98910.00");
    await told();
    await until("it has it", () => got.length === 1);
    expect(got[0]).toMatchObject({
      device: deviceOf(phone),
      message: {
        title: "Order cancelled",
        body: "Your waiting BUY BTC/USD order was cancelled. Another order of its group was filled.",
        tag: `order-${body.id}`,
        url: `/positions/${body.id}/receipt`,
      },
    });
  });

  test("is told nothing of somebody else's, nor what its person does without", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    await device(tess);
    await device(una);
    await tess.patch("/api/user/notices", { trades: false });
    await tell(tess, "A trade", "trades");
    await tell(tess, "A margin call", "margin");
    await told();
    expect(bodies()).toEqual(["A margin call"]);
  });

  test("of a person who is suspended, banned or signed out there is told nothing", async () => {
    const [tess, una, vera, admin] = [await app.trader(), await app.trader(), await app.trader(), await app.admin()];
    const devices = [await device(tess), await device(una), await device(vera)];
    // A device that is still known, as where the program was killed before it dropped it.
    await app.sql`update users set account_status = 'suspended', suspended_until = now() + interval '1 day' where id = ${tess.id}`;
    await admin.post(`/api/admin/users/${una.id}/ban`, { reason: "Rules" });
    await vera.post("/api/auth/logout");
    const endpoint = devices[2]?.endpoint ?? "";
    await until("the signed-out device is dropped", async () => (await app.sql`select from push_devices where endpoint = ${endpoint}`).length === 0);
    for (const who of [tess, una, vera]) await tell(who, "Nothing for you");
    await told();
    expect(bodies()).toEqual([]);
    await app.sql`update users set account_status = 'active', suspended_until = null where id = ${tess.id}`;
    await tell(tess, "Welcome back");
    await told();
    expect(bodies()).toEqual(["Welcome back"]);
  });

  test("of a person with much news at once gets few messages", async () => {
    const tess = await app.trader();
    await device(tess);
    await app.sql.begin(async (tx) => {
      for (let n = 0; n < 30; n++) await tx`select tell_person(${tess.id}, 'News', ${`Number ${n}`}, 'info', null, '/alerts', ${`n${n}`})`;
    });
    await told();
    expect(bodies().sort()).toEqual(["And 27 more.", "Number 0", "Number 1", "Number 2"]);
  });

  test("is not told of what a transaction took back", async () => {
    const tess = await app.trader();
    await device(tess);
    const undone = app.sql.begin(async (tx) => {
      await tx`select tell_person(${tess.id}, 'News', 'Never', 'info', null, '/alerts', 'x')`;
      throw new Error("taken back");
    });
    await expect(undone).rejects.toThrow("taken back");
    await told();
    expect(bodies()).toEqual([]);
  });
});

describe("the routes", () => {
  const put = async (who: Trader, path: string, body: object) => who.post<PushState & { delivered: boolean }>(`/api/push${path}`, body);

  test("subscribe the caller's own device, send it a test, and forget it", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const { endpoint, keys } = await newBrowser();
    expect((await tess.get<PushState>("/api/push")).body).toEqual({ publicKey: expect.stringMatching(/^[\w-]{87}$/) as string, devices: 0 });
    expect((await put(tess, "/subscribe", { endpoint, keys })).body.devices).toBe(1);
    expect((await put(una, "/test", { endpoint })).status).toBe(404);
    expect((await put(tess, "/test", { endpoint })).body).toEqual({ delivered: true } as never);
    expect(got.map(({ message }) => message.title)).toEqual(["Test notification"]);
    await put(una, "/unsubscribe", { endpoint });
    expect((await tess.get<PushState>("/api/push")).body.devices).toBe(1);
    expect((await put(tess, "/unsubscribe", { endpoint })).body.devices).toBe(0);
  });

  test("take no address that is none of a push service, and no keys that are none", async () => {
    const tess = await app.trader();
    const { endpoint, keys } = await newBrowser();
    for (const bad of [{ endpoint: "https://127.0.0.1/x", keys }, { endpoint: "http://push.example.com/x", keys }, { endpoint, keys: {} }, {}])
      expect((await put(tess, "/subscribe", bad)).status).toBe(400);
  });
});

test("an administrator who trades has both on one device; who signs in there next has neither", async () => {
  const [admin, tess] = [await app.admin(), await app.trader()];
  const browser = await newBrowser();
  const row = async () => (await app.sql`select admin_id as who, kinds, own from push_devices where endpoint = ${browser.endpoint}`)[0];
  await keepOwnDevice(app.sql, await me(admin), browser, "Test browser");
  await keepDevice(app.sql, await me(admin), { ...browser, kinds: ["deposit"] }, "Test browser");
  expect(await row()).toEqual({ who: admin.id, kinds: ["deposit"], own: true });
  await keepOwnDevice(app.sql, await me(admin), browser, "Test browser");
  expect(await row()).toEqual({ who: admin.id, kinds: ["deposit"], own: true });
  await keepOwnDevice(app.sql, await me(tess), browser, "Test browser");
  expect(await row()).toEqual({ who: tess.id, kinds: [], own: true });
});

test("programs that take news at the same moment: each is taken once", async () => {
  const tess = await app.trader();
  await app.teller.wake();
  await app.teller.stop();
  for (let n = 0; n < 40; n++) await tell(tess, `Race ${n}`);
  const taken = await Promise.all(Array.from({ length: 8 }, () => app.sql<{ item: { tag: string } }[]>`select item from person_news_take() as item`));
  expect([taken.flat().length, new Set(taken.flat().map(({ item }) => item.tag)).size]).toEqual([40, 40]);
});
