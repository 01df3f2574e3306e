import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "../../testing/database";
import { until } from "../../testing/scenarios";
import { inspectBackup } from "./backup_file";
import { type Backups, keepBackups } from "./backup_schedule";
import { createLog } from "../log";

let db: TestDatabase;
let folder: string;
let lines: string[];
let now = Date.parse("2026-03-01T12:00:00Z");
let backups: Backups | null = null;
const log = createLog("info", (line) => void lines.push(line));
const DAY = 24 * 60 * 60 * 1000;

beforeAll(async () => void (db = await testDatabase()));
afterAll(() => db.drop());
beforeEach(() => {
  folder = join(mkdtempSync("/tmp/halyard-schedule-"), "backups");
  lines = [];
});
afterEach(async () => {
  await backups?.stop();
  rmSync(join(folder, ".."), { recursive: true, force: true });
});
const start = (given: { keep?: number; every?: number | null } = {}) =>
  (backups = keepBackups({ sql: db.sql, folder, program: "0.0.0", log, every: DAY, keep: 7, clock: () => now, ...given }));
const made = () => lines.filter((line) => line.includes("backup written")).length;

test("makes the first at once and the next when it is due, also across restarts", async () => {
  const first = start();
  await until("the first", () => made() === 1);
  expect(first.kept()).toEqual([{ name: "halyard-2026-03-01T120000Z.backup", at: now }]);
  expect((await inspectBackup(join(folder, first.kept()[0]?.name ?? ""))).header.program).toBe("0.0.0");
  await first.stop();

  const soon = start();
  await Bun.sleep(30);
  await soon.stop();
  expect(made()).toBe(1);

  now += DAY;
  const later = start();
  await until("the second", () => made() === 2);
  expect(later.last()).toMatchObject({ at: now, error: null });
  expect(later.kept()).toHaveLength(2);
});

test("keeps the newest and touches no other file", async () => {
  const first = start();
  await until("the folder", () => existsSync(folder) && made() === 1);
  await first.stop();
  for (let n = 1; n <= 9; n++) writeFileSync(join(folder, `halyard-2026-02-0${n}T120000Z.backup`), "");
  writeFileSync(join(folder, "halyard-2026-02-09T120000Z.backup.part"), "half");
  writeFileSync(join(folder, "my notes"), "mine");
  now += DAY;
  const second = start({ keep: 3 });
  await until("another", () => made() === 2);
  expect(second.kept().map(({ name }) => name.slice(8, 18))).toEqual(["2026-03-03", "2026-03-02", "2026-02-09"]);
  expect(readdirSync(folder)).toContain("my notes");
  expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("a failure is told and tried again; none are made unless asked for", async () => {
  expect(start({ every: null }).kept()).toEqual([]);
  await backups?.stop();
  writeFileSync(folder, "a file where the folder should be");
  const failing = start({ every: 10 });
  await until("a failure", () => failing.last() !== null);
  expect(failing.last()?.error).toContain("EEXIST");
  expect(lines.join()).toContain("the backup failed, will try again");
  rmSync(folder);
  now += DAY;
  await until("success", () => failing.last()?.error === null);
});
