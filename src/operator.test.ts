import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildProgram, killPostgresIn, launch, runProgram } from "./testing/program";

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
});

test("a database's address without a host is refused before anything is tried", async () => {
  const refused = await runProgram(above, { ...env, DATABASE_URL: "postgres://" });
  expect(refused.status).toBe(2);
  expect(refused.stderr).toMatch(/^halyard: DATABASE_URL must be a URL with a host, .*\n$/);
});
