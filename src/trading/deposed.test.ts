import { afterEach, beforeEach, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { order, until, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/** Another program took the lead, and this one does not know it yet: what it writes is refused, whatever it believes. */

let old: TestApp;
let next: TestApp;
beforeEach(async () => {
  old = await testApp();
});
afterEach(async () => {
  await next.close();
  await old.end();
});

const bitcoin = { ...order, symbol: "BTC/USD" };
const historyOf = async (cookie: string) => (await Object.assign(next.stranger(), { cookie }).get<Position[]>("/api/trading/positions/history")).body;

async function positionWithStop() {
  const tess = await old.trader();
  await old.quote("BTC/USD", "100000", "100000");
  const { status, body } = await tess.post<Position>("/api/trading/positions", { ...bitcoin, stopLoss: 99_000 });
  expect(status).toBe(201);
  await old.trading.engine.idle();
  next = await testApp({}, old.db);
  return { tess, id: body.id };
}

test("its exits are refused and left to the new leader; its ticks are not recorded; its prices fill nothing", async () => {
  const { tess, id } = await positionWithStop();
  await old.quote("BTC/USD", "98000", "98000");
  expect(await historyOf(tess.cookie)).toEqual([]);
  expect(await tess.post("/api/trading/positions", bitcoin)).toMatchObject({ status: 503, body: { code: "stale_price" } });
  await next.quote("BTC/USD", "98500", "98500");
  expect(await historyOf(tess.cookie)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "98500.00000000" }]);
  await old.market.pause();
  const [row] = await old.sql<{ bids: string[] | null }[]>`select array_agg(distinct bid) as bids from ticks where bid < 99000`;
  expect(row?.bids ?? []).not.toContain("98000.00000000");
});

test("a deal on it asks the new leader's engine to look, in the deal's own transaction", async () => {
  const { tess, id } = await positionWithStop();
  await old.sql`delete from engine_looks`;
  // Without a tick of its own, as in the moment before it learns of the new leader.
  const { status } = await tess.post(`/api/trading/positions/${id}/cancel`);
  expect(status).toBe(409);
  expect((await old.sql`select from engine_looks`).length).toBe(0);
  await next.quote("BTC/USD", "100000", "100000");
  await old.sql`update leadership set first_seq = 0`;
  const opened = await tess.post<Position>("/api/trading/positions", { ...bitcoin, takeProfit: 105_000 });
  expect(opened.status).toBe(201);
  await until("the new leader has looked", () => next.trading.engine.watched === 2);
  await next.quote("BTC/USD", "104000", "104000");
  await next.quote("BTC/USD", "106000", "106000");
  expect(await historyOf(tess.cookie)).toMatchObject([{ id: opened.body.id, closeReason: "take_profit" }]);
});

test("without the fence its exit would be written", async () => {
  const { tess, id } = await positionWithStop();
  await withoutGuard(
    old.sql,
    "lead_fence",
    "if not exists (select from leadership where epoch = of_epoch) then perform refuse('deposed', 'Another program leads now.'); end if;",
  );
  await old.quote("BTC/USD", "98000", "98000");
  expect(await historyOf(tess.cookie)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "98000.00000000" }]);
});

test("its fills, ends and moves of stop losses are refused and left to the new leader, on the new leader's ticks", async () => {
  const tess = await old.trader();
  await old.quote("BTC/USD", "100000", "100000");
  const place = async (over: object) => (await tess.post<Position>("/api/trading/positions", { ...bitcoin, ...over })).body.id;
  const limit = await place({ orderType: "limit", triggerPrice: 99_000 });
  const ended = await place({ orderType: "limit", triggerPrice: 90_000, expiresAt: new Date(old.market.clock() + 60_000).toISOString() });
  const trailing = await place({ trailingDistance: 3_000 });
  await old.trading.engine.idle();
  next = await testApp({}, old.db);
  const states = async () => {
    const rows = await old.sql<{ id: string; state: string }[]>`select id, concat_ws(' ', status, cancel_code, trunc(stop_loss)) as state from positions`;
    return [limit, ended, trailing].map((id) => rows.find((row) => row.id === id)?.state);
  };
  old.pass(60_000);
  await old.quote("BTC/USD", "98000", "98000");
  await old.quote("BTC/USD", "101000", "101000");
  expect(await states()).toEqual(["pending", "pending", "open 97000"]);
  next.pass(60_000);
  await next.quote("BTC/USD", "98500", "98500");
  await next.quote("BTC/USD", "100500", "100500");
  expect(await states()).toEqual(["open", "cancelled expired", "open 97500"]);
});
