import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { logged } from "../admin/queries_logged";
import { DAY, HOUR } from "../lib/time";
import { type TestApp, testApp } from "../testing/app";
import { LOG_KEY } from "../testing/database";
import { tamper, until } from "../testing/scenarios";
import { openKeyring } from "./key";
import { Logbook, restAfter, wholeIsDue } from "./logbook";

/** A tile of long ago that changes on the disk while a program runs is found within the hour. */

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await app.logbook.wake();
  // What it has of the newest tile in memory it would write over the change.
  await app.logbook.rest();
});
afterAll(() => app.end());

test("the whole of a log is looked at each hour, of a very long one each day", () => {
  expect([wholeIsDue(0, HOUR), wholeIsDue(500_000, HOUR)]).toEqual([true, true]);
  expect([wholeIsDue(500_001, HOUR), wholeIsDue(500_001, 23 * HOUR), wholeIsDue(500_001, DAY)]).toEqual([false, false, true]);
});

test("a look at the whole takes a tenth of the time at most, and a slice that waited long is not waited for again as often", () => {
  expect([0, 1, 5, 20, 5_000].map(restAfter)).toEqual([20, 20, 45, 180, 250]);
});

test("who begins to lead goes on with the log while the whole is still looked at, which rests between its slices", async () => {
  const { sql, log, config } = app.context;
  let asked = 0;
  const confirm = async () => void asked++;
  const book = new Logbook({ sql, log, config }, { sources: logged, keyring: openKeyring({ ...config, logKey: LOG_KEY }), confirm });
  const [resting, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const rests = spyOn(Bun, "sleep").mockImplementation(() => (resting.resolve(), goOn.promise));
  try {
    await book.start();
    await resting.promise;
    const [lead] = await app.sql<{ epoch: number }[]>`select epoch from leadership`;
    book.lead(lead?.epoch ?? 0, () => {});
    await book.wake();
    // Before its first entry it asks who keeps checkpoints.
    expect([book.missing, asked]).toEqual([null, 1]);
  } finally {
    rests.mockRestore();
    goOn.resolve();
    await book.stop();
  }
});

test("the hour's beat finds a tile that was changed, and that it was put back", async () => {
  const beats: { run: () => void; every: number }[] = [];
  const timer = spyOn(globalThis, "setInterval").mockImplementation(((run: () => void, every: number) => beats.push({ run, every })) as never);
  const { sql, log, config } = app.context;
  const book = new Logbook({ sql, log, config }, { sources: logged, keyring: openKeyring({ ...config, logKey: LOG_KEY }) });
  await book.start();
  timer.mockRestore();
  // What it looks at when it starts is over.
  await book.check();
  expect(book.missing).toBeNull();
  const beat = beats.find(({ every }) => every === HOUR);
  if (!beat) throw new Error("nothing looks each hour");
  const [tile] = await app.sql<{ hashes: string }[]>`select encode(hashes, 'hex') as hashes from proof_tiles where level = 0 and n = 0`;
  const put = (hex: string) =>
    tamper(app.sql, (tx) => tx`update proof_tiles set hashes = overlay(hashes placing decode(${hex}, 'hex') from 1) where level = 0 and n = 0`);
  await put("00".repeat(32));
  beat.run();
  await until("the change is found", () => book.missing === "tile 0/000 is not what its entries say");
  await put((tile?.hashes ?? "").slice(0, 64));
  beat.run();
  await until("it is found whole", () => book.missing === null);
  await book.stop();
});
