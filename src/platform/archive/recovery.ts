import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { MINUTE } from "../../lib/time";
import { type Account, asAccount } from "../database/account";
import { fileFault, openDataFolder } from "../database/data_folder";
import { connect, type Db } from "../database/db";
import { startPostgres } from "../database/postgres";
import type { Log } from "../log";
import { StartError } from "../start_error";
import { baseOf, isManifest, type Manifest, partName, positionOf, segmentName, segmentOf, startOf } from "./archive_layout";
import { readManifest, segmentsOf } from "./archive_reading";
import { labelOf, unseal } from "./archive_seal";
import type { ArchiveStore } from "./archive_store";

/** Segments that lie ready for the server ahead of what it has replayed: 16 MiB each. */
const AHEAD = 16;
/** Between two looks at how far it is, in ms. */
const LOOK = 20;

type Options = {
  store: ArchiveStore;
  key: string | null;
  /** `DATA_DIR`, which must hold no database; null: unset. */
  dataDir: string | null;
  /** Up to and with what was committed at this instant (ms since the epoch); null: all that the archive holds. */
  at: number | null;
  log: Log;
  /** Told as it goes on, for a person who waits. */
  onStep?: (what: string, at: number, of: number) => void;
  /** For throw-away test data. */
  durable?: boolean;
};
export type Recovered = { base: string; segments: number; reached: string };

/** What of an archive a recovery reads. */
type Plan = { base: string; manifest: Manifest; segments: { name: string; segment: bigint }[]; target: number | null };

/**
 * Makes the database anew from an archive: its newest fitting copy, and the log behind it, replayed by the server itself. All that it needs is
 * looked for before a file is written. Throws StartError where something is missing, damaged or asked for that the archive can't give.
 */
export async function recover({ store, key, dataDir, at, log, onStep = () => {}, durable = true }: Options): Promise<Recovered> {
  const plan = await planRecovery(store, key, at);
  const folder = openDataFolder(dataDir, log);
  const { path, account } = folder;
  const data = join(path, "postgres");
  try {
    if (existsSync(data)) throw new StartError(`${path} holds a database already. Name an empty folder in DATA_DIR.`);
    const half = `${data}.half-${crypto.randomUUID().slice(0, 8)}`;
    try {
      await writeFiles(half, account, plan, store, key, onStep);
      asAccount(account, () => renameSync(half, data));
    } catch (error) {
      asAccount(account, () => rmSync(half, { recursive: true, force: true }));
      throw fileFault(path, error);
    }
    return await replay(plan);
  } finally {
    folder.release();
  }

  async function replay({ base, manifest, segments, target }: Plan): Promise<Recovered> {
    const place = placer(join(data, "pg_wal"), account, store, key);
    // The server answers once it has replayed the log up to the copy's end.
    const needed = segments.filter(({ segment }) => segment <= lastOf(manifest));
    for (const [n, { name }] of needed.entries()) {
      onStep("log", n + 1, segments.length);
      await place(name);
    }
    const settings = {
      hot_standby: "on",
      wal_retrieve_retry_interval: "20ms",
      recovery_target_timeline: "current",
      recovery_target_action: "promote",
      // The log waits for our short looks at how far it is; by itself the server would cancel them for what it replays, and a restore with them.
      max_standby_archive_delay: "-1",
      max_standby_streaming_delay: "-1",
      ...(target === null ? {} : { recovery_target_time: new Date(target).toISOString().replace("T", " ").replace("Z", "+00") }),
    };
    const postgres = await startPostgres(folder, log, { durable, recovery: settings });
    const sql = connect(postgres.url, { max: 1 });
    try {
      for (const [n, { name, segment }] of segments.slice(needed.length).entries()) {
        onStep("log", needed.length + n + 1, segments.length);
        if (await isOver(sql)) break;
        while (!(await isOver(sql)) && segment - segmentOf(await replayedTo(sql), manifest.segmentBytes) > BigInt(AHEAD)) await Bun.sleep(LOOK);
        await place(name);
      }
      const last = segments.at(-1) as Plan["segments"][number];
      while (!(await isOver(sql)) && !(await hasReadAll(sql, startOf(last.segment, manifest.segmentBytes)))) await Bun.sleep(LOOK);
      const [found] = await sql<{ reached: string | null }[]>`select pg_last_xact_replay_timestamp() as reached`;
      if (!(await isOver(sql))) await sql`select pg_promote(true, 60)`;
      while (!(await isOver(sql))) await Bun.sleep(LOOK);
      return { base, segments: segments.length, reached: found?.reached ?? manifest.stoppedAt };
    } finally {
      await sql.end({ timeout: 1 });
      await postgres.stop(MINUTE);
    }
  }
}

/** Finds the copy to begin with and every segment from there on, in one line. Throws StartError. */
export async function planRecovery(store: ArchiveStore, key: string | null, at: number | null): Promise<Plan> {
  const manifests = (await store.list("base")).filter(isManifest);
  const read = [];
  for (const name of manifests.toReversed()) {
    const manifest = await readManifest(store, key, name);
    read.push({ base: baseOf(name), manifest });
    if (at === null || Date.parse(manifest.stoppedAt) <= at) break;
  }
  const chosen = read.at(-1);
  if (!chosen) throw new StartError(`There is no copy of a database in ${store.place}.`);
  const { base, manifest } = chosen;
  if (at !== null && Date.parse(manifest.stoppedAt) > at)
    throw new StartError(`The oldest copy in the archive was whole at ${manifest.stoppedAt}: name that instant or a later one in --at.`);
  const of = manifest.timeline;
  const found = (await segmentsOf(store, manifest.segmentBytes)).filter(({ timeline }) => timeline === of).map(({ name, segment }) => ({ name, segment }));
  const first = segmentOf(positionOf(manifest.start), manifest.segmentBytes);
  const there = new Map(found.map((each) => [each.segment, each]));
  const newest = found.reduce((most, { segment }) => (segment > most ? segment : most), first - 1n);
  const segments: Plan["segments"] = [];
  for (let segment = first; segment <= newest || segment <= lastOf(manifest); segment++) {
    const each = there.get(segment);
    if (each) segments.push(each);
    else return beforeHole(segmentName(of, segment, manifest.segmentBytes));
  }
  const reaches = await closedAt(store, segments.at(-1)?.name ?? "");
  if (at !== null && at > Date.parse(reaches))
    throw new StartError(`The archive reaches to ${reaches}: name an earlier instant in --at, or leave it out for all there is.`);
  return { base, manifest, segments, target: at };

  /** What is whole up to a missing segment serves an instant before it, and nothing else. */
  async function beforeHole(missing: string): Promise<Plan> {
    const last = segments.at(-1);
    const isWhole = last !== undefined && last.segment >= lastOf(manifest);
    const until = isWhole ? await closedAt(store, last.name) : null;
    if (until !== null && at !== null && at <= Date.parse(until)) return { base, manifest, segments, target: at };
    throw new StartError(
      `The archive's segment wal/${missing} is missing, so what came after it can't be brought back. ${
        until === null
          ? "The copy before it is not whole without it: name an earlier instant in --at."
          : `Whole is what was committed until ${until}: name that in --at, or an earlier instant.`
      }`,
    );
  }
}

/** The segment with the end of the copy. */
const lastOf = ({ stop, segmentBytes }: Manifest) => segmentOf(positionOf(stop) - 1n, segmentBytes);

async function closedAt(store: ArchiveStore, name: string): Promise<string> {
  const object = await store.read(name);
  if (object === null) throw new StartError(`The archive's ${name} is gone.`);
  return labelOf(name, object).label.at;
}

/** The copy as the server left it, with what tells the server to go on from its log. */
async function writeFiles(
  to: string,
  account: Account,
  { base, manifest }: Plan,
  store: ArchiveStore,
  key: string | null,
  onStep: NonNullable<Options["onStep"]>,
) {
  const paths = new Map<number, { path: string; from: number; bytes: number }[]>();
  asAccount(account, () => {
    mkdirSync(to, { mode: 0o700 });
    for (const folder of manifest.folders) mkdirSync(safe(to, folder), { mode: 0o700, recursive: true });
    for (const { path, pieces } of manifest.files) {
      mkdirSync(dirname(safe(to, path)), { mode: 0o700, recursive: true });
      writeFileSync(safe(to, path), "", { mode: 0o600 });
      for (const [part, from, bytes] of pieces) paths.set(part, [...(paths.get(part) ?? []), { path, from, bytes }]);
    }
  });
  for (const [part, pieces] of paths) {
    onStep("copy", part, paths.size);
    const name = partName(base, part);
    const object = await store.read(name);
    if (object === null) throw new StartError(`The archive's ${name} is missing, so the copy can't be used.`);
    const { content } = await unseal(key, name, object);
    asAccount(account, () => {
      for (const { path, from, bytes } of pieces) appendFileSync(safe(to, path), content.subarray(from, from + bytes));
    });
  }
  asAccount(account, () => {
    writeFileSync(join(to, "backup_label"), manifest.label, { mode: 0o600 });
    writeFileSync(join(to, "standby.signal"), "", { mode: 0o600 });
  });
}

/** A path of the manifest below its folder. */
function safe(to: string, path: string): string {
  if (path.startsWith("/") || path.split("/").includes("..")) throw new StartError("The archive's copy names files outside its folder.");
  return join(to, path);
}

/** Lays a segment where the server looks for it, whole at once. */
const placer = (folder: string, account: Account, store: ArchiveStore, key: string | null) => async (name: string) => {
  const object = await store.read(name);
  if (object === null) throw new StartError(`The archive's ${name} is gone.`);
  const { content } = await unseal(key, name, object);
  const path = join(folder, name.slice("wal/".length));
  asAccount(account, () => {
    writeFileSync(`${path}.part`, content, { mode: 0o600 });
    renameSync(`${path}.part`, path);
  });
};

const isOver = async (sql: Db) => (await sql<{ over: boolean }[]>`select not pg_is_in_recovery() as over`)[0]?.over === true;
const replayedTo = async (sql: Db) => positionOf((await sql<{ at: string }[]>`select coalesce(pg_last_wal_replay_lsn(), '0/0')::text as at`)[0]?.at ?? "0/0");

/** Whether the server is in the last segment and has looked for more in vain. */
async function hasReadAll(sql: Db, lastBegins: bigint): Promise<boolean> {
  const [found] = await sql<{ waits: boolean }[]>`
    select coalesce(bool_or(wait_event in ('RecoveryRetrieveRetryInterval', 'RecoveryWalStream')), false) as waits
    from pg_stat_activity where backend_type = 'startup'`;
  return found?.waits === true && (await replayedTo(sql)) >= lastBegins;
}
