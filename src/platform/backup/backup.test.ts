import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { emptyDatabase, type TestDatabase } from "../../testing/database";
import { type TestApp, testApp } from "../../testing/app";
import { fundLive, order, withPatientDeals, tamper } from "../../testing/scenarios";
import { writeBackup } from "./backup";
import { inspectBackup } from "./backup_file";
import type { Db } from "../database/db";
import { folders, readTexts } from "../files";
import { openBackup, restoreBackup } from "./restore";

const folder = mkdtempSync("/tmp/halyard-backup-");
const file = (name: string) => join(folder, name);
const whole = file("whole");
let app: TestApp;

beforeAll(async () => {
  app = await testApp();
  const [tess, admin] = [await app.trader(), await app.admin()];
  await app.quote("EUR/USD", "1.10000", "1.10002");
  await admin.post(`/api/admin/users/${tess.id}/kyc`, { status: "verified", reason: 'Tab\t, new\nline, "quotes", \\ and Ünïcode' });
  await fundLive(app, tess, "500.00");
  const { body: closed } = await tess.post<{ id: string }>("/api/trading/positions", order);
  await tess.post("/api/trading/positions", order);
  await app.quote("EUR/USD", "1.12000", "1.12002");
  await tess.post(`/api/trading/positions/${closed.id}/close`);
  // Bytes of every value, as a proof of payment may hold them; and one person who was approved by a later one.
  const [deposit] = await app.sql<
    { id: string }[]
  >`insert into deposits (user_id, amount, currency, method) values (${tess.id}, 60, 'USD', 'bank') returning id`;
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
  await app.sql`insert into deposit_proofs (deposit_id, content, media_type) values (${deposit?.id ?? ""}, ${bytes}, 'application/pdf')`;
  // Closed, so that nothing is written after the backup that it is compared with.
  await app.close();
  await writeBackup(app.sql, whole, { program: "0.0.0" });
});
afterAll(async () => {
  await app.db.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Every row of every table as text, in an order of its own. */
async function contentOf(sql: Db): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not in ('schema_migrations', 'ticks')`;
  const content: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ line: string }[]>(`select t::text as line from "${name}" t order by 1`);
    content[name] = rows.map(({ line }) => line);
  }
  return content;
}
/** Functions, and the triggers, foreign keys, indexes and sequences which a restore takes apart and puts together again. */
async function frameOf(sql: Db) {
  return {
    functions: await sql`select oid::regprocedure::text as name, prosrc from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
    triggers: await sql`select tgname, tgrelid::regclass::text, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    keys: await sql`
      select conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    indexes: await sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
    sequences: await sql`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`,
  };
}

async function restored(path: string): Promise<TestDatabase> {
  const db = await emptyDatabase();
  await restoreBackup(db.sql, path, await openBackup(path));
  return db;
}

test("an empty database filled from a backup is the same, to the last row, trigger and sequence, and its books hold", async () => {
  const db = await restored(whole);
  try {
    expect(await contentOf(db.sql)).toEqual(await contentOf(app.sql));
    // As the other was made for tests.
    await withPatientDeals(db.sql);
    expect(await frameOf(db.sql)).toEqual(await frameOf(app.sql));
    for (const { name, text } of readTexts(folders.checks, ".sql")) expect([name, await db.sql.unsafe(text)]).toEqual([name, []] as never);
    // And it goes on where the other stopped: numbers that were given are not given again.
    const again = await testApp({}, db);
    expect((await (await again.trader()).post("/api/trading/positions", order)).status).toBe(503);
    await again.quote("EUR/USD", "1.12000", "1.12002");
    expect((await (await again.trader()).post("/api/trading/positions", order)).status).toBe(201);
    expect(await again.faults()).toEqual([]);
    await again.close();
  } finally {
    await db.drop();
  }
});

test("holds the head of the staff's book, and what it stands on, in its first line", async () => {
  const [head] = await app.sql<{ id: number; hash: string }[]>`select last_id as id, hash from audit_head`;
  const { header, rows } = await inspectBackup(whole);
  expect(header.auditHead).toEqual({ id: head?.id ?? 0, hash: head?.hash ?? "" });
  expect(header.migrations.map(({ name }) => name)).toEqual(readTexts(folders.migrations, ".sql").map(({ name }) => name));
  expect(rows).toBeGreaterThan(50);
});

test("is of one moment while money moves: no entry is cut in two", async () => {
  const busy = await testApp();
  const people = await Promise.all(Array.from({ length: 4 }, () => busy.trader()));
  const accounts = await Promise.all(people.map((person) => fundLive(busy, person, "500.00")));
  let going = true;
  let moves = 0;
  const load = people.map(async (person, n) => {
    while (going) {
      const back = await person.post("/api/transfers", { fromAccountId: accounts[n], toAccountId: null, amount: "1.00" });
      const out = await person.post("/api/transfers", { fromAccountId: null, toAccountId: accounts[n], amount: "1.00" });
      moves += Number(back.status === 201) + Number(out.status === 201);
    }
  });
  while (moves < 8) await Bun.sleep(1);
  // One during which nothing moved has shown nothing: another is made.
  for (let during = 0; during === 0;) {
    const before = moves;
    rmSync(file("busy"), { force: true });
    await writeBackup(busy.sql, file("busy"), { program: "0.0.0" });
    during = moves - before;
  }
  going = false;
  await Promise.all(load);
  await busy.end();
  const db = await restored(file("busy"));
  try {
    for (const { name, text } of readTexts(folders.checks, ".sql")) expect([name, await db.sql.unsafe(text)]).toEqual([name, []] as never);
  } finally {
    await db.drop();
  }
});

describe("refused before anything is touched", () => {
  const bytes = () => new Uint8Array(readFileSync(whole));
  const plain = () => gunzipSync(bytes()).toString();
  const cases: [string, () => Uint8Array, RegExp][] = [
    ["cut off in the middle", () => bytes().subarray(0, bytes().length / 2), /damaged or incomplete/],
    ["one byte short", () => bytes().subarray(0, -1), /damaged or incomplete/],
    ["cut off where a line ends, and packed again", () => gzipSync(plain().split("\n").slice(0, -2).join("\n").concat("\n")), /damaged or incomplete/],
    ["with a changed figure, and packed again", () => gzipSync(plain().replace('"500.00"', '"900.00"')), /damaged or incomplete/],
    ["with a row left out, and packed again", () => gzipSync(plain().replace(/\n\["[^\n]*\n/, "\n")), /damaged or incomplete/],
    ["with more behind its end", () => gzipSync(`${plain()}["x"]\n`), /damaged or incomplete/],
    ["empty", () => new Uint8Array(), /not a backup/],
    ["somebody else's archive", () => gzipSync("PGDMP something"), /not a backup/],
    ["no archive at all", () => new TextEncoder().encode("-- PostgreSQL database dump"), /not a backup/],
    ["of a newer program", () => gzipSync(plain().replace('"name":"001_people.sql","checksum":"', '"name":"001_people.sql","checksum":"0')), /another version/],
  ];
  for (const [name, make, message] of cases)
    test(name, async () => {
      const path = file("spoilt");
      writeFileSync(path, make());
      // Spoilt, or taken for whole and then found unfit by the one who opens it.
      await expect(openBackup(path)).rejects.toThrow(name === "of a newer program" ? /another version|damaged/ : message);
    });
  test("a file that is not there", async () => {
    await expect(openBackup(file("nowhere"))).rejects.toThrow("can't be read (ENOENT)");
  });
});

test("a restore into a database that holds something, or from a file that changed meanwhile, leaves it as it was", async () => {
  const before = await contentOf(app.sql);
  await expect(restoreBackup(app.sql, whole, await openBackup(whole))).rejects.toThrow("not empty");
  expect(await contentOf(app.sql)).toEqual(before);

  const path = file("changing");
  writeFileSync(path, readFileSync(whole));
  const opened = await openBackup(path);
  writeFileSync(path, readFileSync(whole).subarray(0, -40));
  const db = await emptyDatabase();
  try {
    await expect(restoreBackup(db.sql, path, opened)).rejects.toThrow("damaged or incomplete");
    expect(await contentOf(db.sql)).toEqual({});
    await restoreBackup(db.sql, whole, await openBackup(whole));
  } finally {
    await db.drop();
  }
});

test.each([
  ["that point at nothing", "23503", "delete from users where role = 'user'"],
  ["that an index takes once only", "23505", "drop index users_email; update users set email = 'twice@t.test'"],
])("rows %s are refused, and the others with them", async (what, code, damage) => {
  const torn = await testApp();
  const db = await emptyDatabase();
  try {
    await Promise.all([torn.trader(), torn.trader()]);
    await tamper(torn.sql, (tx) => tx.unsafe(damage));
    await writeBackup(torn.sql, file(what), { program: "0.0.0" });
    await expect(restoreBackup(db.sql, file(what), await openBackup(file(what)))).rejects.toMatchObject({ code });
    expect(await contentOf(db.sql)).toEqual({});
  } finally {
    await db.drop();
    await torn.end();
  }
});

test("never writes over a file, and leaves no half of one behind", async () => {
  await expect(writeBackup(app.sql, whole, { program: "0" })).rejects.toThrow("exists already");
  await expect(writeBackup(app.sql, file("no/such/folder"), { program: "0" })).rejects.toThrow("can't be written (ENOENT)");
  const gone = await emptyDatabase();
  await expect(writeBackup(gone.sql, file("half"), { program: "0" })).rejects.toThrow();
  await gone.drop();
  expect(existsSync(file("half"))).toBe(false);
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});
