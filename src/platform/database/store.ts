import type { Config } from "../../config";
import { hostNameOf } from "../../lib/postgres_address";
import { type DataFolder, fileFault, findDataFolder, openDataFolder, requireDatabase } from "./data_folder";
import { type Db, connect, isUnavailable } from "./db";
import type { Log } from "../log";
import { type Postgres, runningPostgres, startPostgres } from "./postgres";
import { asRole, makeProgramRole, PROGRAM } from "./roles";
import { InUseError, StartError } from "../start_error";

export type Store = {
  sql: Db;
  /** For the engine alone, so that whatever people send it can write. */
  engineSql: Db;
  /** A replica, for long reads; missing: there is none. */
  readSql?: Db;
  /** As the owner of the schema: for the start, until `disown`, and for commands. The same as `sql` where the program has no role of its own. */
  owner: Db;
  /** Where the owner connects. */
  url: string;
  /** Settles when the embedded server has ended, wanted or not; never for a server that is not ours. */
  lost: Promise<unknown>;
  /** A StartError for an error of the database or its disk; any other error as it is. */
  fault(error: unknown): Promise<unknown>;
  /** Ends the owner's connections: from here on nobody has more rights than the program. */
  disown(): Promise<void>;
  /** Ends the connections, then the embedded server; `patience` in milliseconds for the whole of it. */
  close(patience?: number): Promise<void>;
};

const CONNECTIONS = 20;
const OF_OWNER = 4;
const OF_ENGINE = { max: 8, name: "halyard engine" };
const OF_READS = { max: 10, name: "halyard reads" };
/** A server's statements take less, in seconds: requests are answered 503 long before. A command's may take as long as they like. */
const SILENCE = 60;
/** So long, in milliseconds, the last words of a server that breaks down may take behind the end of its connections. */
const LAST_WORDS = 200;

/** Opens the database of a server: the external one, or the embedded one, held until `close`. Throws StartError. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl, databaseReadUrl } = config;
  if (databaseUrl) {
    const store = await borrowed({ program: databaseUrl, owner: databaseOwnerUrl }, { pooled: databaseDirectUrl !== null, silence: SILENCE });
    return databaseReadUrl === null ? store : withReplica(store, databaseReadUrl);
  }
  const folder = openDataFolder(config.dataDir, log);
  const postgres = await startPostgres(folder, log).catch((error) => {
    folder.release();
    throw fileFault(folder.path, error);
  });
  const store = embedded(folder, postgres);
  try {
    await prepare(store.owner);
    return store;
  } catch (error) {
    const fault = await store.fault(error);
    await store.close();
    throw fault;
  }
}

function embedded(folder: DataFolder, postgres: Postgres): Store {
  const pools = poolsOf(asRole(postgres.url, PROGRAM), connect(postgres.url, { max: OF_OWNER }));
  return {
    ...pools,
    url: postgres.url,
    lost: postgres.exited,
    fault: async (error) => {
      if (!isOfDatabase(error)) return error;
      await Promise.race([postgres.exited, Bun.sleep(LAST_WORDS)]);
      return new StartError(`PostgreSQL in ${folder.path} can't go on: ${postgres.panic() ?? reasonOf(error)}`);
    },
    close: async (patience = 8000) => {
      const started = Date.now();
      await endAll(pools);
      await postgres.stop(patience - (Date.now() - started));
      folder.release();
    },
  };
}

type Pools = Pick<Store, "sql" | "engineSql" | "owner" | "disown">;
/** The program's connections, none of them made yet, beside the owner's; null: it is the owner. */
function poolsOf(url: string, owner: Db | null, options: { pooled?: boolean; silence?: number } = {}): Pools {
  const sql = connect(url, { max: CONNECTIONS, ...options });
  const engineSql = connect(url, { ...OF_ENGINE, ...options });
  return { sql, engineSql, owner: owner ?? sql, disown: async () => void (await owner?.end({ timeout: 1 })) };
}
const endAll = ({ sql, engineSql, owner }: Pools, timeout = 1) => Promise.all([...new Set([sql, engineSql, owner])].map((pool) => pool.end({ timeout })));

/** Makes the role of the program, and lets the embedded server tell which statements are slow; in a schema of its own, beside what is Halyard's. */
async function prepare(owner: Db): Promise<void> {
  await makeProgramRole(owner);
  await owner`create schema if not exists statements`;
  await owner`create extension if not exists pg_stat_statements with schema statements`;
  await owner.unsafe(`grant usage on schema statements to ${PROGRAM}`);
}

/**
 * Opens the database for one command: past a pooler, that of the Halyard running on this data folder, else as `openStore`.
 * Where the command needs an `existing` one, none is made. Throws StartError.
 */
export async function openStoreForCommand(config: Config, log: Log, { existing = false } = {}): Promise<Store> {
  const { databaseUrl, databaseDirectUrl, databaseOwnerUrl } = config;
  if (databaseUrl) return borrowed({ program: databaseDirectUrl ?? databaseUrl, owner: databaseOwnerUrl });
  if (existing) requireDatabase(config.dataDir);
  try {
    return await openStore(config, log);
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    const url = runningPostgres(findDataFolder(config.dataDir));
    if (!url) throw error;
    const store = await borrowed({ program: asRole(url, PROGRAM), owner: url });
    await makeProgramRole(store.owner);
    return store;
  }
}

function withReplica(store: Store, url: string): Store {
  const readSql = connect(url, { ...OF_READS, silence: SILENCE, standby: true });
  return { ...store, readSql, close: async (patience) => void (await Promise.all([readSql.end({ timeout: 1 }), store.close(patience)])) };
}

type Urls = { program: string; owner: string | null };
async function borrowed({ program, owner }: Urls, options: { pooled?: boolean; silence?: number } = {}): Promise<Store> {
  const pools = poolsOf(program, owner === null ? null : connect(owner, { max: OF_OWNER }), options);
  const told = (url: string, error: unknown) => new StartError(`The database at ${hostNameOf(url)} can't be used: ${reasonOf(error)}`);
  for (const [pool, url] of new Map([
    [pools.owner, owner ?? program],
    [pools.sql, program],
  ]))
    await pool`select 1`.catch(async (error: unknown) => {
      await endAll(pools, 0);
      throw told(url, error);
    });
  return {
    ...pools,
    url: owner ?? program,
    lost: new Promise(() => {}),
    fault: async (error) => (isOfDatabase(error) ? told(program, error) : error),
    close: async () => void (await endAll(pools)),
  };
}

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
