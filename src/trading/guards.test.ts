import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, ledgerAccount, order, post, until, withoutGuard } from "../testing/scenarios";
import type { Position } from "./schema";

/**
 * Races that are won only by a guard in the database: each is run with the guard taken out and must then be lost.
 * The same races with the guard in place are in races.test.ts, exits.test.ts and the ledger's tests.
 */

let app: TestApp;
beforeEach(async () => {
  // Every five seconds the engine would find what was changed behind its back.
  const real = setInterval;
  const patient = (task: () => void, ms: number, ...rest: unknown[]) => real(task, ms === 5_000 ? 3_600_000 : ms, ...rest);
  const spy = spyOn(globalThis, "setInterval").mockImplementation(patient as typeof setInterval);
  app = await testApp();
  spy.mockRestore();
  await app.quote("EUR/USD", "1.10000", "1.10002");
});
afterEach(() => app.end());

const open = async (tess: Awaited<ReturnType<TestApp["trader"]>>, over: object = {}) =>
  (await tess.post<Position>("/api/trading/positions", { ...order, ...over })).body;

test("without the check of the status, a second closing is a fault instead of a conflict", async () => {
  const tess = await app.trader();
  const { id } = await open(tess);
  await withoutGuard(app.sql, "trade_close", "if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;");
  const answers = await Promise.all(Array.from({ length: 5 }, () => tess.post(`/api/trading/positions/${id}/close`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 500, 500, 500, 500]);
});

test("without that check, the uniqueness and the table's own refusal behind it, one position is paid twice, and the checks of the books see it", async () => {
  const tess = await app.trader();
  const { id } = await open(tess);
  await app.quote("EUR/USD", "1.12000", "1.12002");
  await withoutGuard(app.sql, "trade_close", "if p.status <> 'open' then perform refuse('conflict', 'This position is already closed.'); end if;");
  await app.sql.unsafe(
    `alter table fills drop constraint fills_position_id_kind_key;
     alter table ledger_entries drop constraint ledger_entries_kind_object_id_key;
     alter table positions disable trigger positions_go_on`,
  );
  for (let i = 0; i < 2; i++) await tess.post(`/api/trading/positions/${id}/close`);
  expect((await accountsOf(tess))[0]?.balance).toBe("10035.76");
  expect(await app.faults()).not.toEqual([]);
});

test("without the key's claim, ten taps open ten positions", async () => {
  const tess = await app.trader();
  await withoutGuard(app.sql, "once_begin", "if once_key is null then return null; end if;", "return null;");
  const answers = await Promise.all(Array.from({ length: 10 }, () => tess.post<Position>("/api/trading/positions", order, { "idempotency-key": "tap" })));
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(10);
});

test("without the constraint, a wallet is spent twice", async () => {
  const tess = await app.trader();
  const [wallet, clearing] = [await ledgerAccount(app.sql, "wallet", tess.id), await ledgerAccount(app.sql, "house_clearing")];
  await post(app.sql, wallet, clearing, "100.00");
  await app.sql.unsafe("alter table ledger_accounts drop constraint customer_not_negative");
  await Promise.all([post(app.sql, clearing, wallet, "100.00"), post(app.sql, clearing, wallet, "100.00")]);
  const [row] = await app.sql<{ balance: string }[]>`select balance from ledger_accounts where id = ${wallet}`;
  expect(row?.balance).toBe("-100.00");
});

test("without the last look at the exit, a stop that was moved away still fires", async () => {
  const tess = await app.trader();
  const { id } = await open(tess, { stopLoss: "1.09" });
  await withoutGuard(app.sql, "trade_close", "why = 'stop_loss' and (", "false and (");
  await app.trading.engine.idle();
  // The stop is moved behind the engine's back, as in the moment between its write and the engine's next look.
  await app.sql`update positions set stop_loss = 1.05 where id = ${id}`;
  await app.quote("EUR/USD", "1.08900", "1.08902");
  const closed = async () => (await tess.get<Position[]>("/api/trading/positions/history")).body;
  await until("it fired", async () => (await closed()).length > 0);
  expect(await closed()).toMatchObject([{ id, closeReason: "stop_loss" }]);
});
