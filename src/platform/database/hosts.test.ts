import { afterAll, beforeAll, expect, test } from "bun:test";
import { startPair, type Pair } from "../../testing/standby";
import { faultOf, until } from "../../testing/scenarios";
import { hostNameOf, hostsOf, isAddress } from "../../lib/postgres_address";
import { connect, isUnavailable } from "./db";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

test("several hosts are read with their ports, and told without who signs in", () => {
  const url = "postgres://user:word@one.example,two.example:5433,[::1]:5434/halyard?sslmode=require";
  expect(hostsOf(url)).toEqual({ host: ["one.example", "two.example", "::1"], port: [5432, 5433, 5434] });
  expect(hostNameOf(url)).toBe("one.example, two.example:5433, [::1]:5434");
  expect(hostsOf("postgres://user@one.example/halyard")).toBe(null);
  expect([isAddress(url), isAddress("postgres://one,two:word/halyard")]).toEqual([true, false]);
});

test("of several hosts the one that takes writes is used; gone, statements fail and go on at the next one that does", async () => {
  const sql = connect(pair.url(), { max: 4, name: "hosts" });
  const isStandby = async () => (await sql<{ standby: boolean }[]>`select pg_is_in_recovery() as standby`)[0]?.standby;
  expect(await Promise.all([1, 2, 3, 4].map(isStandby))).toEqual([false, false, false, false]);
  await sql`create table kept (n integer primary key)`;
  await sql`insert into kept values (1)`;
  // A server that no longer takes writes is one that is away.
  const refused = await faultOf(sql.begin("read only", (tx) => tx`insert into kept values (8)`));
  expect(isUnavailable(refused)).toBe(true);

  pair.killPrimary();
  // Nobody takes writes: each statement is told so, and none waits for ever or is done at the standby.
  const faults = await Promise.all([2, 3, 4, 5, 6].map((n) => faultOf(sql`insert into kept values (${n})`.execute())));
  expect(faults.map(isUnavailable)).toEqual([true, true, true, true, true]);
  await pair.promote();
  const goesOn = async () => (await faultOf(sql`insert into kept values (7) on conflict do nothing`.execute())) === null;
  await until("it goes on at the other", goesOn);
  expect([...(await sql`select n from kept order by n`)]).toEqual([{ n: 1 }, { n: 7 }]);
  await sql.end({ timeout: 1 });
});
