import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { connect, type Db } from "../../platform/database/db";
import { openDataFolder } from "../../platform/database/data_folder";
import { runningPostgres, startPostgres } from "../../platform/database/postgres";
import { PROGRAM } from "../../platform/database/roles";
import { createLog } from "../../platform/log";
import { emptyDatabase, testDatabase } from "../database";
import { buildProgram, launch, runProgram } from "../program";
import { until } from "../scenarios";

/** The program's own role in the database, beside the owner's. */

const above = mkdtempSync("/tmp/halyard-roles-");
chmodSync(above, 0o755);
const env = { PORT: "0", HOST: "127.0.0.1" };
const quiet = createLog("error", () => {});
beforeAll(buildProgram);
afterAll(() => rmSync(above, { recursive: true, force: true }));

const stop = (program: ReturnType<typeof launch>) => (program.signal("SIGTERM"), program.ended);

/** Starts on a data folder, and works there as the owner meanwhile. */
async function withProgram(dataDir: string, work: (owner: Db) => Promise<unknown>) {
  const program = launch(above, { ...env, DATA_DIR: dataDir });
  await program.logged("listening");
  const owner = connect(runningPostgres(dataDir) ?? "", { max: 1, name: "the owner's" });
  await work(owner);
  await owner.end();
  const { status, stdout } = await stop(program);
  expect(status).toBe(0);
  return stdout;
}

/** Leaves a folder as a program does that connects as the owner. */
async function asBefore(dataDir: string) {
  const folder = openDataFolder(dataDir, quiet);
  const postgres = await startPostgres(folder, quiet);
  const owner = connect(postgres.url, { max: 1 });
  await owner.unsafe(`drop owned by ${PROGRAM}; drop role ${PROGRAM}; alter function trade_fill_pending security invoker`);
  await owner.end();
  await postgres.stop();
  folder.release();
}

const rolesOf = async (owner: Db) =>
  (
    await owner<
      { name: string }[]
    >`select distinct usename::text as name from pg_stat_activity where backend_type = 'client backend' and application_name like 'halyard%' and usename is not null`
  ).map(({ name }) => name);

/** The owner's connections of the start end before it listens; the server notices a moment later. */
const programAlone = (owner: Db) => until("nobody but the program's role is connected", async () => (await rolesOf(owner)).join() === PROGRAM);

test("the embedded server's program has a role of its own, on a folder that was made before there was one, too", async () => {
  const dataDir = join(above, "data");
  const said = await withProgram(dataDir, async (owner) => {
    await programAlone(owner);
  });
  expect(said).not.toContain("DATABASE_OWNER_URL");
  await asBefore(dataDir);
  await withProgram(dataDir, async (owner) => {
    await programAlone(owner);
    expect([...(await owner`select * from rights_amiss(${PROGRAM})`)]).toEqual([]);
    expect([...(await owner`select rights_uncalled(${PROGRAM})`)]).toEqual([]);
  });
  expect((await runProgram(above, { ...env, DATA_DIR: dataDir }, ["verify"])).status).toBe(0);
});

test("with a role of its own the program works there without the owner's, once the schema is there", async () => {
  const empty = await emptyDatabase();
  const { DATABASE_URL } = empty.env;
  const early = await runProgram(above, { ...env, DATABASE_URL });
  expect(early).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("The database's schema is behind this program. The role that connects may not change it: set DATABASE_OWNER_URL"),
  });
  expect(await runProgram(above, empty.env, ["migrate"])).toMatchObject({ status: 0 });
  for (const command of [
    ["admin", "create", "--email", "a@t.test", "--password", "correct horse battery"],
    ["books", "release", "--reason", "None"],
  ])
    expect(await runProgram(above, { DATABASE_URL }, command)).toMatchObject({
      status: 1,
      stderr: "halyard: The role that connects to the database may not do that. Set DATABASE_OWNER_URL to the address of the one that owns its tables.\n",
    });
  const alone = await runProgram(above, { ...env, DATABASE_URL });
  expect(alone).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no administrator yet") });
  expect(await runProgram(above, empty.env, ["admin", "create", "--email", "a@t.test", "--password", "correct horse battery"])).toMatchObject({ status: 0 });
  const program = launch(above, { ...env, DATABASE_URL });
  await program.logged("listening");
  const { status, stdout } = await stop(program);
  expect([status, stdout.includes("DATABASE_OWNER_URL")]).toEqual([0, false]);
  await empty.drop();
});

test("what may be amiss with a start on an external database is warned of: plain http beyond this machine, and a program that is the owner", async () => {
  const { env: database, url, drop } = await testDatabase();
  const warned = async (of: string, more: Record<string, string>) => {
    const program = launch(above, { PORT: "0", ...database, ...more });
    await program.logged("listening");
    const { stdout } = await stop(program);
    return stdout.split("\n").some((line) => line.includes(of));
  };
  expect(await warned("plain http beyond this machine", {})).toBe(true);
  expect(await warned("plain http beyond this machine", { PUBLIC_URL: "https://trade.example" })).toBe(false);
  expect(await warned("in DATABASE_OWNER_URL the one that owns the tables", { DATABASE_URL: url, DATABASE_OWNER_URL: "" })).toBe(true);
  await drop();
});
