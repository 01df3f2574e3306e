import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { heardBy, order, until } from "../testing/scenarios";
import type { Position, Receipt } from "./schema";

/** Orders that wait for a price: what is refused when they are placed, and on which tick they fill. Coins, so that no tier's spread stands between. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
beforeEach(async () => {
  // Twice, as a jump from the last test's price must be confirmed.
  for (let n = 0; n < 2; n++) await app.quote("BTC/USD", "100000.00", "100010.00");
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const place = (tess: Trader, over: object = {}) => tess.post<Position>("/api/trading/positions", { ...order, symbol: "BTC/USD", ...over });
const taken = async (tess: Trader, over: object) => {
  const { status, body, text } = await place(tess, over);
  if (status !== 201) throw new Error(text);
  return body;
};
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const receiptOf = async (tess: Trader, { id }: { id: string }) => (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
const edit = (tess: Trader, { id }: { id: string }, changes: object) => tess.patch<Position>(`/api/trading/positions/${id}`, changes);
/** A tick 10 wide with this bid. */
const tick = (bid: number) => app.quote("BTC/USD", bid.toFixed(2), (bid + 10).toFixed(2));
const GROUP = "11111111-2222-4333-8444-555555555555";

describe("refused when it is placed", () => {
  const soon = () => new Date(Date.now() + 3_600_000).toISOString();
  test.each([
    [{ orderType: "limit", triggerPrice: 100_010 }, "triggerPrice", "triggerPrice must be below the current price for a buy limit"],
    [{ orderType: "limit", type: "sell", triggerPrice: 100_000 }, "triggerPrice", "triggerPrice must be above the current price for a sell limit"],
    [{ orderType: "stop", triggerPrice: 100_010 }, "triggerPrice", "triggerPrice must be above the current price for a buy stop"],
    [{ orderType: "stop", type: "sell", triggerPrice: 100_000 }, "triggerPrice", "triggerPrice must be below the current price for a sell stop"],
    [{ orderType: "stop_limit", triggerPrice: 100_010, limitPrice: 1 }, "triggerPrice", "triggerPrice must be above the current price for a buy stop-limit"],
    [{ orderType: "stop_limit", triggerPrice: 100_100 }, "limitPrice", "limitPrice is required: the limit that the order becomes"],
    [{ orderType: "limit", triggerPrice: 99_000, limitPrice: 99_000 }, "limitPrice", "limitPrice is for stop-limit orders"],
    [{ limitPrice: 99_000 }, "limitPrice", "limitPrice is for stop-limit orders"],
    [{ triggerPrice: 99_000 }, "triggerPrice", "triggerPrice is for limit, stop and stop-limit orders"],
    [{ orderType: "limit" }, "triggerPrice", "triggerPrice is required: the price that the order waits for"],
    [{ orderType: "iceberg" }, "orderType", "orderType must be market, limit, stop or stop_limit"],
    [{ trailingDistance: 0 }, "trailingDistance", "trailingDistance must be a price distance above zero"],
    [{ trailingDistance: "-1" }, "trailingDistance", "trailingDistance must be a price distance above zero"],
    [{ trailingDistance: 100_000 }, "trailingDistance", "trailingDistance must be less than the price"],
    [{ breakEvenAt: "0" }, "breakEvenAt", "breakEvenAt must be a price distance above zero"],
    [{ ocoGroup: "mine" }, "ocoGroup", "ocoGroup must be a UUID"],
    [{ expiresAt: "tomorrow" }, "expiresAt", "expiresAt must be an ISO 8601 time"],
    [{ expiresAt: "2026-13-45T00:00:00Z" }, "expiresAt", "expiresAt must be an ISO 8601 time"],
    [{ orderType: "limit", triggerPrice: 99_000, stopLoss: 99_000 }, "stopLoss", "stopLoss must be below triggerPrice for a buy"],
    [{ orderType: "limit", triggerPrice: 99_000, takeProfit: 99_000 }, "takeProfit", "takeProfit must be above triggerPrice for a buy"],
    [{ orderType: "stop", type: "sell", triggerPrice: 99_000, stopLoss: 98_999 }, "stopLoss", "stopLoss must be above triggerPrice for a sell"],
  ])("%j", async (over, field, reason) => {
    const tess = await app.trader();
    expect(await place(tess, { expiresAt: soon(), ...over })).toMatchObject({ status: 400, body: { code: "invalid", fields: { [field]: reason } } });
    expect(await openOf(tess)).toEqual([]);
  });

  test("an end that has come, or is more than a year away", async () => {
    const tess = await app.trader();
    const at = (ms: number) => new Date(app.market.clock() + ms).toISOString();
    const wait = { orderType: "limit", triggerPrice: 99_000 };
    expect((await place(tess, { ...wait, expiresAt: at(0) })).body).toMatchObject({ fields: { expiresAt: "expiresAt must be in the future" } });
    expect((await place(tess, { ...wait, expiresAt: at(367 * 86_400_000) })).body).toMatchObject({
      fields: { expiresAt: "expiresAt must be at most a year away" },
    });
    expect((await place(tess, { ...wait, expiresAt: at(364 * 86_400_000) })).status).toBe(201);
  });

  test("one more than 200: of two for the last place one is taken", async () => {
    const tess = await app.trader();
    const { accountId } = await taken(tess, { orderType: "limit", triggerPrice: 99_000 });
    await app.sql`
      insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, status)
      select ${accountId}, ${tess.id}, 'ETH/USD', 'buy', 10, 100, 0.1, 'pending' from generate_series(1, 198)
    `;
    const last = await Promise.all([place(tess, { orderType: "limit", triggerPrice: 99_000 }), place(tess, { orderType: "stop", triggerPrice: 101_000 })]);
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(last.find(({ status }) => status === 409)?.body).toMatchObject({ code: "too_many_orders" });
    expect((await tess.post<{ cancelled: Position[] }>("/api/trading/positions/cancel-all", { accountId })).body.cancelled).toHaveLength(200);
    expect(await openOf(tess)).toEqual([]);
  });
});

describe("the tick it fills on", () => {
  // The bid of each tick; the market is 10 wide.
  test.each([
    ["a buy limit at the price or better", { orderType: "limit", triggerPrice: 99_900 }, [99_890.01, 99_880], "99890.00000000"],
    ["a sell limit", { orderType: "limit", type: "sell", triggerPrice: 100_100 }, [100_099.99, 100_120], "100120.00000000"],
    ["a buy stop at the gap", { orderType: "stop", triggerPrice: 100_100 }, [100_089.99, 100_300], "100310.00000000"],
    ["a sell stop", { orderType: "stop", type: "sell", triggerPrice: 99_900 }, [99_900.01, 99_900], "99900.00000000"],
    [
      "a stop-limit that is set off within its limit",
      { orderType: "stop_limit", triggerPrice: 100_100, limitPrice: 100_150 },
      [100_080, 100_140],
      "100150.00000000",
    ],
  ])("%s", async (_, over, bids, price) => {
    const tess = await app.trader();
    const placed = await taken(tess, over);
    expect(placed).toMatchObject({
      status: "pending",
      openPrice: null,
      ...over,
      triggerPrice: `${over.triggerPrice}.00000000`,
      ...("limitPrice" in over ? { limitPrice: "100150.00000000" } : {}),
    });
    await tick(bids[0] as number);
    expect(await openOf(tess)).toMatchObject([{ id: placed.id, status: "pending" }]);
    await tick(bids[1] as number);
    expect(await openOf(tess)).toMatchObject([{ id: placed.id, status: "open", openPrice: price, orderType: over.orderType }]);
    const receipt = await receiptOf(tess, placed);
    expect(receipt).toMatchObject({
      placed: { bid: "100000.00000000", ask: "100010.00000000" },
      trigger: { price: placed.triggerPrice },
      fills: [{ kind: "open", price }],
    });
    expect(receipt.fills[0]?.quoteId).toBeGreaterThan(receipt.placed?.quoteId ?? Number.POSITIVE_INFINITY);
  });

  test("a stop-limit that a gap sets off beyond its limit waits as a limit", async () => {
    const tess = await app.trader();
    const { id } = await taken(tess, { orderType: "stop_limit", triggerPrice: 100_100, limitPrice: 100_150 });
    await tick(100_200);
    expect(await openOf(tess)).toMatchObject([{ id, status: "pending", setOff: true }]);
    // Below the trigger again: what counts now is the limit.
    await tick(100_050);
    expect(await openOf(tess)).toMatchObject([{ id, status: "open", openPrice: "100060.00000000" }]);
  });

  test("its stop loss and target live from the fill on", async () => {
    const tess = await app.trader();
    const { id } = await taken(tess, { orderType: "limit", triggerPrice: 99_000, stopLoss: 98_000, takeProfit: 99_500 });
    await tick(98_980);
    await tick(99_500);
    expect((await tess.get<Position[]>("/api/trading/positions/history")).body).toMatchObject([
      { id, closeReason: "take_profit", closePrice: "99500.00000000" },
    ]);
  });

  test("margin is checked then: the order ends with the figures, and its trader is told", async () => {
    const tess = await app.trader();
    const heard = heardBy(app, tess);
    const first = await taken(tess, { orderType: "limit", triggerPrice: 99_500, amount: 600_000 });
    const second = await taken(tess, { orderType: "limit", triggerPrice: 99_600, amount: 500_000 });
    // Both are reached by one tick; who was placed first comes first.
    await tick(99_400);
    expect(await openOf(tess)).toMatchObject([{ id: first.id, status: "open" }]);
    const receipt = await receiptOf(tess, second);
    const figures = { needed: "5000.00", free: "3939.64" };
    expect(receipt).toMatchObject({ cancelReason: "insufficient_margin", cancelText: "It needed $5,000.00 of margin; $3,939.64 was free.", fills: [] });
    expect(receipt.position).toMatchObject({ status: "cancelled", cancelReason: "insufficient_margin", cancelFigures: figures });
    await until("both were told", () => heard.length === 2);
    expect(heard).toEqual([
      "Order filled: Your waiting BUY BTC/USD order was filled at 99,410.00.",
      "Order cancelled: Your waiting BUY BTC/USD order was cancelled. It needed $5,000.00 of margin; $3,939.64 was free.",
    ]);
  });

  test("a stop's maxSlippage counts from its trigger, and against its owner alone", async () => {
    const tess = await app.trader();
    const near = await taken(tess, { orderType: "stop", triggerPrice: 100_100, maxSlippage: "100" });
    const far = await taken(tess, { orderType: "stop", triggerPrice: 100_100, maxSlippage: "500" });
    await tick(100_300);
    expect(await openOf(tess)).toMatchObject([{ id: far.id, status: "open" }]);
    expect((await receiptOf(tess, near)).cancelReason).toBe("price_moved");
  });
});

describe("ends", () => {
  const inOneMinute = () => new Date(app.market.clock() + 60_000).toISOString();

  test("when its time is over, before a tick of that moment can fill it", async () => {
    const tess = await app.trader();
    const kept = await taken(tess, { orderType: "limit", triggerPrice: 99_000 });
    const ended = await taken(tess, { orderType: "limit", triggerPrice: 99_000, expiresAt: inOneMinute() });
    app.pass(60_000);
    await tick(98_000);
    expect(await openOf(tess)).toMatchObject([{ id: kept.id, status: "open" }]);
    expect(await receiptOf(tess, ended)).toMatchObject({ cancelReason: "expired", cancelText: "Its time was over." });
  });

  test("when another of its group fills, in the same moment; groups of other accounts are others", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const other = await taken(una, { orderType: "stop", triggerPrice: 101_000, ocoGroup: GROUP });
    const limit = await taken(tess, { orderType: "limit", triggerPrice: 99_000, ocoGroup: GROUP });
    const stop = await taken(tess, { orderType: "stop", triggerPrice: 101_000, ocoGroup: GROUP });
    const single = await taken(tess, { orderType: "stop", triggerPrice: 102_000 });
    const [heard, otherHeard] = [heardBy(app, tess), heardBy(app, una)];
    await tick(98_980);
    expect((await openOf(tess)).map(({ id, status }) => [id, status])).toEqual([
      [single.id, "pending"],
      [limit.id, "open"],
    ]);
    expect(await receiptOf(tess, stop)).toMatchObject({ cancelReason: "oco", position: { status: "cancelled" } });
    expect(await openOf(una)).toMatchObject([{ id: other.id, status: "pending" }]);
    await until("both were told", () => heard.length === 2);
    expect(heard.toSorted()).toEqual([
      "Order cancelled: Your waiting BUY BTC/USD order was cancelled. Another order of its group was filled.",
      "Order filled: Your waiting BUY BTC/USD order was filled at 98,990.00.",
    ]);
    expect(otherHeard).toEqual([]);
  });

  test("when an order at the market of its group fills at once", async () => {
    const tess = await app.trader();
    const waiting = await taken(tess, { orderType: "limit", triggerPrice: 99_000, ocoGroup: GROUP });
    const another = await taken(tess, { orderType: "stop", triggerPrice: 101_000, ocoGroup: GROUP });
    const heard = heardBy(app, tess);
    const now = await taken(tess, { ocoGroup: GROUP });
    expect(await openOf(tess)).toMatchObject([{ id: now.id, status: "open" }]);
    for (const each of [waiting, another]) expect((await receiptOf(tess, each)).cancelReason).toBe("oco");
    await until("it was told", () => heard.length === 1);
    expect(heard).toEqual(["Orders cancelled: 2 of your waiting orders were cancelled. Another order of its group was filled."]);
  });

  test("with its owner's suspension, while a stop goes on", async () => {
    const tess = await app.trader();
    const waiting = await taken(tess, { orderType: "limit", triggerPrice: 99_000 });
    const open = await taken(tess, { stopLoss: 99_500 });
    const heard = heardBy(app, tess);
    await app.sql`update users set account_status = 'suspended' where id = ${tess.id}`;
    await until("it was told", () => heard.length > 0);
    expect(heard).toEqual(["Order cancelled: Your waiting BUY BTC/USD order was cancelled. The account's owner may not trade."]);
    const rows = () =>
      app.sql<{ id: string }[]>`select id, status, cancel_code as code, close_reason as reason from positions where user_id = ${tess.id} order by created_at`;
    await tick(98_000);
    expect([...(await rows())]).toEqual([
      { id: waiting.id, status: "cancelled", code: "suspended", reason: null },
      { id: open.id, status: "closed", code: null, reason: "stop_loss" },
    ] as never);
  });

  test("by its owner, once", async () => {
    const tess = await app.trader();
    const { id } = await taken(tess, { orderType: "limit", triggerPrice: 99_000 });
    const answers = await Promise.all([1, 2].map(() => tess.post<Position>(`/api/trading/positions/${id}/cancel`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await receiptOf(tess, { id })).cancelReason).toBe("trader");
  });
});

describe("is edited", () => {
  test("in each field; what is not named stays, and the new price counts", async () => {
    const tess = await app.trader();
    const placed = await taken(tess, { orderType: "limit", triggerPrice: 99_000, stopLoss: 98_000 });
    const expiresAt = new Date(app.market.clock() + 3_600_000).toISOString();
    const changes = { triggerPrice: "99500.00000000", expiresAt, trailingDistance: "500.00000000", breakEvenAt: "700.00000000", ocoGroup: GROUP };
    expect((await edit(tess, placed, changes)).body).toMatchObject({ ...changes, stopLoss: "98000.00000000", status: "pending", trailingStop: null });
    expect(await openOf(tess)).toMatchObject([changes]);
    await tick(99_480);
    expect(await openOf(tess)).toMatchObject([{ id: placed.id, status: "open", openPrice: "99490.00000000" }]);
    expect(await edit(tess, placed, { triggerPrice: 99_000 })).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  test("and held to the same rules", async () => {
    const tess = await app.trader();
    const placed = await taken(tess, { orderType: "limit", triggerPrice: 99_000, stopLoss: 98_000 });
    const fields = async (changes: object) => (await edit(tess, placed, changes)).body as unknown as { fields?: object };
    expect(await fields({ triggerPrice: 100_010 })).toMatchObject({ fields: { triggerPrice: "triggerPrice must be below the current price for a buy limit" } });
    expect(await fields({ triggerPrice: 97_000 })).toMatchObject({ fields: { stopLoss: "stopLoss must be below triggerPrice for a buy" } });
    expect(await fields({ limitPrice: 97_000 })).toMatchObject({ fields: { limitPrice: "limitPrice is for stop-limit orders." } });
    expect(await fields({ expiresAt: "2020-01-01T00:00:00Z" })).toMatchObject({ fields: { expiresAt: "expiresAt must be in the future" } });
    expect(await fields({ trailingDistance: 99_000 })).toMatchObject({ fields: { trailingDistance: "trailingDistance must be less than the price" } });
    expect(await openOf(tess)).toMatchObject([{ triggerPrice: "99000.00000000", expiresAt: null, trailingDistance: null }]);
  });

  test("by nobody else", async () => {
    const [tess, una] = [await app.trader(), await app.trader()];
    const placed = await taken(tess, { orderType: "limit", triggerPrice: 99_000 });
    expect((await edit(una, placed, { triggerPrice: 98_000 })).status).toBe(404);
  });
});

describe("a stop loss that follows", () => {
  const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;
  const levels = async (tess: Trader, position: Position) => (await receiptOf(tess, position)).moves.map(({ kind, level }) => `${kind} ${Number(level)}`);

  test("goes with the best closing price, never back, and fires where it stands", async () => {
    const tess = await app.trader();
    const long = await taken(tess, { trailingDistance: 300 });
    expect(long).toMatchObject({ trailingDistance: "300.00000000", trailingStop: "99700.00000000", stopLoss: "99700.00000000" });
    for (const bid of [100_100, 99_900, 100_250, 100_000]) await tick(bid);
    expect(await openOf(tess)).toMatchObject([{ id: long.id, trailingStop: "99950.00000000" }]);
    await tick(99_940);
    expect(await historyOf(tess)).toMatchObject([{ id: long.id, closeReason: "stop_loss", closePrice: "99940.00000000", trailingStop: "99950.00000000" }]);
    expect(await levels(tess, long)).toEqual(["trail 99700", "trail 99800", "trail 99950"]);
  });

  test("of a short, above a tighter stop loss at first", async () => {
    const tess = await app.trader();
    const short = await taken(tess, { type: "sell", trailingDistance: 300, stopLoss: 100_200 });
    expect(short).toMatchObject({ stopLoss: "100200.00000000" });
    await tick(99_950);
    await tick(99_800);
    expect(await openOf(tess)).toMatchObject([{ trailingStop: "100110.00000000" }]);
    expect(await levels(tess, short)).toEqual(["trail 100110"]);
  });

  test("goes to the opening price once so much is gained, once", async () => {
    const tess = await app.trader();
    const long = await taken(tess, { breakEvenAt: 100, stopLoss: 99_000 });
    await tick(100_109.99);
    expect(await openOf(tess)).toMatchObject([{ stopLoss: "99000.00000000", brokeEven: false }]);
    await tick(100_110);
    expect(await openOf(tess)).toMatchObject([{ stopLoss: "100010.00000000", brokeEven: true }]);
    // Moved back by hand it stays there.
    await edit(tess, long, { stopLoss: 99_500 });
    await tick(100_500);
    expect(await openOf(tess)).toMatchObject([{ stopLoss: "99500.00000000" }]);
    expect(await levels(tess, long)).toEqual(["break_even 100010"]);
  });

  test("both: the closer one counts", async () => {
    const tess = await app.trader();
    const long = await taken(tess, { breakEvenAt: 100, trailingDistance: 400 });
    for (const bid of [100_120, 100_200, 100_700]) await tick(bid);
    expect(await levels(tess, long)).toEqual(["trail 99600", "break_even 100010", "trail 100300"]);
  });

  test("is set, changed and ended on an open position", async () => {
    const tess = await app.trader();
    const long = await taken(tess, {});
    expect((await edit(tess, long, { trailingDistance: 500 })).body).toMatchObject({ trailingStop: "99500.00000000" });
    expect((await edit(tess, long, { trailingDistance: 200 })).body).toMatchObject({ trailingStop: "99800.00000000" });
    expect((await edit(tess, long, { trailingDistance: 900 })).body).toMatchObject({ trailingStop: "99800.00000000" });
    await tick(100_600);
    expect((await edit(tess, long, { trailingDistance: null })).body).toMatchObject({ trailingStop: null, stopLoss: "99800.00000000" });
    await tick(102_000);
    expect(await openOf(tess)).toMatchObject([{ stopLoss: "99800.00000000" }]);
    expect((await edit(tess, long, { breakEvenAt: 100 })).body).toMatchObject({ stopLoss: "100010.00000000", brokeEven: true });
  });

  test("begins with the fill of an order that waited", async () => {
    const tess = await app.trader();
    const limit = await taken(tess, { orderType: "limit", triggerPrice: 99_500, trailingDistance: 200 });
    await tick(99_450);
    await tick(99_600);
    expect(await levels(tess, limit)).toEqual(["trail 99250", "trail 99400"]);
    await tick(99_399);
    expect(await historyOf(tess)).toMatchObject([{ id: limit.id, closeReason: "stop_loss" }]);
  });
});
