import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLog } from "../log";
import { type Pair, startPair } from "../../testing/standby";
import { until } from "../../testing/scenarios";
import { connect, type Db } from "./db";
import { readingFrom } from "./replica";

/** Long reads go to a replica that has come as far as the primary, and to the primary where there is none. */

let pair: Pair;
let replica: Db;
let primary: Db;
beforeAll(async () => {
  pair = await startPair();
  primary = pair.writer();
  replica = connect(pair.url(), { max: 4, name: "reads", standby: true });
  await primary`create table written (n integer primary key)`;
});
afterAll(async () => {
  await replica.end({ timeout: 1 });
  await pair.stop();
});

const log = createLog("error", () => {});
const isReplica = async (sql: Db) => (await sql<{ is: boolean }[]>`select pg_is_in_recovery() as is`)[0]?.is;
const newest = async (sql: Db) => (await sql<{ n: number }[]>`select max(n) as n from written`)[0]?.n;

test("what was written before one asks is there, and most is read from the replica", async () => {
  const reading = readingFrom(primary, replica, log);
  let there = 0;
  for (let n = 1; n <= 100; n++) {
    await primary`insert into written values (${n})`;
    const sql = await reading();
    expect(await newest(sql)).toBe(n);
    if (await isReplica(sql)) there++;
  }
  expect(there).toBeGreaterThan(0);
});

test("a replica that falls behind is not waited for: the primary is read, and the replica again once it has caught up", async () => {
  const reading = readingFrom(primary, replica, log);
  await replica`select pg_wal_replay_pause()`;
  await primary`insert into written values (1000)`;
  const sql = await reading();
  expect([await isReplica(sql), await newest(sql)]).toEqual([false, 1000]);
  await replica`select pg_wal_replay_resume()`;
  await until("the replica is read again", async () => (await isReplica(await reading())) === true);
});

test("a server that is no replica, and one that is away, are left alone for a while", async () => {
  let now = 0;
  const said: string[] = [];
  const heard = createLog("warn", (line) => void said.push(line));
  const itself = readingFrom(primary, primary, heard, () => now);
  expect(await itself()).toBe(primary);
  const gone = connect("postgres://halyard@127.0.0.1:1/halyard", { max: 1, standby: true });
  const away = readingFrom(primary, gone, heard, () => now);
  expect(await away()).toBe(primary);
  expect(said.map((line) => JSON.parse(line).msg)).toEqual([
    "the server of DATABASE_READ_URL is no replica, so the primary is read",
    "the replica does not answer, so the primary is read",
  ]);
  expect([await away(), said.length]).toEqual([primary, 2]);
  now = 5_000;
  expect([await away(), said.length]).toEqual([primary, 3]);
  await gone.end({ timeout: 1 });
});
