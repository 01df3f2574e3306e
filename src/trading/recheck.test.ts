import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import type { Me } from "../platform/app_context";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, faultOf, order, until } from "../testing/scenarios";
import type { Books } from "./books";
import { closeByEngine, closePosition, openPosition } from "./commands";
import { editPosition, triggerOrder } from "./commands_waiting";
import { movedLately } from "./queries_watch";
import type { Position } from "./schema";

/** The engine soon knows of a deal whose answer was lost, and an exit written so is told all the same. */

let app: TestApp;
beforeAll(async () => {
  const real = setInterval;
  const hasty = (task: () => void, ms: number, ...rest: unknown[]) => real(task, ms === 5_000 ? 50 : ms, ...rest);
  const spy = spyOn(globalThis, "setInterval").mockImplementation(hasty as typeof setInterval);
  app = await testApp();
  spy.mockRestore();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const bitcoin = { ...order, symbol: "BTC/USD", type: "buy" as const, accountId: null, amount: "1000.00", maxSlippage: null };
const price = (bid: string) => app.quote("BTC/USD", bid, bid);
const fresh = () => app.trading.fresh("BTC/USD") as NonNullable<ReturnType<typeof app.trading.fresh>>;
type Trader = Awaited<ReturnType<TestApp["trader"]>>;
const me = ({ id }: Trader) => ({ id }) as Me;
const historyOf = async (tess: Trader) => (await tess.get<Position[]>("/api/trading/positions/history")).body;
const known = (accountId: string) => (Reflect.get(app.trading.engine, "books") as Books).knows(accountId);
const sameAs = async (accountId: string) => (await movedLately(app.sql, 60)).find(({ id }) => id === accountId)?.digest === known(accountId);

test("what the engine knows and what the database holds are the same line after every kind of command", async () => {
  const tess = await app.trader();
  await price("50000");
  await app.quote("ETH/USD", "3000", "3001");
  const place = async (more: object) => (await tess.post<Position>("/api/trading/positions", { ...bitcoin, ...more })).body;
  const first = await place({ stopLoss: 49_000 });
  await place({ takeProfit: 51_000 });
  await place({ symbol: "ETH/USD", amount: 300, stopLoss: "2900.5", takeProfit: "3100.25" });
  const agree = async (command: string) => {
    await app.trading.engine.idle();
    const [account] = await accountsOf(tess);
    expect([command, await sameAs(account?.id ?? "")]).toEqual([command, true]);
  };
  await agree("opened");
  expect((await tess.patch(`/api/trading/positions/${first.id}`, { stopLoss: 48_000, takeProfit: 60_000 })).status).toBe(200);
  await agree("moved");
  expect((await tess.post(`/api/trading/positions/${first.id}/close`, { amount: 400 })).status).toBe(200);
  await agree("closed in part");
  await price("51000");
  await agree("target reached");
  expect((await historyOf(tess)).map(({ closeReason }) => closeReason)).toEqual(["take_profit", "trader"]);
});

test("an order and a moved stop whose answers were lost are watched all the same", async () => {
  const tess = await app.trader();
  await price("50000");
  const { board, epoch } = app.trading;
  const sent = await openPosition(app.sql, me(tess), { ...bitcoin, stopLoss: "49000" }, true, fresh(), board(), null, epoch);
  const { id, accountId } = sent.answer as Position;
  await until("the order is known", () => known(accountId) !== null);
  await app.sql`update trading_accounts set updated_at = now() - interval '1 hour' where id = ${accountId}`;
  await editPosition(app.sql, tess.id, id, { stopLoss: "49500" }, fresh(), epoch);
  await until("the stop is known", () => sameAs(accountId));
  await price("49400");
  expect(await historyOf(tess)).toMatchObject([{ id, closeReason: "stop_loss", closePrice: "49400.00000000" }]);
});

test("a close whose answer was lost is known too", async () => {
  const tess = await app.trader();
  await price("50000");
  const { body } = await tess.post<Position>("/api/trading/positions", bitcoin);
  await closePosition(app.sql, tess.id, body.id, null, null, fresh(), null, app.trading.epoch);
  await until("it is forgotten", () => known(body.accountId) === null);
});

test("an exit that was written while its answer was lost is told when it is tried again; another's command is not", async () => {
  const tess = await app.trader();
  await price("50000");
  const open = async (stopLoss: number) => (await tess.post<Position>("/api/trading/positions", { ...bitcoin, stopLoss })).body;
  const [stopped, closed] = [await open(40_000), await open(40_000)];
  const { epoch } = app.trading;
  const tick = { ...fresh(), seq: fresh().seq + 1, bid: 3_900_000_000_000, ask: 3_900_000_000_000 };
  const due = { positionId: stopped.id, reason: "stop_loss" as const, quote: tick };
  const first = await closeByEngine(app.sql, due, epoch);
  expect(await closeByEngine(app.sql, due, epoch)).toEqual(first);
  expect(await faultOf(closeByEngine(app.sql, { ...due, quote: { ...tick, seq: tick.seq + 1 } }, epoch))).toMatchObject({ code: "conflict" });
  await closePosition(app.sql, tess.id, closed.id, null, null, tick, null, epoch);
  expect(await faultOf(closeByEngine(app.sql, { ...due, positionId: closed.id }, epoch))).toMatchObject({ code: "conflict" });
});

test("a waiting order that was filled while its answer was lost is told when it is tried again", async () => {
  const tess = await app.trader();
  await price("50000");
  const { board, epoch } = app.trading;
  const sent = await openPosition(app.sql, me(tess), bitcoin, false, fresh(), board(), null, epoch);
  const { id, status } = sent.answer as Position;
  expect(status).toBe("pending");
  const tick = fresh();
  const first = await triggerOrder(app.sql, id, tick, board(), 0, epoch);
  expect(first).toMatchObject({ order: { id, status: "open" } });
  expect(await triggerOrder(app.sql, id, tick, board(), 0, epoch)).toMatchObject({ order: { id, status: "open", openPrice: first?.order.openPrice ?? "" } });
  expect(await triggerOrder(app.sql, id, { ...tick, seq: tick.seq + 1 }, board(), 0, epoch)).toBeNull();
});

test("a margin call and stop-outs that were written while their answers were lost are told, each once", async () => {
  const tess = await app.trader();
  const heard: string[] = [];
  app.context.bus.subscribe("notice", ({ userId, title, message }) => userId === tess.id && heard.push(`${title}: ${message.split(":")[0]}`));
  const lost: string[] = [];
  const lossy = new Proxy(app.sql, {
    apply(sql, self, [parts, ...values]) {
      const query = Reflect.apply(sql as never, self, [parts, ...values]) as Promise<unknown>;
      const command = /trade_(margin_call|stop_out)/.exec(String(parts))?.[1];
      if (!command || lost.includes(command)) return query;
      lost.push(command);
      return query.then(() => Promise.reject(Object.assign(new Error("write CONNECTION_CLOSED"), { code: "CONNECTION_CLOSED" })));
    },
  });
  const parts = Reflect.get(app.trading.engine, "parts") as { sql: typeof app.sql };
  await price("50000");
  for (const amount of ["300000.00", "200000.00"]) await tess.post("/api/trading/positions", { ...bitcoin, amount });
  parts.sql = lossy;
  await price("49450");
  await price("48000");
  parts.sql = app.sql;
  expect(lost).toEqual(["margin_call", "stop_out"]);
  const [account] = await accountsOf(tess);
  expect(heard).toEqual([
    `Margin call: Account ${account?.accountNumber}`,
    "Stop-out: BUY BTC/USD closed with −$12,000.00",
    "Stop-out: BUY BTC/USD closed with −$8,000.00",
  ]);
});

test("who asks again with the same key has the engine look at once", async () => {
  const tess = await app.trader();
  await price("50000");
  const { board, epoch } = app.trading;
  const key = { key: "again", fingerprint: "" };
  await openPosition(app.sql, me(tess), { ...bitcoin, stopLoss: "49000" }, true, fresh(), board(), key, epoch);
  const sent = await app.trading.place(me(tess), { ...bitcoin, stopLoss: "49000" }, key);
  await app.trading.engine.idle();
  expect(known((sent.data as Position).accountId)).not.toBeNull();
});
