import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkBooks } from "../ledger/ledger";
import { MINUTE } from "../lib/time";
import { holds, type Scrape } from "../testing/alert_rules";
import { type TestApp, testApp } from "../testing/app";
import { deposit, times } from "../testing/money";
import { order, tamper, until } from "../testing/scenarios";

/** Alert rules that operators load, each fired by the fault itself; none holds before it. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  admin = await app.admin();
});
afterAll(() => app.end());

const scrape = async (): Promise<Scrape> => ({ text: (await admin.get("/metrics")).text, at: performance.now() });
/** Holds the rule against what is told before a fault and after it; returns once it fired. */
async function fires(alert: string, fault: () => Promise<unknown>): Promise<void> {
  const before = await scrape();
  expect([alert, await holds(alert, before)]).toEqual([alert, false]);
  await fault();
  await until(`${alert} fires`, async () => holds(alert, await scrape(), before));
}

test("no instance leads", async () => {
  await fires("HalyardNobodyLeads", () => app.follow());
  await app.retake();
  expect(await holds("HalyardNobodyLeads", await scrape())).toBe(false);
});

test("books that do not balance", async () => {
  const [account] = await app.sql<{ id: string }[]>`select id from ledger_accounts where kind = 'house_pnl' and book = 'live'`;
  const shift = (by: number) => tamper(app.sql, (tx) => tx`update ledger_accounts set balance = balance + ${by} where id = ${account?.id ?? ""}`);
  await fires("HalyardBooksHalted", async () => {
    await shift(1);
    await checkBooks(app.context);
  });
  await shift(-1);
  await app.sql`update ledger_state set halted = false, reason = null`;
});

test("a feed that says nothing any more", async () => {
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await fires("HalyardQuotesStale", async () => app.pass(10 * MINUTE));
});

test("more money requests than staff decide", async () => {
  const trader = await app.trader();
  await fires("HalyardRequestsWait", () => times(51, () => deposit(trader)));
});

test("requests that fail", async () => {
  const trader = await app.trader();
  await fires("HalyardErrors", async () => {
    await app.sql`alter table watchlists rename to watchlists_away`;
    expect((await trader.get("/api/watchlists")).status).toBe(500);
  });
  await app.sql`alter table watchlists_away rename to watchlists`;
});

test("a database that takes no prices", async () => {
  await app.sql.begin(async (tx) => {
    await tx`lock table quotes in access exclusive mode`;
    await fires("HalyardPricesNotStored", () => app.quote("EUR/USD", "1.10010", "1.10012"));
  });
  expect((await (await app.trader()).post("/api/trading/positions", order)).status).toBe(201);
});
