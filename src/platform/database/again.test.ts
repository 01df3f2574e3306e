import { afterAll, beforeAll, expect, test } from "bun:test";
import { type TestDatabase, testDatabase } from "../../testing/database";
import { faultOf, until, waiting } from "../../testing/scenarios";
import { connect, type Tx } from "./db";

/** What had to yield to others is done again, whole, and no more often than it says. */

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.sql.unsafe(`
    create table pair (name text primary key, count integer not null default 0);
    insert into pair values ('a'), ('b');
    create sequence tries;
    -- A sequence does not go back with its transaction, so it counts the tries.
    create function yields(times integer, state text) returns bigint language plpgsql as $$
    declare
      n bigint := nextval('tries');
    begin
      if n <= times then raise exception 'yields' using errcode = state; end if;
      return n;
    end $$
  `);
});
afterAll(() => db.drop());
const countAnew = () => db.sql`alter sequence tries restart`;
const tried = async () => (await db.sql<{ n: number }[]>`select last_value as n from tries`)[0]?.n;

test("two transactions that lock each other out are both done, once", async () => {
  const sql = connect(db.url, { max: 4, name: "yielding" });
  let met = 0;
  const add = (tx: Tx, name: string) => tx`update pair set count = count + 1 where name = ${name}`;
  const both = (first: string, second: string) =>
    sql.begin(async (tx) => {
      await add(tx, first);
      // The first time each waits until the other holds its row.
      met++;
      await until("both hold a row", () => met >= 2);
      await add(tx, second);
    });
  await Promise.all([both("a", "b"), both("b", "a")]);
  expect(met).toBe(3);
  expect(await db.sql`select name, count from pair order by name limit 2`).toEqual([
    { name: "a", count: 2 },
    { name: "b", count: 2 },
  ] as never);
  expect(await waiting(db.sql)).toBe(0);
  await sql.end();
});

test.each(["40P01", "40001"])("a statement, and a transaction, that had to yield by %s is done again", async (state) => {
  await countAnew();
  const part = db.sql`${2}::integer`;
  expect(await db.sql`select yields(${part}, ${state}) as n`).toEqual([{ n: 3 }] as never);
  await countAnew();
  expect(await db.sql.begin((tx) => tx`select yields(2, ${state}) as n`)).toEqual([{ n: 3 }] as never);
  await countAnew();
  expect(await db.sql`select yields(2, ${state}) as n`.catch(() => "gave up")).toEqual([{ n: 3 }] as never);
});

test("it ends after four tries, and what failed otherwise is not tried again", async () => {
  await countAnew();
  expect(await faultOf(db.sql`select yields(99, '40P01')`)).toMatchObject({ code: "40P01" });
  expect(await tried()).toBe(4);
  await countAnew();
  expect(await faultOf(db.sql`select yields(99, '23505')`)).toMatchObject({ code: "23505" });
  expect(await tried()).toBe(1);
  await countAnew();
  const once = connect(db.url, { max: 1, tries: 1 });
  expect(await faultOf(once`select yields(99, '40001')`)).toMatchObject({ code: "40001" });
  expect(await tried()).toBe(1);
  await once.end();
});

test("it is asked once, however often its answer is awaited", async () => {
  await countAnew();
  const asked = db.sql`select yields(0, '') as n`;
  const again = asked.finally(() => {});
  expect([await asked, await asked, await again]).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]] as never);
});
