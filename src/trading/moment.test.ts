import { afterAll, beforeAll, expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import { type Bus, localBus } from "../platform/cluster/bus";
import { leadAlone } from "../platform/cluster/leader";
import { type TestApp, testApp } from "../testing/app";
import { faultOf, handHeld, order, until, waiting, withHastyDeals } from "../testing/scenarios";
import { closeByEngine, closePosition } from "./commands";
import type { Position } from "./schema";

/** What counts is the price at the moment of the deal: nobody is paid for waiting, nor for another program's lag. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const place = (tess: Trader, over: object = {}, headers?: Record<string, string>) =>
  tess.post<Position & { code?: string }>("/api/trading/positions", { ...order, ...over }, headers);
const quoteOf = (symbol: string) => {
  const quote = app.market.board.get(symbol);
  if (!quote) throw new Error(`${symbol} has no quote`);
  return { ...quote, ageMs: 0, chosenAt: Date.now() };
};
/** Longer than a chosen tick may wait. */
const TOO_LONG = 1_100;

/** Does something while a lock is held, which it waits for; lets the lock go when the tick that was chosen is too old for the product's bound. */
async function whileHeld<T>(lock: (tx: TestApp["sql"]) => PromiseLike<unknown>, act: () => Promise<T>, guarded = true): Promise<T> {
  const hand = await handHeld(app.db);
  const back = guarded ? await withHastyDeals(app.sql) : async () => {};
  try {
    await lock(hand.sql);
    const acting = act();
    await until("it waits", async () => (await waiting(app.sql)) > 0);
    await Bun.sleep(TOO_LONG);
    await app.quote("EUR/USD", "1.14000", "1.14002");
    await hand.sql.unsafe("rollback");
    return await acting;
  } finally {
    await hand.end();
    await back();
  }
}

test("an order that waited for its key until the price had moved is refused; the same key then deals at the new price", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const key = { "idempotency-key": "free-option" };
  const held = (tx: TestApp["sql"]) =>
    tx`insert into idempotency (user_id, key, fingerprint, status, answer) values (${tess.id}, 'free-option', 'x', 0, 'null')`;
  const late = await whileHeld(held, () => place(tess, {}, key));
  expect([late.status, late.body.code, late.headers.get("retry-after")]).toEqual([503, "stale_price", "2"]);
  expect(await openOf(tess)).toEqual([]);
  const again = await place(tess, {}, key);
  expect([again.status, Number(again.body.openPrice) > 1.13]).toEqual([201, true]);
});

test("an order and a closing that waited for the account are refused; without the guard they would be dealt at the old price", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: mine } = await place(tess);
  const held = (tx: TestApp["sql"]) => tx`select 1 from trading_accounts where id = ${mine.accountId} for update`;
  const closing = () => tess.post<Position & { code?: string }>(`/api/trading/positions/${mine.id}/close`);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(await whileHeld(held, () => place(tess))).toMatchObject({ status: 503, body: { code: "stale_price" } });
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(await whileHeld(held, closing)).toMatchObject({ status: 503, body: { code: "stale_price" } });
  expect(await openOf(tess)).toMatchObject([{ id: mine.id }]);

  await app.quote("EUR/USD", "1.10000", "1.10002");
  const paid = await whileHeld(held, closing, false);
  expect([paid.status, Number(paid.body.closePrice) < 1.11]).toEqual([200, true]);
  const [fill] = await app.sql<{ age: number }[]>`select quote_age_ms as age from fills where position_id = ${mine.id} and kind = 'close'`;
  expect(fill?.age).toBeGreaterThan(1_000);
});

test("close-all is refused as a whole where it waited too long", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: mine } = await place(tess);
  const held = (tx: TestApp["sql"]) => tx`select 1 from trading_accounts where id = ${mine.accountId} for update`;
  expect(await whileHeld(held, () => tess.post("/api/trading/positions/close-all"))).toMatchObject({ status: 503, body: { code: "stale_price" } });
  expect(await openOf(tess)).toHaveLength(1);
});

test("an edit that waited is refused; without the guard what it says would be dealt at a price that had gone by meanwhile", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: mine } = await place(tess);
  const { body: limit } = await place(tess, { orderType: "limit", triggerPrice: 1.05 });
  const held = (tx: TestApp["sql"]) => tx`select 1 from trading_accounts where id = ${mine.accountId} for update`;
  const edit = ({ id }: Position, changes: object) => tess.patch<Position & { code?: string }>(`/api/trading/positions/${id}`, changes);
  const refused = { status: 503, body: { code: "stale_price" } };
  expect(await whileHeld(held, () => edit(mine, { takeProfit: 1.12 }))).toMatchObject(refused);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(await whileHeld(held, () => edit(limit, { triggerPrice: 1.06 }))).toMatchObject(refused);
  expect((await openOf(tess)).map(({ takeProfit, triggerPrice }) => [takeProfit, triggerPrice])).toEqual([
    [null, "1.05000000"],
    [null, null],
  ]);

  await app.quote("EUR/USD", "1.10000", "1.10002");
  const paid = await whileHeld(held, () => edit(mine, { takeProfit: 1.12 }), false);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(paid.status).toBe(200);
  const closed = async () => (await tess.get<Position[]>("/api/trading/positions/history")).body;
  await until("it is closed", async () => (await closed()).length > 0);
  expect(await closed()).toMatchObject([{ id: mine.id, closeReason: "take_profit", closePrice: expect.stringMatching(/^1\.1[34]/) }]);
});

test("an order that came before the opening and waited past it is refused, whichever it is", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body: mine } = await place(tess);
  const held = (tx: TestApp["sql"]) => tx`select 1 from trading_accounts where id = ${mine.accountId} for update`;
  const { board } = app.market;
  const { isOpen } = board;
  const closed = (act: () => Promise<unknown>) => () => {
    board.isOpen = () => false;
    return act();
  };
  try {
    for (const over of [{}, { orderType: "limit", triggerPrice: 1.05 }]) {
      await app.quote("EUR/USD", "1.10000", "1.10002");
      expect(
        await whileHeld(
          held,
          closed(() => place(tess, over)),
        ),
      ).toMatchObject({ status: 503, body: { code: "stale_price" } });
      board.isOpen = isOpen;
    }
  } finally {
    board.isOpen = isOpen;
  }
  expect(await openOf(tess)).toHaveLength(1);
});

test("nothing closes on a tick older than its opening's, neither by hand nor by the engine", async () => {
  const tess = await app.trader();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const before = quoteOf("EUR/USD");
  await app.quote("EUR/USD", "1.10100", "1.10102");
  const { body } = await place(tess, { stopLoss: 1.1005 });
  const stale = { code: "stale_price" };
  expect(await faultOf(closePosition(app.sql, tess.id, body.id, null, null, before, null, app.trading.epoch))).toMatchObject(stale);
  expect(await faultOf(closePosition(app.sql, tess.id, body.id, "100.00", null, before, null, app.trading.epoch))).toMatchObject(stale);
  expect(await faultOf(closeByEngine(app.sql, { positionId: body.id, reason: "stop_loss", quote: before }, app.trading.epoch))).toMatchObject(stale);
  const together = await app.sql<{ done: Position[] }[]>`
    select trade_exits(${JSON.stringify([{ id: body.id, why: "stop_loss", seq: before.seq, at: new Date(before.at).toISOString(), bid: "1.10000", ask: "1.10002", pip: "0.0001" }])}::text::json) as done`;
  expect(together[0]?.done).toEqual([]);
  expect(await openOf(tess)).toMatchObject([{ id: body.id }]);
});

/** Two programs on one database, of which one leads, on a bus that may lose some messages. */
async function withFollower(work: (leader: TestApp, follower: TestApp) => Promise<void>, isLost = (_topic: string) => false) {
  const whole = localBus((error) => {
    throw error;
  });
  const bus: Bus = { ...whole, publish: (topic, message) => void (isLost(topic) || whole.publish(topic, message)) };
  const cluster = { bus, clock: Date.now, isSure: () => true };
  const leader = await testApp({}, undefined, undefined, cluster);
  const follower = await testApp({}, leader.db, undefined, cluster);
  try {
    await leader.lead(await leadAlone(leader.sql), () => {});
    await leader.quote("EUR/USD", "1.10000", "1.10002");
    await until("the follower is told", () => follower.market.board.get("EUR/USD")?.bid === 110_000_000);
    await work(leader, follower);
  } finally {
    await follower.close();
    await leader.end();
  }
}

test("a program that follows deals at the price that the leading one had when the order came", () =>
  withFollower(async (leader, follower) => {
    const tess = await follower.trader();
    // Whoever watches the leader knows this price before the follower's board does.
    await leader.quote("EUR/USD", "1.15000", "1.15002");
    const { body } = await tess.post<Position>("/api/trading/positions", order);
    expect(Number(body.openPrice)).toBeGreaterThan(1.149);
    await leader.quote("EUR/USD", "1.16000", "1.16002");
    const closed = await tess.post<Position>(`/api/trading/positions/${body.id}/close`);
    expect(Number(closed.body.closePrice)).toBeGreaterThan(1.159);

    await leader.market.pause();
    expect(await tess.post("/api/trading/positions", order)).toMatchObject({ status: 503, body: { code: "stale_price" } });
  }));

test.each(["one by one", "all at once"])(
  "at a program that follows, too, none of the stops that one tick reaches is closed by hand at a later price, %s",
  (way) =>
    withFollower(async (leader, follower) => {
      const tess = await follower.trader();
      const held: Position[] = [];
      for (let n = 0; n < 4; n++) held.push((await place(tess, { stopLoss: 1.099 })).body);
      const { body: limit } = await place(tess, { orderType: "limit", triggerPrice: 1.095 });
      await until("the engine watches them", () => leader.trading.engine.watched === held.length + 1);
      const hand = await handHeld(leader.db);
      try {
        await hand.sql`select from trading_accounts where id = ${limit.accountId} for update`;
        const fall = leader.quote("EUR/USD", "1.09400", "1.09402");
        await until("the first is about to be closed", async () => (await waiting(leader.sql)) === 1);
        const rise = leader.quote("EUR/USD", "1.12000", "1.12002");
        const closing =
          way === "all at once"
            ? tess.post<{ closed: Position[] }>("/api/trading/positions/close-all", {}).then(({ body }) => body.closed.map(({ id }) => id))
            : Promise.all(held.map(({ id }) => tess.post(`/api/trading/positions/${id}/close`, {}).then(({ status }) => status)));
        const cancelling = tess.post(`/api/trading/positions/${limit.id}/cancel`, {});
        // What is asked after them is answered: they have come.
        await tess.get("/api/trading/positions/open");
        await hand.commit();
        const [late, cancelled] = await Promise.all([closing, cancelling, fall, rise]);
        // What the tick opened is all that there is to close.
        expect([late, cancelled.status]).toEqual([way === "all at once" ? [limit.id] : held.map(() => 409), 409]);
      } finally {
        await hand.end();
      }
      const { body: past } = await tess.get<Position[]>("/api/trading/positions/history");
      expect(past.filter(({ id }) => id !== limit.id).map(({ closeReason, closePrice }) => [closeReason, Number(closePrice) < 1.095])).toEqual(
        held.map(() => ["stop_loss", true]),
      );
    }),
);

test("what was opened at a program that follows is watched before it is closed there, though the leader was not told to look", () =>
  withFollower(
    async (leader, follower) => {
      const tess = await follower.trader();
      const { body } = await place(tess, { stopLoss: 1.099 });
      const at = leader.market.clock();
      for (const bid of ["1.09400", "1.12000"]) leader.market.board.accept({ symbol: "EUR/USD", bid: priceUnits(bid), ask: priceUnits(bid) + 2_000, at });
      expect(await tess.post(`/api/trading/positions/${body.id}/close`, {})).toMatchObject({ status: 409 });
      const { body: past } = await tess.get<Position[]>("/api/trading/positions/history");
      expect(past).toMatchObject([{ closeReason: "stop_loss", closePrice: "1.09384500" }]);
    },
    (topic) => topic === "look",
  ));
