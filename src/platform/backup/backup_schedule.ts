import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { asAccount, ownerOf } from "../database/account";
import { type BackupDone, writeBackup } from "./backup";
import type { Db } from "../database/db";
import type { Log } from "../log";

const NAME = /^halyard-(\d{4})-(\d\d)-(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup$/;
const LONGEST_TIMER = 2 ** 31 - 1;

export type Backups = {
  /** What the last attempt of this program came to; null before the first. */
  last(): { at: number; error: string | null; bytes: number } | null;
  /** The backups that lie in the folder, newest first; instants are milliseconds since the epoch. */
  kept(): { name: string; at: number }[];
  stop(): Promise<void>;
};

type Options = {
  sql: Db;
  /** Made where it is missing. */
  folder: string;
  program: string;
  log: Log;
  /** Milliseconds from one backup to the next; null: none are made. */
  every: number | null;
  /** So many are kept, the newest. */
  keep: number;
  clock?: () => number;
};

/**
 * Makes a backup when the newest in the folder is older than `every`, and removes all but the newest `keep`. The files
 * themselves are the record, so a restart neither repeats a backup nor puts one off.
 */
export function keepBackups({ sql, folder, program, log, every, keep, clock = Date.now }: Options): Backups {
  let last: ReturnType<Backups["last"]> = null;
  let timer: Timer | undefined;
  let turn: Promise<void> = Promise.resolve();
  let stopped = false;

  const make = async () => {
    const at = clock();
    try {
      const account = ownerOf(dirname(folder));
      asAccount(account, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        clearHalves(folder);
      });
      const done: BackupDone = await writeBackup(sql, join(folder, nameOf(at)), { program, account });
      asAccount(account, () => {
        for (const { name } of keptIn(folder).slice(keep)) rmSync(join(folder, name), { force: true });
      });
      last = { at, error: null, bytes: done.bytes };
      log.info("backup written", { path: done.path, bytes: done.bytes, rows: done.rows, auditHead: done.auditHead });
    } catch (error) {
      last = { at, error: (error as Error).message, bytes: 0 };
      log.error("the backup failed, will try again", { error });
    }
  };
  const plan = (interval: number) => {
    if (stopped) return;
    // After a failure the folder says nothing of the attempt: the next one comes a tenth of the interval later.
    const due = last?.error ? last.at + interval / 10 : (keptIn(folder)[0]?.at ?? 0) + interval;
    const wait = Math.min(Math.max(due - clock(), 0), LONGEST_TIMER);
    timer = setTimeout(() => (turn = (due <= clock() ? make() : Promise.resolve()).then(() => plan(interval))), wait);
  };
  if (every !== null) plan(every);
  return {
    last: () => last,
    kept: () => keptIn(folder),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return turn;
    },
  };
}

const nameOf = (at: number) => `halyard-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "")}Z.backup`;

/** The scheduled backups of a folder, newest first; none where the folder is missing. Other files are not ours. */
function keptIn(folder: string): { name: string; at: number }[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      return year === undefined ? [] : [{ name, at: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) }];
    })
    .sort((a, b) => b.at - a.at);
}

/** What a program that was killed in the middle of a backup left behind. */
function clearHalves(folder: string): void {
  for (const name of namesIn(folder)) if (NAME.test(name.replace(/\.part$/, "")) && name.endsWith(".part")) rmSync(join(folder, name), { force: true });
}

/** None where the folder can't be read: the backup that is then due will say why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
