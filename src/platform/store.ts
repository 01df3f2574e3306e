import type { Config } from "../config";
import { findDataFolder, openDataFolder } from "./data_folder";
import { type Db, connect } from "./db";
import type { Log } from "./log";
import { runningPostgres, startPostgres } from "./postgres";
import { InUseError, StartError } from "./start_error";

export type Store = {
  sql: Db;
  url: string;
  /** Settles when the embedded server has ended, wanted or not; never for a server that is not ours. */
  lost: Promise<unknown>;
  /** Ends the connections, then the embedded server; `patience` in milliseconds for the whole of it. */
  close(patience?: number): Promise<void>;
};

const CONNECTIONS = 20;

/** Opens the database of a server: the external one, or the embedded one, held until `close`. Throws StartError. */
export async function openStore(config: Config, log: Log): Promise<Store> {
  if (config.databaseUrl) return borrowed(config.databaseUrl);
  const folder = openDataFolder(config.dataDir, log);
  try {
    const postgres = await startPostgres(folder, log);
    const sql = connect(postgres.url, { max: CONNECTIONS });
    return {
      sql,
      url: postgres.url,
      lost: postgres.exited,
      close: async (patience = 8000) => {
        const started = Date.now();
        await sql.end({ timeout: 1 });
        await postgres.stop(patience - (Date.now() - started));
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/** Opens the database for one command: that of the Halyard running on this data folder, else as `openStore`. */
export async function openStoreForCommand(config: Config, log: Log): Promise<Store> {
  try {
    return await openStore(config, log);
  } catch (error) {
    if (!(error instanceof InUseError)) throw error;
    const url = runningPostgres(findDataFolder(config.dataDir));
    if (!url) throw error;
    return borrowed(url);
  }
}

async function borrowed(url: string): Promise<Store> {
  const sql = connect(url, { max: CONNECTIONS });
  try {
    await sql`select 1`;
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw new StartError(`The database at ${new URL(url).host} can't be used: ${reasonOf(error)}`);
  }
  return { sql, url, lost: new Promise(() => {}), close: () => sql.end({ timeout: 1 }) };
}

/** Node reports a host with several addresses as an error without a message of its own. */
function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || "no connection";
}
