import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AuditEntry } from "../audit/schema";
import { type TestApp, testApp } from "../testing/app";
import { openPosition } from "../testing/corrections";
import { fundLive, until } from "../testing/scenarios";
import type { Exposure } from "./schema_corrections";

/** The bounds at which staff are warned of what clients hold. */

let app: TestApp;
let ann: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10010");
  ann = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const limit = (amount: unknown, symbol = "EUR/USD", by = ann) => by.post("/api/admin/exposure-limits", { symbol, limit: amount });
const row = async (account = "all") => (await ann.get<Exposure[]>(`/api/admin/exposure?account=${account}`)).body.find(({ symbol }) => symbol === "EUR/USD");
const audited = async () => (await ann.get<AuditEntry[]>("/api/admin/audit-trail?action=exposure.limit&sort=created")).body;

test("a limit is kept on the server, held against live money alone, and stands in the audit book", async () => {
  const tess = await app.trader();
  const accountId = await fundLive(app, tess, "1000.00");
  await openPosition(tess, { accountId, amount: 3000 });
  await openPosition(tess, { accountId, amount: 1000, type: "sell" });
  const [demo] = (await tess.get<{ id: string; isDemo: boolean }[]>("/api/trading-accounts")).body.filter(({ isDemo }) => isDemo);
  await openPosition(tess, { accountId: demo?.id, amount: 500 });
  expect((await limit("2500")).status).toBe(204);
  await until("it is told", async () => (await row())?.limit === "2500.00");
  expect(await row()).toMatchObject({ long: "3500.00", short: "1000.00", net: "2500.00", liveNet: "2000.00", limit: "2500.00" });
  expect(await row("demo")).toMatchObject({ net: "500.00", liveNet: "0.00" });
  expect((await limit("2500.00")).status).toBe(204);
  expect((await limit(null)).status).toBe(204);
  await until("it is gone", async () => (await row())?.limit === null);
  // What changed nothing is no line.
  expect((await audited()).map(({ admin, details, previousState, newState }) => [admin, details, previousState, newState])).toEqual([
    [ann.email, { symbol: "EUR/USD" }, { limit: null }, { limit: "2500.00" }],
    [ann.email, { symbol: "EUR/USD" }, { limit: "2500.00" }, { limit: null }],
  ]);
  // It holds nobody back.
  await limit("10");
  expect((await openPosition(tess, { accountId, amount: 1000 })).id).toBeDefined();
});

test("of many set at once each follows the one before, in the book too", async () => {
  const before = (await audited()).length;
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => limit(String(100 + n), "GBP/USD")));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(204));
  const entries = (await audited()).slice(before);
  expect(entries).toHaveLength(12);
  for (const [n, { previousState }] of entries.entries()) expect(previousState).toEqual(n === 0 ? { limit: null } : (entries[n - 1]?.newState ?? {}));
});

test("is set by staff, as an amount, of what is dealt here", async () => {
  for (const [amount, symbol] of [["0"], ["-5"], ["NaN"], ["1e3"], [undefined], ["100", "EUR/QQQ"], ["100", ""]] as const)
    expect((await limit(amount, symbol)).status).toBe(400);
  const tess = await app.trader();
  expect((await limit("100", "EUR/USD", tess as typeof ann)).status).toBe(403);
});
