import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { DAY, MINUTE, SECOND } from "../../lib/time";
import { type Account, asAccount, ownerOf } from "../database/account";
import { type Db, one } from "../database/db";
import type { Log } from "../log";
import { StartError } from "../start_error";
import { isManifest, positionOf, segmentName, segmentOf, startOf, System, SYSTEM, textOf, Writer, WRITER } from "./archive_layout";
import { pruneArchive } from "./archive_pruning";
import { readJson, readManifest } from "./archive_reading";
import { labelOf, seal } from "./archive_seal";
import type { ArchiveStore } from "./archive_store";
import { makeBase } from "./base_backup";

/** The role that archives: it reads no table, and may copy the server's files and its log. */
export const ARCHIVIST = "halyard_archivist";
const SLOT = "halyard_archive";
/** What was written may be lost for so long, and for as long as it takes to bring it away. */
const EVERY = 30 * SECOND;
/** After so long without a sign of life another program may write the archive. */
const GONE_AFTER = 3 * MINUTE;
/** A position so close behind a segment's beginning is its header, and no record. */
const HEADER = 64n;
/** So long, in ms, the end of the program waits for what is left to be brought away. */
const LAST_ROUND = 3 * SECOND;

export type ArchiveState = {
  place: string;
  /** Everything written before this instant is in the archive (ms since the epoch); null: nothing yet. */
  safeUntil: number | null;
  /** When the newest copy of the database's files in the archive was begun; null: there is none, so nothing can be restored. */
  base: number | null;
  /** Why the last round failed; null where it did not. */
  fault: string | null;
  failures: number;
};

type Options = {
  /** Connects as the archivist. */
  sql: Db;
  store: ArchiveStore;
  key: string | null;
  /** The data folder, with the database's files in `postgres`. */
  folder: string;
  log: Log;
  /** Milliseconds from one copy of the files to the next, and how many of the newest are kept. */
  baseEvery?: number;
  keep?: number;
  every?: number;
  clock?: () => number;
};

/** Makes the archivist where the embedded server lacks it. */
export async function makeArchivist(owner: Db): Promise<void> {
  const [found] = await owner`select from pg_roles where rolname = ${ARCHIVIST}`;
  if (!found) await owner.unsafe(`create role ${ARCHIVIST} login replication nosuperuser nocreatedb nocreaterole nobypassrls`);
  await owner.unsafe(`grant execute on function pg_switch_wal(), pg_backup_start(text, boolean), pg_backup_stop(boolean) to ${ARCHIVIST}`);
}

/** Lets go of the log that an archive waited for, where none is kept any more: else it would fill the disk. */
export async function endArchive(owner: Db): Promise<void> {
  await owner`select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = ${SLOT} and not active`;
}

const serverRow = v.strictObject({ system: v.string(), segmentBytes: v.number() });
const slotRow = v.strictObject({ restart: v.nullable(v.string()), status: v.nullable(v.string()) });
const switchRow = v.strictObject({ at: v.string(), timeline: v.string() });

/**
 * Brings the database's log to the archive as it is written, twice a minute, and a copy of its files once a day. The server keeps what is not
 * there yet (a replication slot), over a kill and over an archive that is away. One program writes an archive: who finds another's sign stops.
 */
export class Archiver {
  private readonly id = crypto.randomUUID();
  private readonly clock: () => number;
  private readonly account: Account;
  private segmentBytes = 0;
  /** The first segment that is not in the archive yet; null until the server and the archive were asked. */
  private next: bigint | null = null;
  private owns = false;
  private shipped = new Set<string>();
  private safeUntil: number | null = null;
  private base: number | null = null;
  private fault: string | null = null;
  private failures = 0;
  private timer: Timer | undefined;
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly options: Options) {
    this.clock = options.clock ?? Date.now;
    this.account = ownerOf(options.folder);
  }

  get state(): ArchiveState {
    const { safeUntil, base, fault, failures } = this;
    return { place: this.options.store.place, safeUntil, base, fault, failures };
  }

  /** Throws StartError where the archive is another database's, or another program writes it. One that can't be reached is tried again later. */
  async start(): Promise<void> {
    await this.claim().catch((error: unknown) => {
      if (error instanceof StartError) throw error;
      this.failed(error);
    });
    const again = () => {
      this.timer = setTimeout(() => void this.round().then(again), this.options.every ?? EVERY);
    };
    void this.round().then(again);
  }

  /** Brings away what there is. Never rejects; what went wrong is in `state`, and tried again. */
  round(): Promise<void> {
    return (this.turn = this.turn.then(async () => {
      try {
        await this.work();
        if (this.fault !== null) this.options.log.info("the archive takes the log again");
        this.fault = null;
      } catch (error) {
        this.failed(error);
      }
    }));
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    await Promise.race([this.round(), Bun.sleep(LAST_ROUND)]);
    await this.options.sql.end({ timeout: 1 });
  }

  private failed(error: unknown): void {
    this.failures++;
    this.fault = (error as Error).message || (error as { code?: string }).code || "no answer";
    this.options.log.error("the archive did not take the log, will try again", { error });
  }

  private async work(): Promise<void> {
    await this.claim();
    await this.begin();
    await this.ship();
    const due = (this.base ?? Number.NEGATIVE_INFINITY) + (this.options.baseEvery ?? DAY);
    if (this.clock() < due) return;
    const { sql, store, key, folder, log, keep = 7 } = this.options;
    const now = new Date(this.clock());
    const made = await makeBase({ sql, data: join(folder, "postgres"), segmentBytes: this.segmentBytes }, store, key, now);
    // It is whole with the log up to its end.
    await this.ship();
    this.base = now.getTime();
    log.info("a copy of the database is in the archive", { bytes: made.bytes, start: made.start, stop: made.stop });
    await pruneArchive(store, key, keep, this.clock());
  }

  /** Says whose the archive is, and that this program writes it. Throws StartError where it is not this one's to write. */
  private async claim(): Promise<void> {
    const { store } = this.options;
    const server = await this.server();
    const known = await readJson(store, SYSTEM, System);
    if (known === null) {
      await store.add(SYSTEM, jsonBytes({ system: server.system }));
      // New, or emptied meanwhile: what it holds is asked again.
      this.next = null;
      this.shipped.clear();
    } else if (known.system !== server.system) throw new StartError(`The archive ${store.place} is of another database. Name an empty place in ARCHIVE_URL.`);
    const found = await readJson(store, WRITER, Writer);
    const age = found ? this.clock() - found.at : Number.POSITIVE_INFINITY;
    const isOurs = found === null || found.writer === this.id || (!this.owns && found.writer === this.remembered());
    if (!isOurs && age < GONE_AFTER) {
      this.owns = false;
      throw new StartError(
        `Another program writes the archive ${store.place}, last ${Math.max(0, Math.round(age / SECOND))} s ago. If it is gone for good, this one may ${GONE_AFTER / MINUTE} minutes after that.`,
      );
    }
    if (!this.owns) this.remember();
    this.owns = true;
    await store.replace(WRITER, jsonBytes({ writer: this.id, at: this.clock() } satisfies Writer));
  }

  /** Which program wrote the archive from this folder last: a copy of the folder elsewhere is another one, once either has started again. */
  private remembered(): string | null {
    try {
      return asAccount(this.account, () => readFileSync(this.note, "utf8")).trim();
    } catch {
      return null; // None did.
    }
  }
  private remember(): void {
    asAccount(this.account, () => writeFileSync(this.note, `${this.id}\n`, { mode: 0o600 }));
  }
  private get note(): string {
    return join(this.options.folder, "archive.writer");
  }

  private async server() {
    const found = await one(
      serverRow,
      this.options.sql`
        select system_identifier::text as system, (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes"
        from pg_control_system()`,
    );
    if (!found) throw new Error("the server did not say which it is");
    this.segmentBytes = found.segmentBytes;
    return found;
  }

  /** Finds where the log goes on, and whether the newest copy in the archive leads there without a gap. */
  private async begin(): Promise<void> {
    const { sql, store, key } = this.options;
    const slot = await one(slotRow, sql`select restart_lsn::text as restart, wal_status as status from pg_replication_slots where slot_name = ${SLOT}`);
    if (slot?.restart && slot.status !== "lost") {
      if (this.next !== null) return;
      this.next = segmentOf(positionOf(slot.restart), this.segmentBytes);
      this.base = await this.newestWhole(store, key, this.next);
      return;
    }
    // The server keeps the log for an archive that is away, up to a bound; past it there is a hole that only a new copy bridges.
    if (slot) await sql`select pg_drop_replication_slot(${SLOT})`;
    await sql`select from pg_create_physical_replication_slot(${SLOT}, true)`;
    const [made] = await sql<{ restart: string | null }[]>`select restart_lsn::text as restart from pg_replication_slots where slot_name = ${SLOT}`;
    const restart = made?.restart;
    if (!restart) throw new Error("the server keeps no log for the archive");
    this.next = segmentOf(positionOf(restart), this.segmentBytes);
    this.base = null;
  }

  /** When the newest copy was begun whose log is in the archive up to `next`; null where there is none. */
  private async newestWhole(store: ArchiveStore, key: string | null, next: bigint): Promise<number | null> {
    const newest = (await store.list("base")).filter(isManifest).at(-1);
    if (!newest) return null;
    const manifest = await readManifest(store, key, newest);
    const there = new Set(await store.list("wal"));
    for (let segment = segmentOf(positionOf(manifest.start), this.segmentBytes); segment < next; segment++)
      if (!there.has(`wal/${segmentName(manifest.timeline, segment, this.segmentBytes)}`)) return null;
    return Date.parse(manifest.startedAt);
  }

  /** Closes the segment that is being written and brings away every one that is complete, in order. */
  private async ship(): Promise<void> {
    const { sql } = this.options;
    const now = this.clock();
    const closed = await one(switchRow, sql`select pg_switch_wal()::text as at, substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`);
    if (!closed || this.next === null) throw new Error("the server did not say how far its log is");
    const [end, timeline] = [positionOf(closed.at), Number.parseInt(closed.timeline, 16)];
    const current = segmentOf(end, this.segmentBytes);
    const isEmpty = end - startOf(current, this.segmentBytes) < HEADER;
    if (timeline > 1) await this.addHistory(timeline);
    for (const beyond = isEmpty ? current : current + 1n; this.next < beyond; this.next++) {
      await this.addSegment(timeline, this.next, this.next === current ? closed.at : textOf(startOf(this.next + 1n, this.segmentBytes)));
      await sql`select pg_replication_slot_advance(${SLOT}, ${textOf(startOf(this.next + 1n, this.segmentBytes))}::pg_lsn)`;
    }
    this.safeUntil = now;
  }

  private async addSegment(timeline: number, segment: bigint, end: string): Promise<void> {
    const name = segmentName(timeline, segment, this.segmentBytes);
    const content = await readFile(this.logFile(name));
    // The server names recycled files before it writes them: what a page says of its place tells them apart.
    const place = content.length === this.segmentBytes ? content.readBigUInt64LE(8) : null;
    if (place !== startOf(segment, this.segmentBytes)) throw new Error(`the log's segment ${name} is not there whole`);
    await this.add(`wal/${name}`, content, end);
  }

  private async addHistory(timeline: number): Promise<void> {
    const name = `${timeline.toString(16).toUpperCase().padStart(8, "0")}.history`;
    if (this.shipped.has(name)) return;
    await this.add(`wal/${name}`, await readFile(this.logFile(name)));
    this.shipped.add(name);
  }

  private logFile(name: string): string {
    return join(this.options.folder, "postgres", "pg_wal", name);
  }

  /** Adds an object. One that is there already must hold the same: it came before a kill. */
  private async add(name: string, content: Buffer<ArrayBuffer>, end?: string): Promise<void> {
    const { store, key } = this.options;
    const object = await seal(key, { name, at: new Date(this.clock()).toISOString(), end }, content);
    if (await store.add(name, object)) return;
    const there = await store.read(name);
    if (there === null || labelOf(name, there).label.sha256 !== labelOf(name, object).label.sha256)
      throw new StartError(`The archive ${store.place} holds another ${name} than this database wrote. Name an empty place in ARCHIVE_URL.`);
  }
}

const jsonBytes = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
