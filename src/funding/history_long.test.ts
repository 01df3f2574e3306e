import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestApp, testApp } from "../testing/app";
import { fundLive, tamper } from "../testing/scenarios";
import { rowsRead, sentBy } from "../testing/statements";

/** A history is read where one looks: a few of a type, some days and a month cost no more among many lines than among few. */

let app: TestApp;
let trader: Awaited<ReturnType<TestApp["trader"]>>;
let account: string;
beforeAll(async () => {
  app = await testApp();
  trader = await app.trader();
  account = await fundLive(app, trader, "500.00");
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

/** So many lines more of one type, a cent each, all of them and those before a year old or older. */
async function grow(count: number): Promise<void> {
  await app.sql`
    select ledger_post('test', gen_random_uuid(), 'Much', array[t.ledger_account_id, house_account('live', 'house_clearing')], array[0.01, -0.01])
    from trading_accounts t cross join generate_series(1, ${count}) where t.id = ${account}
  `;
  await tamper(app.sql, (tx) => tx`update ledger_entries set created_at = now() - interval '2 years' + id * interval '1 minute'`);
  await app.sql`analyze ledger_accounts, ledger_entries, ledger_postings, money_lines`;
}

async function rowsOf(path: string): Promise<number> {
  const sent = await sentBy(app.sql, async () => expect([path, (await trader.get(path)).status]).toEqual([path, 200]));
  let rows = 0;
  for (const each of sent.filter(({ text }) => text.includes("ledger_postings"))) rows += await rowsRead(app.sql, each);
  return rows;
}

test("the few of one type, days without any, a page far back and a month's statement", async () => {
  await grow(300);
  const today = new Date().toISOString().slice(0, 10);
  const deep = (await trader.get<{ id: string }[]>(`/api/transactions?accountId=${account}&limit=100`)).body.at(-1)?.id ?? "";
  const month = today.slice(0, 7);
  const paths = [
    "/api/transactions?type=transfer",
    "/api/transactions?type=deposit",
    "/api/transactions?type=other&limit=20",
    `/api/transactions?from=${today}`,
    "/api/transactions?to=2020-01-01",
    `/api/transactions?limit=20&cursor=${deep}`,
    "/dashboard?tab=transactions&type=transfer",
    `/api/statements?month=${month}&accountId=${account}`,
    `/statements/${account}?month=${month}`,
  ];
  const read = async () => {
    const rows: Record<string, number> = {};
    for (const path of paths) rows[path] = await rowsOf(path);
    return rows;
  };
  const few = await read();
  await grow(3000);
  const many = await read();
  // Days are found by halves: of ten times as many lines, four more steps at each end.
  expect(Object.entries(many).filter(([path, rows]) => rows > (few[path] ?? 0) + 40)).toEqual([]);
  expect((await trader.get<unknown[]>("/api/transactions?type=transfer")).body).toHaveLength(2);
});
