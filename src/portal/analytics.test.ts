import { afterAll, beforeAll, expect, test } from "bun:test";
import { displayMoney } from "../lib/money";
import { type TestApp, testApp } from "../testing/app";
import { accountsOf, fundLive, order, rowsCounted } from "../testing/scenarios";
import { byMonthOf, bySymbolOf, curveOf, summaryOf } from "./queries_analytics";

/** The performance page: every figure is SQL's, from what was closed and what the ledger booked; live and demo never meet. */

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
let live: string;
let demo: string;
beforeAll(async () => {
  app = await testApp();
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await app.quote("BTC/USD", "90000.00", "90005.00");
  trader = await app.trader();
  live = await fundLive(app, trader, "2000.00");
  demo = (await accountsOf(trader)).find(({ isDemo }) => isDemo)?.id ?? "";
  const place = async (more: object) => (await trader.post<{ id: string }>("/api/trading/positions", { ...order, ...more })).body.id;
  const ids = [
    await place({ accountId: live, amount: 40_000 }),
    await place({ accountId: live, amount: 9_000, type: "sell" }),
    await place({ accountId: live, amount: 3_000, symbol: "BTC/USD", type: "sell" }),
    await place({ accountId: demo, amount: 77_000 }),
  ];
  await app.quote("EUR/USD", "1.10450", "1.10452");
  await app.quote("BTC/USD", "89000.00", "89005.00");
  for (const id of ids) expect((await trader.post(`/api/trading/positions/${id}/close`)).status).toBe(200);
  await place({ accountId: live, amount: 500 });
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

const words = async (path: string, person = trader) => {
  const { status, text } = await person.get(path);
  expect(status).toBe(200);
  return text
    .replace(/<script[\s\S]*?<\/script>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
};
const sign = (amount: string) => `${amount.startsWith("-") ? "▼" : "▲"} ${displayMoney(amount, { sign: true })}`;

test.each([["live"], ["demo"]])("the figures of %s accounts are the ledger's", async (book) => {
  const [sums] = await app.sql<{ booked: string; gained: string; lost: string; best: string; worst: string }[]>`
    select sum(p.amount)::text as booked, coalesce(sum(p.amount) filter (where p.amount > 0), 0)::text as gained,
      coalesce(-sum(p.amount) filter (where p.amount < 0), 0)::text as lost, max(p.amount)::text as best, min(p.amount)::text as worst
    from ledger_postings p join ledger_entries e on e.id = p.entry_id join ledger_accounts a on a.id = p.account_id
    where a.owner_id = ${trader.id} and a.book = ${book} and e.kind = 'trade_close'
  `;
  if (!sums) throw new Error("no sums");
  const page = await words(`/analytics?book=${book}`);
  expect(page).toContain(`Net Result ${sign(sums.booked)} ${displayMoney(sums.gained)} gained, ${displayMoney(sums.lost)} lost`);
  expect(page).toContain(`Best Trade ${sign(sums.best)}`);
  expect(page).toContain(`Worst Trade ${sign(sums.worst)}`);
  expect(page).toContain(book === "live" ? "Win Rate 66.7% 2 won, 1 lost, of 3" : "Win Rate 100% 1 won, 0 lost, of 1");
  expect((await curveOf(app.sql, trader.id, book === "demo")).at(-1)?.total).toBe(sums.booked);
});

test("each instrument's result is its positions'", async () => {
  const rows = await app.sql<{ symbol: string; profit: string; closed: string }[]>`
    select symbol, sum(profit)::text as profit, count(*)::text as closed from positions where account_id = ${live} and status = 'closed' group by symbol
  `;
  const page = await words("/analytics?book=live");
  for (const { symbol, profit, closed } of rows)
    expect(page).toMatch(new RegExp(`${symbol} Trades ${closed} Win rate [\\d.]+% Result ${sign(profit).replace(/[$+]/g, "\\$&")}`));
});

test("without a choice it shows live accounts where there is something, else demo ones", async () => {
  expect(await words("/analytics")).toContain("of 3");
  const newcomer = await app.trader();
  expect(await words("/analytics", newcomer)).toContain("Trades that you close on a demo account are counted here.");
  expect(await words("/analytics?book=live", newcomer)).toContain("Demo trades have a tab of their own.");
});

test("a long history is drawn with some hundred points, the last one among them", async () => {
  const person = await app.trader();
  const [account] = await accountsOf(person);
  for (let turn = 0; turn < 500; turn++) {
    const { body } = await person.post<{ id: string }>("/api/trading/positions", { ...order, amount: 1000 + turn, accountId: account?.id });
    expect((await person.post(`/api/trading/positions/${body.id}/close`)).status).toBe(200);
  }
  const curve = await curveOf(app.sql, person.id, true);
  expect(curve.length).toBeGreaterThan(200);
  expect(curve.length).toBeLessThan(481);
  const [booked] = await app.sql<{ sum: string }[]>`select sum(profit)::text as sum from positions where user_id = ${person.id} and status = 'closed'`;
  expect(curve.at(-1)?.total).toBe(booked?.sum as string);
});

test("a history of many days is drawn by whole days, and by single closings at its end", async () => {
  const person = await app.trader();
  const [account] = await accountsOf(person);
  let closed: { at: Date; total: string }[] = [];
  let curve: Awaited<ReturnType<typeof curveOf>> = [];
  // Closed behind the ledger's back, and undone: the curve is drawn from what is kept as positions close.
  const undone = app.sql.begin(async (tx) => {
    await tx`
      insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at)
      select ${account?.id ?? ""}, ${person.id}, 'EUR/USD', 'buy', 100, 50, 100, 1, 2, 'open', now() - n * interval '1 hour' - interval '1 minute'
      from generate_series(1, 1300) n
    `;
    await tx`
      update positions
      set status = 'closed', close_price = 2, profit = (extract(epoch from opened_at)::bigint / 3600 % 7) - 2.5, close_reason = 'trader', closed_at = opened_at + interval '1 minute'
      where account_id = ${account?.id ?? ""}
    `;
    closed = await tx<{ at: Date; total: string }[]>`
      select closed_at as at, (sum(profit) over (order by closed_at))::text as total from positions where account_id = ${account?.id ?? ""} order by closed_at
    `;
    curve = await curveOf(tx, person.id, true);
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const totalAt = (at: string) => closed.findLast((each) => new Date(each.at) <= new Date(at))?.total;
  expect(curve.length).toBeGreaterThan(200);
  for (const { at, total } of curve) expect({ at, total }).toEqual({ at, total: totalAt(at) ?? "" });
  expect(curve.at(-1)?.total).toBe(closed.at(-1)?.total as string);
  // 500 closings one by one, an hour apart; the 33 days before them by their ends.
  const single = curve.filter(({ at }) => closed.some((each) => new Date(each.at).getTime() === new Date(at).getTime()));
  expect(curve.length - single.length).toBeGreaterThan(10);
});

test("no more is read of a longer history of as many days", async () => {
  const person = await app.trader();
  const [account] = await accountsOf(person);
  const read = async (closings: number) => {
    let rows = 0;
    const undone = app.sql.begin(async (tx) => {
      await tx`
        insert into positions (account_id, user_id, symbol, side, amount, volume, leverage, margin, open_price, status, opened_at)
        select ${account?.id ?? ""}, ${person.id}, 'EUR/USD', 'buy', 100, 50, 100, 1, 2, 'open', timestamptz '2026-03-01 00:00Z' + (n - 1) * interval '40 days' / ${closings}::integer
        from generate_series(1, ${closings}::integer) n
      `;
      await tx`
        update positions set status = 'closed', close_price = 2, profit = 1, close_reason = 'trader', closed_at = opened_at + interval '1 second'
        where account_id = ${account?.id ?? ""}
      `;
      const before = await rowsCounted(tx);
      const [summary, symbols, months, curve] = [
        await summaryOf(tx, person.id, true),
        await bySymbolOf(tx, person.id, true),
        await byMonthOf(tx, person.id, true),
        await curveOf(tx, person.id, true),
      ];
      rows = (await rowsCounted(tx)) - before;
      expect([summary.closed, symbols.length, months.map(({ month }) => month), curve.at(-1)?.total]).toEqual([
        closings,
        1,
        ["2026-04", "2026-03"],
        `${closings}.00`,
      ]);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    return rows;
  };
  const few = await read(1000);
  expect(await read(3000)).toBeLessThanOrEqual(few + 20);
});
