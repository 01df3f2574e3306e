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

test("what came last before a moment: by steps backwards and halves as by a look at each, and at once where nothing came since", async () => {
  const [t] = await app.sql<{ id: number; last: number }[]>`
    select t.ledger_account_id as id, max(p.entry_id) as last from trading_accounts t join ledger_postings p on p.account_id = t.ledger_account_id where t.id = ${account} group by 1
  `;
  if (!t) throw new Error("no account");
  const told = await app.sql`
    select m.moment, (select coalesce(max(p.entry_id), 0) from ledger_postings p where p.account_id = ${t.id} and p.entry_id <= entry_before(${t.id}, m.moment)) as found,
      (select coalesce(max(p.entry_id), 0) from ledger_postings p join ledger_entries e on e.id = p.entry_id where p.account_id = ${t.id} and e.created_at < m.moment) as there
    from (
      select e.created_at + n * interval '1 second' as moment from ledger_entries e, generate_series(-1, 1) n where ${t.last}::bigint - e.id in (-1, 0, 1, 2, 14, 15, 16, 17, 254, 255, 256, 3000)
      union select now() union select '2000-01-01Z'
    ) m
  `;
  expect(told.length).toBeGreaterThan(25);
  for (const { moment, found, there } of told) expect([moment, found]).toEqual([moment, there]);
  const [sent] = await sentBy(app.sql, () => app.sql`select entry_before(${t.id}, now())`.execute());
  if (!sent) throw new Error("nothing was asked");
  expect(await rowsRead(app.sql, sent)).toBeLessThan(5);
});
