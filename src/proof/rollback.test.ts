import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestApp, testApp } from "../testing/app";
import { type TestDatabase, testDatabase } from "../testing/database";
import { tamper, until } from "../testing/scenarios";
import { openWitness } from "../testing/witness";
import { endLog } from "./commands";
import { currentLog } from "./queries";
import { lastCheckpointIn } from "./witness_file";
import { Witnesses, witnessesOf } from "./witnesses";

/**
 * A data folder or a database that was brought back as it was earlier, and not by `halyard restore`, knows nothing of what its log signed since. Who keeps
 * checkpoints does, and then nothing is appended: other entries at numbers that were signed would be a fork.
 */

const folder = mkdtempSync("/tmp/halyard-rollback-");
const file = join(folder, "checkpoints");
const witness = openWitness("good.example/w");
const SITE = { PUBLIC_URL: "https://trade.example" };
const WITNESSED = { ...SITE, WITNESS_URLS: witness.setting };
const FILED = { ...SITE, WITNESS_FILE: file };
let db: TestDatabase;
/** The programs that run, the one that leads last. */
let apps: TestApp[] = [];

beforeAll(async () => void (db = await testDatabase()));
afterAll(async () => {
  for (const app of apps) await app.close();
  await db.drop();
  await witness.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The program is started anew with these settings, and leads; the one before follows. */
async function start(env: Record<string, string>): Promise<TestApp> {
  await apps.at(-1)?.follow();
  for (const app of apps.slice(0, -1)) await app.close();
  const app = await testApp(env, db);
  apps = [...apps.slice(-1), app];
  await app.logbook.wake();
  return app;
}
const grow = async (app: TestApp) => {
  await db.sql`select audit_append(null, null, 'books.release', '{}', '{}', '{}', '', '', '')`;
  await app.logbook.wake();
  await app.witnesses.wake();
};
const sizeNow = async () => (await currentLog(db.sql))?.size ?? 0;
/** What readiness says; that no price came yet is not the log's. */
const missingOf = async (app: TestApp) =>
  (await app.stranger().get<{ missing: string[] }>("/readyz")).body.missing.filter((words) => words !== "the feed has not quoted yet");
/** The log is brought to more entries than so many. */
async function growBeyond(app: TestApp, size: number) {
  for (let n = 0; n < 50 && (await sizeNow()) <= size; n++) await grow(app);
  expect(await sizeNow()).toBeGreaterThan(size);
}
const counted = (size: number) => size.toLocaleString("en");

/** What the witness has of the log of this name. */
const seenOf = (origin: string) => witness.states.get(origin)?.size ?? 0;

/** Takes down what the log is, for a copy that is brought back later. */
async function copy(): Promise<{ size: number; origin: string; bringBack: () => Promise<void> }> {
  const tables = ["proof_logs", "proof_tiles", "proof_witnesses"];
  const { number, size, origin } = await db.sql.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    for (const table of tables) await tx.unsafe(`drop table if exists was_${table}; create table was_${table} as table ${table}`);
    return (await currentLog(tx))!;
  });
  const bringBack = async () => {
    await apps.at(-1)?.follow();
    await tamper(db.sql, async (tx) => {
      await tx`delete from proof_entries where log > ${number} or log = ${number} and index >= ${size}`;
      for (const table of tables) await tx.unsafe(`delete from ${table}; insert into ${table} select * from was_${table}`);
    });
  };
  return { size, origin, bringBack };
}

test("a witness that has seen more than a log brought back has: nothing is appended, every program says so, also after a restart, until the log is ended", async () => {
  let app = await start(WITNESSED);
  await grow(app);
  const { size: before, origin, bringBack } = await copy();
  await grow(app);
  await grow(app);
  const seen = seenOf(origin);
  await bringBack();
  const earlier = app;
  app = await start(WITNESSED);
  const words = `the public log was rolled back or replaced: witness good.example/w has seen ${counted(seen)} entries, this log has ${counted(before)}`;
  expect([await missingOf(app), app.lines.some((line) => line.includes(words))]).toEqual([[words], true]);
  await grow(app);
  expect(await sizeNow()).toBe(before);
  await earlier.logbook.hear();
  expect(await missingOf(earlier)).toEqual([words]);
  await until("staff are told", async () => {
    const told = await db.sql`
      select message from notification_outbox where title = 'The public log stands still' and message = ${words}
      union all select message from admin_notifications where title = 'The public log stands still' and message = ${words}`;
    return told.length > 0;
  });
  // While the witness is away it is known still.
  witness.answer = () => new Response("", { status: 503 });
  app = await start(WITNESSED);
  await grow(app);
  expect([await missingOf(app), await sizeNow()]).toEqual([[words], before]);
  witness.answer = null;
  expect(await endLog(db.sql, "It was rolled back")).toBe("trade.example/log");
  await grow(app);
  expect([await missingOf(app), (await currentLog(db.sql))?.origin]).toEqual([[], "trade.example/log/2"]);
  expect(seenOf("trade.example/log/2")).toBeGreaterThan(0);
  const [first] = await db.sql<{ record: string }[]>`select record from proof_entries where log = 2 and index = 0`;
  expect(JSON.parse(first?.record ?? "")).toMatchObject({ previousOrigin: "trade.example/log", previousSize: before, why: "It was rolled back" });
});

test("a log that grew otherwise before its witness was back is found out by the proof that it can't give; a witness that accepts, or is taken out of the settings, is heard no more", async () => {
  let app = await start(WITNESSED);
  const { origin, bringBack } = await copy();
  await grow(app);
  const seen = seenOf(origin);
  await bringBack();
  witness.answer = () => new Response("", { status: 503 });
  app = await start(WITNESSED);
  await growBeyond(app, seen);
  expect(await missingOf(app)).toEqual([]);
  witness.answer = null;
  await app.witnesses.wake();
  const words = `the public log was rolled back or replaced: witness good.example/w has seen other entries among the first ${counted(seen)} than this log has`;
  expect(await missingOf(app)).toEqual([words]);
  await app.logbook.wake();
  const size = await sizeNow();
  await grow(app);
  expect(await sizeNow()).toBe(size);

  app = await start(SITE);
  await grow(app);
  expect([await missingOf(app), (await sizeNow()) > size]).toEqual([[], true]);
  // It is heard again as soon as it is set; and where it has forgotten what it saw it accepts.
  app = await start(WITNESSED);
  expect(await missingOf(app)).toEqual([words]);
  witness.states.delete(origin);
  const stood = await sizeNow();
  await app.witnesses.wake();
  await grow(app);
  expect([await missingOf(app), (await sizeNow()) > stood]).toEqual([[], true]);
});

test("another tree of the same size is found out, too; what a witness can't mean stops nothing", async () => {
  const app = await start(WITNESSED);
  await grow(app);
  const { origin, size } = (await currentLog(db.sql))!;
  const known = witness.states.get(origin)!;
  witness.states.set(origin, { size, root: new Uint8Array(32) });
  await app.witnesses.wake();
  expect((await missingOf(app))[0]).toEndWith(`has seen other entries among the first ${counted(size)} than this log has`);
  witness.states.set(origin, known);
  await app.witnesses.wake();
  expect(await missingOf(app)).toEqual([]);
  const conflict =
    (body: string, type = "text/x.tlog.size") =>
    () =>
      new Response(body, { status: 409, headers: { "Content-Type": type } });
  for (const answer of [conflict("no number\n"), conflict("99999\n", "text/plain"), conflict("1\n"), () => new Response("", { status: 404 })]) {
    witness.answer = answer;
    await app.witnesses.wake();
    expect(await missingOf(app)).toEqual([]);
  }
  witness.answer = null;
});

test("a witness that has seen what was appended since it was asked contradicts nothing", async () => {
  const app = await start(SITE);
  await grow(app);
  let grown = false;
  const asking = new Witnesses(app.context, {
    witnesses: witnessesOf({ witnesses: [{ url: witness.url, key: witness.setting.split(" ")[1] ?? "" }] }),
    fetch: async (url, init) => {
      if (grown) return fetch(url, init);
      grown = true;
      await grow(app);
      return new Response(`${await sizeNow()}\n`, { status: 409, headers: { "Content-Type": "text/x.tlog.size" } });
    },
  });
  asking.lead();
  await asking.wake();
  await asking.rest();
  const [row] = await db.sql<{ contradiction: string | null }[]>`select contradiction from proof_witnesses where name = 'good.example/w'`;
  expect([grown, row?.contradiction]).toEqual([true, null]);
});

test("the operator's own file of checkpoints finds out the same without any witness, and is left as it is then; begun anew it says nothing", async () => {
  let app = await start(FILED);
  await grow(app);
  const { size: before, origin, bringBack } = await copy();
  await grow(app);
  const seen = (await lastCheckpointIn(file, origin))?.size ?? 0;
  await bringBack();
  app = await start(FILED);
  const held = readFileSync(file, "utf8");
  const words = `the public log was rolled back or replaced: WITNESS_FILE has a checkpoint of ${counted(seen)} entries, this log has ${counted(before)}`;
  expect(await missingOf(app)).toEqual([words]);
  await grow(app);
  expect([await sizeNow(), readFileSync(file, "utf8")]).toEqual([before, held]);

  // Without the setting nobody knows; with it again the log has grown beyond, otherwise.
  app = await start(SITE);
  await growBeyond(app, seen);
  // What was cut off while it was written, and other logs', do not count, however much of it there is.
  appendFileSync(file, held.replaceAll("trade.example/log", "other.example/log").repeat(Math.ceil(200_000 / held.length)));
  appendFileSync(file, held.slice(0, held.indexOf("\n\n")));
  app = await start(FILED);
  expect(await missingOf(app)).toEqual([
    `the public log was rolled back or replaced: WITNESS_FILE has a checkpoint of other entries among the first ${counted(seen)} than this log has`,
  ]);
  for (const anew of [() => writeFileSync(file, ""), () => rmSync(file)]) {
    const size = await sizeNow();
    anew();
    await app.witnesses.wake();
    await grow(app);
    expect([await missingOf(app), (await sizeNow()) > size]).toEqual([[], true]);
    expect((await lastCheckpointIn(file, origin))?.size ?? 0).toBeGreaterThan(size);
  }
});
