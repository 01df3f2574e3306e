import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../app";
import { faultOf, faultOfEmptying, fundLive, ledgerAccount, order, until, waiting } from "../scenarios";

/** What the database itself refuses to statements by hand, so that only the functions change money and ended things. */

let app: TestApp;
let wallet: number;
let clearing: number;
beforeAll(async () => {
  app = await testApp();
  const [tess, admin] = [await app.trader(), await app.admin()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  const accountId = await fundLive(app, tess, "500.00");
  const { body: closed } = await tess.post<{ id: string }>("/api/trading/positions", { ...order, accountId });
  await tess.post("/api/trading/positions", { ...order, accountId });
  await tess.post(`/api/trading/positions/${closed.id}/close`);
  await app.sql`
    insert into positions (account_id, user_id, symbol, side, amount, leverage, margin, status)
    select ${accountId}, ${tess.id}, 'EUR/USD', 'buy', 100, 100, 1, status from unnest('{pending,cancelled}'::text[]) as s (status)
  `;
  const deposit = { amount: 60, currency: "USD", method: "bank" };
  const ids = await Promise.all([1, 2].map(async () => (await tess.post<{ id: string }>("/api/deposits", deposit)).body.id));
  expect((await admin.post(`/api/admin/deposits/${ids[0]}/approve`)).status).toBe(200);
  for (let n = 0; n < 2; n++) await app.sql`select withdrawal_request(${tess.id}, 20, 'USD', 'bank', 'An account', true, null, null)`;
  const [first] = await app.sql<{ id: string }[]>`select id from withdrawals order by id limit 1`;
  await app.sql`select withdrawal_end(${admin.id}, ${first?.id ?? ""}, 'rejected', 'No', null, '', '')`;
  wallet = await ledgerAccount(app.sql, "wallet", tess.id);
  clearing = await ledgerAccount(app.sql, "house_clearing");
  expect(await app.faults()).toEqual([]);
});
afterAll(async () => {
  await until("nobody waits for a lock for ever", async () => (await waiting(app.sql)) === 0);
  await app.end();
});

const changes: [what: string, rows: string, change: string][] = [
  ["a balance without its posting", "ledger_accounts where kind = 'wallet'", "update ledger_accounts set balance = balance + 1 where kind = 'wallet'"],
  [
    "a balance that moved to another",
    "ledger_accounts where kind = 'house_clearing'",
    "update ledger_accounts set balance = balance + case kind when 'wallet' then 1 else -1 end where kind in ('wallet', 'house_clearing')",
  ],
  [
    "an account that opens with money",
    "users",
    "insert into ledger_accounts (owner_id, book, kind, balance) select id, 'live', 'trading', 5 from users limit 1",
  ],
  ["an account of somebody else", "ledger_accounts where owner_id is not null", "update ledger_accounts set owner_id = owner_id where owner_id is not null"],
  ["an account that is gone", "ledger_accounts where kind = 'withdrawal_hold'", "delete from ledger_accounts where kind = 'withdrawal_hold'"],
  ["another profit", "positions where status = 'closed'", "update positions set profit = profit + 1 where status = 'closed'"],
  [
    "a position that opens again",
    "positions where status = 'closed'",
    "update positions set status = 'open', close_price = null, profit = null, closed_at = null, close_reason = null where status = 'closed'",
  ],
  ["an order that was cancelled", "positions where status = 'cancelled'", "update positions set status = 'pending' where status = 'cancelled'"],
  [
    "an order that closes before it opens",
    "positions where status = 'pending'",
    "update positions set status = 'closed', open_price = 1, volume = 1, opened_at = now(), close_price = 2, profit = 100, closed_at = now(), close_reason = 'trader' where status = 'pending'",
  ],
  ["an order of another amount", "positions where status = 'pending'", "update positions set amount = amount * 10 where status = 'pending'"],
  ["a position that grows", "positions where status = 'open'", "update positions set amount = amount * 10 where status = 'open'"],
  ["a better opening price", "positions where status = 'open'", "update positions set open_price = open_price / 2 where status = 'open'"],
  ["an open position that is cancelled", "positions where status = 'open'", "update positions set status = 'cancelled' where status = 'open'"],
  ["the other side", "positions", "update positions set side = 'sell'"],
  ["a position that is gone", "positions", "delete from positions"],
  ["demo money that is called live", "trading_accounts where is_demo", "update trading_accounts set is_demo = false where is_demo"],
  ["an approved deposit of another amount", "deposits where status = 'approved'", "update deposits set credited = credited * 10 where status = 'approved'"],
  [
    "a deposit that waits again",
    "deposits where status = 'approved'",
    "update deposits set status = 'pending', decided_at = null, credited = null, rate = null where status = 'approved'",
  ],
  ["a larger deposit", "deposits where status = 'pending'", "update deposits set amount = amount * 10 where status = 'pending'"],
  [
    "somebody else's deposit",
    "deposits where status = 'pending'",
    "update deposits set user_id = (select id from users where role = 'admin') where status = 'pending'",
  ],
  ["a deposit that is gone", "deposits", "delete from deposits"],
  ["a rejected withdrawal that is paid", "withdrawals where status = 'rejected'", "update withdrawals set status = 'approved' where status = 'rejected'"],
  ["a larger withdrawal", "withdrawals where status = 'pending'", "update withdrawals set amount = amount * 2 where status = 'pending'"],
  ["another address", "withdrawals where status = 'pending'", "update withdrawals set wallet_address = 'Mine' where status = 'pending'"],
  ["a withdrawal that is gone", "withdrawals", "delete from withdrawals"],
];

test.each(changes)("refuses %s", async (_what, rows, change) => {
  const [found] = await app.sql.unsafe<{ rows: number }[]>(`select count(*)::integer as rows from ${rows}`);
  expect(found?.rows).toBeGreaterThan(0);
  expect(await faultOf(app.sql.unsafe(change))).toMatchObject({ code: expect.stringMatching(/^(42501|23514)$/), where: expect.stringContaining("PL/pgSQL") });
});

test.each(["ledger_accounts", "positions", "trading_accounts", "deposits", "withdrawals"])("refuses to empty %s", async (table) => {
  expect(await faultOfEmptying(app.sql, table)).toMatchObject({ code: "42501" });
});

test("refuses an entry without postings, at the commit", async () => {
  const empty = app.sql`insert into ledger_entries (kind, object_id, memo) values ('forged', ${crypto.randomUUID()}, '')`;
  expect(await faultOf(empty)).toMatchObject({ code: "23514", message: expect.stringContaining("has no posting") });
});

test("writes no entry where nothing is left to post", async () => {
  const post = (amount: number) =>
    app.sql<{ id: number | null }[]>`
      select ledger_post('test', ${crypto.randomUUID()}, '', array[${wallet}, ${clearing}, ${wallet}, ${clearing}]::bigint[], array[${amount}, ${-amount}, -5, 5]::numeric[]) as id
    `;
  expect((await post(5))[0]?.id).toBeNull();
  expect((await post(6))[0]?.id).toBeGreaterThan(0);
});

test("takes no correction of a live position below the market by one administrator alone", async () => {
  const correct = app.sql`
      insert into corrections (position_id, admin_id, administrator, reason, market_price, market_profit, settled_profit)
      select p.id, u.id, 'Eve', 'Because', 1, 10, 9
      from positions p
      join trading_accounts a on a.id = p.account_id and not a.is_demo
      join users u on u.role = 'admin'
      where p.status = 'closed'
    `;
  expect(await faultOf(correct)).toMatchObject({ code: "23514", message: "this correction takes a second administrator" });
});
