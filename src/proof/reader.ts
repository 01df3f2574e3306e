import type { Sql } from "../platform/database/db";
import { currentLog, type Log, logNumbered, readBundle, readTile } from "./queries";
import { HASH_SIZE } from "./rules_merkle";
import { hasTile, type Tile, TILE_WIDTH, tilePath } from "./rules_tiles";

/** So long, in ms, is the newest checkpoint taken for the newest: many who ask at once are one question. */
const FRESH = 200;
/** Full tiles and bundles kept, some 4 MB; what was asked for longest ago gives way. */
const MOST_KEPT = 512;

/** Of a log, as an address has it: nobody ends ten thousand of them. */
const NUMBER = /^[1-9]\d{0,3}$/;

/** What everybody may read of the log, from the database and, as far as it can't change, from memory. */
export class LogReader {
  private readonly kept = new Map<string, Uint8Array>();
  private current: { at: number; log: Promise<Log | null> } | null = null;

  constructor(
    private readonly sql: Sql,
    private readonly clock = () => performance.now(),
  ) {}

  /** The log of a number as it stands in an address, or the one that is appended to, with its newest checkpoint. */
  async log(number?: string): Promise<Log | null> {
    if (number === undefined) return this.newest();
    return NUMBER.test(number) ? logNumbered(this.sql, Number(number)) : null;
  }

  private newest(): Promise<Log | null> {
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
  async tile(tile: Tile, number?: string): Promise<Uint8Array | null> {
    let log = await this.log(number);
    // Who asks may have read a newer checkpoint from another program than is known here.
    if (number === undefined && (!log || !hasTile(log.size, tile))) log = await currentLog(this.sql);
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
