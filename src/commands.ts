import { resolve } from "node:path";
import { version } from "../package.json";
import type { Config } from "./config";
import { fillDemo } from "./demo/demo";
import { adminEmail, adminName, createAdmin, ensureFirstAdmin, refuseUnfitPassword } from "./identity/commands";
import { resetAdminTwoFactor } from "./identity/commands_two_factor";
import { proveBooks } from "./ledger/ledger";
import { writeBackup } from "./platform/backup";
import { connect, type Db } from "./platform/db";
import { folders, readTexts } from "./platform/files";
import type { Log } from "./platform/log";
import { migrate, requireCurrent } from "./platform/migrate";
import { openBackup, restoreBackup } from "./platform/restore";
import { StartError } from "./platform/start_error";
import { type Store, openStoreForCommand } from "./platform/store";
import { interruption, Terminal } from "./platform/terminal";

const migrations = () => readTexts(folders.migrations, ".sql");

/** Opens the database for one command and closes it however the command ends, by a signal too. */
async function withStore(config: Config, log: Log, work: (store: Store) => Promise<number>, needs: { existing?: boolean } = {}): Promise<number> {
  const store = await openStoreForCommand(config, log, needs);
  try {
    return await Promise.race([work(store), interruption()]);
  } catch (error) {
    throw await store.fault(error);
  } finally {
    await store.close();
  }
}

/** Opens a database that is there and has this program's schema; makes none. */
const withCurrentStore = (config: Config, log: Log, work: (store: Store) => Promise<number>) =>
  withStore(
    config,
    log,
    async (store) => {
      await requireCurrent(store.sql, migrations());
      return work(store);
    },
    { existing: true },
  );

/** Applies what is missing and names it. */
export const migrateCommand = (config: Config, log: Log) =>
  withStore(config, log, async ({ sql }) => {
    const applied = await migrate(sql, migrations());
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log("up to date");
    return 0;
  });

/** Makes an administrator, asking for what the options leave out. Asks first: a database that waits for a person is kept from others. */
export async function createAdminCommand(config: Config, log: Log, options: { email?: string; password?: string; name?: string }): Promise<number> {
  const terminal = new Terminal();
  if (options.name !== undefined) adminName(options.name);
  const email = adminEmail(options.email ?? (await terminal.askText("Email")));
  const password = options.password ?? (await terminal.askSecret("Password (12 characters or more)"));
  refuseUnfitPassword(password);
  return withStore(config, log, async ({ sql }) => {
    await migrate(sql, migrations());
    const admin = await createAdmin(sql, { email, password, name: options.name });
    console.log(`administrator ${admin.email} created`);
    return 0;
  });
}

/** Switches an administrator's second factor off, for when phone and recovery codes are lost and nobody else can. */
export async function resetTwoFactorCommand(config: Config, log: Log, options: { email?: string }): Promise<number> {
  const email = options.email ?? (await new Terminal().askText("Email"));
  return withCurrentStore(config, log, async ({ sql }) => {
    const admin = await resetAdminTwoFactor(sql, email);
    console.log(`two-factor sign-in of ${admin.email} is off; the password alone is enough, and all sessions ended`);
    return 0;
  });
}

/** Runs each of sql/checks, which must return no row: a line for each, and 1 where one of them found something. */
export const verify = (config: Config, log: Log) => withCurrentStore(config, log, ({ sql }) => tellProofs(sql));

async function tellProofs(sql: Db): Promise<number> {
  const proofs = await proveBooks(sql);
  for (const { check, rows, first } of proofs)
    console.log(rows === 0 ? `ok ${check}` : `FAIL ${check}: ${rows} ${rows === 1 ? "row" : "rows"}, first ${first}`);
  return proofs.every(({ rows }) => rows === 0) ? 0 : 1;
}

/** Fills a fresh database with months of fictional people. */
export const demoCommand = (config: Config, log: Log) =>
  withStore(config, log, async ({ sql, url }) => {
    await migrate(sql, migrations());
    const made = await ensureFirstAdmin(sql, config.admin, log);
    const day = progress("telling day");
    const hasty = connect(url, { max: 4, hasty: true });
    const demo = await fillDemo({ config, sql: hasty, log }, { onDay: (n, of) => day("", n, of) }).finally(() => hasty.end());
    if (made) console.log(`administrator ${made.email}, password ${made.password}`);
    console.log(`${demo.people} people, ${demo.deals.toLocaleString("en")} deals; each signs in with the password ${demo.password}, for example ${demo.email}`);
    return tellProofs(sql);
  });

/** Writes the whole database into one file, while a server goes on working. */
export const backupCommand = (config: Config, log: Log, path: string) =>
  withCurrentStore(config, log, async ({ sql }) => {
    const done = await writeBackup(sql, resolve(path), { program: version, onTable: progress("saving") });
    console.log(`${done.path}: ${counted(done)}, ${(done.bytes / 2 ** 20).toFixed(1)} MB, audit head ${headText(done)}`);
    return 0;
  });

/** Fills an empty database from such a file and proves the books; nothing is touched before the whole file was read and found whole. */
export async function restoreCommand(config: Config, log: Log, path: string): Promise<number> {
  const backup = await openBackup(resolve(path));
  return withStore(config, log, async ({ sql }) => {
    const done = await restoreBackup(sql, resolve(path), backup, { onTable: progress("restoring") });
    console.log(`restored ${counted(done)} of ${done.header.madeAt}, audit head ${headText(done.header)}`);
    for (const name of done.applied) console.log(`applied ${name}`);
    return tellProofs(sql);
  });
}

const counted = ({ tables, rows }: { tables: number; rows: number }) => `${tables} tables, ${rows.toLocaleString("en")} rows`;
const headText = ({ auditHead: { id, hash } }: { auditHead: { id: number; hash: string } }) => `${id} ${hash.slice(0, 12)}`;

/** One line that counts up, for a person at a terminal; silent in a script. */
function progress(deed: string) {
  if (!process.stderr.isTTY) return () => {};
  return (table: string, at: number, of: number) => void process.stderr.write(`\r\x1b[K${at === of ? "" : `${deed} ${at}/${of} ${table}`}`);
}

/** For a container's health check: the image has no other program that could ask. */
export async function healthcheck(config: Config): Promise<number> {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${config.port}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) }).catch(() => null);
  if (!answer?.ok) throw new StartError(`no healthy server at ${url}`);
  return 0;
}
