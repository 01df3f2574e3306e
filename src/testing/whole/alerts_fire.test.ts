import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Glob } from "bun";
import { alerts, firing, type Scrape } from "../alert_rules";
import { pricedDatabase, type TestDatabase } from "../database";
import { times } from "../money";
import { buildProgram, EXECUTABLE, killPostgresIn, launch, METRICS_TOKEN, postgresIn, type Running } from "../program";
import { until } from "../scenarios";

/** Alert rules that only a whole program's faults set off: its process, its disk, its PostgreSQL. Two run; the faults are the first one's. */

/** So few descriptors that a test can take them. */
const DESCRIPTORS = 400;
/** So long, in ms, a process is frozen: longer than the rules bear. */
const FROZEN = 600;

const above = mkdtempSync("/tmp/halyard-alerts-");
chmodSync(above, 0o755);
const folder = (name: string) => {
  const path = join(above, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const common = { PORT: "0", HOST: "127.0.0.1", METRICS_TOKEN };
let database: TestDatabase;
let first: Running;
let second: Running;
let urls: { one: string; two: string };

beforeAll(async () => {
  buildProgram();
  database = await pricedDatabase();
  const env = { ...common, BACKUP_EVERY: "1m", ARCHIVE_URL: `file://${join(above, "archive")}` };
  first = launch(folder("one"), env, ["-c", `ulimit -n ${DESCRIPTORS} && exec ${EXECUTABLE}`], "/bin/sh");
  second = launch(folder("two"), { ...common, ...database.env, DATA_DIR: join(above, "two") });
  urls = { one: String((await first.logged("listening")).url), two: String((await second.logged("listening")).url) };
  await first.logged("a copy of the database is in the archive");
  await first.logged("backup written");
});
afterAll(async () => {
  for (const program of [first, second]) {
    program.signal("SIGCONT");
    program.signal("SIGTERM");
    await program.ended;
  }
  await database.drop();
  rmSync(above, { recursive: true, force: true });
});

const told = (url: string) =>
  fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } }).then(
    (response) => response.text(),
    () => null,
  );
const scrape = async (): Promise<Scrape> => ({ told: { one: await told(urls.one), two: await told(urls.two) }, at: performance.now() });
/** What is told while none of these fires, as one may on a busy machine: a database answers late there, too. */
async function quiet(...rules: string[]): Promise<Scrape> {
  let seen = await scrape();
  await until(`${rules.join(" and ")} quiet`, async () => {
    const fired = await firing(seen);
    const isQuiet = !rules.some((alert) => fired.includes(alert));
    if (!isQuiet) seen = await scrape();
    return isQuiet;
  });
  return seen;
}
/** Holds the rule against what is told before a fault and after it; returns once it fires. The fault is done again until it does. */
async function fires(alert: string, fault: () => Promise<unknown>, look = scrape): Promise<void> {
  const before = await quiet(alert);
  await until(`${alert} fires`, async () => {
    await fault();
    return (await firing(await look(), before)).includes(alert);
  });
}
/** Freezes processes for a while. */
async function freeze(pids: readonly number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await Bun.sleep(FROZEN);
  for (const pid of pids) process.kill(pid, "SIGCONT");
}

test("each rule is fired by a fault in some test", async () => {
  const tests = [...new Glob("**/*.test.ts").scanSync(join(import.meta.dir, "../.."))];
  const texts = await Promise.all(tests.map((path) => Bun.file(join(import.meta.dir, "../..", path)).text()));
  expect((await alerts()).filter((alert) => !texts.some((text) => text.includes(`"${alert}"`)))).toEqual([]);
});

test("a program that is frozen again and again", () => fires("HalyardEventLoopBlocked", () => freeze([first.pid])));

test("a PostgreSQL that answers late", async () => {
  let late: Promise<string | null> = Promise.resolve(null);
  const asks = async () => {
    late = Promise.resolve(null);
    const frozen = freeze(postgresIn(join(above, "one", "data")));
    late = told(urls.one);
    await frozen;
  };
  await fires("HalyardDatabaseSlow", asks, async () => ({ told: { one: await late, two: await told(urls.two) }, at: performance.now() }));
});

test("connections that take the descriptors", async () => {
  const open = new Set<Socket>();
  const { port } = new URL(urls.one);
  // Who says nothing is cut after a while, and another one comes.
  const another = async () => {
    const socket = connect(Number(port), "127.0.0.1");
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket));
    await once(socket, "connect");
  };
  await fires("HalyardDescriptorsRunOut", () => times(Math.ceil(DESCRIPTORS * 0.75) - open.size, another));
  for (const socket of open) socket.destroy();
});

test("places for backups and for the archive that take nothing", async () => {
  const rules = ["HalyardArchiveLags", "HalyardBackupMissing"];
  const before = await quiet(...rules);
  for (const place of [join(above, "archive"), join(above, "one", "data", "backups")]) {
    renameSync(place, `${place}.away`);
    writeFileSync(place, "");
  }
  await until("both fire", async () => {
    const now = await firing(await scrape(), before);
    return rules.every((alert) => now.includes(alert));
  });
});

test("a program that was killed: it does not answer, and is no target any more", async () => {
  const before = await scrape();
  first.signal("SIGKILL");
  await first.ended;
  killPostgresIn(join(above, "one", "data"));
  const { told: now, at } = await scrape();
  expect(await firing({ told: now, at }, before)).toContain("HalyardDown");
  expect(await firing({ told: { two: now.two ?? null }, at }, before)).toContain("HalyardUnwatched");
});
