import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { fundLive } from "../testing/scenarios";
import { daysOf, overviewOf } from "./queries_overview";
import type { Overview } from "./schema";

/** The overview's thirty days, which are read as they were written down once they are over. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

test("a day that is over says the same when it is counted and when it is read again", async () => {
  const trader = await app.trader();
  await app.sql
    .begin(async (tx) => {
      // Behind the triggers' back, and undone: nobody can book in the past.
      await tx`set local session_replication_role = replica`;
      await tx`update users set created_at = now() - interval '3 days' where id = ${trader.id}`;
      await tx`
      insert into deposits (user_id, amount, currency, method, status, rate, credited, decided_at)
      values (${trader.id}, 70, 'USD', 'bank', 'approved', 1, 70, now() - interval '2 days'), (${trader.id}, 5, 'USD', 'bank', 'approved', 1, 5, now())
    `;
      await tx`
      insert into withdrawals (user_id, amount, currency, method, wallet_address, status, decided_at)
      values (${trader.id}, 30, 'USD', 'bank', 'An account', 'approved', now() - interval '29 days')
    `;
      await tx`
      with e as (insert into ledger_entries (kind, object_id, memo, created_at) values ('trade_close', ${trader.id}, '', now() - interval '2 days') returning id)
      insert into ledger_postings (entry_id, account_id, amount, balance_after) select e.id, house_account('live', 'house_pnl'), 12.5, 12.5 from e
    `;
      const counted = await daysOf(tx);
      expect(counted).toHaveLength(30);
      const [rest] = await tx<{ n: number }[]>`select count(*)::integer as n from house_days`;
      expect(rest?.n).toBeGreaterThanOrEqual(28);
      expect(await daysOf(tx)).toEqual(counted);
      const fromToday = (days: number) => counted.at(-1 - days);
      expect(fromToday(3)).toMatchObject({ registrations: 1 });
      expect(fromToday(2)).toMatchObject({ registrations: 0, deposits: "70.00", withdrawals: "0.00", revenue: "12.50" });
      expect(fromToday(29)).toMatchObject({ withdrawals: "30.00" });
      expect(fromToday(0)).toMatchObject({ deposits: "5.00" });
      throw new Error("undone");
    })
    .catch((error: unknown) => {
      if (!(error instanceof Error && error.message === "undone")) throw error;
    });
});

test("clients' money is what their accounts hold", async () => {
  await fundLive(app, await app.trader(), "500.00");
  const [held] = await app.sql<
    { sum: string }[]
  >`select coalesce(sum(balance), 0.00)::text as sum from ledger_accounts where owner_id is not null and book = 'live'`;
  expect((await overviewOf(app.sql, [])).clientMoney).toBe(held?.sum as string);
  expect(Number(held?.sum)).toBeGreaterThanOrEqual(500);
});

test("what an account held before a moment is what its postings say, and today by balances is today by entries", async () => {
  const trader = await app.trader();
  const admin = await app.admin();
  const accountId = await fundLive(app, trader, "5000.00");
  await app.quote("EUR/USD", "1.10000", "1.10010");
  for (const bid of ["1.10100", "1.09800", "1.10300", "1.09500", "1.10050"]) {
    const { body } = await trader.post<{ id: string }>("/api/trading/positions", { symbol: "EUR/USD", type: "buy", amount: 1000, accountId });
    await app.quote("EUR/USD", bid, (Number(bid) + 0.0001).toFixed(5));
    expect((await trader.post(`/api/trading/positions/${body.id}/close`, {})).status).toBe(200);
  }
  expect((await admin.get<Overview>("/api/admin/overview")).body).toMatchObject({ openLive: 0, openDemo: 0 });
  // At each of its moments, just before and just after it, and before and after all of them.
  const wrong = await app.sql`
    with moments as (
      select e.created_at + n * interval '1 microsecond' as at from ledger_entries e, generate_series(-1, 1) n
      union all
      select unnest(array['-infinity'::timestamptz, 'infinity'])
    )
    select a.kind, m.at, k.held, s.summed
    from ledger_accounts a
    cross join moments m
    cross join lateral (select balance_before(a.id, m.at) as held) k
    cross join lateral (
      select coalesce(sum(p.amount), 0) as summed from ledger_postings p join ledger_entries e on e.id = p.entry_id where p.account_id = a.id and e.created_at < m.at
    ) s
    where k.held <> s.summed
  `;
  expect([...wrong]).toEqual([]);
  const [same] = await app.sql<{ now: string; booked: string; revenue: string }[]>`
    select h.revenue, to_json(h)::text as now, to_json(o)::text as booked from house_day_now() h cross join lateral house_day_of(h.day) o
  `;
  expect(same?.now).toBe(same?.booked as string);
  expect(same?.revenue).not.toBe("0.00");
});
