import type { Config } from "../config";
import { type DataFolder, fileFault, findDataFolder, openDataFolder, requireDatabase } from "./data_folder";
import { type Db, connect, isUnavailable } from "./db";
import type { Log } from "./log";
import { type Postgres, runningPostgres, startPostgres } from "./postgres";
import { InUseError, StartError } from "./start_error";

export type Store = {
  sql: Db;
  url: string;
  /** Settles when the embedded server has ended, wanted or not; never for a server that is not ours. */
  lost: Promise<unknown>;
  /** What an operator is told of an error that lies in the database or on its disk: a StartError; any other error as it is. */
  fault(error: unknown): Promise<unknown>;
  /** Ends the connections, then the embedded server; `patience` in milliseconds for the whole of it. */
  close(patience?: number): Promise<void>;
};

const CONNECTIONS = 20;
/** A server's statements take less, in seconds: requests are answered 503 long before. A command's may take as long as they like. */
const SILENCE = 60;
/** So long, in milliseconds, the last words of a server that breaks down may take behind the end of its connections. */
const LAST_WORDS = 200;

/** Opens the database of a server: the external one, or the embedded one, held until `close`. Throws StartError. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  if (config.databaseUrl) return borrowed(config.databaseUrl, { pooled: config.databaseDirectUrl !== null, silence: SILENCE });
  const folder = openDataFolder(config.dataDir, log);
  const postgres = await startPostgres(folder, log).catch((error) => {
    folder.release();
    throw fileFault(folder.path, error);
  });
  const store = embedded(folder, postgres);
  try {
    await countStatements(store.sql);
    return store;
  } catch (error) {
    const fault = await store.fault(error);
    await store.close();
    throw fault;
  }
}

function embedded(folder: DataFolder, postgres: Postgres): Store {
  const sql = connect(postgres.url, { max: CONNECTIONS });
  return {
    sql,
    url: postgres.url,
    lost: postgres.exited,
    fault: async (error) => {
      if (!isOfDatabase(error)) return error;
      await Promise.race([postgres.exited, Bun.sleep(LAST_WORDS)]);
      return new StartError(`PostgreSQL in ${folder.path} can't go on: ${postgres.panic() ?? reasonOf(error)}`);
    },
    close: async (patience = 8000) => {
      const started = Date.now();
      await sql.end({ timeout: 1 });
      await postgres.stop(patience - (Date.now() - started));
      folder.release();
    },
  };
}

/** Lets the embedded server tell which statements are slow; in a schema of its own, beside what is Halyard's. */
async function countStatements(sql: Db): Promise<void> {
  await sql`create schema if not exists statements`;
  await sql`create extension if not exists pg_stat_statements with schema statements`;
}

/**
 * Opens the database for one command: past a pooler, that of the Halyard running on this data folder, else as `openStore`.
 * Where the command needs an `existing` one, none is made. Throws StartError.
 */
export async function openStoreForCommand(config: Config, log: Log, { existing = false } = {}): Promise<Store> {
  if (config.databaseUrl) return borrowed(config.databaseDirectUrl ?? config.databaseUrl);
  if (existing) requireDatabase(config.dataDir);
  try {
    return await openStore(config, log);
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    const url = runningPostgres(findDataFolder(config.dataDir));
    if (!url) throw error;
    return borrowed(url);
  }
}

async function borrowed(url: string, options: { pooled?: boolean; silence?: number } = {}): Promise<Store> {
  const sql = connect(url, { max: CONNECTIONS, ...options });
  const told = (error: unknown) => new StartError(`The database at ${hostOf(url)} can't be used: ${reasonOf(error)}`);
  try {
    await sql`select 1`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw told(error);
  }
  return { sql, url, lost: new Promise(() => {}), fault: async (error) => (isOfDatabase(error) ? told(error) : error), close: () => sql.end({ timeout: 1 }) };
}

/** Where the server is, with nothing of who signs in there. */
const hostOf = (url: string) => new URL(url).searchParams.get("host") || new URL(url).host;

/** A migration's error carries the database's own as its cause. A socket that is not there is ours to tell, a file is not. */
function isOfDatabase(error: unknown): boolean {
  const { code, syscall, cause } = error as NodeJS.ErrnoException;
  return (isUnavailable(error) && !(code === "ENOENT" && syscall !== "connect")) || isUnavailable(cause);
}

/** Node reports a host with several addresses as an error without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || "no connection";
}
