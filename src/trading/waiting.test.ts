import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { type TestHouse, testHouse } from "../testing/house";
import { accountsOf, order } from "../testing/scenarios";
import type { Position } from "./schema";

/** Orders in a closed market: the clock stands on a Saturday, forex opens on Sunday 17:00 in New York. */

const DAY = 86_400_000;
let house: TestHouse;
beforeAll(async () => {
  house = await testHouse({ MARKET_HOURS: "real" });
});
afterAll(async () => {
  expect(await house.faults()).toEqual([]);
  await house.end();
});

/** Moves the clock on to the next time of this weekday, in UTC. */
function goTo(weekday: number, hour: number) {
  const now = house.market.clock();
  const at = new Date(now);
  at.setUTCHours(hour, 0, 0, 0);
  let target = at.getTime() + ((weekday - at.getUTCDay() + 7) % 7) * DAY;
  if (target <= now) target += 7 * DAY;
  house.pass(target - now);
}
const SATURDAY = 6;
const MONDAY = 1;

beforeEach(async () => {
  goTo(SATURDAY, 12);
  await house.quote("EUR/USD", "1.10000", "1.10002");
});

type Trader = Awaited<ReturnType<TestHouse["trader"]>>;
const place = (tess: Trader, over: object = {}) => tess.post<Position>("/api/trading/positions", { ...order, ...over });
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;

test("waits without a price or a receipt, then fills at the first tick after the opening, and its stop is watched", async () => {
  const tess = await house.trader();
  const { status, body } = await place(tess, { stopLoss: 1.05, openPrice: 9 });
  expect([status, body.status, body.openPrice, body.volume, body.profit]).toEqual([201, "pending", null, null, null]);
  expect((await accountsOf(tess))[0]).toMatchObject({ margin: "0.00", equity: "10000.00" });
  await house.quote("EUR/USD", "1.10100", "1.10102");
  expect(await openOf(tess)).toMatchObject([{ status: "pending" }]);
  goTo(MONDAY, 12);
  await house.quote("EUR/USD", "1.12000", "1.12040");
  await house.trading.engine.idle();
  expect(await openOf(tess)).toMatchObject([{ id: body.id, status: "open", openPrice: "1.12040000", currentPrice: "1.12000000" }]);
  expect((await accountsOf(tess))[0]).toMatchObject({ margin: "10.00" });
  await house.quote("EUR/USD", "1.06500", "1.06540");
  await house.quote("EUR/USD", "1.04900", "1.04940");
  expect((await tess.get<Position[]>("/api/trading/positions/history")).body).toMatchObject([
    { id: body.id, closeReason: "stop_loss", closePrice: "1.04900000" },
  ]);
});

test("crypto trades meanwhile; an open forex position can be neither closed nor hit by its stop", async () => {
  const tess = await house.trader();
  goTo(MONDAY, 12);
  await house.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await place(tess, { stopLoss: 1.09 });
  expect(body.status).toBe("open");
  goTo(SATURDAY, 12);
  await house.quote("BTC/USD", "100000.00", "100010.00");
  expect((await place(tess, { symbol: "BTC/USD" })).body.status).toBe("open");
  await house.quote("EUR/USD", "1.08000", "1.08002");
  expect(await openOf(tess)).toHaveLength(2);
  expect(await tess.post(`/api/trading/positions/${body.id}/close`)).toMatchObject({ status: 422, body: { code: "market_closed" } });
  const swept = await tess.post<{ closed: Position[]; refused: { id: string }[] }>("/api/trading/positions/close-all");
  expect([swept.body.closed.length, swept.body.refused.map(({ id }) => id)]).toEqual([1, [body.id]]);
  goTo(MONDAY, 12);
  await house.quote("EUR/USD", "1.07000", "1.07040");
  expect(await openOf(tess)).toEqual([]);
});

test("is cancelled by its owner, once, and then never fills", async () => {
  const [tess, una] = [await house.trader(), await house.trader()];
  const { body } = await place(tess);
  expect((await una.post(`/api/trading/positions/${body.id}/cancel`)).status).toBe(404);
  expect((await tess.post(`/api/trading/positions/${body.id}/close`)).status).toBe(422);
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post<Position>(`/api/trading/positions/${body.id}/cancel`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
  expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ id: body.id, status: "cancelled" });
  goTo(MONDAY, 12);
  await house.quote("EUR/USD", "1.10000", "1.10002");
  expect(await openOf(tess)).toEqual([]);
  expect((await house.sql`select 1 from fills where position_id = ${body.id}`).length).toBe(0);
});

test("of many that wait, as many fill as the margin allows; the others are cancelled with a reason", async () => {
  const tess = await house.trader();
  const orders = await Promise.all(Array.from({ length: 5 }, () => place(tess, { amount: 300_000 })));
  expect(orders.map(({ body }) => body.status)).toEqual(Array(5).fill("pending"));
  goTo(MONDAY, 12);
  await house.quote("EUR/USD", "1.10000", "1.10002");
  expect((await openOf(tess)).map(({ status }) => status)).toEqual(["open", "open", "open"]);
  const rows = await house.sql<
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
    const tess = await house.trader();
    goTo(SATURDAY, 12);
    await house.quote("EUR/USD", "1.10000", "1.10002");
    const { body } = await place(tess);
    await house.trading.engine.idle();
    goTo(MONDAY, 12);
    const [cancelled] = await Promise.all([tess.post(`/api/trading/positions/${body.id}/cancel`), house.quote("EUR/USD", "1.10000", "1.10002")]);
    const [row] = await house.sql<{ status: string; fills: number }[]>`
      select status, (select count(*)::integer from fills where position_id = p.id) as fills from positions p where id = ${body.id}
    `;
    expect(row).toEqual(cancelled.status === 200 ? { status: "cancelled", fills: 0 } : { status: "open", fills: 1 });
  }
});

test("waiting orders survive a restart", async () => {
  const first = await testHouse({ MARKET_HOURS: "real" });
  const tess = await first.trader();
  // The same Saturday by the other house's clock.
  first.pass(house.market.clock() - first.market.clock());
  await first.quote("EUR/USD", "1.10000", "1.10002");
  const { body } = await tess.post<Position>("/api/trading/positions", order);
  expect(body.status).toBe("pending");
  await first.close();
  goTo(MONDAY, 12);
  const second = await testHouse({ MARKET_HOURS: "real" }, first.db);
  try {
    second.pass(house.market.clock() - second.market.clock());
    await second.quote("EUR/USD", "1.11000", "1.11040");
    const [row] = await second.sql<{ status: string; price: string }[]>`select status, open_price as price from positions where id = ${body.id}`;
    expect(row).toEqual({ status: "open", price: "1.11040000" });
  } finally {
    await second.end();
  }
});
