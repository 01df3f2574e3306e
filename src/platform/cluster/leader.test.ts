import { afterAll, expect, test } from "bun:test";
import { testDatabase } from "../../testing/database";
import { handHeld, until } from "../../testing/scenarios";
import { type Leader, standForLeader } from "./leader";
import { createLog } from "../log";

const database = await testDatabase();
afterAll(() => database.drop());

const log = createLog("error");
const EVERY = 10;

function candidate() {
  const said: string[] = [];
  let elected = Promise.withResolvers<void>();
  const duties = {
    onElected: () => {
      said.push("elected");
      elected.resolve();
    },
    onDeposed: () => {
      said.push("deposed");
      elected = Promise.withResolvers();
    },
  };
  const stand = (): Promise<Leader> => standForLeader(database.url, log, duties, { every: EVERY });
  return { said, ...duties, stand, elected: () => elected.promise };
}

const cutLeader = () => database.sql`
  select pg_terminate_backend(pid) from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;

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

test("a leader whose connection is cut notices, and there is a leader again, whatever it was asking at that moment", async () => {
  const first = candidate();
  const leader = await first.stand();
  for (let cuts = 1; cuts <= 12; cuts++) {
    await cutLeader();
    await until("it was deposed and elected again", () => first.said.length >= 1 + 2 * cuts && leader.isLeader());
    await Bun.sleep(cuts % 4); // Another moment of its turn each time.
  }
  expect(first.said.slice(0, 3)).toEqual(["elected", "deposed", "elected"]);
  expect(leader.isLeader()).toBe(true);
  await leader.stop();
});

test("one that gives no sign of life is cut off, and knows before that it can't be sure", async () => {
  const first = candidate();
  const second = candidate();
  let now = 0;
  const patience = 600_000;
  const leader = await standForLeader(database.url, log, first, { every: 60_000, patience, clock: () => now });
  const follower = await standForLeader(database.url, log, second, { every: EVERY, patience });
  expect([leader.isSure(), follower.isLeader(), follower.isSure()]).toEqual([true, false, false]);
  now += patience * 0.8;
  expect([leader.isLeader(), leader.isSure(), follower.isLeader()]).toEqual([true, false, false]);
  await database.sql`update leader_pulse set beat_at = beat_at - ${patience} * interval '1 millisecond'`;
  await until("the other is elected", () => second.said.length === 1);
  leader.doubt();
  await until("the first knows", () => first.said.length === 2);
  expect([first.said, leader.isLeader(), follower.isLeader()]).toEqual([["elected", "deposed"], false, true]);
  await leader.stop();
  await follower.stop();
});

test("a leader whose first duty takes long gives signs of life meanwhile", async () => {
  const duty = Promise.withResolvers<void>();
  const standing = standForLeader(database.url, log, { onElected: () => duty.promise, onDeposed: () => {} }, { every: EVERY });
  const beatAt = async () => (await database.sql<{ at: string }[]>`select max(beat_at)::text as at from leader_pulse`)[0]?.at ?? "";
  const before = await beatAt();
  await until("it is elected", async () => (await beatAt()) > before);
  const elected = await beatAt();
  await until("it lives", async () => (await beatAt()) > elected);
  duty.resolve();
  const leader = await standing;
  expect(leader.isLeader()).toBe(true);
  await leader.stop();
});

test("who still puts its last lead away does not stand for the next one", async () => {
  const away = Promise.withResolvers<void>();
  const said: string[] = [];
  const duties = { onElected: () => void said.push("elected"), onDeposed: () => away.promise.then(() => void said.push("deposed")) };
  const leader = await standForLeader(database.url, log, duties, { every: EVERY });
  const epoch = async () => (await database.sql<{ epoch: number }[]>`select epoch from leadership`)[0]?.epoch ?? 0;
  const before = await epoch();
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'halyard leader'`;
  await until("it knows", () => !leader.isLeader());
  await Bun.sleep(10 * EVERY);
  expect([said, await epoch()]).toEqual([["elected"], before]);
  away.resolve();
  await until("it leads again", () => said.length === 3);
  expect([said, await epoch()]).toEqual([["elected", "deposed", "elected"], before + 1]);
  await leader.stop();
});

test("a leader that can't do its duty makes room for another", async () => {
  const able = candidate();
  const unable = { onElected: () => Promise.reject(new Error("no feed")), onDeposed: () => {} };
  const first = await standForLeader(
    database.url,
    createLog("error", () => {}),
    unable,
    { every: 60_000 },
  );
  const second = await standForLeader(database.url, log, able, { every: EVERY });
  await until("the other is elected", () => able.said.length === 1);
  expect([first.isLeader(), second.isLeader()]).toEqual([false, true]);
  await first.stop();
  await second.stop();
});

test("a program that froze in the middle of a command keeps the lead from nobody: it is cut off; a command under way is waited for", async () => {
  const patience = 400;
  const [frozen, busy] = [await handHeld(database), await handHeld(database)];
  const pidWithLock = async ({ sql }: typeof frozen) =>
    (await sql.unsafe<{ pid: number }[]>("select pg_backend_pid() as pid, pg_advisory_xact_lock_shared(lead_lock())"))[0]?.pid ?? 0;
  const [cut, waited] = [await pidWithLock(frozen), await pidWithLock(busy)];
  const command = busy.sql.unsafe(`select pg_sleep(${(2.5 * patience) / 1_000}); commit`).execute();
  const sessions = () => database.sql<{ pid: number; state: string }[]>`select pid, state from pg_stat_activity where pid in (${cut}, ${waited})`;
  await until("the command is under way", async () => (await sessions()).some(({ pid, state }) => pid === waited && state === "active"));
  const first = candidate();
  const leader = await standForLeader(database.url, log, first, { every: EVERY, patience });
  await until("it is elected", () => first.said.length === 1);
  await command;
  await until("who was cut off is gone", async () => (await sessions()).length < 2);
  expect((await sessions()).map(({ pid }) => pid)).toEqual([waited]);
  await leader.stop();
  await Promise.all([frozen.end(), busy.end()]);
});
