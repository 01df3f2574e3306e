import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { DAY, MINUTE } from "../lib/time";
import { type Answer, type TestApp, testApp } from "../testing/app";
import { LiveStream } from "../testing/live_stream";
import { handHeld, until, waiting, withoutGuard } from "../testing/scenarios";
import { nextNoon } from "../testing/week";
import type { Alert } from "./schema";

/** Alerts as their people know them: set, fired once on the tick that reaches them, run out, deleted. */

let app: TestApp;
let at: string;
beforeAll(async () => {
  app = await testApp();
  app.router.listen({ port: 0, hostname: "127.0.0.1", reusePort: false });
  at = `http://127.0.0.1:${app.router.server?.port}/api/stream`;
});
afterAll(async () => {
  void app.router.server?.stop(true);
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const wish = { symbol: "EUR/USD", side: "bid", condition: "above", price: "1.10100" };
const ask = <T = Alert>(who: Trader, over: object = {}, headers?: Record<string, string>) => who.post<T>("/api/alerts", { ...wish, ...over }, headers);
const set = async (who: Trader, over: object = {}): Promise<Alert> => {
  const { status, body, text } = await ask(who, over);
  if (status !== 201) throw new Error(text);
  return body;
};
const list = async (who: Trader, query = "") => (await who.get<Alert[]>(`/api/alerts${query}`)).body;
const remove = (who: Trader, id: string) => who.call("DELETE", `/api/alerts/${id}`);
/** EUR/USD at this bid, with the ask two points above. */
const bid = (price: number) => app.quote("EUR/USD", price.toFixed(5), (price + 0.00002).toFixed(5));
const notices = (stream: LiveStream) =>
  [...stream.text.matchAll(/^event: notice\ndata: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? "") as { title: string; message: string });

describe("an alert", () => {
  test("is set, listed and deleted by its own person", async () => {
    await bid(1.1);
    const [tess, una] = [await app.trader(), await app.trader()];
    const made = await set(tess, { note: "  Take profit here ", expiresAt: new Date(Date.now() + DAY).toISOString() });
    expect(made).toMatchObject({ ...wish, price: "1.10100000", note: "Take profit here", status: "active", firedAt: null, quoteId: null, firedPrice: null });
    expect(await list(tess)).toEqual([made]);
    expect(await list(una)).toEqual([]);
    expect((await remove(una, made.id)).status).toBe(404);
    expect((await remove(tess, made.id)).status).toBe(204);
    expect((await remove(tess, made.id)).status).toBe(404);
    expect(await list(tess)).toEqual([]);
    await bid(1.102);
    expect(await list(tess)).toEqual([]);
  });

  test("is set once under one key", async () => {
    const tess = await app.trader();
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const [first, second] = [await ask(tess, {}, key), await ask(tess, {}, key)];
    expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
    expect(await list(tess)).toHaveLength(1);
  });

  test.each([
    ["symbol", { symbol: "ABC/DEF" }, "Choose an instrument."],
    ["side", { side: "last" }, "side must be bid, ask or mid."],
    ["condition", { condition: "touches" }, "condition must be above, below or crosses."],
    ["price", { price: "-1" }, "Enter a price, such as 1.08420."],
    ["price", { price: 0 }, "The price must be above zero and realistic."],
    ["note", { note: "x".repeat(201) }, "At most 200 characters."],
    ["expiresAt", { expiresAt: "tomorrow" }, "expiresAt must be a date and time with a zone."],
    ["expiresAt", { expiresAt: new Date(Date.now() - 1).toISOString() }, "expiresAt must be in the future."],
    ["expiresAt", { expiresAt: new Date(Date.now() + 400 * DAY).toISOString() }, "expiresAt must be at most a year away."],
  ])("refuses its %s: %p", async (field, over, message) => {
    const tess = await app.trader();
    expect(await ask(tess, over)).toMatchObject({ status: 400, body: { fields: { [field]: message } } });
  });

  test("waits for an instrument's first price", async () => {
    const tess = await app.trader();
    expect(await ask(tess, { symbol: "VET/USD", price: "0.02" })).toMatchObject({ status: 503, body: { code: "stale_price" } });
  });
});

describe("the tick that reaches it", () => {
  // Condition, side, where the price stands when it is set, the level, the ticks after, and which of them fires it.
  const cases: [string, string, number, string, number[], number | null][] = [
    ["above", "bid", 1.1, "1.10100", [1.1005, 1.10099, 1.101, 1.102], 2],
    ["above", "bid", 1.102, "1.10100", [1.1015, 1.1], 0],
    ["below", "bid", 1.1, "1.09900", [1.1005, 1.0991, 1.098], 2],
    ["below", "bid", 1.098, "1.09900", [1.0985], 0],
    ["crosses", "bid", 1.1, "1.10100", [1.099, 1.1009, 1.1012], 2],
    ["crosses", "bid", 1.102, "1.10100", [1.103, 1.1011, 1.101], 2],
    ["crosses", "bid", 1.101, "1.10100", [1.103], 0],
    ["above", "ask", 1.1, "1.10100", [1.10097, 1.10098], 1],
    ["above", "mid", 1.1, "1.10100", [1.10098, 1.10099], 1],
    ["below", "mid", 1.1, "1.09900", [1.09899], 0],
    ["above", "bid", 1.1, "1.10100", [1.1009], null],
  ];
  test.each(cases)("%s, %s, from %p to %s by %p: fires at %p", async (condition, side, from, price, ticks, fires) => {
    const tess = await app.trader();
    await bid(from);
    const { id } = await set(tess, { condition, side, price });
    for (const [n, tick] of ticks.entries()) {
      await bid(tick);
      const [seen] = await list(tess);
      const over = fires !== null && n >= fires;
      expect([n, seen?.status]).toEqual([n, over ? "fired" : "active"]);
      if (!over) continue;
      const at = ticks[fires] as number;
      const [own, other] = [at, at + 0.00002].map((each) => each.toFixed(8));
      const paid = side === "bid" ? own : side === "ask" ? other : (at + 0.00001).toFixed(8);
      expect(seen).toMatchObject({ id, bid: own as string, ask: other as string, firedPrice: paid as string });
      expect([typeof seen?.quoteId, Number.isNaN(Date.parse(seen?.firedAt ?? ""))]).toEqual(["number", false]);
    }
  });

  test("tells its person once, on every open page, and nobody else", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    await tess.patch("/api/user/notices", { trades: false, margin: false, money: false, support: false });
    const [hers, other] = [await LiveStream.open(at, { cookie: tess.cookie }), await LiveStream.open(at, { cookie: una.cookie })];
    await Promise.all([hers.has("event: snapshot"), other.has("event: snapshot")]);
    await bid(1.1);
    const { id } = await set(tess, { side: "mid", note: "Look at the news" });
    await set(una, { price: "1.20000" });
    await bid(1.1015);
    await bid(1.1025);
    await app.teller.wake();
    await hers.has("event: notice");
    await hers.has('"status":"fired"');
    expect(notices(hers)).toEqual([
      { title: "Price alert", message: "EUR/USD mid is at 1.10151; your alert: above or at 1.10100. Look at the news", kind: "info" },
    ] as never);
    expect(hers.text).toContain(id);
    expect([notices(other), other.text.includes(id)]).toEqual([[], false]);
    await remove(tess, id);
    await hers.has(`{"id":"${id}","status":"deleted"}`);
    hers.close();
    other.close();
  });

  test("comes before it runs out, or it does not fire", async () => {
    const tess = await app.trader();
    await bid(1.1);
    await set(tess, { expiresAt: new Date(Date.now() + 10 * MINUTE).toISOString() });
    app.pass(11 * MINUTE);
    expect(await list(tess)).toMatchObject([{ status: "expired" }]);
    await bid(1.102);
    expect(await list(tess)).toMatchObject([{ status: "expired", firedAt: null }]);
    expect([await list(tess, "?status=active"), (await list(tess, "?status=past")).length]).toEqual([[], 1]);
  });

  test("fires nothing while the market is closed", async () => {
    const closed = await testApp({ MARKET_HOURS: "real" });
    closed.pass(nextNoon(6, closed.market.clock()) - closed.market.clock());
    const tess = await closed.trader();
    await closed.quote("EUR/USD", "1.10000", "1.10002");
    await closed.quote("BTC/USD", "50000", "50001");
    await set(tess);
    await set(tess, { symbol: "BTC/USD", price: "50500" });
    await closed.quote("EUR/USD", "1.10200", "1.10202");
    await closed.quote("BTC/USD", "51000", "51001");
    expect((await list(tess)).map(({ symbol, status }) => `${symbol} ${status}`).sort()).toEqual(["BTC/USD fired", "EUR/USD active"]);
    await closed.end();
  });
});

describe("fifty alerts of one person", () => {
  const GATE = 7215999;
  /** Twenty at once where there is room for one; each stops before it writes, until several wait there or for each other. */
  const race = async (): Promise<Answer<Alert>[]> => {
    const tess = await app.trader();
    await bid(1.1);
    for (let n = 0; n < 49; n++) await set(tess, { price: (1.2 + n / 1_000).toFixed(5) });
    const open = await withoutGuard(
      app.sql,
      "alert_set",
      "insert into price_alerts",
      `perform pg_advisory_xact_lock_shared(${GATE}); insert into price_alerts`,
    );
    const [gate, watcher] = [await handHeld(app.db), await handHeld(app.db)];
    await watcher.commit();
    await gate.sql`select pg_advisory_xact_lock(${GATE})`;
    const answers = Promise.all(Array.from({ length: 20 }, () => ask(tess)));
    await until("several wait", async () => (await waiting(watcher.sql)) > 2);
    await gate.commit();
    const all = await answers;
    await Promise.all([open(), gate.end(), watcher.end()]);
    return all;
  };

  test("are the most, however many are set at once; one that is over makes room", async () => {
    const answers = await race();
    expect([answers.filter(({ status }) => status === 201).length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 19]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: "too_many_alerts",
      message: "You have 50 active alerts, which is the most. Delete one to set another.",
    });
    const tess = await app.trader();
    for (let n = 0; n < 50; n++) await set(tess, { price: (n === 0 ? 1.101 : 1.2 + n / 1_000).toFixed(5) });
    expect((await ask(tess)).status).toBe(409);
    await bid(1.102);
    expect((await ask(tess, { price: "1.30000" })).status).toBe(201);
  });

  test("and without the lock there are more", async () => {
    const back = await withoutGuard(app.sql, "alert_set", "perform from users where id = caller for no key update;");
    try {
      expect((await race()).filter(({ status }) => status === 201).length).toBeGreaterThan(1);
    } finally {
      await back();
    }
  });
});

test("of what is over the newest two hundred are kept", async () => {
  const tess = await app.trader();
  await bid(1.1);
  for (let n = 0; n < 5; n++) {
    for (let m = 0; m < 45; m++) await set(tess);
    await bid(1.102);
    await bid(1.1);
  }
  await set(tess);
  const [row] = await app.sql<{ over: number; active: number }[]>`
    select count(*) filter (where fired_at is not null)::integer as over, count(*) filter (where fired_at is null)::integer as active
    from price_alerts where user_id = ${tess.id}
  `;
  expect(row).toEqual({ over: 200, active: 1 });
});

test("a person who is suspended hears of it when back: it fires all the same", async () => {
  const [tess, admin] = [await app.trader(), await app.admin()];
  await bid(1.1);
  await set(tess);
  await admin.post(`/api/admin/users/${tess.id}/suspend`, { reason: "Check", suspendUntil: null });
  await bid(1.102);
  await until("it fired", async () => (await app.sql`select from price_alerts where user_id = ${tess.id} and fired_at is not null`).length === 1);
});
