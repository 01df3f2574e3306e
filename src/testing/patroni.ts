import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob, YAML } from "bun";
import { connect, type Db } from "../platform/database/db";
import { makeProgramRole, PROGRAM } from "../platform/database/roles";
import { AS_POWERLESS, POWERLESS, unpackedBy } from "./debian";
import { killPostgresIn } from "./program";
import { until } from "./scenarios";
import { ownAddress, type Pair } from "./standby";

/**
 * Debian's Patroni over Debian's PostgreSQL and etcd, by the very file that operators are given: two nodes as processes of the test's own, at
 * addresses of their own, in a folder of their own, without any rights.
 */

const FILE = join(import.meta.dir, "../../scripts/ops/patroni.yml");
const [OWNER, SUPERUSER, REPLICATOR] = ["halyard", "postgres", "replicator"];
const PASSWORD = "a-word-of-the-tests";
const [PORT, REST, CLIENTS, PEERS] = [5432, 8008, 2379, 2380];

type Node = { name: string; host: string; folder: string; patroni: ChildProcess };
export type Cluster = Pair & {
  /** What the rules of Prometheus are held against: the figures of the nodes that are up. */
  figures(): Promise<string>;
  /**
   * The node that died starts again, and somebody tries to write there from the first moment on. Resolves once it follows, with what each try
   * was told (SQLSTATE or fault; null: it was written).
   */
  comeBack(): Promise<(string | null)[]>;
  /** What `patronictl` prints, as an operator asks it at the node that leads. */
  control(...args: string[]): string;
  /** The node that does not take writes, by itself. */
  follower(): Db;
};

const url = (host: string, user: string, database = OWNER) => `postgres://${user}:${PASSWORD}@${host}:${PORT}/${database}`;

/** The environment of all: what was unpacked comes before what the machine has. */
function environment(home: string): Record<string, string> {
  const own = join(home, "debian");
  const libraries = [...new Glob("usr/lib/*-linux-gnu").scanSync({ cwd: own, onlyFiles: false })].map((folder) => join(own, folder));
  return {
    PATH: `${own}/usr/bin:/usr/bin:/bin`,
    PYTHONPATH: `${own}/usr/lib/python3/dist-packages`,
    LD_LIBRARY_PATH: libraries.join(":"),
    LC_ALL: "C.UTF-8",
    HOME: home,
  };
}

/** PostgreSQL's programs, the newest that was unpacked or is installed. */
function programsOf(home: string): string {
  const found = [join(home, "debian"), "/"].flatMap((top) => [...new Glob("usr/lib/postgresql/*/bin/initdb").scanSync(top)].map((path) => join(top, path)));
  const [newest = ""] = found.sort((one, other) => versionOf(other) - versionOf(one));
  return join(newest, "..");
}
const versionOf = (path: string) => Number(/postgresql\/(\d+)\//.exec(path)?.[1]);

/** Starts a program of Debian's in a folder, where its log is. */
function run(folder: string, args: string[], env: Record<string, string>): ChildProcess {
  const log = openSync(join(folder, "log"), "a");
  const [command = "", ...rest] = [...AS_POWERLESS, ...args];
  return spawn(command, rest, { cwd: folder, env, stdio: ["ignore", log, log] });
}

function make(...folder: string[]): string {
  const path = join(...folder);
  mkdirSync(path);
  chownSync(path, POWERLESS.uid, POWERLESS.gid);
  return path;
}

function startEtcd(home: string, host: string): ChildProcess {
  const folder = make(home, "etcd");
  const [clients, peers] = [`http://${host}:${CLIENTS}`, `http://${host}:${PEERS}`];
  return run(folder, ["etcd"], {
    ...environment(home),
    ETCD_NAME: "etcd",
    ETCD_DATA_DIR: join(folder, "data"),
    ETCD_LISTEN_CLIENT_URLS: clients,
    ETCD_ADVERTISE_CLIENT_URLS: clients,
    ETCD_LISTEN_PEER_URLS: peers,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peers,
    ETCD_INITIAL_CLUSTER: `etcd=${peers}`,
  });
}

/** The operators' file, but for where the socket is, and without the machine's watchdog, which would restart it. */
function writeSettings(folder: string): string {
  const file = YAML.parse(readFileSync(FILE, "utf8")) as { postgresql: object };
  const own = { ...file, postgresql: { ...file.postgresql, parameters: { unix_socket_directories: folder } }, watchdog: { mode: "off" } };
  writeFileSync(join(folder, "config.yml"), JSON.stringify(own), { mode: 0o644 });
  return join(folder, "config.yml");
}

/** As docs/operate.md says that a node's own settings are. */
const settingsOf = ({ name, host, folder }: Omit<Node, "patroni">, home: string, etcd: string) => ({
  ...environment(home),
  PATRONI_NAME: name,
  PATRONI_ETCD3_HOSTS: `${etcd}:${CLIENTS}`,
  PATRONI_RESTAPI_LISTEN: `${host}:${REST}`,
  PATRONI_RESTAPI_CONNECT_ADDRESS: `${host}:${REST}`,
  PATRONI_RESTAPI_USERNAME: "patroni",
  PATRONI_RESTAPI_PASSWORD: PASSWORD,
  PATRONI_POSTGRESQL_LISTEN: `${host}:${PORT}`,
  PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${host}:${PORT}`,
  PATRONI_POSTGRESQL_DATA_DIR: join(folder, "postgres"),
  PATRONI_POSTGRESQL_BIN_DIR: programsOf(home),
  PATRONI_POSTGRESQL_PGPASS: join(folder, "pgpass"),
  PATRONI_SUPERUSER_USERNAME: SUPERUSER,
  PATRONI_SUPERUSER_PASSWORD: PASSWORD,
  PATRONI_REPLICATION_USERNAME: REPLICATOR,
  PATRONI_REPLICATION_PASSWORD: PASSWORD,
});

/** Takes a try to write at a server, in a way that waits for no standby: what it was told, and null where it was let. */
async function tryToWrite(host: string): Promise<string | null> {
  const sql = connect(url(host, SUPERUSER), { max: 1, name: "a hand", hasty: true });
  const told = await sql`create table if not exists written_by_a_hand ()`.then(
    () => null,
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );
  await sql.end({ timeout: 1 });
  return told;
}

export async function startPatroni(): Promise<Cluster> {
  const home = mkdtempSync("/tmp/halyard-patroni-");
  chmodSync(home, 0o755);
  // From where everybody may read it.
  Bun.spawnSync(["cp", "-a", unpackedBy("patroni"), join(home, "debian")]);
  const etcdHost = ownAddress();
  const etcd = startEtcd(home, etcdHost);
  const launch = (node: Omit<Node, "patroni">) =>
    run(node.folder, ["python3", join(home, "debian/usr/bin/patroni"), writeSettings(node.folder)], settingsOf(node, home, etcdHost));
  const startNode = (name: string): Node => {
    const node = { name, host: ownAddress(), folder: make(home, name) };
    return { ...node, patroni: launch(node) };
  };
  const ask = ({ host }: Node, path: string) => fetch(`http://${host}:${REST}/${path}`, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
  /** It holds the lead, and its PostgreSQL takes writes. */
  const leads = async (node: Node) => (await ask(node, "primary"))?.status === 200;

  let leader = startNode("one");
  await until("the first node takes writes", () => leads(leader));
  let other = startNode("two");
  const administer = connect(url(leader.host, SUPERUSER, "postgres"), { max: 1 });
  await administer.unsafe(`create role ${OWNER} login password '${PASSWORD}'`);
  await administer.unsafe(`create database ${OWNER} owner ${OWNER}`);
  await makeProgramRole(administer);
  await administer.unsafe(`alter role ${PROGRAM} password '${PASSWORD}'`);
  await administer.end();
  const pools = new Map([leader, other].map((node) => [node, connect(url(node.host, SUPERUSER), { max: 2, name: "cluster" })]));
  const sqlOf = (node: Node) => pools.get(node) as Db;
  const follows = async () =>
    (await sqlOf(leader)`select from pg_stat_replication where application_name = ${other.name} and sync_state = 'sync'`).length === 1;
  await until("the second node follows", follows);
  return {
    byItself: true,
    url: (as = OWNER) => `postgres://${as}:${PASSWORD}@${other.host}:${PORT},${leader.host}:${PORT}/${OWNER}`,
    writer: () => sqlOf(leader),
    control: (...args) => {
      const command = ["python3", join(home, "debian/usr/bin/patronictl"), "-c", join(leader.folder, "config.yml"), ...args];
      return Bun.spawnSync([...AS_POWERLESS, ...command], { env: settingsOf(leader, home, etcdHost) }).stdout.toString();
    },
    follower: () => sqlOf(other),
    readers: async (name) => (await sqlOf(other)`select from pg_stat_activity where application_name = ${name}`).length,
    figures: async () => (await Promise.all([leader, other].map(async (node) => (await ask(node, "metrics"))?.text()))).join("\n"),
    killPrimary: () => {
      leader.patroni.kill("SIGKILL");
      killPostgresIn(leader.folder);
    },
    promote: async () => {
      [leader, other] = [other, leader];
      await until("the standby is promoted", () => leads(leader));
      return performance.now();
    },
    comeBack: async () => {
      other.patroni = launch(other);
      const told: (string | null)[] = [];
      await until("the node that died follows", async () => {
        told.push(await tryToWrite(other.host));
        return follows();
      });
      told.push(await tryToWrite(other.host));
      return told;
    },
    stop: async () => {
      await Promise.all([...pools.values()].map((sql) => sql.end({ timeout: 1 })));
      for (const { patroni, folder } of [leader, other]) {
        patroni.kill("SIGKILL");
        killPostgresIn(folder);
      }
      etcd.kill("SIGKILL");
      rmSync(home, { recursive: true, force: true });
    },
  };
}
