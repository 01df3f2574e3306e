import { Database } from "bun:sqlite";
import { chmodSync, chownSync, existsSync, lchownSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Account, asAccount, isRoot, ownerOf } from "./account";
import { InUseError, StartError } from "../start_error";
import type { Log } from "../log";

export type DataFolder = { path: string; account: Account; release(): void };

const LOCK_FILE = "halyard.lock";
const WHEN_ROOT_IS_SHUT_OUT = "/var/lib/halyard";

/** The folder that `DATA_DIR` (null: unset) stands for, before any fallback. */
const dataPath = (named: string | null) => resolve(named ?? "data");

/**
 * Makes the data folder where it is missing, closes it to others and holds it until `release`, or the process's death.
 * Throws InUseError where another process holds it, StartError where it can't serve.
 */
export function openDataFolder(named: string | null, log: Log): DataFolder {
  const path = reachable(named, log);
  make(path);
  refuseForeign(path);
  const account = accountFor(path);
  try {
    chmodSync(path, 0o700);
    if (account) giveTo(account, path);
  } catch (error) {
    throw fileFault(path, error);
  }
  return { path, account, release: asAccount(account, () => lock(path)) };
}

/** Throws StartError where the data folder holds no database, for commands that must not make one. */
export function requireDatabase(named: string | null): void {
  const path = findDataFolder(named);
  if (!isThere(join(path, "postgres"), path)) throw new StartError(`There is no Halyard in ${path}. Set DATA_DIR to the folder of one.`);
}

function isThere(file: string, path: string): boolean {
  try {
    return statSync(file).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw new StartError(`DATA_DIR ${path} can't be read (${code}).`);
  }
}

/** The data folder that a command finds: as `openDataFolder` would choose it, without making it. */
export function findDataFolder(named: string | null): string {
  const path = dataPath(named);
  return named === null && isRoot() && shutOut(path, nobody()) ? WHEN_ROOT_IS_SHUT_OUT : path;
}

/** PostgreSQL refuses to run as root, so it runs as `nobody`, who must be able to walk to the folder. */
function reachable(named: string | null, log: Log): string {
  const path = dataPath(named);
  if (!isRoot()) return path;
  const link = foreignLink(path);
  if (link) throw new StartError(`DATA_DIR ${path} can't be used by root: ${link} is a link of another account. Name the folder itself.`);
  const shut = shutOut(path, nobody());
  if (!shut) return path;
  if (named !== null)
    throw new StartError(
      `DATA_DIR ${path} can't be used: PostgreSQL does not run as root, and ${shut} is closed to other accounts. Open it (chmod o+x) or choose another.`,
    );
  log.warn(`PostgreSQL does not run as root and ${shut} is closed to other accounts: the data is kept in ${WHEN_ROOT_IS_SHUT_OUT}`);
  return WHEN_ROOT_IS_SHUT_OUT;
}

/** The folders on the way to a path, from the outermost on. */
function above(path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/** The first link on the way to `path` that is not root's: its owner could lead root anywhere. */
function foreignLink(path: string): string | null {
  for (const part of [...above(path), path]) {
    const stat = lstatSync(part, { throwIfNoEntry: false });
    if (stat?.isSymbolicLink() && stat.uid !== 0) return part;
  }
  return null;
}

/** The outermost existing folder above `path` that the account may not walk through. */
function shutOut(path: string, { uid, gid }: { uid: number; gid: number }): string | null {
  for (const folder of above(path)) {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (!stat) return null;
    const walk = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
    if (!(stat.mode & walk)) return folder;
  }
  return null;
}

function nobody(): { uid: number; gid: number } {
  const passwd = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/** Gives the folder to its account, and with it what a program run as root left there: the lock, the backups' folder. */
function giveTo({ uid, gid }: NonNullable<Account>, path: string): void {
  chownSync(path, uid, gid);
  for (const name of readdirSync(path)) {
    const file = join(path, name);
    const stat = lstatSync(file);
    const isOurs = (name.startsWith(LOCK_FILE) && stat.isFile() && stat.nlink === 1) || (name === "backups" && stat.isDirectory());
    if (isOurs && stat.uid === 0) lchownSync(file, uid, gid);
  }
}

/** Whoever owns the database already there; else `nobody` when the program is root. */
function accountFor(path: string): Account {
  if (!isRoot()) return null;
  return ownerOf(join(path, "postgres")) ?? nobody();
}

function make(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(path).isDirectory()) return;
    throw new StartError(`DATA_DIR ${path} can't be made (${code}).`);
  }
}

/** A folder that holds something else must not be closed and given away, say DATA_DIR=/tmp. */
function refuseForeign(path: string): void {
  let names: string[];
  try {
    names = readdirSync(path);
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} can't be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (names.length > 0 && !names.includes(LOCK_FILE) && names.some((name) => name !== "lost+found"))
    throw new StartError(`DATA_DIR ${path} holds other files. Name an empty folder, or one that Halyard made.`);
}

/**
 * An operating system's lock, which dies with its process however it ends. Bun's built-in way to one is SQLite's exclusive transaction,
 * fcntl's record lock: children do not inherit it, and it holds across containers on one volume. A file with a process id can do neither.
 */
function lock(path: string): () => void {
  const database = openLock(path);
  try {
    database.run("begin exclusive");
  } catch (error) {
    database.close();
    throw lockFault(path, error);
  }
  return () => database.close();
}

/** Why the lock was not had: another has it, or the folder can't be written. */
export function lockFault(path: string, error: unknown): StartError {
  const { code } = error as { code?: string };
  if (code === "SQLITE_BUSY") return new InUseError(`DATA_DIR ${path} is in use by another running Halyard.`);
  return new StartError(`DATA_DIR ${path} can't be written (${code === "SQLITE_FULL" ? "its disk is full" : code}).`);
}

/** Errors of files that lie in the disk or in rights to it. */
const DISK = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "EIO"]);

/** A StartError for a file that could not be written in this folder; any other error as it is. */
export function fileFault(path: string, error: unknown): unknown {
  const { code = "" } = error as NodeJS.ErrnoException;
  if (!DISK.has(code)) return error;
  return new StartError(`DATA_DIR ${path} can't be written (${code === "ENOSPC" ? "its disk is full" : code}).`);
}

function openLock(path: string): Database {
  try {
    return new Database(join(path, LOCK_FILE), { create: true, readwrite: true });
  } catch (error) {
    throw new StartError(`DATA_DIR ${path} can't be written (${(error as { code?: string }).code}).`);
  }
}
