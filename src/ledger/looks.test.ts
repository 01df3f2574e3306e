import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDatabase, testDatabase } from "../testing/database";
import type { Sql, Tx } from "../platform/database/db";
import { rowsCounted, tamper, until } from "../testing/scenarios";

/** What the minute's look at the books reads, and that nothing slips past it. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const look = (sql: Sql, accounts = 10) =>
  sql<{ subject: string }[]>`select subject from books_look(${accounts})`.then((rows) => rows.map(({ subject }) => subject));
const mark = async () => (await database.sql<{ entry: number; swept: number }[]>`select entry::integer, swept::integer from ledger_looks`)[0];

/** `count` accounts that got a cent each from the house, an entry for each. */
async function grow(tx: Tx, count: number): Promise<void> {
  await tx`
    with
      opened as (insert into ledger_accounts (owner_id, book, kind, balance) select gen_random_uuid(), 'live', 'trading', 0.01 from generate_series(1, ${count}) returning id),
      written as (insert into ledger_entries (kind, object_id, memo) select 'test', gen_random_uuid(), 'Bulk' from generate_series(1, ${count}) returning id),
      pair as (
        select a.id as account, e.id as entry
        from (select id, row_number() over (order by id) as n from opened) a
        join (select id, row_number() over (order by id) as n from written) e using (n)
      )
    insert into ledger_postings (entry_id, account_id, amount, balance_after)
    select entry, account, 0.01, 0.01 from pair
    union all
    select entry, h.id, -0.01, h.balance - 0.01 * row_number() over (order by entry) from pair, ledger_accounts h where h.id = house_account('live', 'house_clearing')
  `;
  await tx`update ledger_accounts set balance = balance - 0.01 * ${count} where id = house_account('live', 'house_clearing')`;
}

/** Rows of the ledger that a look reads, as PostgreSQL counts them. */
const rowsRead = (): Promise<number> =>
  database.sql.begin(async (tx) => {
    const before = await rowsCounted(tx, "ledger%");
    expect(await look(tx)).toEqual([]);
    return (await rowsCounted(tx, "ledger%")) - before;
  });

/** The round ends, and the next begins. */
async function settleRound(): Promise<void> {
  expect(await look(database.sql, 1_000_000)).toEqual([]);
  expect((await mark())?.swept).toBe(0);
}

/** Enough looks that each account was read and the newest entry is behind. */
async function settle(): Promise<void> {
  // Whoever writes anywhere on the server holds it up, and other files' tests do.
  await until("the newest entry is behind", async () => {
    expect(await look(database.sql, 1_000_000)).toEqual([]);
    const [row] = await database.sql<{ isBehind: boolean }[]>`select entry >= (select max(id) from ledger_entries) as "isBehind" from ledger_looks`;
    return row?.isBehind ?? false;
  });
  for (let n = 0; n < 2; n++) expect(await look(database.sql, 1_000_000)).toEqual([]);
}

test("a look reads what is new, however much there is", async () => {
  await tamper(database.sql, (tx) => grow(tx, 3000));
  await database.sql`analyze ledger_accounts, ledger_entries, ledger_postings`;
  await settle();
  const small = await rowsRead();
  await tamper(database.sql, (tx) => grow(tx, 30_000));
  await database.sql`analyze ledger_accounts, ledger_entries, ledger_postings`;
  // Who meets it reads all of it, and after that nobody.
  expect(await rowsRead()).toBeGreaterThan(60_000);
  await settle();
  expect(await rowsRead()).toBeLessThanOrEqual(small + 100);
});

test("an account that nobody moved is read in its turn", async () => {
  await settle();
  const [account] = await database.sql<{ id: number }[]>`select id::integer from ledger_accounts where kind = 'trading' order by id offset 25 limit 1`;
  const set = (by: number) => tamper(database.sql, (tx) => tx`update ledger_accounts set balance = balance + ${by} where id = ${account?.id ?? 0}`);
  await set(1);
  const found: string[][] = [];
  for (let n = 0; n < 9; n++) found.push(await look(database.sql));
  await set(-1);
  const wrong = [`account ${account?.id}`];
  // Found, the round stands still: each look finds it again.
  expect(found.at(-1)).toEqual(wrong);
  expect(found.filter((subjects) => subjects.length > 0)).toEqual(found.filter((_, at) => at >= found.findIndex((subjects) => subjects.length > 0)));
  expect(await look(database.sql)).toEqual([]);
});

test("so is a stripe of the house's, which are numbered below zero, and the book's sum has them", async () => {
  await settle();
  const [stripe] = await database.sql<{ id: number }[]>`select min(id)::integer as id from ledger_accounts`;
  expect(stripe?.id).toBeLessThan(0);
  const set = (by: number) => tamper(database.sql, (tx) => tx`update ledger_accounts set balance = balance + ${by} where id = ${stripe?.id ?? 0}`);
  const wrong = `account ${stripe?.id}`;
  // A round is under way, beyond it; the next one comes to it.
  expect(await look(database.sql)).toEqual([]);
  expect((await mark())?.swept).not.toBe(0);
  await set(1);
  expect(await look(database.sql)).toEqual([]);
  await settleRound();
  expect(await look(database.sql)).toEqual([wrong]);
  expect((await look(database.sql, 1_000_000)).toSorted()).toEqual([wrong, "book live"]);
  await set(-1);
  expect(await look(database.sql)).toEqual([]);
});

test("an entry that was numbered before a look and written behind it is looked at", async () => {
  await settle();
  const before = await mark();
  const [wait, go] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()];
  const late = tamper(database.sql, async (tx) => {
    const [entry] = await tx<
      { id: number }[]
    >`insert into ledger_entries (kind, object_id, memo) values ('test', gen_random_uuid(), 'Late') returning id::integer`;
    wait.resolve(entry?.id ?? 0);
    await go.promise;
    await tx`insert into ledger_postings (entry_id, account_id, amount, balance_after) select ${entry?.id ?? 0}, id, 1, balance + 1 from ledger_accounts where id = house_account('live', 'house_pnl')`;
    await tx`update ledger_accounts set balance = balance + 1 where id = house_account('live', 'house_pnl')`;
  });
  const entry = await wait.promise;
  // So much comes meanwhile that the newest thousand leave it out.
  await tamper(database.sql, (tx) => grow(tx, 2000));
  for (let n = 0; n < 4; n++) expect(await look(database.sql)).toEqual([]);
  expect((await mark())?.entry).toBeLessThan(entry);
  go.resolve();
  await late;
  expect((await mark())?.entry).toBeGreaterThanOrEqual(before?.entry ?? 0);
  expect(await look(database.sql)).toContain(`entry ${entry}`);
  await tamper(database.sql, async (tx) => {
    await tx`delete from ledger_postings where entry_id = ${entry}`;
    await tx`update ledger_accounts set balance = balance - 1 where id = house_account('live', 'house_pnl')`;
  });
});

test("neither is one whose writer began while a look was under way", async () => {
  await settle();
  const [locked, free, numbered, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<number>(),
    Promise.withResolvers<void>(),
  ];
  const number = async (tx: Tx) => {
    const [entry] = await tx<
      { id: number }[]
    >`insert into ledger_entries (kind, object_id, memo) values ('test', gen_random_uuid(), 'Alone') returning id::integer`;
    return entry?.id ?? 0;
  };
  const locker = database.sql.begin(async (tx) => {
    await tx`lock table ledger_postings in access exclusive mode`;
    locked.resolve();
    await free.promise;
  });
  await locked.promise;
  const under = look(database.sql);
  await until("the look waits", async () => (await database.sql`select from pg_locks where not granted and relation = 'ledger_postings'::regclass`).length > 0);
  const writer = tamper(database.sql, async (tx) => {
    numbered.resolve(await number(tx));
    await ended.promise;
  });
  const late = await numbered.promise;
  await tamper(database.sql, number);
  free.resolve();
  await Promise.all([locker, under]);
  for (let n = 0; n < 4; n++) await look(database.sql);
  const reached = (await mark())?.entry ?? 0;
  ended.resolve();
  await writer;
  expect(reached).toBeLessThan(late);
});
