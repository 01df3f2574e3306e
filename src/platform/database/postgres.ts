import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dlopen } from "bun:ffi";
import { type Account, asAccount, ownerOf } from "./account";
import type { DataFolder } from "./data_folder";
import type { Log } from "../log";
import { memorySettings, usableMemory } from "./memory";
import { unpackPostgres } from "./postgres_unpack";
import { StartError, UsageError } from "../start_error";

export type Postgres = {
  url: string;
  /** Settles when the server has ended, wanted or not. */
  exited: Promise<unknown>;
  /** What it said when it broke down, where it did. */
  panic(): string | null;
  /** A fast shutdown; past `patience` milliseconds the server is cut off and recovers at its next start. */
  stop(patience?: number): Promise<void>;
};

type Options = { durable?: boolean; connections?: number; memory?: number; recovery?: Record<string, string> };

const USER = "halyard";
const SOCKET = ".s.PGSQL.5432";
/** The kernel's limit for the path of a Unix socket, less its closing NUL. */
const SOCKET_PATH_LIMIT = 107;
/** Where sockets are whose own path would be too long. */
const FAR_SOCKETS = /^\/tmp\/halyard-\w+$/;
const ORPHAN_PATIENCE = 8000;
const CUT_OFF_PATIENCE = 500;

const SETTINGS = {
  listen_addresses: "",
  port: "5432",
  unix_socket_permissions: "0700",
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": "1000",
  synchronous_commit: "on",
  io_method: "sync",
  jit: "off",
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_line_prefix: "",
  log_timezone: "UTC",
  timezone: "UTC",
  // What an archive that is away holds back of the log, at most: past it the archive begins anew, and the disk does not fill.
  max_slot_wal_keep_size: "8GB",
};

/**
 * Starts the embedded PostgreSQL in the held data folder, setting it up on first use, after ending what a killed
 * program left running there. `durable: false` is for throw-away test data; `recovery`: what it needs to know to go on from an archive's log;
 * `memory`: the bytes that its caches are shares of, where they are not what the machine or the container has.
 * Throws StartError where the data is another PostgreSQL version's or the server does not come up, UsageError where it can't be set up under this account.
 */
export async function startPostgres(
  folder: DataFolder,
  log: Log,
  { durable = true, connections = 60, memory = usableMemory(), recovery }: Options = {},
): Promise<Postgres> {
  const { path, account } = folder;
  const data = join(path, "postgres");
  if (!recovery && existsSync(join(data, "standby.signal")))
    throw new StartError(`The database in ${path} is half restored: a restore from an archive did not come to its end. Remove the folder and restore again.`);
  if (!existsSync(data)) refuseNameless(process.getuid?.() ?? 0);
  const { folder: programs, major } = await unpackPostgres(path, account);
  if (existsSync(data)) {
    asAccount(account, () => refuseOtherVersion(data, major));
    await endOrphans(data, account, log);
  } else {
    await initialise(data, programs, account, durable);
  }
  const sockets = asAccount(account, () => socketFolder(path));
  const settings = {
    ...SETTINGS,
    ...memorySettings(memory),
    unix_socket_directories: sockets,
    max_connections: String(connections),
    fsync: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    ...recovery,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn([join(programs, "bin", "postgres"), "-D", data, ...args], data, account);
  const messages = relay(server.stderr, log);
  await untilReady(server, data, account, messages);

  let ending: Promise<void> | null = null;
  const end = async (patience: number) => {
    messages.quiet();
    server.kill("SIGINT");
    if (!(await within(server.exited, patience - CUT_OFF_PATIENCE))) {
      log.warn("PostgreSQL did not stop in time and is cut off; it recovers at the next start");
      server.kill("SIGQUIT");
      if (!(await within(server.exited, CUT_OFF_PATIENCE))) server.kill("SIGKILL");
    }
    if (!sockets.startsWith(path)) asAccount(account, () => rmSync(sockets, { recursive: true, force: true }));
  };
  return { url: socketUrl(sockets), exited: server.exited, panic: messages.panic, stop: (patience = 8000) => (ending ??= end(patience)) };
}

/** The address of the server that a running Halyard keeps in this data folder; null where none is ready. */
export function runningPostgres(path: string): string | null {
  const state = readState(join(path, "postgres"), ownerOf(path));
  return state?.status === "ready" ? socketUrl(state.sockets) : null;
}

/** A server on a Unix socket as a URL, in libpq's way. */
const socketUrl = (sockets: string) => `postgres://${USER}@localhost/${USER}?host=${encodeURIComponent(sockets)}`;

function refuseOtherVersion(data: string, major: string): void {
  const file = join(data, "PG_VERSION");
  const found = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if (found === "")
    throw new StartError(`The data in ${data} is not whole: its file PG_VERSION is missing or empty. Bring the folder back, or restore a backup into another.`);
  if (found !== major)
    throw new StartError(
      `The data in ${data} was written by PostgreSQL ${found}; this program holds PostgreSQL ${major}. Start the version that wrote it and move the data by backup and restore.`,
    );
}

/** PostgreSQL's setup, and it alone, asks the system what the account is called. Throws UsageError where it is called nothing. */
function refuseNameless(uid: number): void {
  if (uid === 0) return;
  const { symbols, close } = dlopen("libc.so.6", { getpwuid: { args: ["u32"], returns: "ptr" } });
  const entry = symbols.getpwuid(uid);
  close();
  if (entry) return;
  throw new UsageError(
    `account ${uid} has no name on this system, and PostgreSQL is not set up without one: give it a line in /etc/passwd (halyard:x:${uid}:${uid}::/:/sbin/nologin), run as an account that has one, or set DATABASE_URL`,
  );
}

/** Makes the cluster and the program's database beside, then renames: a death half-way starts over. */
async function initialise(data: string, programs: string, account: Account, durable: boolean): Promise<void> {
  const parent = join(data, "..");
  const remove = (path: string) => asAccount(ownerOf(path), () => rmSync(path, { recursive: true, force: true }));
  for (const name of readdirSync(parent)) if (name.startsWith("postgres.half-")) remove(join(parent, name));
  const half = `${data}.half-${crypto.randomUUID().slice(0, 8)}`;
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  try {
    await run([join(programs, "bin", "initdb"), "-D", half, "-U", USER, "-A", "trust", ...locale, ...(durable ? [] : ["--no-sync"])], parent, account);
    await run([join(programs, "bin", "postgres"), "--single", "-c", "exit_on_error=on", "-D", half, "postgres"], parent, account, `create database ${USER}\n`);
    asAccount(account, () => renameSync(half, data));
  } catch (error) {
    remove(half);
    throw error;
  }
}

/** Beside the data; where that path is too long for a socket, in a private folder of the system's temporary one. */
function socketFolder(path: string): string {
  const near = join(path, "run");
  rmSync(near, { recursive: true, force: true });
  const fits = Buffer.byteLength(join(near, SOCKET)) <= SOCKET_PATH_LIMIT;
  if (fits) mkdirSync(near, { mode: 0o700 });
  const folder = fits ? near : mkdtempSync("/tmp/halyard-");
  chmodSync(folder, 0o700);
  return folder;
}

type State = { pid: number; sockets: string; status: string };

/** The server's own note about itself, postmaster.pid: https://www.postgresql.org/docs/18/storage-file-layout.html */
function readState(data: string, account: Account): State | null {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return null;
  const lines = asAccount(account, () => readFileSync(file, "utf8")).split("\n");
  return { pid: Number(lines[0]), sockets: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

/**
 * Ends what is left of a server whose program was killed. Only a PostgreSQL process that works inside this very folder counts: the process id
 * may belong to another program by now.
 */
async function endOrphans(data: string, account: Account, log: Log): Promise<void> {
  const state = readState(data, account);
  const deadline = Date.now() + ORPHAN_PATIENCE;
  let orphans = serversIn(data);
  if (orphans.length > 0) log.warn("stopping the PostgreSQL that an earlier run left behind", { pid: state?.pid });
  if (state && orphans.includes(state.pid)) signal(state.pid, "SIGINT");
  while (orphans.length > 0) {
    if (Date.now() > deadline) for (const pid of orphans) signal(pid, "SIGKILL");
    await Bun.sleep(20);
    orphans = serversIn(data);
  }
  asAccount(account, () => {
    if (state && FAR_SOCKETS.test(state.sockets)) rmSync(state.sockets, { recursive: true, force: true });
    rmSync(join(data, "postmaster.pid"), { force: true });
  });
}

/** PostgreSQL's processes in this folder. One that is ending has no program any more, but may hold its shared memory, without which none starts. */
function serversIn(data: string): number[] {
  const isServer = (exe: string | null) => exe === null || /\/bin\/postgres( \(deleted\))?$/.test(exe);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/cwd`) === data && isServer(linkOf(`/proc/${name}/exe`)))
    .map(Number);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // It ended meanwhile, or belongs to someone else.
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** In a session of its own: an interrupt at the terminal reaches the program alone, which ends the server last. */
function spawn(command: string[], cwd: string, account: Account, stdin: "ignore" | Blob = "ignore") {
  return Bun.spawn(command, {
    cwd,
    detached: true,
    ...account,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    stdin,
    stdout: "ignore",
    stderr: "pipe",
  });
}

async function run(command: string[], cwd: string, account: Account, input?: string): Promise<void> {
  const child = spawn(command, cwd, account, input === undefined ? "ignore" : new Blob([input]));
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new StartError(`PostgreSQL could not be set up: ${said.trim().replaceAll("\n", " ")}`);
}

/** PostgreSQL's messages into the log; keeps the last few for when it does not start. */
function relay(stream: ReadableStream<Uint8Array>, log: Log) {
  const last: string[] = [];
  let panic: string | null = null;
  let loud = true;
  const read = async () => {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        last.push(line);
        if (last.length > 5) last.shift();
        if (line.startsWith("PANIC:")) panic = line.replace(/^PANIC:\s*/, "");
        log[loud && /^(FATAL|PANIC|WARNING):/.test(line) ? "warn" : "debug"](line, { from: "postgres" });
      }
    }
  };
  const done = read();
  return {
    quiet: () => (loud = false),
    panic: () => panic,
    last: async () => {
      await done;
      return last.join(" ");
    },
  };
}

/** However long recovery takes, as long as the server lives. */
async function untilReady(server: Bun.Subprocess, data: string, account: Account, messages: { last(): Promise<string> }): Promise<void> {
  while (readState(data, account)?.status !== "ready") {
    if (server.exitCode !== null || server.signalCode !== null) throw new StartError(`PostgreSQL did not start: ${await messages.last()}`);
    await Bun.sleep(5);
  }
}

async function within(done: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = Promise.withResolvers<false>();
  const handle = setTimeout(() => timer.resolve(false), ms);
  const ended = await Promise.race([done.then(() => true as const), timer.promise]);
  clearTimeout(handle);
  return ended;
}
