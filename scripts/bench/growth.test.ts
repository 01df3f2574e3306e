import { afterAll, beforeAll, expect, test } from "bun:test";
import { lastSeal, proveNew, sealBooks, settledEnd } from "../../src/ledger/queries_proving";
import { type TestApp, testApp } from "../../src/testing/app";
import { order, rowsCounted } from "../../src/testing/scenarios";
import { fill } from "./growth_fill";

/** What is read of a house that holds much, by PostgreSQL's own count of rows: as much as somebody did since, not what there is. */

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  trader = await app.trader();
  await fill(app.sql, { people: 2000, closed: 20_000, heavy: 2000, open: 200, requests: 2000, tickets: 200, audits: 200 }, trader.id);
  await app.sql.unsafe("analyze");
});
afterAll(() => app.end());

test("the books are right, and what came since they were found so is proved by reading that alone", async () => {
  expect(await app.faults()).toEqual([]);
  // Whoever writes anywhere on the server holds it up, and other files' tests do.
  const end = await settledEnd(app.sql, 300_000);
  if (!end) throw new Error("somebody writes without an end");
  await sealBooks(app.sql, end, true);
  const { body } = await trader.post<{ id: string }>("/api/trading/positions", order);
  await trader.post(`/api/trading/positions/${body.id}/close`);
  const since = await lastSeal(app.sql);
  if (!since) throw new Error("there is no seal");
  const read = await app.sql.begin(async (tx) => {
    const before = await rowsCounted(tx);
    const { proofs } = await proveNew(tx, since);
    expect(proofs.filter(({ rows }) => rows > 0)).toEqual([]);
    return (await rowsCounted(tx)) - before;
  });
  // Some 250,000 rows are there.
  expect(read).toBeLessThan(3000);
});
