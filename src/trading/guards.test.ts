import { afterEach, beforeEach, expect, test } from "bun:test";
import { type TestHouse, testHouse } from "../testing/house";
import { accountsOf, ledgerAccount, order, post, until, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/**
 * Races that are won only by a guard in the database: each is run with the guard taken out and must then be lost.
 * The same races with the guard in place are in races.test.ts, exits.test.ts and the ledger's tests.
 */

let house: TestHouse;
beforeEach(async () => {
  house = await testHouse();
  await house.quote("EUR/USD", "1.10000", "1.10002");
});
afterEach(() => house.end());

const open = async (tess: Awaited<ReturnType<TestHouse["trader"]>>, over: object = {}) =>
  (await tess.post<Position>("/api/trading/positions", { ...order, ...over })).body;

test("without the check of the status, a second closing is a fault instead of a conflict", async () => {
  const tess = await house.trader();
  const { id } = await open(tess);
  await withoutGuard(house.sql, "trade_close", "if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;");
  const answers = await Promise.all(Array.from({ length: 5 }, () => tess.post(`/api/trading/positions/${id}/close`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 500, 500, 500, 500]);
});

test("without that check and the uniqueness behind it, one position is paid twice, and the checks of the books see it", async () => {
  const tess = await house.trader();
  const { id } = await open(tess);
  await house.quote("EUR/USD", "1.12000", "1.12002");
  await withoutGuard(house.sql, "trade_close", "if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;");
  await house.sql.unsafe(
    "alter table fills drop constraint fills_position_id_kind_key; alter table ledger_entries drop constraint ledger_entries_kind_object_id_key",
  );
  for (let i = 0; i < 2; i++) await tess.post(`/api/trading/positions/${id}/close`);
  expect((await accountsOf(tess))[0]?.balance).toBe("10035.76");
  expect(await house.faults()).not.toEqual([]);
});

test("without the key's claim, ten taps open ten positions", async () => {
  const tess = await house.trader();
  await withoutGuard(house.sql, "once_begin", "if once_key is null then return null; end if;", "return null;");
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post<Position>("/api/trading/positions", order, { "idempotency-key": "tap" })));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(10);
});

test("without the constraint, a wallet is spent twice", async () => {
  const tess = await house.trader();
  const [wallet, clearing] = [await ledgerAccount(house.sql, "wallet", tess.id), await ledgerAccount(house.sql, "house_clearing")];
  await post(house.sql, wallet, clearing, "100.00");
  await house.sql.unsafe("alter table ledger_accounts drop constraint customer_not_negative");
  await Promise.all([post(house.sql, clearing, wallet, "100.00"), post(house.sql, clearing, wallet, "100.00")]);
  const [row] = await house.sql<{ balance: string }[]>`select balance from ledger_accounts where id = ${wallet}`;
  expect(row?.balance).toBe("-100.00");
});

test("without the last look at the exit, a stop that was moved away still fires", async () => {
  const tess = await house.trader();
  const { id } = await open(tess, { stopLoss: "1.09" });
  await withoutGuard(house.sql, "trade_close", "why = 'stop_loss' and (", "false and (");
  await house.trading.engine.idle();
  // The stop is moved behind the engine's back, as in the moment between its write and the engine's next look.
  await house.sql`update positions set stop_loss = 1.05 where id = ${id}`;
  await house.quote("EUR/USD", "1.08900", "1.08902");
  const closed = async () => (await tess.get<Position[]>("/api/trading/positions/history")).body;
  await until("it fired", async () => (await closed()).length > 0);
  expect(await closed()).toMatchObject([{ id, closeReason: "stop_loss" }]);
});
