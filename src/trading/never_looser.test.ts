import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import type { Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { order } from "../testing/scenarios";
import { openPosition } from "./commands";
import { moveStops } from "./commands_waiting";
import type { Position, Receipt } from "./schema";

/** What a stop loss that follows never does, and where a cent or a tick decides. Coins, so that no tier's spread stands between. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});
const tick = (bid: number) => app.quote("BTC/USD", bid.toFixed(2), bid.toFixed(2));
beforeEach(async () => {
  // Twice, as a jump from the last test's price must be confirmed.
  for (let n = 0; n < 2; n++) await tick(100_000);
});

type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const place = async (tess: Trader, over: object) => {
  const { status, body, text } = await tess.post<Position>("/api/trading/positions", { ...order, symbol: "BTC/USD", ...over });
  if (status !== 201) throw new Error(text);
  return body;
};
const openOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/open")).body;
const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;
const receiptOf = async (tess: Trader, { id }: Position) => (await tess.get<Receipt>(`/api/trading/positions/${id}/receipt`)).body;
const movesOf = async (tess: Trader, position: Position) => (await receiptOf(tess, position)).moves;
const freshQuote = () => app.trading.fresh("BTC/USD") as NonNullable<ReturnType<typeof app.trading.fresh>>;

for (const [type, way] of [
  ["buy", 1],
  ["sell", -1],
] as const)
  test(`${type}: breaking even leaves a stop loss that is closer already, and that one still fires`, async () => {
    const tess = await app.trader();
    const position = await place(tess, { type, breakEvenAt: 1_000, trailingDistance: 5_000 });
    await tick(100_000 + way * 900);
    const closer = 100_000 + way * 500;
    expect((await tess.patch(`/api/trading/positions/${position.id}`, { stopLoss: closer })).status).toBe(200);
    const before = await movesOf(tess, position);
    await tick(100_000 + way * 1_000);
    expect(await openOf(tess)).toMatchObject([{ stopLoss: `${closer}.00000000`, brokeEven: true }]);
    expect(await movesOf(tess, position)).toEqual(before);
    // Between that stop loss and the opening price: the engine, too, must know the closer one.
    await tick(100_000 + way * 400);
    expect(await openOf(tess)).toEqual([]);
    expect(await historyOf(tess)).toMatchObject([{ closeReason: "stop_loss", closePrice: `${100_000 + way * 400}.00000000` }]);
  });

test("the receipt of an order that waited has the tick that it was placed on, that it was filled on, and that of each move", async () => {
  const tess = await app.trader();
  const seen = () => ({ quoteId: freshQuote().seq, quoteTime: new Date(freshQuote().at).toISOString() });
  const placed = seen();
  const limit = await place(tess, { orderType: "limit", triggerPrice: 99_500, trailingDistance: 200 });
  const moved: object[] = [];
  for (const [bid, level] of [[99_800], [99_450, 99_250], [99_600, 99_400], [99_550], [99_399]] as const) {
    await tick(bid);
    const { quoteId, quoteTime: time } = seen();
    if (level) moved.push({ kind: "trail", quoteId, time, level: `${level}.00000000` });
  }
  expect(await historyOf(tess)).toMatchObject([{ id: limit.id, closeReason: "stop_loss" }]);
  const receipt = await receiptOf(tess, limit);
  expect(receipt.placed).toEqual({ at: limit.createdAt, ...placed, bid: "100000.00000000", ask: "100000.00000000" });
  expect<object[]>(receipt.moves).toEqual(moved);
  expect(receipt.fills).toMatchObject([{ kind: "open", quoteId: receipt.moves[0]?.quoteId, price: "99450.00000000" }, { kind: "close" }]);
});

test("a move that stands farther than the stop loss writes nothing, whoever asks for it", async () => {
  const tess = await app.trader();
  const position = await place(tess, { type: "buy", trailingDistance: 1_000 });
  await tick(100_500);
  const before = await movesOf(tess, position);
  expect(before.map(({ level }) => level)).toEqual(["99000.00000000", "99500.00000000"]);
  const quote = freshQuote();
  const asked = [99_900, 100_400].map((price, at) => ({
    positionId: position.id,
    quote: { ...quote, seq: quote.seq + 1 + at, bid: price * 1e8, ask: price * 1e8 },
  }));
  const { moved } = await moveStops(app.sql, [{ accountId: position.accountId, moves: asked }], true, null);
  expect(moved).toEqual([]);
  expect(await movesOf(tess, position)).toEqual(before);
  expect(await openOf(tess)).toMatchObject([{ stopLoss: "99500.00000000" }]);
});

test("an order that waited fills with exactly the margin that is free, and with one cent less it ends", async () => {
  const [exact, short] = [await app.trader(), await app.trader()];
  const wait = { type: "buy", orderType: "limit", triggerPrice: 99_000 };
  await place(exact, { ...wait, amount: 1_000_000 });
  const lacking = await place(short, { ...wait, amount: 1_000_001 });
  await tick(99_000);
  expect(await openOf(exact)).toMatchObject([{ status: "open", amount: "1000000.00" }]);
  expect(await openOf(short)).toEqual([]);
  const cancelled = (await short.get<Position[]>("/api/trading/positions/cancelled")).body;
  expect(cancelled).toMatchObject([{ id: lacking.id, cancelReason: "insufficient_margin", cancelFigures: { needed: "10000.01", free: "10000.00" } }]);
});

test("an exit that a tick reached before the engine knew of the position fires on that tick", async () => {
  const tess = await app.trader();
  const quote = freshQuote();
  const asked = { ...order, symbol: "BTC/USD", type: "buy" as const, accountId: null, amount: "1000.00", maxSlippage: null };
  const { answer } = await openPosition(
    app.sql,
    { id: tess.id } as Me,
    { ...asked, stopLoss: "99500" },
    true,
    quote,
    app.trading.board(),
    null,
    app.trading.epoch,
  );
  const { id, accountId } = answer as Position;
  await tick(99_400);
  await tick(100_000);
  app.trading.engine.watch(accountId, { id, sinceSeq: quote.seq });
  await app.trading.engine.idle();
  expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "99400.00000000" }]);
});
