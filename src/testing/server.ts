/**
 * A throw-away PostgreSQL for tests, as a process of its own: `bun src/testing/server.ts` prints the address and lives
 * until its standard input closes. However a test run ends, even killed, the pipe closes and nothing is left behind.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openDataFolder } from "../platform/database/data_folder";
import { connect } from "../platform/database/db";
import { createLog } from "../platform/log";
import { startPostgres } from "../platform/database/postgres";
import { makeProgramRole } from "../platform/database/roles";

type TestServer = { url: string; stop(): Promise<void> };

/** Starts the server in a child process. */
export async function startTestServer(): Promise<TestServer> {
  const child = Bun.spawn([process.execPath, import.meta.path], { stdin: "pipe", stdout: "pipe", stderr: "inherit", detached: true });
  child.unref();
  for await (const chunk of child.stdout) {
    return {
      url: new TextDecoder().decode(chunk).trim(),
      stop: async () => {
        await child.stdin.end();
        await child.exited;
      },
    };
  }
  throw new Error("the test database did not start");
}

if (import.meta.main) {
  const above = mkdtempSync("/tmp/halyard-test-");
  const log = createLog("warn", (line) => void process.stderr.write(line));
  chmodSync(above, 0o755);
  const folder = openDataFolder(join(above, "data"), log);
  const server = await startPostgres(folder, log, { durable: false, connections: 200, memory: 2 ** 29 });
  const owner = connect(server.url, { max: 1 });
  await makeProgramRole(owner);
  // Tests count the rows that a plan reads: statistics that come in the middle of one would change the plan.
  await owner.unsafe("alter system set autovacuum = off");
  await owner.unsafe("select pg_reload_conf()");
  await owner.end();
  process.stdout.write(`${server.url}\n`);
  await Bun.stdin.text();
  await server.stop();
  folder.release();
  rmSync(above, { recursive: true, force: true });
}
