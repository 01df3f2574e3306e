import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DAY, MINUTE } from "../../lib/time";
import { killPostgresIn } from "../../testing/program";
import { openDataFolder } from "../database/data_folder";
import { connect, type Db } from "../database/db";
import { type Postgres, startPostgres } from "../database/postgres";
import { asRole } from "../database/roles";
import type { Log } from "../log";
import { Archiver, ARCHIVIST, endArchive, makeArchivist } from "./archiver";
import { openArchiveStore } from "./archive_store";
import { planRecovery, recover } from "./recovery";

/** The drill on PostgreSQL itself: its log is brought away, it is killed, its disk is thrown away, and what was acknowledged comes back. */

const above = mkdtempSync("/tmp/halyard-archive-");
chmodSync(above, 0o755);
const KEY = "4f".repeat(32);
const silent = Object.fromEntries(["debug", "info", "warn", "error"].map((level) => [level, () => {}])) as unknown as Log;
const storeOf = (name: string) => openArchiveStore(pathToFileURL(join(above, name)).href);

type Machine = { path: string; owner: Db; postgres: Postgres; die(): Promise<void> };
const machines: Machine[] = [];
async function boot(name: string): Promise<Machine> {
  const path = join(above, name);
  const folder = openDataFolder(path, silent);
  const postgres = await startPostgres(folder, silent, { durable: false });
  const owner = connect(postgres.url, { max: 2 });
  await makeArchivist(owner);
  const die = async () => {
    killPostgresIn(path);
    await postgres.exited;
    await owner.end({ timeout: 0 });
    folder.release();
    machines.splice(machines.indexOf(machine), 1);
  };
  const machine = { path, owner, postgres, die };
  machines.push(machine);
  return machine;
}
afterAll(async () => {
  for (const machine of [...machines]) await machine.die();
  rmSync(above, { recursive: true, force: true });
});

type Own = { clock?: () => number; key?: string | null; keep?: number };
const archiverOf = ({ path, postgres }: Machine, name: string, { key = KEY, ...own }: Own = {}) =>
  new Archiver({ sql: connect(asRole(postgres.url, ARCHIVIST), { max: 2 }), store: storeOf(name), key, folder: path, log: silent, ...own });

const add = (owner: Db, word: string) => owner`insert into words (word) values (${word})`;
const wordsOf = async (owner: Db) => (await owner<{ word: string }[]>`select word from words order by id`).map(({ word }) => word);
const restore = (name: string, to: string, at: number | null = null) =>
  recover({ store: storeOf(name), key: KEY, dataDir: join(above, to), at, log: silent, durable: false });
const ALPHABET = Array.from({ length: 400 }, (_, n) => `word ${n} ${"x".repeat(200)}`);

let home: Machine;
beforeAll(async () => {
  home = await boot("home");
  await home.owner`create table words (id int generated always as identity primary key, word text not null)`;
});

describe("a database whose disk is thrown away", () => {
  let middle = 0;
  let end = 0;
  beforeAll(async () => {
    const archiver = archiverOf(home, "main");
    await add(home.owner, "before the copy");
    await archiver.round();
    expect(archiver.state).toMatchObject({ fault: null, failures: 0 });
    await add(home.owner, "behind the copy");
    await archiver.round();
    middle = Date.now();
    await Bun.sleep(2);
    // More than one segment at once, then one that a round closes.
    for (let n = 0; n < 300; n++) await home.owner`insert into words (word) select w from unnest(${ALPHABET}::text[]) w`;
    await home.owner`delete from words where word like 'word %'`;
    await archiver.round();
    await add(home.owner, "the last that was brought away");
    end = Date.now();
    await archiver.round();
    await add(home.owner, "never brought away");
    await home.die();
    rmSync(home.path, { recursive: true });
  });

  test("comes back up to the last round, and goes on as another timeline of the same archive", async () => {
    const done = await restore("main", "back");
    const back = await boot("back");
    expect(await wordsOf(back.owner)).toEqual(["before the copy", "behind the copy", "the last that was brought away"]);
    expect(done.segments).toBeGreaterThan(3);

    // The program that is gone is not waited for longer than its last sign of life is fresh.
    const eager = archiverOf(back, "main");
    await expect(eager.start()).rejects.toThrow(/Another program writes the archive .*, last \d+ s ago/);
    await eager.stop();
    const later = Date.now() + 4 * MINUTE;
    const heir = archiverOf(back, "main", { clock: () => later });
    await add(back.owner, "on the new timeline");
    await heir.round();
    expect(heir.state).toMatchObject({ fault: null, base: later });
    await back.die();
    rmSync(back.path, { recursive: true });
    await restore("main", "again");
    const again = await boot("again");
    expect(await wordsOf(again.owner)).toEqual(["before the copy", "behind the copy", "the last that was brought away", "on the new timeline"]);
    await again.die();
  });

  test("comes back as it was at an instant", async () => {
    await restore("main", "then", middle);
    const then = await boot("then");
    expect(await wordsOf(then.owner)).toEqual(["before the copy", "behind the copy"]);
    await then.die();
  });

  test("does not come back at an instant that the archive does not reach, or from before it began", async () => {
    await expect(planRecovery(storeOf("main"), KEY, Date.now() + DAY)).rejects.toThrow(/The archive reaches to .*: name an earlier instant/);
    await expect(planRecovery(storeOf("main"), KEY, middle - DAY)).rejects.toThrow(/The oldest copy in the archive was whole at/);
  });

  test("is refused without its key, with another, and with a part that was changed", async () => {
    await expect(planRecovery(storeOf("main"), null, null)).rejects.toThrow("The archive needs its ARCHIVE_KEY");
    await expect(planRecovery(storeOf("main"), "00".repeat(32), null)).rejects.toThrow("The archive needs its ARCHIVE_KEY");
    const path = join(above, "main", (await storeOf("main").list("base")).find((name) => name.endsWith("0001")) ?? "");
    const whole = readFileSync(path);
    for (const place of [whole.length - 1, whole.length >> 1, whole.indexOf("\n") - 3]) {
      const spoilt = Buffer.from(whole);
      spoilt[place] = (spoilt[place] ?? 0) ^ 1;
      writeFileSync(path, spoilt);
      await expect(restore("main", "spoilt", middle)).rejects.toThrow(/The archive's base\/.* is damaged/);
      expect(readdirSync(join(above, "spoilt"))).not.toContain("postgres");
    }
    writeFileSync(path, whole);
  });

  test("says which segment is missing, and gives what is whole before it", async () => {
    const { segments } = await planRecovery(storeOf("main"), KEY, end);
    const hole = segments.at(-2)?.name ?? "";
    rmSync(join(above, "main", hole));
    await expect(restore("main", "torn", end)).rejects.toThrow(new RegExp(`segment ${hole} is missing.*Whole is what was committed until`));
    await restore("main", "before", middle);
    const before = await boot("before");
    expect(await wordsOf(before.owner)).toEqual(["before the copy", "behind the copy"]);
    await before.die();
  });
});

describe("an archive", () => {
  const write = async (own: Own = {}) => {
    const machine = await boot(crypto.randomUUID());
    const name = `archive-${crypto.randomUUID().slice(0, 8)}`;
    return { machine, name, folder: join(above, name), archiver: archiverOf(machine, name, own) };
  };

  test("that is away is waited for; what was written meanwhile comes when it is back", async () => {
    const { machine, name, folder, archiver } = await write();
    await machine.owner`create table words (id int generated always as identity primary key, word text not null)`;
    await archiver.round();
    const { safeUntil, base } = archiver.state;
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "no folder");
    for (let n = 0; n < 3; n++) {
      await add(machine.owner, `while it was away ${n}`);
      await archiver.round();
    }
    expect(archiver.state).toMatchObject({ failures: 3, safeUntil, base });
    expect(archiver.state.fault).toMatch(/ENOTDIR/);
    rmSync(folder);
    // It came back empty: only a new copy can be restored from.
    await archiver.round();
    expect(archiver.state).toMatchObject({ fault: null });
    expect(archiver.state.safeUntil).toBeGreaterThan(safeUntil ?? 0);
    await machine.die();
    await restore(name, `${name}-back`);
    const back = await boot(`${name}-back`);
    expect(await wordsOf(back.owner)).toEqual(["while it was away 0", "while it was away 1", "while it was away 2"]);
    await back.die();
  });

  test("of another database, or that another program writes, is left alone", async () => {
    const [one, other] = [await write(), await write()];
    await one.archiver.round();
    const before = await storeOf(one.name).list("wal");
    const foreign = archiverOf(other.machine, one.name);
    await expect(foreign.start()).rejects.toThrow("is of another database");
    await foreign.stop();
    // A copy of the whole folder that runs elsewhere: the one that started last writes, the other notices and stops.
    const twin = archiverOf(one.machine, one.name);
    await twin.round();
    await one.archiver.round();
    expect(twin.state.fault).toBeNull();
    expect(one.archiver.state.fault).toMatch(/Another program writes the archive/);
    expect((await storeOf(one.name).list("wal")).slice(0, before.length)).toEqual(before);
    await other.machine.die();
    await one.machine.die();
  });

  test("keeps so many copies, and the log from the oldest of them on", async () => {
    let now = Date.parse("2026-03-01T00:00:00Z");
    const { machine, name, archiver } = await write({ clock: () => now, keep: 2, key: null });
    const bases = async () => new Set((await storeOf(name).list("base")).map((path) => path.split("/")[1]?.slice(0, 10)));
    for (let day = 0; day < 4; day++) {
      await archiver.round();
      now += DAY;
    }
    expect(archiver.state.fault).toBeNull();
    expect(await bases()).toEqual(new Set(["2026-03-03", "2026-03-04"]));
    const { segments, manifest } = await planRecovery(storeOf(name), null, null);
    expect(manifest.startedAt).toBe("2026-03-04T00:00:00.000Z");
    expect((await storeOf(name).list("wal")).length).toBeLessThan(segments.length + 6);
    // Without an archive the server lets go of the log.
    await archiver.stop();
    await endArchive(machine.owner);
    expect(await machine.owner`select from pg_replication_slots`).toHaveLength(0);
    await machine.die();
  });
});
