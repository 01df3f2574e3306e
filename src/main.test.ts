import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testDatabase } from "./testing/database";
import { type Running, buildProgram, launch, postgresIn, runProgram } from "./testing/program";

setDefaultTimeout(30_000);

const above = mkdtempSync("/tmp/halyard-main-");
chmodSync(above, 0o755);
const folder = (name: string) => {
  const path = join(above, name);
  mkdirSync(path);
  return path;
};
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const env = { PORT: "0", HOST: "127.0.0.1" };
const url = async (program: Running) => (await program.logged("listening")).url as string;

async function stop(program: Running) {
  program.signal("SIGTERM");
  return program.ended;
}

/** Looks again until it is so; the test's own time limit ends it where it never is. */
async function until(so: () => Promise<boolean>) {
  while (!(await so())) await Bun.sleep(5);
}

describe("with its own database, from an empty folder and an empty environment", () => {
  const home = folder("home");
  const data = join(home, "data");
  const start = () => launch(home, env);
  const password = "correct horse battery";

  test("sets itself up, closes its folder to others, prints the first administrator, and stops cleanly", async () => {
    const program = start();
    expect((await fetch(`${await url(program)}/healthz`)).status).toBe(200);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    const { status, stderr } = await stop(program);
    expect(stderr).toMatch(/^The first administrator: admin@localhost, password \S{12,} \(shown this once\)\n$/);
    expect(status).toBe(0);
    expect(postgresIn(data)).toEqual([]);
  });

  test("a second process is refused, and commands use the running server's database", async () => {
    const program = start();
    await url(program);
    const second = await runProgram(home, env);
    expect(second).toMatchObject({ status: 1, stderr: `halyard: DATA_DIR ${data} is in use by another running Halyard.\n` });
    const made = await runProgram(home, env, ["admin", "create", "--email", "second@example.test", "--password", password]);
    expect(made).toMatchObject({ status: 0, stdout: "administrator second@example.test created" });
    const verified = await runProgram(home, env, ["verify"]);
    expect(verified.stdout).toMatch(/^(ok \w+\n?)+$/);
    expect(verified.status).toBe(0);
    expect(await stop(program)).toMatchObject({ status: 0, stderr: "" });
  });

  test("recovers after kill -9 of the program, whose PostgreSQL lives on", async () => {
    const killed = start();
    await url(killed);
    killed.signal("SIGKILL");
    await killed.ended;
    const orphans = postgresIn(data);
    expect(orphans).not.toEqual([]);
    const program = start();
    await url(program);
    expect(postgresIn(data).filter((pid) => orphans.includes(pid))).toEqual([]);
    expect((await stop(program)).status).toBe(0);
  });

  test("recovers after kill -9 of the program and of PostgreSQL, and keeps what was committed", async () => {
    const killed = start();
    await url(killed);
    const made = await runProgram(home, env, ["admin", "create", "--email", "third@example.test", "--password", password]);
    expect(made.status).toBe(0);
    killed.signal("SIGKILL");
    for (const pid of postgresIn(data)) process.kill(pid, "SIGKILL");
    await killed.ended;
    const program = start();
    await url(program);
    const again = await runProgram(home, env, ["admin", "create", "--email", "third@example.test", "--password", password]);
    expect(again.status).toBe(1);
    expect(again.stderr.trim().split("\n")).toHaveLength(1);
    expect((await stop(program)).status).toBe(0);
  });

  test("ends with status 1 when PostgreSQL ends by itself", async () => {
    const program = start();
    await url(program);
    for (const pid of postgresIn(data)) process.kill(pid, "SIGKILL");
    expect((await program.ended).status).toBe(1);
  });

  test("a port in use stops the start, and PostgreSQL with it", async () => {
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", reusePort: false, fetch: () => new Response() });
    const port = String(taken.port);
    const refused = await runProgram(home, { ...env, PORT: port });
    await taken.stop(true);
    expect(refused).toMatchObject({ status: 1, stderr: `halyard: Port ${port} on 127.0.0.1 is already in use. Set PORT to another.\n` });
    expect(postgresIn(data)).toEqual([]);
  });

  test("data of another PostgreSQL version is refused", async () => {
    writeFileSync(join(data, "postgres", "PG_VERSION"), "17\n");
    const refused = await runProgram(home, env);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("was written by PostgreSQL 17; this program holds PostgreSQL 18");
  });
});

test("a set-up that was killed half-way starts over, and a long path is no hindrance", async () => {
  const data = join(folder("far"), "a-folder-with-quite-a-long-name".repeat(4));
  mkdirSync(join(data, "postgres.half-0000", "base"), { recursive: true });
  mkdirSync(join(data, "runtime-18.0.half", "bin"), { recursive: true });
  writeFileSync(join(data, "halyard.lock"), "");
  const program = launch(above, { ...env, DATA_DIR: data });
  await url(program);
  expect((await runProgram(above, { ...env, DATA_DIR: data }, ["verify"])).status).toBe(0);
  expect((await stop(program)).status).toBe(0);
  expect(readdirSync(data).filter((name) => name.includes("half"))).toEqual([]);
});

describe("with an external database", () => {
  const connection = testDatabase();
  afterAll(async () => (await connection).drop());

  test("serves from it, and starts nothing of its own", async () => {
    const home = folder("external");
    const program = launch(home, { ...env, DATABASE_URL: (await connection).url });
    expect((await fetch(`${await url(program)}/healthz`)).status).toBe(200);
    expect((await stop(program)).status).toBe(0);
    expect(existsSync(join(home, "data"))).toBe(false);
  });

  test("one program at a time runs the feed and the engine on it", async () => {
    const { url: external } = await connection;
    const first = launch(above, { ...env, DATABASE_URL: external });
    await url(first);
    const second = await runProgram(above, { ...env, DATABASE_URL: external });
    expect(second.status).toBe(1);
    expect(second.stderr).toBe("halyard: Another Halyard serves from this database, and this version runs one at a time. Stop it first.\n");
    expect((await stop(first)).status).toBe(0);
  });

  test("a signal closes the streams and lets running requests finish", async () => {
    const { sql, url: external } = await connection;
    const program = launch(above, { ...env, DATABASE_URL: external });
    const address = await url(program);
    const stream = await fetch(`${address}/api/market/stream`);
    const held = await sql.reserve();
    await held`begin`;
    await held`lock table account_types in access exclusive mode`;
    const running = fetch(`${address}/api/account-types`);
    await until(async () => (await held`select 1 from pg_locks where not granted and relation = 'account_types'::regclass`).length > 0);
    program.signal("SIGTERM");
    await program.logged("stopping: SIGTERM");
    expect(await stream.text()).toEndWith("event: reconnect\ndata: {}\n\n");
    await held`commit`;
    held.release();
    expect((await running).status).toBe(200);
    expect((await program.ended).status).toBe(0);
  });

  test("a schema newer than the program stops the start", async () => {
    const { sql, url: external } = await connection;
    await sql`insert into schema_migrations (version, name, checksum) values (999, '999_future.sql', 'x')`;
    const refused = await runProgram(above, { ...env, DATABASE_URL: external });
    expect(refused).toMatchObject({
      status: 1,
      stderr: "halyard: The database's schema is newer than this program: it holds migration 999_future.sql. Run the newer version of Halyard.\n",
    });
  });

  test("one that can't be reached stops the start, without telling the password", async () => {
    const refused = await runProgram(above, { ...env, DATABASE_URL: "postgres://halyard:secret-word@127.0.0.1:1/halyard" });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toStartWith("halyard: The database at 127.0.0.1:1 can't be used: ");
    expect(refused.stderr).not.toContain("secret-word");
  });
});

describe("what does not fit is told in one line", () => {
  test.each([
    [{ PORT: "eighty" }, [], 2, "PORT must be a number"],
    [{ LOG_LEVEL: "loud" }, [], 2, "LOG_LEVEL must be one of"],
    [{}, ["dance"], 2, "unknown command 'dance'"],
    [{}, ["serve", "--fast"], 2, "Unknown option '--fast'"],
    [{}, ["verify", "--email", "a@example.test"], 2, "belong to 'admin create'"],
    [{ PORT: "1" }, ["healthcheck"], 1, "no healthy server at http://127.0.0.1:1/healthz"],
  ])("%p %p", async (more, args, status, line) => {
    const refused = await runProgram(above, { ...env, ...more }, args);
    expect(refused.status).toBe(status);
    expect(refused.stderr).toContain(line);
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  });

  test("a folder that holds something else is left alone", async () => {
    const home = folder("holiday");
    writeFileSync(join(home, "photo.jpg"), "");
    const mode = statSync(home).mode;
    const refused = await runProgram(above, { ...env, DATA_DIR: home });
    expect(refused).toMatchObject({ status: 1, stderr: `halyard: DATA_DIR ${home} holds other files. Name an empty folder, or one that Halyard made.\n` });
    expect(statSync(home).mode).toBe(mode);
  });

  test("as root, a folder that PostgreSQL's account can't walk to is named", async () => {
    if (process.getuid?.() !== 0) return;
    const shut = folder("shut");
    chmodSync(shut, 0o700);
    const refused = await runProgram(above, { ...env, DATA_DIR: join(shut, "data") });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(`${shut} is closed to other accounts`);
  });
});
