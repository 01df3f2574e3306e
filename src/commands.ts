import { existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { version } from "../package.json";
import type { Config } from "./config";
import { fillDemo } from "./demo/demo";
import { adminEmail, adminName, createAdmin, endAllSessions, ensureFirstAdmin, refuseUnfitPassword } from "./identity/commands";
import { resetAdminTwoFactor } from "./identity/commands_two_factor";
import { releaseBooks } from "./ledger/ledger";
import { lastSeal, type Proof, proveBooks, proveNew, sealBooks, settledEnd } from "./ledger/queries_proving";
import { openArchiveStore } from "./platform/archive/archive_store";
import { recover } from "./platform/archive/recovery";
import { logged } from "./admin/queries_logged";
import { proveLogs } from "./proof/check";
import { endLog, endRestoredLog } from "./proof/commands";
import { keyFileOf, openKeyring, putLogKey, renewKeyFile } from "./proof/key";
import { currentLog } from "./proof/queries";
import { toHex } from "./lib/bytes";
import { LONGEST_FILE } from "./proof/rules_files";
import { verify as verifyProof } from "./proof/rules_verify";
import { questionOf } from "./proof/rules_verify_between";
import { writeBackup } from "./platform/backup/backup";
import { holdListings } from "./market/listings";
import { listedInstruments } from "./trading/queries_instruments";
import { connect, type Db, isForbidden, type Tx } from "./platform/database/db";
import { readSchema } from "./platform/files";
import type { Log } from "./platform/log";
import { requireCurrent } from "./platform/database/migrate";
import { bringUp } from "./platform/database/roles";
import { openBackup, restoreBackup } from "./platform/backup/restore";
import { StartError, UsageError } from "./platform/start_error";
import { type Store, openStoreForCommand } from "./platform/database/store";
import { interruption, Terminal } from "./platform/terminal";

const MAY_NOT = "The role that connects to the database may not do that. Set DATABASE_OWNER_URL to the address of the one that owns its tables.";

/** Opens the database for one command and closes it however the command ends, by a signal too. */
async function withStore(config: Config, log: Log, work: (store: Store) => Promise<number>, needs: { existing?: boolean } = {}): Promise<number> {
  const store = await openStoreForCommand(config, log, needs);
  try {
    return await Promise.race([work(store), interruption()]);
  } catch (error) {
    throw isForbidden(error) ? new StartError(MAY_NOT) : await store.fault(error);
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
      await requireCurrent(store.owner, readSchema());
      return work(store);
    },
    { existing: true },
  );

/** Applies what is missing and names it. */
export const migrateCommand = (config: Config, log: Log) =>
  withStore(config, log, async (store) => {
    const applied = await bringUp(store, readSchema());
    for (const name of applied) console.log(`applied ${name}`);
    if (applied.length === 0) console.log("up to date");
    return 0;
  });

type NewAdminOptions = { email?: string; password?: string; passwordFile?: string; name?: string };

/** Makes an administrator, asking for what the options leave out. Asks first: a database that waits for a person is kept from others. */
export async function createAdminCommand(config: Config, log: Log, options: NewAdminOptions): Promise<number> {
  const terminal = new Terminal();
  if (options.name !== undefined) adminName(options.name);
  const email = adminEmail(options.email ?? (await terminal.askText("Email")));
  const password = givenPassword(options) ?? (await terminal.askSecret("Password (12 characters or more)"));
  refuseUnfitPassword(password, email);
  return withStore(config, log, async (store) => {
    await bringUp(store, readSchema());
    const admin = await createAdmin(store.owner, { email, password, name: options.name });
    console.log(`administrator ${admin.email} created`);
    if (options.password !== undefined)
      console.error("halyard: others may have seen the password in the list of processes; next time leave --password out, or name a --password-file");
    return 0;
  });
}

/** The password of an option, or none. Throws StartError where its file can't be read. */
function givenPassword({ password, passwordFile }: NewAdminOptions): string | undefined {
  if (passwordFile === undefined) return password;
  try {
    return readFileSync(passwordFile, "utf8").split(/\r?\n/)[0];
  } catch (error) {
    throw new StartError(`--password-file ${passwordFile} can't be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
}

/** Switches an administrator's second factor off, for when phone and recovery codes are lost and nobody else can. */
export async function resetTwoFactorCommand(config: Config, log: Log, options: { email?: string }): Promise<number> {
  const email = options.email ?? (await new Terminal().askText("Email"));
  return withCurrentStore(config, log, async ({ owner }) => {
    const admin = await resetAdminTwoFactor(owner, email);
    console.log(`two-factor sign-in of ${admin.email} is off; the password alone is enough, and all sessions ended`);
    return 0;
  });
}

/** Lets money move again after the books were halted. Throws UsageError without a reason of 1 to 500 characters. */
export async function releaseBooksCommand(config: Config, log: Log, given: string | undefined): Promise<number> {
  const why = given?.trim() ?? "";
  if (why.length < 1 || why.length > 500) throw new UsageError("'books release' needs a --reason of 1 to 500 characters; see halyard --help");
  return withCurrentStore(config, log, async ({ owner }) => {
    console.log(`the books are released, which were halted since ${await releaseBooks(owner, why)}`);
    return 0;
  });
}

/**
 * Runs each of sql/checks, which must return no row: a line for each, and 1 where one of them found something. `isNew`: only of what came since the
 * books were last found right, without the public log; where they never were, of the whole.
 */
export const verify = (config: Config, log: Log, isNew: boolean) => withCurrentStore(config, log, ({ owner }) => (isNew ? tellNew(owner) : tellProofs(owner)));

/** As many checks at a time as the owner has connections. */
const CHECKS_AT_ONCE = 4;

async function tellProofs(sql: Db): Promise<number> {
  // Receipts are read with the pips of the instruments there are.
  holdListings(await listedInstruments(sql));
  const end = await settledEnd(sql);
  const books = await proveBooks(sql, CHECKS_AT_ONCE);
  const status = tell([...books, ...(await proveLogs(sql, logged))]);
  if (status === 0 && end) await sealBooks(sql, end, true);
  return status;
}

async function tellNew(sql: Db): Promise<number> {
  const since = await lastSeal(sql);
  if (!since) return tellProofs(sql);
  const end = await settledEnd(sql);
  const { proofs, left } = await sql.begin((tx) => proveNew(tx, since));
  const status = tell(proofs);
  for (const check of [...left, "public_log"]) console.log(`-- ${check}: with the whole alone`);
  if (status === 0 && end) await sealBooks(sql, end, false);
  return status;
}

function tell(proofs: Proof[]): number {
  for (const { check, rows, first } of proofs)
    console.log(rows === 0 ? `ok ${check}` : `FAIL ${check}: ${rows} ${rows === 1 ? "row" : "rows"}, first ${first}`);
  return proofs.every(({ rows }) => rows === 0) ? 0 : 1;
}

const SIGNS = { holds: "ok", fails: "FAIL", open: "--" } as const;

/** What a file says, on one line of a terminal: whoever wrote it could otherwise write lines of his own there, or move what stands on it. */
const onOneLine = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\ufffd");

/** Checks a proof with nothing but its file: neither settings nor a database, nor a network. Throws StartError where a file can't be read. */
export function proveCommand(path: string, { key, checkpoint }: { key?: string | undefined; checkpoint?: string | undefined }): number {
  const read = (name: string) => {
    try {
      // What no proof can be is not read at all.
      if (statSync(name).size > 2 * LONGEST_FILE) throw new StartError(`${name} is longer than any proof is`);
      return readFileSync(name, "utf8");
    } catch (error) {
      if (error instanceof StartError) throw error;
      throw new StartError(`${name} can't be read: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
    }
  };
  const named = key !== undefined && existsSync(key) ? read(key) : key;
  // As of a script whose variable is not set: without a key the file's own would be believed.
  if (named?.trim() === "") throw new StartError("the key that was given is empty");
  const text = read(path);
  const verdict = verifyProof(text, { key: named?.trim() ?? null, old: checkpoint === undefined ? null : read(checkpoint) });
  for (const { state, what } of verdict.steps) console.log(`${SIGNS[state]} ${onOneLine(what)}`);
  const open = verdict.holds ? questionOf(text) : null;
  // What the page asks the server for can't be asked here.
  if (open)
    console.log(
      `-- That no tick between no. ${open.after} and no. ${open.before} had reached ${open.bound} is not in the file: /verify asks the site for them.`,
    );
  if (verdict.holds) console.log(`holds: ${onOneLine(verdict.title)}`);
  else console.error(`halyard: does not hold: ${onOneLine(verdict.reason ?? "")}`);
  return verdict.holds ? 0 : 1;
}

/** Fills a fresh database with months of fictional people. */
export const demoCommand = (config: Config, log: Log) =>
  withStore(config, log, async (store) => {
    await bringUp(store, readSchema());
    const { owner, url } = store;
    const made = await ensureFirstAdmin(owner, config.admin, log);
    // Before the months, which take minutes and may be broken off: nobody else knows that password.
    if (made) console.log(`administrator ${made.email}, password ${made.password}`);
    const day = progress("telling day");
    const hasty = connect(url, { max: 4, hasty: true });
    const demo = await fillDemo({ config, sql: hasty, log }, { onDay: (n, of) => day("", n, of) }).finally(() => hasty.end());
    console.log(`${demo.people} people, ${demo.deals.toLocaleString("en")} deals; each signs in with the password ${demo.password}, for example ${demo.email}`);
    return tellProofs(owner);
  });

/** Writes the whole database into one file, while a server goes on working. */
export const backupCommand = (config: Config, log: Log, path: string, withLogKey: boolean) =>
  withCurrentStore(config, log, async ({ owner }) => {
    const key = withLogKey ? openKeyring(config).read() : null;
    if (withLogKey && !key) throw new StartError("There is no private key of a public log here. Leave --with-log-key out.");
    const logKey = key ? { logKey: toHex(key.seed) } : {};
    const done = await writeBackup(owner, resolve(path), { program: version, onTable: progress("saving"), ...logKey });
    console.log(`${done.path}: ${counted(done)}, ${(done.bytes / 2 ** 20).toFixed(1)} MB, audit head ${headText(done)}`);
    return 0;
  });

/** Fills an empty database from such a file, ends all sessions and proves the books; nothing is touched before the whole file was read and found whole. */
export async function restoreCommand(config: Config, log: Log, path: string): Promise<number> {
  const backup = await openBackup(resolve(path));
  return withStore(config, log, async ({ owner }) => {
    // Who signed out, or was put out, after the backup was made must not be in again.
    const done = await restoreBackup(owner, resolve(path), backup, { onTable: progress("restoring"), finish: endWhatWas });
    console.log(`restored ${counted(done)} of ${done.header.madeAt}, audit head ${headText(done.header)}`);
    if (done.header.logKey) console.log(putLogKey(config, done.header.logKey));
    for (const name of done.applied) console.log(`applied ${name}`);
    return tellProofs(owner);
  });
}

/** A database of an earlier moment: nobody is signed in, and what the public log held after it is not to be had back, so it goes on as a new one. */
async function endWhatWas(tx: Tx): Promise<void> {
  await endAllSessions(tx);
  await endRestoredLog(tx);
}

/**
 * Makes the database anew from an archive (`from`, as ARCHIVE_URL names it) in an empty data folder, as it was at an instant or as far as the archive
 * reaches, ends all sessions and proves the books.
 */
export async function recoverCommand(config: Config, log: Log, { from, at }: { from: string; at: number | null }): Promise<number> {
  if (config.databaseUrl) throw new UsageError("'restore --from' makes an embedded database: leave DATABASE_URL out");
  if (from.startsWith("s3:") && config.s3 === null) throw new UsageError("S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set where the archive is a bucket");
  const done = await recover({
    store: openArchiveStore(from, config.s3),
    key: config.archiveKey,
    dataDir: config.dataDir,
    at,
    log,
    onStep: progress("bringing back"),
  });
  return withStore(config, log, async (store) => {
    const applied = await bringUp(store, readSchema());
    await store.owner.begin(endWhatWas);
    console.log(`brought back to ${done.reached}: ${done.base} and ${done.segments} segments of the log`);
    for (const name of applied) console.log(`applied ${name}`);
    return tellProofs(store.owner);
  });
}

/** Prints the verifier key of the log: what others check its checkpoints by. */
export const logKeyCommand = (config: Config, log: Log) =>
  withCurrentStore(config, log, async ({ owner }) => {
    const current = await currentLog(owner);
    if (!current) throw new StartError("There is no public log yet: the server begins one at its first start.");
    console.log(current.key);
    return 0;
  });

/** Makes a new private key; the program that leads next logs the change, signed by both. */
export async function renewLogKeyCommand(config: Config, log: Log): Promise<number> {
  const path = keyFileOf(config);
  if (path === null || config.logKey !== null)
    throw new UsageError("the key is a setting here: put the new one into LOG_KEY and the one until now into LOG_KEY_BEFORE, then start all instances anew");
  return withCurrentStore(config, log, async () => {
    if (!renewKeyFile(path)) throw new StartError(`There is no private key in ${path}, or its last change is not logged yet: start the server first.`);
    console.log("a new key is made; the server takes it within a second, or at its next start, and logs the change");
    return 0;
  });
}

/** Ends the log where its key is lost or its tiles are; what was logged stays. Throws UsageError without a reason of 1 to 500 characters. */
export async function endLogCommand(config: Config, log: Log, given: string | undefined): Promise<number> {
  const why = given?.trim() ?? "";
  if (why.length < 1 || why.length > 500) throw new UsageError("'log end' needs a --reason of 1 to 500 characters; see halyard --help");
  return withCurrentStore(config, log, async ({ owner }) => {
    const ended = await endLog(owner, why);
    if (ended === null) throw new StartError("No public log is open.");
    console.log(`${ended} has ended; the next log names it`);
    return 0;
  });
}

const counted = ({ tables, rows }: { tables: number; rows: number }) => `${tables} tables, ${rows.toLocaleString("en")} rows`;
const headText = ({ auditHead: { id, hash } }: { auditHead: { id: number; hash: string } }) => `${id} ${hash.slice(0, 12)}`;

/** One line that counts up, for a person at a terminal; silent in a script. */
function progress(action: string) {
  if (!process.stderr.isTTY) return () => {};
  return (table: string, at: number, of: number) => void process.stderr.write(`\r\x1b[K${at === of ? "" : `${action} ${at}/${of} ${table}`}`);
}

/** For a container's health check: the image has no other program that could ask. */
export async function healthcheck(config: Config): Promise<number> {
  const host = ["0.0.0.0", "::"].includes(config.host) ? "127.0.0.1" : config.host;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${config.port}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(3000) }).catch(() => null);
  if (!answer?.ok) throw new StartError(`no healthy server at ${url}`);
  return 0;
}
