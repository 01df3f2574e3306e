import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../config";
import { fromHex, toHex } from "../lib/bytes";
import { findDataFolder } from "../platform/database/data_folder";

/**
 * The private key of the log: `LOG_KEY`, or a file of the data folder's that is made with the first log. It is in no database, and so in no
 * backup that does not ask for it.
 */

const FILE = "log.key";

/** A key, and the one before it while a change has not been logged. */
export type LogKey = { seed: Uint8Array; before: Uint8Array | null };
export type Keyring = {
  /** Null where there is none. */
  read(): LogKey | null;
  /** Makes the first one. Null where it has to be given. */
  make(): LogKey | null;
  /** Forgets the one before: the change is in the log. */
  settle(): void;
  readonly canMake: boolean;
  /** What to do where there is none. */
  readonly advice: string;
};

type Settings = Pick<Config, "logKey" | "logKeyBefore" | "dataDir" | "databaseUrl">;
const seedOf = (text: string | null) => (text === null ? null : fromHex(text));

/** The file that holds the key; null where several programs may share the database: the file would be one program's alone, and the log would fork. */
export const keyFileOf = ({ databaseUrl, dataDir }: Pick<Config, "databaseUrl" | "dataDir">): string | null =>
  databaseUrl === null ? join(findDataFolder(dataDir), FILE) : null;

export function openKeyring(config: Settings): Keyring {
  const given = seedOf(config.logKey);
  if (given) return { read: () => ({ seed: given, before: seedOf(config.logKeyBefore) }), make: () => null, canMake: false, settle: () => {}, advice: "" };
  const path = keyFileOf(config);
  if (path === null)
    return {
      read: () => null,
      make: () => null,
      canMake: false,
      settle: () => {},
      advice: "with DATABASE_URL the key of the log must be given as LOG_KEY, the same for all instances",
    };
  return {
    read: () => readKeyFile(path),
    make: () => makeKeyFile(path),
    canMake: true,
    settle: () => {
      const now = readKeyFile(path);
      if (now?.before) writeKeyFile(path, { seed: now.seed, before: null });
    },
    advice: `${path} is not there, or is none; put it back from where it is kept safe`,
  };
}

/** The key, and below it the one before. */
function readKeyFile(path: string): LogKey | null {
  try {
    const [now = "", before = ""] = readFileSync(path, "utf8").trim().split("\n");
    const seed = fromHex(now);
    return seed?.length === 32 ? { seed, before: before ? fromHex(before) : null } : null;
  } catch {
    return null;
  }
}

/** Another program of this folder may have been faster: then it is that one's. */
function makeKeyFile(path: string): LogKey {
  const seed = new Uint8Array(randomBytes(32));
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${toHex(seed)}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    const there = readKeyFile(path);
    if (there) return there;
    throw error;
  }
  return { seed, before: null };
}

/** Puts a new key into the file, with the one until now below it; the next program that leads logs the change. Null where none is there, or the last change is not logged yet. */
export function renewKeyFile(path: string): LogKey | null {
  const now = readKeyFile(path);
  if (!now || now.before) return null;
  const next = { seed: new Uint8Array(randomBytes(32)), before: now.seed };
  writeKeyFile(path, next);
  return next;
}

/** Replaces the file as a whole. */
export function writeKeyFile(path: string, { seed, before }: LogKey): void {
  const half = `${path}.part`;
  writeFileSync(half, `${toHex(seed)}\n${before ? `${toHex(before)}\n` : ""}`, { mode: 0o600, flush: true });
  chmodSync(half, 0o600);
  renameSync(half, path);
}

/** Puts the key that a backup carried where the program looks for it, unless there is one. Says what it did. */
export function putLogKey(config: Settings, hex: string): string {
  const path = keyFileOf(config);
  if (path === null || config.logKey !== null)
    return "the backup holds the private key of its public log, which was left alone: LOG_KEY says which one is used";
  const seed = fromHex(hex);
  if (readKeyFile(path) || seed?.length !== 32) return `the backup's private key of the public log was left alone: ${path} has one`;
  writeKeyFile(path, { seed, before: null });
  return `the private key of the public log is in ${path}`;
}
