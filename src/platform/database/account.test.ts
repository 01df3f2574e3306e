import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createLog } from "../log";
import { keepBackups } from "../backup/backup_schedule";
import { until } from "../../testing/scenarios";
import { testDatabase } from "../../testing/database";
import { asAccount, isRoot } from "./account";
import { findDataFolder, openDataFolder } from "./data_folder";
import { startPostgres } from "./postgres";

/** What root does in a folder that `nobody` owns, where links lie that lead elsewhere. Without root there is nobody to protect. */

const NOBODY = { uid: 65534, gid: 65534 };
const quiet = createLog("error", () => {});
const owner = (path: string) => lstatSync(path).uid;
let home: string;
let data: string;
/** A folder of root's, and a file in it: what the links lead to. */
let victim: string;
let secret: string;

beforeEach(() => {
  home = mkdtempSync("/tmp/halyard-root-");
  chmodSync(home, 0o755);
  data = join(home, "data");
  victim = join(home, "victim");
  secret = join(victim, "secret");
  mkdirSync(victim);
  writeFileSync(secret, "root's own", { mode: 0o600 });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A data folder that `nobody` owns, as an earlier start left it. */
function nobodysFolder() {
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(join(data, "halyard.lock"), "");
  for (const path of [data, join(data, "halyard.lock")]) chownSync(path, NOBODY.uid, NOBODY.gid);
}
function plant(target: string, at: string) {
  rmSync(at, { recursive: true, force: true });
  symlinkSync(target, at);
  lchownSync(at, NOBODY.uid, NOBODY.gid);
}
const expectUntouched = () => {
  expect(readdirSync(victim)).toEqual(["secret"]);
  expect([readFileSync(secret, "utf8"), owner(secret), statSync(secret).mode & 0o777, owner(victim)]).toEqual(["root's own", 0, 0o600, 0]);
};

test("what is done as another account has its rights alone, also while it is awaited, and root's again after it", async () => {
  if (!isRoot()) return;
  expect(() => asAccount(NOBODY, () => readFileSync(secret))).toThrow("EACCES");
  await expect(asAccount(NOBODY, () => Bun.file(secret).text())).rejects.toThrow();
  expect(readFileSync(secret, "utf8")).toBe("root's own");
  expect(asAccount(null, () => readFileSync(secret, "utf8"))).toBe("root's own");
});

test("a data folder, or one above it, that is another's link is refused; root's own link is followed", () => {
  if (!isRoot()) return;
  mkdirSync(join(home, "real"));
  plant(join(home, "real"), join(home, "link"));
  for (const path of [join(home, "link"), join(home, "link", "data")])
    expect(() => openDataFolder(path, quiet)).toThrow(`DATA_DIR ${path} can't be used by root: ${join(home, "link")} is a link of another account.`);
  expect([owner(join(home, "real")), readdirSync(join(home, "real"))]).toEqual([0, []]);
  lchownSync(join(home, "link"), 0, 0);
  openDataFolder(join(home, "link"), quiet).release();
  expect(owner(join(home, "real"))).toBe(NOBODY.uid);
});

test("a lock that is a link makes no file where it leads", () => {
  if (!isRoot()) return;
  nobodysFolder();
  plant(join(victim, "made"), join(data, "halyard.lock"));
  expect(() => openDataFolder(data, quiet)).toThrow("can't be written");
  expectUntouched();
});

test("sockets, the server's own note and its version lead to nothing of root's", async () => {
  if (!isRoot()) return;
  nobodysFolder();
  const cluster = join(data, "postgres");
  mkdirSync(cluster, { mode: 0o700 });
  writeFileSync(join(cluster, "PG_VERSION"), "18\n");
  const sockets = mkdtempSync("/tmp/halyard-");
  writeFileSync(join(cluster, "postmaster.pid"), ["1", data, "0", "5432", `${sockets}/../${victim.slice("/tmp/".length)}`, "", "", "ready"].join("\n"));
  for (const path of [cluster, sockets, join(cluster, "PG_VERSION"), join(cluster, "postmaster.pid")]) chownSync(path, NOBODY.uid, NOBODY.gid);
  plant(victim, join(data, "run"));
  const folder = openDataFolder(data, quiet);
  await expect(startPostgres(folder, quiet)).rejects.toThrow("PostgreSQL did not start");
  expectUntouched();
  plant(secret, join(cluster, "PG_VERSION"));
  await expect(startPostgres(folder, quiet)).rejects.toThrow("EACCES");
  plant(secret, join(cluster, "postmaster.pid"));
  rmSync(join(cluster, "PG_VERSION"));
  writeFileSync(join(cluster, "PG_VERSION"), "18\n");
  await expect(startPostgres(folder, quiet)).rejects.toThrow("EACCES");
  folder.release();
  rmSync(sockets, { recursive: true, force: true });
  expectUntouched();
});

test("a backup is written through no link, neither of the folder nor of the file", async () => {
  if (!isRoot()) return;
  nobodysFolder();
  const db = await testDatabase();
  const lines: string[] = [];
  const log = createLog("info", (line) => void lines.push(line));
  const attempt = async (at: number, msg: string) => {
    const backups = keepBackups({ sql: db.sql, folder: join(findDataFolder(data), "backups"), program: "0.0.0", log, every: 60_000, keep: 7, clock: () => at });
    await until(msg, () => lines.some((line) => line.includes(msg)));
    await backups.stop();
  };
  plant(victim, join(data, "backups"));
  await attempt(Date.parse("2026-03-01T12:00:00Z"), "the backup failed");
  expectUntouched();
  rmSync(join(data, "backups"));
  mkdirSync(join(data, "backups"));
  plant(secret, join(data, "backups", "halyard-2026-03-01T130000Z.backup.part"));
  chownSync(join(data, "backups"), NOBODY.uid, NOBODY.gid);
  await attempt(Date.parse("2026-03-01T13:00:00Z"), "backup written");
  expectUntouched();
  expect(owner(join(data, "backups", "halyard-2026-03-01T130000Z.backup"))).toBe(NOBODY.uid);
  await db.drop();
});

test("from an empty folder all is the account's own, and what an earlier start left there as root is given to it", async () => {
  if (!isRoot()) return;
  mkdirSync(join(data, "backups"), { recursive: true });
  writeFileSync(join(data, "halyard.lock"), "");
  const folder = openDataFolder(data, quiet);
  const server = await startPostgres(folder, quiet, { durable: false });
  const names = readdirSync(data);
  expect(names).toContain("run");
  expect(names.filter((name) => owner(join(data, name)) !== NOBODY.uid)).toEqual([]);
  await server.stop();
  folder.release();
  expect(existsSync(secret)).toBe(true);
});
