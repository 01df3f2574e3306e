import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { priceUnits } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { order, until } from "../testing/scenarios";
import type { Position } from "./schema";

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const open = async (tess: Trader, over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, symbol: "ETH/USD", ...over })).body;
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;
const logged = (text: string) => app.lines.filter((line) => line.includes(text)).length;

describe("a frozen feed", () => {
  test("fills nothing, closes nothing, fires nothing, and says so", async () => {
    const tess = await app.trader();
    await app.quote("ETH/USD", "3000.00", "3000.10");
    const { id } = await open(tess, { stopLoss: 2990 });
    app.pass(9_999);
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "ETH/USD" })).status).toBe(201);
    app.pass(1);
    const stale = { status: 503, body: { code: "stale_price" } };
    expect(await tess.post("/api/trading/positions", { ...order, symbol: "ETH/USD" })).toMatchObject(stale);
    expect(await tess.post(`/api/trading/positions/${id}/close`)).toMatchObject(stale);
    expect(await tess.patch(`/api/trading/positions/${id}`, { stopLoss: 2999 })).toMatchObject(stale);
    const swept = await tess.post<{ closed: Position[]; refused: { id: string }[] }>("/api/trading/positions/close-all");
    expect([swept.status, swept.body.closed, swept.body.refused.length]).toEqual([200, [], 2]);
    expect(await openOf(tess)).toHaveLength(2);
    const market = (await tess.get<{ symbol: string; stale: boolean }[]>("/api/market-data")).body;
    expect(market.find(({ symbol }) => symbol === "ETH/USD")).toMatchObject({ stale: true });
    // The other symbols' ticks vouch for nothing.
    await app.quote("LTC/USD", "100.00", "100.10");
    expect(await tess.post(`/api/trading/positions/${id}/close`)).toMatchObject(stale);
    await app.quote("ETH/USD", "2980.00", "2980.10");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "2980.00000000" }]);
  });

  test("a refusal of a stale price does not use up its key", async () => {
    const tess = await app.trader();
    await app.quote("ETH/USD", "3000.00", "3000.10");
    app.pass(10_000);
    const key = { "idempotency-key": "patient" };
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "ETH/USD" }, key)).status).toBe(503);
    await app.quote("ETH/USD", "3000.00", "3000.10");
    expect((await tess.post("/api/trading/positions", { ...order, symbol: "ETH/USD" }, key)).status).toBe(201);
  });

  test("an implausible jump fires no stop until a second tick confirms it", async () => {
    const tess = await app.trader();
    await app.quote("LTC/USD", "100.00", "100.10");
    await open(tess, { symbol: "LTC/USD", stopLoss: 95 });
    await app.quote("LTC/USD", "50.00", "50.10");
    await app.quote("LTC/USD", "100.00", "100.10");
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("LTC/USD", "60.00", "60.10");
    await app.quote("LTC/USD", "60.00", "60.10");
    expect(await historyOf(tess)).toMatchObject([{ closeReason: "stop_loss", closePrice: "60.00000000" }]);
  });
});

test.each(["first", "second"])(
  "a tick that comes with the answer to an account's %s order sets it off, and what its owner asks comes after that",
  async (which) => {
    const tess = await app.trader();
    await app.quote("ETH/USD", "3000.00", "3000.10");
    if (which === "second") await open(tess);
    await app.trading.engine.idle();
    const asked = {
      accountId: null,
      symbol: "ETH/USD",
      type: "buy",
      amount: "1000",
      stopLoss: "2990",
      takeProfit: null,
      currentPrice: null,
      maxSlippage: null,
    } as const;
    const { data } = await app.trading.place({ id: tess.id }, asked, null);
    // Before the engine has looked at it.
    const at = app.market.clock();
    app.market.board.accept({ symbol: "ETH/USD", bid: priceUnits("2985.00"), ask: priceUnits("2985.10"), at });
    app.market.board.accept({ symbol: "ETH/USD", bid: priceUnits("3020.00"), ask: priceUnits("3020.10"), at });
    expect(app.trading.engine.isAtRest(data.id)).toBe(false);
    await app.trading.engine.settled(tess.id);
    expect(await historyOf(tess)).toMatchObject([{ closeReason: "stop_loss", closePrice: "2985.00000000" }]);
  },
);

describe("an exit whose write fails", () => {
  test("is tried again until it lands, at the tick that fired it, and once", async () => {
    const tess = await app.trader();
    await app.quote("ETH/USD", "3000.00", "3000.10");
    const { id } = await open(tess, { stopLoss: 2990, takeProfit: 3010 });
    await app.trading.engine.idle();
    const before = logged("exits could not be written yet");
    await app.sql`alter table fills add constraint sabotage check (kind <> 'close') not valid`;
    const fired = app.quote("ETH/USD", "2985.00", "2985.10");
    await until("the engine tries three times", () => logged("exits could not be written yet") >= before + 3);
    expect(await openOf(tess)).toHaveLength(1);
    // More ticks, back over the stop and beyond the target: the position is spoken for.
    const later = app.quote("ETH/USD", "3020.00", "3020.10");
    await app.sql`alter table fills drop constraint sabotage`;
    await Promise.all([fired, later]);
    await app.quote("ETH/USD", "2970.00", "2970.10");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "2985.00000000" }]);
    const [row] = await app.sql<{ fills: number }[]>`select count(*)::integer as fills from fills where position_id = ${id} and kind = 'close'`;
    expect(row?.fills).toBe(1);
  });

  test("waits for halted books to be released", async () => {
    const tess = await app.trader();
    await app.quote("ETH/USD", "3000.00", "3000.10");
    await open(tess, { takeProfit: 3010 });
    await app.trading.engine.idle();
    const before = logged("exits could not be written yet");
    await app.sql`update ledger_state set halted = true`;
    const fired = app.quote("ETH/USD", "3015.00", "3015.10");
    await until("the engine is refused", () => logged("exits could not be written yet") > before);
    await app.sql`update ledger_state set halted = false`;
    await fired;
    expect(await historyOf(tess)).toMatchObject([{ closeReason: "take_profit", closePrice: "3015.00000000" }]);
  });

  test("keeps nobody else's exit waiting", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    await app.quote("ETH/USD", "3000.00", "3000.10");
    const { id } = await open(tess, { stopLoss: 2990 });
    await open(una, { stopLoss: 2990 });
    await app.trading.engine.idle();
    await app.sql.unsafe(`alter table fills add constraint sabotage check (kind <> 'close' or position_id <> '${id}') not valid`);
    const fired = app.quote("ETH/USD", "2985.00", "2985.10");
    await until("the other one closes", async () => (await openOf(una)).length === 0);
    expect(await openOf(tess)).toHaveLength(1);
    await app.sql`alter table fills drop constraint sabotage`;
    await fired;
    expect(await openOf(tess)).toEqual([]);
  });
});

test("a program that starts again watches what was left open, and what was fired but not written", async () => {
  const first = await testApp();
  const tess = await first.trader();
  await first.quote("ETH/USD", "3000.00", "3000.10");
  const left = await open(tess, { stopLoss: 2950 });
  const fired = await open(tess, { stopLoss: 2990 });
  await first.trading.engine.idle();
  await first.sql`alter table fills add constraint sabotage check (kind <> 'close') not valid`;
  const tick = first.quote("ETH/USD", "2985.00", "2985.10");
  await until("the engine tries", () => first.lines.some((line) => line.includes("exits could not be written yet")));
  await first.close();
  await tick;
  await first.sql`alter table fills drop constraint sabotage`;

  const second = await testApp({}, first.db);
  try {
    const again = Object.assign(second.stranger(), { cookie: tess.cookie });
    const statuses = async () =>
      Object.fromEntries((await again.get<Position[]>("/api/trading/positions/open")).body.map(({ id, status }) => [id, status] as const));
    // The tick that fired it is on record, so it closes where it should have.
    await second.trading.engine.idle();
    expect(await statuses()).toEqual({ [left.id]: "open" });
    expect((await again.get<Position[]>("/api/trading/positions/history")).body).toMatchObject([
      { id: fired.id, closeReason: "stop_loss", closePrice: "2985.00000000" },
    ]);
    expect(second.trading.engine.watched).toBe(1);
    await second.quote("ETH/USD", "2949.00", "2949.10");
    expect(await statuses()).toEqual({});
    expect(await second.faults()).toEqual([]);
  } finally {
    await second.end();
  }
});
