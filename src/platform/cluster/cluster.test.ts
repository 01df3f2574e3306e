import { afterAll, afterEach, expect, spyOn, test } from "bun:test";
import { testDatabase } from "../../testing/database";
import { readConfig } from "../../config";
import { Cluster, DatabaseClock } from "./cluster";
import { createLog } from "../log";

const { sql, url, drop } = await testDatabase();
afterAll(drop);
const log = createLog("error", () => {});
const databaseNow = async () => Number((await sql<{ ms: string }[]>`select extract(epoch from clock_timestamp()) * 1000 as ms`)[0]?.ms);

let restore = () => {};
afterEach(() => restore());

test("the programs' time is the database's, however this machine's clock is set", async () => {
  const real = Date.now;
  const off = (ms: number) => {
    const spy = spyOn(Date, "now").mockImplementation(() => real() + ms);
    restore = () => spy.mockRestore();
  };
  off(-7_200_000);
  const clock = await DatabaseClock.start(sql, log);
  /** How far it is outside of the time in which it was asked: by what a measurement may err, and not by hours. */
  const distance = async () => {
    const [before, told, after] = [await databaseNow(), clock.now(), await databaseNow()];
    return Math.max(before - told, told - after, 0);
  };
  expect(await distance()).toBeLessThan(60_000);
  off(3_600_000);
  expect(await distance()).toBeLessThan(60_000);
  clock.stop();
});

test("it never runs backwards, and is measured anew", async () => {
  let minute = () => {};
  const spy = spyOn(globalThis, "setInterval").mockImplementation(((task: () => void) => {
    minute = task;
    return 0;
  }) as unknown as typeof setInterval);
  restore = () => spy.mockRestore();
  let ahead = 0;
  const told = ((...query: Parameters<typeof sql>) =>
    sql(...query).then((rows) => (rows as unknown as { ms: string }[]).map(({ ms }) => ({ ms: String(Number(ms) + ahead) })))) as unknown as typeof sql;
  const clock = await DatabaseClock.start(told, log);
  const before = clock.now();
  ahead = 600_000;
  minute();
  while (clock.now() < before + 600_000) await Bun.sleep(1);
  ahead = 0;
  const furthest = clock.now();
  minute();
  await Bun.sleep(50);
  expect(clock.now()).toBeGreaterThanOrEqual(furthest);
});

test("a program that is elected at once is sure of it in its first duty, so that its feed's first ticks count", async () => {
  const cluster = await Cluster.join(readConfig({ DATABASE_URL: url }), sql, log);
  const sure: boolean[] = [];
  await cluster.stand({ onElected: () => void sure.push(cluster.isSure()), onDeposed: () => {} });
  expect(sure).toEqual([true]);
  await cluster.leave();
});
