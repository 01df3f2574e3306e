import { chmodSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../platform/database/account";
import { openDataFolder } from "../platform/database/data_folder";
import { connect, type Db } from "../platform/database/db";
import { startPostgres } from "../platform/database/postgres";
import { createLog } from "../platform/log";
import { killPostgresIn } from "./program";
import { until } from "./scenarios";

/** Two PostgreSQL as an operator has them who runs no embedded one: a primary, and a standby that has each commit before it is answered. */
export type Pair = {
  /** True where a standby is promoted without anybody's doing. */
  byItself: boolean;
  /** Both hosts in one URL, the standby first; `as` another role than the owner. */
  url(as?: string): string;
  /** The server that takes writes now, by itself. */
  writer(): Db;
  /** How many connections of this name the standby has. */
  readers(name: string): Promise<number>;
  /** Without a farewell, and for good. */
  killPrimary(): void;
  /** The standby takes writes from here on, and waits for nobody; where that comes by itself, it is waited for. Tells when that was, as performance.now() does. */
  promote(): Promise<number>;
  stop(): Promise<void>;
};

const quiet = createLog("error", () => {});
const OWNER = "halyard";
const STANDBY = "the_standby";
const CONNECTIONS = 120;

const PORT = 5432;
/** An address of this machine's own that nobody else has: a free port of a common one may be taken by the next call that goes out. */
export const ownAddress = () => `127.${[...crypto.getRandomValues(new Uint8Array(3))].map((part) => 1 + (part % 254)).join(".")}`;

export async function startPair(): Promise<Pair> {
  const home = mkdtempSync("/tmp/halyard-pair-");
  chmodSync(home, 0o755);
  const [one, two] = [openDataFolder(join(home, "one"), quiet), openDataFolder(join(home, "two"), quiet)];
  const hosts = [ownAddress(), ownAddress()] as const;
  const start = (folder: typeof one, host: string, more: Record<string, string>) =>
    startPostgres(folder, quiet, { connections: CONNECTIONS, recovery: { listen_addresses: host, port: String(PORT), ...more } });
  const at = (host: string) => connect(`postgres://${OWNER}@${host}:${PORT}/${OWNER}`, { max: 2, name: "pair" });

  await (await startPostgres(one, quiet)).stop();
  asAccount(two.account, () => {
    cpSync(join(one.path, "postgres"), join(two.path, "postgres"), { recursive: true });
    writeFileSync(join(two.path, "postgres", "standby.signal"), "");
  });
  // It is there as soon as it runs, and says 'ready' only once it takes writes.
  const promoted = start(two, hosts[1], { primary_conninfo: `host=${hosts[0]} port=${PORT} user=${OWNER} application_name=${STANDBY}` });
  const primary = await start(one, hosts[0], { synchronous_standby_names: STANDBY });
  const [first, second] = [at(hosts[0]), at(hosts[1])];
  let writer = first;
  const follows = () => first`select from pg_stat_replication where application_name = ${STANDBY} and sync_state = 'sync'`;
  await until("the standby follows", async () => (await follows()).length === 1);
  return {
    byItself: false,
    url: (as = OWNER) => `postgres://${as}@${hosts[1]}:${PORT},${hosts[0]}:${PORT}/${OWNER}`,
    writer: () => writer,
    readers: async (name) => (await second`select from pg_stat_activity where application_name = ${name}`).length,
    killPrimary: () => killPostgresIn(one.path),
    promote: async () => {
      const now = performance.now();
      writer = second;
      await second`select pg_promote()`;
      await promoted;
      return now;
    },
    stop: async () => {
      await Promise.all([first.end({ timeout: 1 }), second.end({ timeout: 1 })]);
      await Promise.all([primary.stop(5_000), writer === second ? promoted.then((server) => server.stop(5_000)) : killPostgresIn(two.path)]);
      for (const folder of [one, two]) folder.release();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
