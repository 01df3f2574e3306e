import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { emptyDatabase, type TestDatabase } from "../../testing/database";
import { faultOf, until } from "../../testing/scenarios";
import { proveBooks } from "../../ledger/queries_proving";
import { openBackup } from "../backup/restore";
import { readSchema } from "../files";
import { connect, type Db } from "./db";
import { makeSchema, migrate } from "./migrate";

/** An upgrade under load: what a program of the release before says to the database goes on while this one brings it up, and after. */

const RELEASE = join(import.meta.dir, "..", "..", "testing", "releases", "0.1.0-031.backup");
const ROUNDS_AFTER = 5;
let db: TestDatabase;
let old: Db;
beforeAll(async () => {
  db = await emptyDatabase();
  const { migrations } = await openBackup(RELEASE);
  await db.sql.begin((tx) => makeSchema(tx, migrations));
  old = connect(db.url, { max: 4, name: "release" });
});
afterAll(async () => {
  await old.end();
  await db.drop();
});

/** A person as that release registers and approves one, with 1,000.00 in the wallet and an account of live money. */
async function person(n: number): Promise<{ id: string; demo: string; live: string }> {
  const [made] = await old<{ id: string }[]>`
    insert into users (email, password, first_name, last_name, referral_code, registration_status)
    values (${`p${n}@t.test`}, 'x', 'Tess', 'Trader', ${`CODE${n}`}, 'approved') returning id`;
  const id = made?.id ?? "";
  await old`select person_open(${id})`;
  const [accounts] = await old<{ demo: string; live: string }[]>`
    select a.id as demo, account_open(${id}, 'starter', false) as live from trading_accounts a where a.user_id = ${id} and a.is_demo`;
  await old`
    select ledger_post('test', ${id}, 'A test', array[purse_of(${id}, 'wallet'), house_account('live', 'house_clearing')], array[1000, -1000]::numeric[])`;
  if (!accounts) throw new Error("no accounts");
  return { id, ...accounts };
}

const tick = () => old`row(1000::bigint, clock_timestamp(), 0, 1.10000, 1.10010, 0.0001)::deed_quote`;
const board = () => old`row('{EUR/USD}'::text[], '{1.1}'::numeric[], '{1.1001}'::numeric[], '{0.0001}'::numeric[])::board`;

/** An order, a part of it and then the rest closed by hand, and a transfer there and back, each as that release calls it. */
async function deal({ id, demo, live }: Awaited<ReturnType<typeof person>>): Promise<void> {
  const [opened] = await old<{ id: string }[]>`
    select trade_open(${id}, ${demo}, 'EUR/USD', 'buy', 1000, null, null, null, null, true, ${tick()}, ${board()}, null, null) -> 'answer' ->> 'id' as id
    from deal_gate(1000, null, ${id})`;
  const position = opened?.id ?? "";
  for (const part of ["300", null])
    await old`
      select trade_close(${id}, ${position}, ${part}, 'trader', ${tick()}, null, null, null) from deal_gate(1000, null, ${position}::uuid)`;
  await old`select transfer_make(${id}, null, ${live}, 10, ${board()}, null, null)`;
  await old`select transfer_make(${id}, ${live}, null, 10, ${board()}, null, null)`;
}

test("orders, closings by hand and transfers of the release before go on during and after it, and the books are whole", async () => {
  const people = await Promise.all([1, 2, 3].map(person));
  let rounds = 0;
  let over = false;
  const dealing = people.map(async (each) => {
    for (let left = ROUNDS_AFTER; left > 0; left -= Number(over)) {
      await deal(each);
      rounds++;
    }
  });
  const faults = Promise.all(dealing.map(faultOf));
  await until("they deal", () => rounds > 3);
  const applied = await migrate(db.sql, readSchema());
  over = true;
  expect(applied.length).toBeGreaterThan(10);
  expect(await faults).toEqual([null, null, null]);
  expect((await proveBooks(db.sql)).filter(({ rows }) => rows > 0)).toEqual([]);
});
