import { expect, test } from "bun:test";
import { testDatabase } from "../../testing/database";
import { faultOf, handHeld, until, waiting } from "../../testing/scenarios";
import { connect, isUnavailable } from "./db";

test("a database whose name leads nowhere, or whose port is shut, is away and no fault of ours", async () => {
  for (const address of ["postgres://a:b@nowhere.invalid:5432/x", "postgres://a:b@127.0.0.1:1/x"]) {
    const sql = connect(address, { max: 1 });
    const fault = await faultOf(sql`select 1`);
    expect(fault).not.toBeNull();
    expect([String(fault), isUnavailable(fault)]).toEqual([expect.any(String), true]);
    await sql.end({ timeout: 0 });
  }
  for (const other of [null, undefined, "ENOTFOUND", new Error("x"), { code: 5 }, { code: "23505" }, { code: "ENOSPC" }])
    expect(isUnavailable(other)).toBe(false);
});

test("no statement waits behind another's that waits for a lock, while there is another connection", async () => {
  const db = await testDatabase();
  const sql = connect(db.url, { max: 2, name: "two" });
  const quick = (n: number) => sql`select ${n}::integer from pg_sleep(0.01)`.execute();
  await Promise.all([quick(0), quick(0)]);
  const hand = await handHeld(db);
  await hand.sql`lock table account_types`;
  const held = sql`select from account_types`.execute();
  await until("it waits", async () => (await waiting(db.sql)) === 1);
  const others = Promise.all(Array.from({ length: 20 }, (_, n) => quick(n)));
  expect(await Promise.race([others.then(() => "answered"), Bun.sleep(300_000)])).toBe("answered");
  await hand.commit();
  await Promise.all([held, hand.end(), sql.end()]);
  await db.drop();
});
