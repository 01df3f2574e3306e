import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyDatabase } from "../database";
import { buildProgram, EXECUTABLE, killPostgresIn, launch, postgresIn, runProgram } from "../program";

/** What an operator is told who mistyped something, by the built executable. */

const above = mkdtempSync("/tmp/halyard-operator-");
chmodSync(above, 0o755);
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const env = { PORT: "0", HOST: "127.0.0.1" };

test("what is new is asked of 'verify' alone", async () => {
  const refused = await runProgram(above, env, ["backup", "--new", join(above, "never.backup")]);
  expect(refused).toEqual({ status: 2, stdout: "", stderr: "halyard: --new belongs to 'verify'\n" });
});

describe("a command that needs what is there makes nothing where nothing is", () => {
  const commands = [["verify"], ["backup", join(above, "never.backup")], ["admin", "reset-2fa", "--email", "a@example.test"]];
  const told = (path: string) => ({ status: 1, stdout: "", stderr: `halyard: There is no Halyard in ${path}. Set DATA_DIR to the folder of one.\n` });

  test.each(commands)("%s", async (...args) => {
    const missing = join(above, "mistyped");
    expect(await runProgram(above, { ...env, DATA_DIR: missing }, args.filter(Boolean))).toEqual(told(missing));
    expect(existsSync(missing)).toBe(false);
    expect(existsSync(join(above, "never.backup"))).toBe(false);
  });

  test("in a folder of something else, an empty one, and one where a set-up did not end", async () => {
    const names = { photos: ["photo.jpg"], empty: [], half: ["halyard.lock", "postgres.half-0000"] };
    for (const [name, files] of Object.entries(names)) {
      const path = join(above, name);
      mkdirSync(path);
      for (const file of files) writeFileSync(join(path, file), "");
      expect(await runProgram(above, { ...env, DATA_DIR: path }, ["verify"])).toEqual(told(path));
      expect(readdirSync(path).sort()).toEqual(files);
    }
  });

  test("an external database that is empty is said to lack its schema", async () => {
    const { url, drop } = await emptyDatabase();
    const refused = await runProgram(above, { ...env, DATABASE_URL: url }, ["verify"]);
    await drop();
    expect(refused).toMatchObject({ status: 1, stderr: "halyard: The database's schema is behind this program. Run 'halyard migrate' first.\n" });
  });
});

describe("with a database of its own", () => {
  const data = join(above, "data");
  const own = { ...env, DATA_DIR: data };

  test("PostgreSQL that breaks down in the middle of a start is told in one line", async () => {
    const program = launch(above, own);
    await program.logged("schema brought up to date");
    killPostgresIn(data);
    const { status, stderr } = await program.ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^(The first administrator: .*\\n)?halyard: PostgreSQL in ${data} can't go on: .*\\n$`));
  });

  test("an address that is not this machine's is HOST's fault, not PORT's", async () => {
    for (const HOST of ["nohost.invalid", "999.1.1.1"]) {
      const { status, stderr } = await runProgram(above, { ...own, HOST });
      expect(status).toBe(1);
      expect(stderr).toMatch(new RegExp(`^(The first administrator: .*\\n)?halyard: HOST ${HOST} can't be listened on \\(\\w+\\)\\. .*\\n$`));
      expect(stderr).not.toContain("PORT");
    }
    expect(postgresIn(data)).toEqual([]);
  });

  test("data without its version is said not to be whole", async () => {
    rmSync(join(data, "postgres", "PG_VERSION"));
    const { status, stderr } = await runProgram(above, own, ["verify"]);
    expect(status).toBe(1);
    expect(stderr).toStartWith(`halyard: The data in ${join(data, "postgres")} is not whole: its file PG_VERSION is missing or empty.`);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

test("a database's address without a host is refused before anything is tried", async () => {
  const refused = await runProgram(above, { ...env, DATABASE_URL: "postgres://" });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(/^halyard: DATABASE_URL must be a URL with a host, .*\n$/);
});

test("the administrator whom 'demo' makes is told before the months are: one that was broken off left an account that nobody could open", async () => {
  const child = Bun.spawn([EXECUTABLE, "demo"], { env: { DATA_DIR: join(above, "demo") }, stdout: "pipe", stderr: "ignore" });
  let said = "";
  for await (const part of child.stdout) {
    if (said === "") child.kill("SIGTERM");
    said += new TextDecoder().decode(part);
  }
  await child.exited;
  expect(said).toMatch(/^administrator \S+, password \S+\n$/);
});
