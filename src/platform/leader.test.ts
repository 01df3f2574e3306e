import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "../testing/database";
import { type Leader, standForLeader } from "./leader";
import { createLog } from "./log";

const database = await testDatabase();
afterAll(() => database.drop());

const log = createLog("error");
const EVERY = 10;

function candidate() {
  const said: string[] = [];
  let elected = Promise.withResolvers<void>();
  let deposed = Promise.withResolvers<void>();
  const duties = {
    onElected: () => {
      said.push("elected");
      elected.resolve();
      deposed = Promise.withResolvers();
    },
    onDeposed: () => {
      said.push("deposed");
      deposed.resolve();
      elected = Promise.withResolvers();
    },
  };
  const stand = (): Promise<Leader> => standForLeader(database.url, log, duties, EVERY);
  return { said, stand, elected: () => elected.promise, deposed: () => deposed.promise };
}

test("one of two leads; when it resigns the other follows", async () => {
  const first = candidate();
  const second = candidate();
  const leader = await first.stand();
  const follower = await second.stand();
  expect([leader.isLeader(), follower.isLeader()]).toEqual([true, false]);
  await leader.stop();
  await second.elected();
  expect(follower.isLeader()).toBe(true);
  await follower.stop();
  expect(first.said).toEqual(["elected", "deposed"]);
  expect(second.said).toEqual(["elected", "deposed"]);
});

test("a leader whose connection was cut notices, and there is a leader again", async () => {
  const first = candidate();
  const leader = await first.stand();
  await database.sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  await first.deposed();
  await first.elected();
  expect(leader.isLeader()).toBe(true);
  await leader.stop();
});
