import { afterAll, beforeAll, expect, test } from "bun:test";
import { emptyDatabase, type TestDatabase } from "../../testing/database";
import { faultOf, handHeld, until, waiting } from "../../testing/scenarios";
import { modesOf, takeTables } from "./table_locks";

let db: TestDatabase;
beforeAll(async () => {
  db = await emptyDatabase();
  await db.sql.unsafe("create table first (); create table second ()");
});
afterAll(() => db.drop());

test("each table that the statements name is taken as the strongest of them needs", () => {
  const text = `
    -- Not third.
    create table fresh (id uuid references first (id));
    alter table second add column x integer; create index on second (x);
    insert into fourth select 1`;
  const modes = modesOf([text], ["first", "second", "third", "fourth"]);
  expect(Object.fromEntries(modes)).toEqual({ first: "share row exclusive", second: "access exclusive", fourth: "share row exclusive" });
});

test("who takes the same tables in another order is let by: neither is rolled back for a deadlock", async () => {
  const hand = await handHeld(db);
  try {
    await hand.sql`lock table second in row exclusive mode`;
    let begun = 0;
    const change = faultOf(
      db.sql.begin(async (tx) => {
        begun++;
        await takeTables(tx, ["alter table first add column x integer", "alter table second add column x integer"]);
        await tx`alter table first add column x integer`;
        await tx`alter table second add column x integer`;
      }),
    );
    await until("the change holds the first and waits for the second", async () => (await waiting(db.sql)) === 1);
    expect(await faultOf(hand.sql`lock table first in row exclusive mode`)).toBeNull();
    await hand.commit();
    expect([await change, begun]).toEqual([null, 1]);
  } finally {
    await hand.end();
  }
});
