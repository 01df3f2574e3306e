import { afterAll, beforeAll, expect, test } from "bun:test";
import { checkBooks } from "../ledger/ledger";
import { MINUTE, SECOND } from "../lib/time";
import { firing, type Scrape, scrapeOf } from "../testing/alert_rules";
import { type TestApp, testApp } from "../testing/app";
import { deposit, times } from "../testing/money";
import { order, tamper, until } from "../testing/scenarios";

/** Alert rules that operators load, each fired by the fault itself; it does not fire before it. The others are in `whole/alerts_fire.test.ts`. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  admin = await app.admin();
  await app.logbook.wake();
});
afterAll(() => app.end());

const scrape = async (): Promise<Scrape> => scrapeOf((await admin.get("/metrics")).text);
/** Holds the rule against what is told before a fault and after it; returns once it fires. */
async function fires(alert: string, fault: () => Promise<unknown>): Promise<void> {
  const before = await scrape();
  expect(await firing(before)).not.toContain(alert);
  await fault();
  await until(`${alert} fires`, async () => (await firing(await scrape(), before)).includes(alert));
}

test("nothing is wrong: none fires", async () => {
  // A busy machine's database may answer late for a moment.
  await until("none fires", async () => (await firing(await scrape())).length === 0);
});

test("a public log that is not as it was written", async () => {
  await fires("HalyardLogStands", async () => {
    await tamper(app.sql, (tx) => tx`update proof_tiles set hashes = overlay(hashes placing decode(repeat('00', 32), 'hex') from 1) where level = 0 and n = 0`);
    await app.logbook.check();
  });
  // What comes now waits, for the last test.
  await app.sql`insert into proof_outbox (kind, ref) values ('audit', '1')`;
});

test("no instance leads", async () => {
  await fires("HalyardNobodyLeads", () => app.follow());
  await app.retake();
  expect(await firing(await scrape())).not.toContain("HalyardNobodyLeads");
});

test("books that do not balance", async () => {
  const [account] = await app.sql<{ id: string }[]>`select id from ledger_accounts where kind = 'house_pnl' and book = 'live' order by id limit 1`;
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

test("a feed whose clock is ahead", async () => {
  await fires("HalyardTicksAhead", () => app.quote("EUR/USD", "1.10000", "1.10002", 5 * SECOND));
  await app.quote("EUR/USD", "1.10000", "1.10002");
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

test("readers of live events, of whom some find no place, and the others read nothing", async () => {
  const readers: Response[] = [];
  await fires("HalyardStreamsRefused", async () => {
    for (let n = 0; n < 300; n++) readers.push(await app.stranger().fetch("GET", "/api/market/stream"));
  });
  expect(readers.filter(({ ok }) => ok)).toHaveLength(200);
  await fires("HalyardStreamsDropped", async () => {
    for (let n = 0; n < 1_000; n++) app.context.bus.publish("quotes", app.market.snapshot());
    await until("they are given up", () => app.context.streams.count === 0);
  });
});

test("a database that takes no prices", async () => {
  await app.sql.begin(async (tx) => {
    await tx`lock table quotes in access exclusive mode`;
    await fires("HalyardPricesNotStored", () => app.quote("EUR/USD", "1.10010", "1.10012"));
  });
  expect((await (await app.trader()).post("/api/trading/positions", order)).status).toBe(201);
});

test("stops that wait for the database", async () => {
  await stops(1_001);
  await app.retake();
  await app.sql.begin(async (tx) => {
    await tx`lock table positions in exclusive mode`;
    await fires("HalyardEngineBehind", async () => void app.quote("EUR/USD", "1.09000", "1.09002"));
  });
  await app.trading.engine.idle();
  expect(await app.sql`select from positions where stop_loss = 1.095 and status = 'open'`).toHaveLength(0);
});

test("what was done waits for the public log", async () => {
  await until("HalyardLogBehind fires", async () => (await firing(await scrape())).includes("HalyardLogBehind"));
});

/** So many demo accounts, each with a position whose stop loss is below the price. */
async function stops(count: number): Promise<void> {
  const trader = await app.trader();
  // Money out of nowhere: the guards would refuse it.
  await tamper(app.sql, async (tx) => {
    await tx`
      with opened as (
        insert into ledger_accounts (owner_id, book, kind, balance) select ${trader.id}::uuid, 'demo', 'trading', 10000 from generate_series(1, ${count}) returning id
      )
      insert into trading_accounts (user_id, ledger_account_id, account_number, account_type_id, is_demo)
      select ${trader.id}, id, 'STOP' || id, 'starter', true from opened`;
    await tx`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, stop_loss, status, opened_at)
      select id, user_id, 'EUR/USD', 'buy', 1000, 1000, 100, 10, 1.1, 1.095, 'open', now() from trading_accounts where account_number like 'STOP%'`;
  });
}
