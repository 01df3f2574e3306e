import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, killPostgresIn, launch, postgresIn, runProgram } from "./testing/program";

/** What an operator is told who mistyped something, by the built executable. */

const above = mkdtempSync("/tmp/halyard-operator-");
chmodSync(above, 0o755);
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const env = { PORT: "0", HOST: "127.0.0.1" };

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
