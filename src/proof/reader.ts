import type { Sql } from "../platform/database/db";
import { currentLog, type Log, readBundle, readTile } from "./queries";
import { HASH_SIZE } from "./rules_merkle";
import { hasTile, type Tile, TILE_WIDTH, tilePath } from "./rules_tiles";

/** So long, in ms, is the newest checkpoint taken for the newest: many who ask at once are one question. */
const FRESH = 200;
/** Full tiles and bundles kept, some 4 MB; what was asked for longest ago gives way. */
const MOST_KEPT = 512;

/** What everybody may read of the log, from the database and, as far as it can't change, from memory. */
export class LogReader {
  private readonly kept = new Map<string, Uint8Array>();
  private current: { at: number; log: Promise<Log | null> } | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly clock = () => performance.now(),
  ) {}

  /** The log with its newest checkpoint. */
  log(): Promise<Log | null> {
    const now = this.clock();
    if (this.current && now - this.current.at < FRESH) return this.current.log;
    const log = currentLog(this.sql);
    const current = { at: now, log };
    this.current = current;
    // What failed is asked anew by the next.
    log.catch(() => this.current === current && (this.current = null));
    return log;
  }

  /** A tile or a bundle as wide as it was asked for; null where the log has none so wide. */
  async tile(tile: Tile): Promise<Uint8Array | null> {
    let log = await this.log();
    // Who asks may have read a newer checkpoint from another program than is known here.
    if (!log || !hasTile(log.size, tile)) log = await currentLog(this.sql);
    if (!log || !hasTile(log.size, tile)) return null;
    const name = `${log.number} ${tilePath(tile)}`;
    const kept = this.kept.get(name);
    const bytes = kept ?? (await this.read(log.number, tile));
    if (bytes && tile.width === TILE_WIDTH) this.keep(name, bytes);
    return bytes;
  }

  private async read(log: number, { level, n, width }: Tile): Promise<Uint8Array | null> {
    if (level === "entries") return readBundle(this.sql, log, n, width);
    const stored = await readTile(this.sql, log, level, n);
    return stored && stored.length >= width * HASH_SIZE ? stored.subarray(0, width * HASH_SIZE) : null;
  }

  private keep(name: string, bytes: Uint8Array): void {
    this.kept.delete(name);
    this.kept.set(name, bytes);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value ?? "");
  }
}
