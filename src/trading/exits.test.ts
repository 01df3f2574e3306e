import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, handHeld, order, until, waiting } from "../testing/scenarios";
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
const open = async (tess: Trader, over: object = {}) => (await tess.post<Position>("/api/trading/positions", { ...order, symbol: "BTC/USD", ...over })).body;
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;

describe("the four directions: a long closes at the bid, a short at the ask", () => {
  // The market is 10 wide; each exit is reached by the side that closes, not a cent before and not by the other side.
  const table = [
    {
      side: "buy",
      exit: { stopLoss: 99_900 },
      near: ["99900.01", "99910.01"],
      hit: ["99900.00", "99910.00"],
      reason: "stop_loss",
      at: "99900.00000000",
      profit: "-1.10",
    },
    {
      side: "buy",
      exit: { takeProfit: 100_100 },
      near: ["100099.99", "100109.99"],
      hit: ["100100.00", "100110.00"],
      reason: "take_profit",
      at: "100100.00000000",
      profit: "0.90",
    },
    {
      side: "sell",
      exit: { stopLoss: 100_100 },
      near: ["100089.99", "100099.99"],
      hit: ["100090.00", "100100.00"],
      reason: "stop_loss",
      at: "100100.00000000",
      profit: "-1.00",
    },
    {
      side: "sell",
      exit: { takeProfit: 99_900 },
      near: ["99890.01", "99900.01"],
      hit: ["99890.00", "99900.00"],
      reason: "take_profit",
      at: "99900.00000000",
      profit: "1.00",
    },
  ] as const;
  test.each(table)("$side, $reason", async ({ side, exit, near, hit, reason, at, profit }) => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    await open(tess, { type: side, ...exit });
    await app.quote("BTC/USD", near[0], near[1]);
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("BTC/USD", hit[0], hit[1]);
    expect(await historyOf(tess)).toMatchObject([{ closeReason: reason, closePrice: at, profit }]);
  });

  test.each(table)("$side, $reason: a gap fills at the gap", async ({ side, exit, reason }) => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    await open(tess, { type: side, ...exit });
    const falls = (side === "buy") === (reason === "stop_loss");
    await app.quote("BTC/USD", falls ? "95000.00" : "105000.00", falls ? "95010.00" : "105010.00");
    const price = { buy: falls ? "95000.00000000" : "105000.00000000", sell: falls ? "95010.00000000" : "105010.00000000" }[side];
    expect(await historyOf(tess)).toMatchObject([{ closeReason: reason, closePrice: price }]);
    expect(Number((await historyOf(tess))[0]?.profit) < 0).toBe(reason === "stop_loss");
  });

  test.each(["buy", "sell"] as const)("an exit on the wrong side of a %s is refused, on opening and on editing", async (side) => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess, { type: side });
    const closing = side === "buy" ? 100_000 : 100_010;
    const [below, above] = side === "buy" ? (["stopLoss", "takeProfit"] as const) : (["takeProfit", "stopLoss"] as const);
    for (const wrong of [{ [below]: closing }, { [below]: closing + 5 }, { [above]: closing }, { [above]: closing - 5 }]) {
      const field = Object.keys(wrong)[0] ?? "";
      const refusal = { status: 400, body: { code: "invalid", fields: { [field]: expect.stringContaining(`${field} must be`) } } };
      expect(await tess.patch(`/api/trading/positions/${id}`, wrong)).toMatchObject(refusal);
      expect(await tess.post("/api/trading/positions", { ...order, symbol: "BTC/USD", type: side, ...wrong })).toMatchObject(refusal);
    }
    expect(await openOf(tess)).toMatchObject([{ id, stopLoss: null, takeProfit: null }]);
  });
});

describe("editing exits", () => {
  test("null clears, what is not named stays", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess, { stopLoss: 99_000, takeProfit: 101_000 });
    const edit = async (body: object) => (await tess.patch(`/api/trading/positions/${id}`, body)).body;
    expect(await edit({ stopLoss: 98_000 })).toMatchObject({ stopLoss: "98000.00000000", takeProfit: "101000.00000000" });
    expect(await edit({ takeProfit: null })).toMatchObject({ stopLoss: "98000.00000000", takeProfit: null });
    expect(await edit({})).toMatchObject({ stopLoss: "98000.00000000", takeProfit: null });
    expect(await edit({ stopLoss: null, amount: "5", profit: "1", status: "closed" })).toMatchObject({
      stopLoss: null,
      takeProfit: null,
      amount: "1000.00",
      status: "open",
    });
    await app.quote("BTC/USD", "90000.00", "90010.00");
    expect(await openOf(tess)).toHaveLength(1);
  });

  test("a stop that was moved fires at its new level and not at the old one", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess, { stopLoss: 99_000 });
    expect((await tess.patch(`/api/trading/positions/${id}`, { stopLoss: 98_000 })).status).toBe(200);
    await app.quote("BTC/USD", "98500.00", "98510.00");
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("BTC/USD", "97990.00", "98000.00");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "97990.00000000" }]);
    expect((await tess.patch(`/api/trading/positions/${id}`, { stopLoss: 1 })).status).toBe(409);
  });

  test("a stop moved behind the engine's back does not fire at the old level, and still does at the new one", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess, { stopLoss: 99_000 });
    await app.trading.engine.idle();
    // The moment between an edit's write and the engine's look at it.
    await app.sql`update positions set stop_loss = 98000 where id = ${id}`;
    await app.quote("BTC/USD", "98500.00", "98510.00");
    expect(await openOf(tess)).toHaveLength(1);
    await app.quote("BTC/USD", "97000.00", "97010.00");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "97000.00000000" }]);
  });

  test("an exit that is set late, and one on a position opened long after the start, are watched", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess);
    for (let i = 0; i < 20; i++) await app.quote("BTC/USD", `1000${10 + i}.00`, `1000${20 + i}.00`);
    await tess.patch(`/api/trading/positions/${id}`, { takeProfit: 100_500 });
    await app.quote("BTC/USD", "100600.00", "100610.00");
    expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "take_profit" }]);
  });

  test("the rest of a position that was closed in part keeps its exits", async () => {
    const tess = await app.trader();
    await app.quote("BTC/USD", "100000.00", "100010.00");
    const { id } = await open(tess, { stopLoss: 99_000 });
    const part = await tess.post<Position>(`/api/trading/positions/${id}/close`, { amount: "400.00" });
    expect(part.body).toMatchObject({ status: "closed", amount: "400.00", closeReason: "trader" });
    await app.quote("BTC/USD", "98000.00", "98010.00");
    expect(await openOf(tess)).toEqual([]);
    expect((await historyOf(tess)).map(({ amount, closeReason }) => [amount, closeReason])).toEqual([
      ["600.00", "stop_loss"],
      ["400.00", "trader"],
    ]);
  });
});

test("parts of every size add up to the whole, to the cent of amount and without a unit left", async () => {
  const tess = await app.trader();
  await app.quote("SHIB/USD", "0.00001234", "0.00001236");
  const { id } = await open(tess, { symbol: "SHIB/USD", amount: "777.77", type: "sell" });
  const parts = ["10.01", "111.11", "10.02", "333.33", "10.03", "200.00"];
  for (const amount of parts) expect((await tess.post(`/api/trading/positions/${id}/close`, { amount })).status).toBe(200);
  expect(await openOf(tess)).toMatchObject([{ id, amount: "103.27" }]);
  expect((await tess.post<Position>(`/api/trading/positions/${id}/close`, { amount: "103.27" })).body).toMatchObject({ id, status: "closed" });
  const [sums] = await app.sql<{ amount: string; moved: string }[]>`
    select sum(p.amount) as amount, sum(p.profit) as moved from positions p where p.user_id = ${tess.id}
  `;
  expect(sums?.amount).toBe("777.77");
  expect(await accountsOf(tess)).toMatchObject([{ margin: "0.00", balance: (10_000 + Number(sums?.moved)).toFixed(2) }]);
});

test.each(["one by one", "all at once"])("of the stops that one tick reaches none is closed by hand at a later price, %s", async (way) => {
  await app.quote("BTC/USD", "100000", "100010");
  const tess = await app.trader();
  const held: Position[] = [];
  for (let n = 0; n < 4; n++) held.push(await open(tess, { stopLoss: 99_900 }));
  const [{ accountId }] = held as [Position];
  const hand = await handHeld(app.db);
  try {
    await hand.sql`select from trading_accounts where id = ${accountId} for update`;
    const fall = app.quote("BTC/USD", "99890", "99900");
    await until("the first is about to be closed", async () => (await waiting(app.sql)) === 1);
    const rise = app.quote("BTC/USD", "100500", "100510");
    const late =
      way === "all at once"
        ? tess.post<{ closed: Position[] }>("/api/trading/positions/close-all", {}).then(({ body }) => expect(body.closed).toEqual([]))
        : Promise.all(held.map(({ id }) => tess.post(`/api/trading/positions/${id}/close`, {}).then(({ status }) => expect(status).toBe(409))));
    // What is asked after them is answered: they have come.
    await tess.get("/api/trading/positions/open");
    await hand.commit();
    await Promise.all([late, fall, rise]);
  } finally {
    await hand.end();
  }
  expect((await historyOf(tess)).map(({ closeReason, closePrice }) => [closeReason, closePrice])).toEqual(held.map(() => ["stop_loss", "99890.00000000"]));
});
