import { afterAll, beforeAll, expect, test } from "bun:test";
import type { AuditEntry } from "../audit/schema";
import { placeInApp, placeInPanel } from "../notifications/rules";
import type { Notification } from "../notifications/schema";
import { type TestApp, testApp } from "../testing/app";
import { openPosition } from "../testing/corrections";
import { fundLive, until, withoutGuard } from "../testing/scenarios";
import { judgeLimits } from "./commands_limits";
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

/** The warnings that a limit of this symbol was reached, as every administrator's bell has them. */
const warnings = async (symbol: string) =>
  (await ann.get<Notification[]>("/api/admin/notifications?type=warning")).body.filter(({ metadata }) => metadata.limitOf === symbol);
const crossed = async (symbol: string) => {
  const [row] = await app.sql<{ crossed: boolean }[]>`select crossed_at is not null as crossed from exposure_limits where symbol = ${symbol}`;
  return row?.crossed;
};

test("a limit that is reached is told to all staff once, and again only after clearly less was held", async () => {
  await app.quote("USD/JPY", "150.000", "150.010");
  const tess = await app.trader();
  const accountId = await fundLive(app, tess, "5000.00");
  const hold = async (amount: number, type = "sell") => openPosition(tess, { accountId, amount, type, symbol: "USD/JPY" });
  await limit("1000", "USD/JPY");
  await hold(900);
  const last = await hold(100);
  await until("it is told", async () => (await warnings("USD/JPY")).length === 1);
  const [warning] = await warnings("USD/JPY");
  expect(warning).toMatchObject({
    title: "Limit of USD/JPY reached",
    message: "Clients hold $1,000.00 net short on live accounts; the limit is $1,000.00. No order is refused.",
    priority: "high",
  });
  expect(warning && [placeInPanel(warning), placeInApp(warning)]).toEqual(["/admin?tab=trades", "/admin-app?tab=trades"]);
  // About the limit nothing more is told: 960 held is not clearly less.
  await hold(40, "buy");
  await app.sql`select limits_judge()`;
  await hold(500);
  await app.sql`select limits_judge()`;
  expect([await crossed("USD/JPY"), (await warnings("USD/JPY")).length]).toEqual([true, 1]);
  await tess.post(`/api/trading/positions/${last.id}/close`);
  await hold(500, "buy");
  await until("it is over", async () => (await crossed("USD/JPY")) === false);
  await hold(600);
  await until("it is told again", async () => (await warnings("USD/JPY")).length === 2);
  // A new limit is judged anew, and told where it is reached already.
  await limit("500", "USD/JPY");
  await until("it is told", async () => (await warnings("USD/JPY")).length === 3);
});

test("of programs that look at once one tells, and one that leads no more is refused", async () => {
  const old = await testApp();
  const next = await testApp({}, old.db);
  await next.quote("EUR/USD", "1.10000", "1.10010");
  const tess = await next.trader();
  await openPosition(tess, { accountId: await fundLive(next, tess, "5000.00"), amount: 2000 });
  const admin = await next.admin();
  const held = async () =>
    (await old.sql`select from notification_outbox where type = 'warning' union all select from admin_notifications where type = 'warning'`).length;
  const race = async () => {
    const before = await held();
    await old.sql`delete from exposure_limits`;
    await old.sql`insert into exposure_limits (symbol, amount, updated_by) values ('EUR/USD', 1000, ${admin.id})`;
    await Promise.all(Array.from({ length: 8 }, () => old.sql`select limits_judge()`));
    return (await held()) - before;
  };
  expect(await race()).toBe(1);
  expect(await judgeLimits(old.context.sql, old.trading.epoch).catch((error: Error) => error.message)).toBe("Another program leads now.");
  const guard = "case when m.crossed_at is null then abs(h.net) >= m.amount else abs(h.net) < m.amount * 0.95 end";
  await withoutGuard(old.sql, "limits_judge", guard, "abs(h.net) >= m.amount");
  expect(await race()).toBeGreaterThan(1);
  await next.close();
  await old.end();
});
