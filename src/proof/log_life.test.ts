import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeBackup } from "../platform/backup/backup";
import { openBackup, restoreBackup } from "../platform/backup/restore";
import { leadAlone } from "../platform/cluster/leader";
import type { Db } from "../platform/database/db";
import { testApp } from "../testing/app";
import { emptyDatabase, LOG_KEY, type TestDatabase, testDatabase } from "../testing/database";
import { appending, drain, leaveNotes, seedOf } from "../testing/log_notes";
import { heldInstruments, holdInstruments } from "../market/rules_listed";
import { loggedFills } from "../trading/queries_logged_fills";
import { grewFrom } from "../testing/public_log";
import { faultOf, handHeld, order, tamper, until, withoutGuard } from "../testing/scenarios";
import { proveLogs } from "./check";
import { appendRound, endLog, endRestoredLog } from "./commands";
import { dice } from "../testing/dice";
import { LogFault } from "./fault";
import type { Table } from "./sources";
import { openKeyring, putLogKey, renewKeyFile } from "./key";
import { LogReader } from "./reader";
import { currentLog, logNumbered } from "./queries";
import { madeUp } from "../testing/log_notes";
import { openCheckpoint, openNote, parseVerifier, signerOf, type Verifier, verifierText } from "./rules_note";
import { keyChangeText, type LogRecord } from "./schema";

/** A log's life: many programs at once, another key, a restored database, an end and a new one. */

const folder = mkdtempSync("/tmp/halyard-loglife-");
let db: TestDatabase;
beforeAll(async () => void (db = await testDatabase()));
afterAll(async () => {
  await db.drop();
  rmSync(folder, { recursive: true, force: true });
});

const recordsOf = async (sql: Db, log: number) => {
  const rows = await sql<{ record: string }[]>`select record from proof_entries where log = ${log} order by index`;
  return rows.map(({ record }) => JSON.parse(record) as LogRecord);
};
const verifierOf = async (sql: Db) => parseVerifier((await currentLog(sql))?.key ?? "") as Verifier;
const amissIn = async (sql: Db) => (await proveLogs(sql, madeUp)).filter(({ rows }) => rows > 0);

/** Has many programs append at once, some of which no longer lead; says how often each number was logged, and what stood in the way. */
async function race(from: number, count: number) {
  const former = await leadAlone(db.sql);
  const epoch = await leadAlone(db.sql);
  await leaveNotes(db.sql, from, from + count - 1);
  const programs = Array.from({ length: 8 }, (_, n) => appending(db.sql, n % 4 === 3 ? former : epoch));
  const ended = await Promise.all(programs.map((given) => faultOf(appendRound(given, null))));
  const said = (await recordsOf(db.sql, 1)).flatMap((record) =>
    record.kind === "audit" && record.last >= from && record.last < from + count ? [record.last] : [],
  );
  return { said, refused: ended.filter((error) => (error as { detail?: string } | null)?.detail === "deposed").length, failed: ended.filter(Boolean).length };
}

test("of programs that append at once each note is logged once and in order, and one that leads no longer is refused", async () => {
  await drain(appending(db.sql, await leadAlone(db.sql)));
  const kept = (await currentLog(db.sql))?.note ?? "";
  const { said, refused, failed } = await race(1_000, 300);
  expect(said).toEqual(Array.from({ length: 300 }, (_, n) => 1_000 + n));
  expect([refused, failed]).toEqual([2, 2]);
  expect(await grewFrom(db.sql, kept, await verifierOf(db.sql))).toBe(true);
  expect(await amissIn(db.sql)).toEqual([]);
  // Without the fence those of the earlier lead would have been let in.
  const putBack = await withoutGuard(
    db.sql,
    "lead_fence",
    "if not exists (select from leadership where epoch = of_epoch) then perform refuse('deposed', 'Another program leads now.'); end if;",
  );
  expect((await race(2_000, 50)).refused).toBe(0);
  await putBack();
});

/** Rows that are their own notes, made for this test. */
const rowsTable: Table = {
  note: "made",
  waits: async (sql, { high, among }) => (await sql`select from made_rows where id > ${high} or id = any(${among as number[]}::bigint[]) limit 1`).length > 0,
  rows: (sql, { high, among }, limit) => sql`
    select id, at, '{"hash":"row","kind":"audit","last":' || id || ',"v":1}' as text, null::bigint as tick
    from made_rows where id > ${high} or id = any(${among as number[]}::bigint[]) order by id limit ${limit}`,
};

test("rows that are committed in another order than their numbers are logged once each, also those that were long in coming; what was rolled back is forgotten", async () => {
  await db.sql.unsafe(
    "create table made_rows (id bigint generated always as identity primary key, at timestamptz not null default clock_timestamp()); insert into proof_marks (note, high) values ('made', 0)",
  );
  const given = appending(db.sql, await leadAlone(db.sql), { sources: { ...madeUp, tables: [rowsTable] } });
  // One that has its number first and commits last.
  const held = await handHeld(db);
  await held.sql.unsafe("insert into proof_ticks (seq) values (999999); insert into made_rows default values");
  await db.sql`insert into made_rows default values`;
  await drain(given);
  await held.commit();
  await held.end();
  await drain(given);
  const random = dice(7);
  const committed: number[] = [1, 2];
  let writing = true;
  /** Some of them hold what they wrote for several rounds, some take it back. */
  const writer = async () => {
    for (let n = 0; n < 60; n++) {
      const [isLong, isTaken] = [random.between(0, 1) < 0.1, random.between(0, 1) < 0.2];
      const ids: number[] = [];
      await db.sql
        .begin(async (tx) => {
          // Whoever writes a row has written before.
          await tx`insert into proof_ticks (seq) select nextval('order_places') on conflict do nothing`;
          for (const { id } of await tx<{ id: number }[]>`insert into made_rows (at) select clock_timestamp() from generate_series(1, 3) returning id`)
            ids.push(id);
          if (isLong) await Bun.sleep(60);
          if (isTaken) throw new Error("taken back");
          committed.push(...ids);
        })
        .catch(() => {});
    }
  };
  const reader = async () => {
    for (let state: Awaited<ReturnType<typeof drain>> | null = null; writing;) state = await drain(given, state);
  };
  const reading = reader();
  await Promise.all(Array.from({ length: 6 }, writer));
  writing = false;
  await reading;
  // A transaction of anybody on this server that began before a gap was seen may hold it open.
  const gaps = async () => {
    await drain(given);
    const [mark] = await db.sql<{ gaps: number }[]>`select cardinality(gaps) + cardinality(aging) as gaps from proof_marks where note = 'made'`;
    return mark?.gaps;
  };
  while ((await gaps()) !== 0) await Bun.sleep(10);
  const logged = (await db.sql<{ ref: string }[]>`select ref from proof_entries where kind = 'made'`).map(({ ref }) => Number(ref));
  expect(logged.toSorted((one, other) => one - other)).toEqual(committed.toSorted((one, other) => one - other));
  expect(await amissIn(db.sql)).toEqual([]);
  await db.sql.unsafe("drop table made_rows; delete from proof_marks where note = 'made'");
});

test("a receipt is logged by what the database lists, whether or not this program knows of the instrument by then", async () => {
  const known = heldInstruments();
  holdInstruments("");
  const [account] = await db.sql<{ id: string; person: string }[]>`
    with p as (
      insert into users (email, password, first_name, last_name, referral_code) values ('log@t.test', '-', 'Tess', 'Trader', 'LOG1') returning id
    )
    select account_create(p.id, 'starter', true, 10, null, null) -> 'answer' ->> 'id' as id, p.id as person from p`;
  await db.sql`
    select trade_open(
      ${account?.person ?? ""}, ${account?.id ?? ""}, 'EUR/USD', 'buy', 10, null, null, null, null, true, row(5, now(), 0, 1.1, 1.10002, 0.0001)::deed_quote,
      row(array['EUR/USD'], array[1.1], array[1.10002], array[0.0001])::board, null, null, clock_timestamp() + interval '1 hour'
    )`;
  await drain(appending(db.sql, await leadAlone(db.sql), { sources: { ...madeUp, tables: [loggedFills] } }));
  holdInstruments(known);
  const [fill] = (await recordsOf(db.sql, 1)).filter((record) => record.kind === "fill");
  expect(fill).toMatchObject({ symbol: "EUR/USD", pip: "0.00010000", tick: 5 });
});

test("a key changes by an entry that both keys sign; without the one before, nothing is appended", async () => {
  const log = (await currentLog(db.sql))!;
  const epoch = await leadAlone(db.sql);
  const [next, third] = [seedOf("11".repeat(32)), seedOf("22".repeat(32))];
  await leaveNotes(db.sql, 3_000, 3_000);
  const keyless = await faultOf(appendRound(appending(db.sql, epoch, { key: { seed: next, before: null } }), null));
  const wrong = await faultOf(appendRound(appending(db.sql, epoch, { key: { seed: next, before: third } }), null));
  expect([keyless instanceof LogFault, wrong instanceof LogFault]).toEqual([true, true]);
  expect((await currentLog(db.sql))?.size).toBe(log.size);

  await drain(appending(db.sql, epoch, { key: { seed: next, before: seedOf(LOG_KEY) } }));
  const now = (await currentLog(db.sql))!;
  const [former, later] = [signerOf(log.origin, seedOf(LOG_KEY)), signerOf(log.origin, next)];
  expect([now.key, now.size]).toEqual([verifierText(later), log.size + 2]);
  for (const each of [former, later]) expect(openCheckpoint(now.note ?? "", [each])).toMatchObject({ size: now.size });
  const change = (await recordsOf(db.sql, 1)).find((record) => record.kind === "key") as Extract<LogRecord, { kind: "key" }>;
  expect(change).toMatchObject({ from: verifierText(former), to: verifierText(later) });
  const said = keyChangeText(log.origin, change.from, change.to, change.at);
  expect(openNote(`${said}\n${change.signatureFrom}\n${change.signatureTo}\n`, [former, later])?.signatures).toHaveLength(2);
  // From then on the new one signs alone.
  await leaveNotes(db.sql, 3_001, 3_001);
  await drain(appending(db.sql, epoch, { key: { seed: next, before: null } }));
  expect(openCheckpoint((await currentLog(db.sql))?.note ?? "", [former])).toBeNull();
  expect(await amissIn(db.sql)).toEqual([]);
});

test("a tile that is gone is said by the next round, which makes no new one in its place; one that was changed is said, too", async () => {
  const epoch = await leadAlone(db.sql);
  const given = appending(db.sql, epoch, { key: { seed: seedOf("11".repeat(32)), before: null } });
  await leaveNotes(db.sql, 3_100, 3_100);
  let state = await drain(given);
  // The last tile has room for what follows.
  for (let more = 3_110; state.log.size % 256 === 0 || state.log.size % 256 > 250; more++) {
    await leaveNotes(db.sql, more, more);
    state = await drain(given, state);
  }
  const n = Math.floor(state.log.size / 256);
  const [tile] = await db.sql<{ hashes: Uint8Array }[]>`select hashes from proof_tiles where log = 1 and level = 0 and n = ${n}`;
  const hashes = Buffer.from(tile?.hashes ?? []).toString("hex");
  const tiles = async () => (await db.sql<{ n: number }[]>`select n from proof_tiles where log = 1 and level = 0 order by n`).map((row) => row.n);
  await leaveNotes(db.sql, 3_101, 3_101);
  await tamper(db.sql, (tx) => tx`delete from proof_tiles where log = 1 and level = 0 and n = ${n}`);
  // A program that has the tile in memory, and one that has to read it.
  for (const known of [state, null]) expect(((await faultOf(appendRound(given, known))) as Error).message).toContain("is missing or too narrow");
  expect([await tiles(), (await currentLog(db.sql))?.size]).toEqual([Array.from({ length: n }, (_, at) => at), state.log.size]);
  await tamper(
    db.sql,
    (tx) =>
      tx`insert into proof_tiles (log, level, n, hashes) values (1, 0, ${n}, overlay(decode(${hashes}, 'hex') placing decode(repeat('00', 32), 'hex') from 1))`,
  );
  expect(((await faultOf(appendRound(given, null))) as Error).message).toContain("do not have the root");
  await tamper(db.sql, (tx) => tx`update proof_tiles set hashes = decode(${hashes}, 'hex') where log = 1 and level = 0 and n = ${n}`);
  await drain(given);
  expect([(await currentLog(db.sql))?.size, await amissIn(db.sql)]).toEqual([state.log.size + 1, []]);
});

test("a program that has not heard of the newest checkpoint yet serves what that one holds, which another may have shown", async () => {
  const reader = new LogReader(db.sql, () => 0);
  await reader.log();
  await leaveNotes(db.sql, 3_200, 3_200);
  const { size } = (await drain(appending(db.sql, await leadAlone(db.sql), { key: { seed: seedOf("11".repeat(32)), before: null } }))).log;
  const n = Math.floor((size - 1) / 256);
  const width = size - n * 256;
  expect((await reader.tile({ level: 0, n, width }))?.length).toBe(width * 32);
  expect(await reader.tile({ level: 0, n: n + 1, width: 1 })).toBeNull();
});

test("nothing happens for a minute and the checkpoint is signed anew, with its time", async () => {
  const epoch = await leadAlone(db.sql);
  const given = appending(db.sql, epoch, { key: { seed: seedOf("11".repeat(32)), before: null }, now: () => 1_900_000_000_000 });
  const before = (await currentLog(db.sql))!;
  await appendRound(given, null);
  const after = (await currentLog(db.sql))!;
  expect([after.size, after.root]).toEqual([before.size, before.root]);
  const cosigner = signerOf(after.origin, seedOf("11".repeat(32)), "cosignature");
  expect(openCheckpoint(after.note ?? "", [cosigner])?.signatures[0]?.time).toBe(1_900_000_000);
});

test("a database that is restored goes on as a new log, which names the last checkpoint that is known of the old one", async () => {
  const old = (await currentLog(db.sql))!;
  const path = join(folder, "whole");
  await writeBackup(db.sql, path, { program: "0.0.0", logKey: "ab".repeat(32) });
  const header = (await openBackup(path)).header;
  expect(header.logKey).toBe("ab".repeat(32));
  const other = await emptyDatabase();
  try {
    await restoreBackup(other.sql, path, await openBackup(path), { finish: endRestoredLog });
    expect(await currentLog(other.sql)).toBeNull();
    await leaveNotes(other.sql, 4_000, 4_000);
    await drain(appending(other.sql, await leadAlone(other.sql)));
    const next = (await currentLog(other.sql))!;
    expect([next.number, next.origin]).toEqual([2, "made.example/log/2"]);
    const [start] = await recordsOf(other.sql, 2);
    expect(start).toMatchObject({
      kind: "start",
      origin: "made.example/log/2",
      previousOrigin: old.origin,
      previousSize: old.size,
      previousRoot: Buffer.from(old.root ?? []).toString("base64"),
      why: "the database was restored as it was at an earlier moment",
    });
    expect(await grewFrom(other.sql, old.note ?? "", await verifierOf(other.sql))).toBe(false);
    expect(await amissIn(other.sql)).toEqual([]);
    // The old one stays as it was, and is appended to no more.
    await expect(other.sql`update proof_logs set ended_at = null, ended_why = null where number = 1`).rejects.toThrow("only grows");
  } finally {
    await other.drop();
  }
});

test("where its key is lost a log can be ended, and the next one says why", async () => {
  expect(await endLog(db.sql, "the key is lost")).toBe("made.example/log");
  expect(await endLog(db.sql, "again")).toBeNull();
  await drain(appending(db.sql, await leadAlone(db.sql)));
  expect((await recordsOf(db.sql, 2))[0]).toMatchObject({ kind: "start", why: "the key is lost", previousOrigin: "made.example/log" });
});

test("the key's file is made once, for its owner alone; renewed it keeps the one before until that is logged", async () => {
  const config = { logKey: null, logKeyBefore: null, dataDir: join(folder, "data"), databaseUrl: null };
  const rings = Array.from({ length: 3 }, () => openKeyring(config));
  expect(rings[0]?.read()).toBeNull();
  const made = rings.map((ring) => Buffer.from(ring.make()?.seed ?? []).toString("hex"));
  expect(new Set(made).size).toBe(1);
  const path = join(folder, "data", "log.key");
  expect([(statSync(path).mode & 0o777).toString(8), readFileSync(path, "utf8").trim()]).toEqual(["600", made[0] ?? ""]);
  expect(renewKeyFile(path)?.before).toEqual(rings[0]?.read()?.before ?? null);
  expect(Buffer.from(rings[0]?.read()?.before ?? []).toString("hex")).toBe(made[0] ?? "");
  // A second change before the first is logged would lose a key.
  expect(renewKeyFile(path)).toBeNull();
  rings[0]?.settle();
  expect([rings[0]?.read()?.before, (statSync(path).mode & 0o777).toString(8)]).toEqual([null, "600"]);
  expect(putLogKey(config, "cd".repeat(32))).toContain("left alone");
  chmodSync(path, 0o600);
  rmSync(path);
  expect(putLogKey(config, "cd".repeat(32))).toContain("is in");
  expect(readFileSync(path, "utf8").trim()).toBe("cd".repeat(32));
  writeFileSync(path, "no key\n");
  expect(openKeyring(config).read()).toBeNull();
  // With a database that others share there is no file.
  const shared = openKeyring({ ...config, databaseUrl: "postgres://x/y" });
  expect([shared.read(), shared.make(), shared.advice.includes("LOG_KEY")]).toEqual([null, null, true]);
  expect(openKeyring({ ...config, logKey: LOG_KEY, logKeyBefore: "00".repeat(32) }).read()?.before).toHaveLength(32);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test("a program on a shared database without LOG_KEY says so at its start, and is not ready; it begins no log of its own", async () => {
  const app = await testApp({ LOG_KEY: "", DATABASE_URL: "postgres://somewhere/else" });
  try {
    await app.logbook.wake();
    const { status, body } = await app.stranger().get<{ missing: string[] }>("/readyz");
    const words = "the key of the public log is missing: with DATABASE_URL the key of the log must be given as LOG_KEY, the same for all instances";
    expect([status, body.missing.includes(words)]).toEqual([503, true]);
    expect(app.lines.some((line) => line.includes("LOG_KEY"))).toBe(true);
    expect(await currentLog(app.sql)).toBeNull();
    expect((await app.stranger().fetch("GET", "/log/checkpoint")).status).toBe(404);
  } finally {
    await app.end();
  }
});

test("where a tile is lost receipts are read without their proofs; the log can be ended while its program runs, and nothing stands in the way of the next one", async () => {
  const app = await testApp();
  try {
    await app.quote("EUR/USD", "1.10000", "1.10002");
    const tess = await app.trader();
    const { id } = (await tess.post<{ id: string }>("/api/trading/positions", { ...order, amount: 100 })).body;
    const asked = async () => [(await tess.get(`/api/trading/positions/${id}/receipt`)).status, (await tess.get(`/api/trading/positions/${id}/proof`)).status];
    await until("the log has the deal and its quote", async () => {
      await app.logbook.wake();
      return (await asked()).join() === "200,200";
    });
    await tamper(app.sql, (tx) => tx`delete from proof_tiles where level = 0 and n = 0`);
    await app.logbook.check();
    // A receipt is read without its proofs then; the file of them is asked for later.
    expect(await asked()).toEqual([200, 503]);
    expect(app.logbook.missing).toBe("tile 0/000 is missing or too narrow");
    await endLog(app.sql, "A tile is lost");
    await app.logbook.check();
    await app.logbook.wake();
    expect([app.logbook.missing, (await currentLog(app.sql))?.number]).toEqual([null, 2]);
    // Below its number the old one is served for ever; what has none is the new one.
    const served = async (path: string) => await (await app.stranger().fetch("GET", `/log/${path}`)).text();
    expect([await served("1/checkpoint"), await served("checkpoint")]).toEqual([(await logNumbered(app.sql, 1))?.note ?? "", await served("2/checkpoint")]);
    const [entries, first] = ["tile/entries/000.p/1", await served("1/tile/entries/000.p/1")];
    expect([first.length > 0, first === (await served(entries)), await served(entries)]).toEqual([true, false, await served(`2/${entries}`)]);
    for (const number of ["0", "3", "x", "01", "99999999999"]) expect([number, await served(`${number}/checkpoint`)]).toEqual([number, "not found\n"]);
  } finally {
    await app.end();
  }
});
