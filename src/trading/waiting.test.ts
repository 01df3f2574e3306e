import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, order } from "../testing/scenarios";
import { nextNoon } from "../testing/week";
import type { Position } from "./schema";

/** Orders in a closed market: the clock stands on a Saturday, forex opens on Sunday 17:00 in New York. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ MARKET_HOURS: "real" });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** Moves the clock on to the next noon of this weekday, in UTC, as it is in most weeks: no holiday's. */
const goTo = (weekday: number) => app.pass(nextNoon(weekday, app.market.clock()) - app.market.clock());
const SATURDAY = 6;
const MONDAY = 1;

beforeEach(async () => {
  goTo(SATURDAY);
  await app.quote("EUR/USD", "1.10000", "1.10002");
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const place = (tess: Trader, over: object = {}) => tess.post<Position>("/api/trading/positions", { ...order, ...over });
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;

test("waits without a price or a receipt, then fills at the first tick after the opening, and its stop is watched", async () => {
  const tess = await app.trader();
  const { status, body } = await place(tess, { stopLoss: 1.05, openPrice: 9 });
  expect([status, body.status, body.openPrice, body.volume, body.profit]).toEqual([201, "pending", null, null, null]);
  expect((await accountsOf(tess))[0]).toMatchObject({ margin: "0.00", equity: "10000.00" });
  await app.quote("EUR/USD", "1.10100", "1.10102");
  expect(await openOf(tess)).toMatchObject([{ status: "pending" }]);
  goTo(MONDAY);
  await app.quote("EUR/USD", "1.12000", "1.12040");
  await app.trading.engine.idle();
  expect(await openOf(tess)).toMatchObject([{ id: body.id, status: "open", openPrice: "1.12040000", currentPrice: "1.12000000" }]);
  expect((await accountsOf(tess))[0]).toMatchObject({ margin: "10.00" });
  await app.quote("EUR/USD", "1.06500", "1.06540");
  await app.quote("EUR/USD", "1.04900", "1.04940");
  expect((await tess.get<Position[]>("/api/trading/positions/history")).body).toMatchObject([
    { id: body.id, closeReason: "stop_loss", closePrice: "1.04900000" },
  ]);
});

test("crypto trades meanwhile; an open forex position can be neither closed nor hit by its stop", async () => {
  const tess = await app.trader();
  goTo(MONDAY);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await place(tess, { stopLoss: 1.09 });
  expect(body.status).toBe("open");
  goTo(SATURDAY);
  await app.quote("BTC/USD", "100000.00", "100010.00");
  expect((await place(tess, { symbol: "BTC/USD" })).body.status).toBe("open");
  await app.quote("EUR/USD", "1.08000", "1.08002");
  expect(await openOf(tess)).toHaveLength(2);
  expect(await tess.post(`/api/trading/positions/${body.id}/close`)).toMatchObject({ status: 422, body: { code: "market_closed" } });
  const swept = await tess.post<{ closed: Position[]; refused: { id: string }[] }>("/api/trading/positions/close-all");
  expect([swept.body.closed.length, swept.body.refused.map(({ id }) => id)]).toEqual([1, [body.id]]);
  goTo(MONDAY);
  await app.quote("EUR/USD", "1.07000", "1.07040");
  expect(await openOf(tess)).toEqual([]);
});

test("is cancelled by its owner, once, and then never fills", async () => {
  const [tess, una] = [await app.trader(), await app.trader()];
  const { body } = await place(tess);
  expect((await una.post(`/api/trading/positions/${body.id}/cancel`)).status).toBe(404);
  expect((await tess.post(`/api/trading/positions/${body.id}/close`)).status).toBe(422);
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post<Position>(`/api/trading/positions/${body.id}/cancel`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ id: body.id, status: "cancelled" });
  goTo(MONDAY);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect(await openOf(tess)).toEqual([]);
  expect((await app.sql`select 1 from fills where position_id = ${body.id}`).length).toBe(0);
});

test("of many that wait, as many fill as the margin allows; the others are cancelled with a reason", async () => {
  const tess = await app.trader();
  const orders = await Promise.all(Array.from({ length: 5 }, () => place(tess, { amount: 300_000 })));
  expect(orders.map(({ body }) => body.status)).toEqual(Array(5).fill("pending"));
  goTo(MONDAY);
  await app.quote("EUR/USD", "1.10000", "1.10002");
  expect((await openOf(tess)).map(({ status }) => status)).toEqual(["open", "open", "open"]);
  const rows = await app.sql<
    { id: string; reason: string }[]
  >`select id, cancel_reason as reason from positions where user_id = ${tess.id} and status = 'cancelled'`;
  expect(rows.map(({ reason }) => reason)).toEqual(Array(2).fill("Not enough free margin when the market opened."));
  const home = (await tess.call("GET", "/")).text;
  for (const { id } of rows) {
    expect(home).toContain(`/positions/${id}/receipt`);
    expect((await tess.call("GET", `/positions/${id}/receipt`)).text).toContain("Nothing was filled. Not enough free margin when the market opened.");
  }
});

test("owner's cancel and the opening tick race: filled or cancelled, never both", async () => {
  for (let round = 0; round < 6; round++) {
    const tess = await app.trader();
    goTo(SATURDAY);
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const { body } = await place(tess);
    await app.trading.engine.idle();
    goTo(MONDAY);
    const [cancelled] = await Promise.all([tess.post(`/api/trading/positions/${body.id}/cancel`), app.quote("EUR/USD", "1.10000", "1.10002")]);
    const [row] = await app.sql<{ status: string; fills: number }[]>`
      select status, (select count(*)::integer from fills where position_id = p.id) as fills from positions p where id = ${body.id}
    `;
    expect(row).toEqual(cancelled.status === 200 ? { status: "cancelled", fills: 0 } : { status: "open", fills: 1 });
  }
});

test("waiting orders survive a restart", async () => {
  const first = await testApp({ MARKET_HOURS: "real" });
  const tess = await first.trader();
  // The same Saturday by the other program's clock.
  first.pass(app.market.clock() - first.market.clock());
  await first.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await tess.post<Position>("/api/trading/positions", order);
  expect(body.status).toBe("pending");
  await first.close();
  goTo(MONDAY);
  const second = await testApp({ MARKET_HOURS: "real" }, first.db);
  try {
    second.pass(app.market.clock() - second.market.clock());
    await second.quote("EUR/USD", "1.11000", "1.11040");
    const [row] = await second.sql<{ status: string; price: string }[]>`select status, open_price as price from positions where id = ${body.id}`;
    expect(row).toEqual({ status: "open", price: "1.11040000" });
  } finally {
    await second.end();
  }
});

describe("what happened since it was placed", () => {
  const stateOf = async (id: string) =>
    (await app.sql<{ status: string; why: string | null }[]>`select status, cancel_reason as why from positions where id = ${id}`)[0];

  test.each([
    ["a ban", { account_status: "banned" }],
    ["a suspension", { account_status: "suspended" }],
    ["a rejection", { registration_status: "rejected" }],
  ])("%s ends an order that waits, in the same moment", async (_, standing) => {
    const tess = await app.trader();
    const { body } = await place(tess);
    await app.sql`update users set ${app.sql(standing)} where id = ${tess.id}`;
    expect(await stateOf(body.id)).toEqual({ status: "cancelled", why: "The account's owner may not trade." });
  });

  test("an order that a ban did not see, placed in the same moment, does not fill", async () => {
    const tess = await app.trader();
    await app.sql`update users set account_status = 'banned' where id = ${tess.id}`;
    const [account] = await app.sql<{ id: string }[]>`select id from trading_accounts where user_id = ${tess.id}`;
    const [order] = await app.sql<{ id: string }[]>`
      insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, status)
      values (${account?.id ?? ""}, ${tess.id}, 'EUR/USD', 'buy', 1000, 100, 10, 'pending') returning id
    `;
    await app.retake();
    goTo(MONDAY);
    await app.quote("EUR/USD", "1.10000", "1.10002");
    expect(await stateOf(order?.id ?? "")).toEqual({ status: "cancelled", why: "The account's owner may not trade." });
  });

  test("maxSlippage is kept and checked at the opening: beyond it the order ends, within it it fills", async () => {
    const tess = await app.trader();
    const { body: near } = await place(tess, { currentPrice: "1.10017500", maxSlippage: "0.0010" });
    const { body: far } = await place(tess, { currentPrice: "1.10017500", maxSlippage: "0.0500" });
    goTo(MONDAY);
    await app.quote("EUR/USD", "1.12000", "1.12040");
    await app.trading.engine.idle();
    expect((await openOf(tess)).map(({ id }) => id)).toEqual([far.id]);
    expect(await stateOf(near.id)).toEqual({ status: "cancelled", why: "The price opened at 1.120400, further away than the order allows." });
  });

  test("an account holds 200 of them at most: of two for the last place one is taken", async () => {
    const tess = await app.trader();
    const { body } = await place(tess);
    await app.sql`
      insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, status)
      select ${body.accountId}, ${tess.id}, 'EUR/USD', 'buy', 10, 100, 0.1, 'pending' from generate_series(1, 198)
    `;
    const last = await Promise.all([place(tess), place(tess)]);
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  });

  test("maxSlippage without a price to count from is refused", async () => {
    const tess = await app.trader();
    for (const currentPrice of [null, "soon", undefined])
      expect(await place(tess, { currentPrice, maxSlippage: "0.0010" })).toMatchObject({
        status: 400,
        body: { fields: { currentPrice: "currentPrice must be the price that maxSlippage counts from" } },
      });
  });
});
