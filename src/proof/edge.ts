import { quickNodeHash } from "./hashing";
import { type Hash, HASH_SIZE, rootOf } from "./rules_merkle";
import { hashesAt, readerOfTiles, rootOfHashes, TILE_WIDTH } from "./rules_tiles";

const TILE_SIZE = TILE_WIDTH * HASH_SIZE;

export type StoredTile = { level: number; n: number; hashes: Uint8Array };

/** The right edge of a log's tree: the tile of each level that is not full yet. All that appending needs. */
export class Edge {
  private readonly tiles: Uint8Array[] = [];
  private readonly counts: number[] = [];
  private full: StoredTile[] = [];
  private readonly changed = new Set<number>();

  /** Of a tree of so many leaves; `tileAt` gives the stored tile of a level, of which its first hashes count. Throws RangeError where one is missing. */
  constructor(size: number, tileAt: (level: number, n: number) => Uint8Array | undefined) {
    for (let level = 0; hashesAt(size, level) > 0; level++) {
      const count = hashesAt(size, level);
      const [n, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
      const tile = new Uint8Array(TILE_SIZE);
      if (width > 0) {
        const stored = tileAt(level, n);
        if (!stored || stored.length < width * HASH_SIZE) throw new RangeError(`tile ${level}/${n} is missing or too narrow`);
        tile.set(stored.subarray(0, width * HASH_SIZE));
      }
      this.tiles[level] = tile;
      this.counts[level] = count;
    }
  }

  get size(): number {
    return this.counts[0] ?? 0;
  }

  /** Adds one leaf. */
  add(leaf: Hash): void {
    let hash = leaf;
    for (let level = 0; ; level++) {
      const tile = (this.tiles[level] ??= new Uint8Array(TILE_SIZE));
      const count = this.counts[level] ?? 0;
      tile.set(hash, (count % TILE_WIDTH) * HASH_SIZE);
      this.counts[level] = count + 1;
      this.changed.add(level);
      if ((count + 1) % TILE_WIDTH !== 0) return;
      this.full.push({ level, n: Math.floor(count / TILE_WIDTH), hashes: tile.slice() });
      this.changed.delete(level);
      hash = rootOfHashes(tile, quickNodeHash);
    }
  }

  /** The tiles as they are to be stored that changed since the last time. */
  take(): StoredTile[] {
    const partial = [...this.changed].map((level) => {
      const count = this.counts[level] ?? 0;
      return { level, n: Math.floor(count / TILE_WIDTH), hashes: (this.tiles[level] as Uint8Array).slice(0, (count % TILE_WIDTH) * HASH_SIZE) };
    });
    const taken = [...this.full, ...partial];
    this.full = [];
    this.changed.clear();
    return taken;
  }

  root(): Hash {
    return rootOf(
      this.size,
      readerOfTiles((level, n) => (Math.floor((this.counts[level] ?? 0) / TILE_WIDTH) === n ? this.tiles[level] : undefined), quickNodeHash),
    );
  }
}
