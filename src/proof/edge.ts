import { quickNodeHash } from "./hashing";
import { emptyRoot, type Hash, HASH_SIZE } from "./rules_merkle";
import { hashesAt, readerOfTiles, TILE_HEIGHT, TILE_WIDTH, tilePath } from "./rules_tiles";

const TILE_SIZE = TILE_WIDTH * HASH_SIZE;
const isOdd = (n: number) => n % 2 === 1;

export type StoredTile = { level: number; n: number; hashes: Uint8Array };

/**
 * The right edge of a log's tree, all that appending needs: the tile of each level that is not full yet, and the roots of the complete subtrees
 * that the leaves make up, the largest first, of which the tree's root is made. A leaf costs one hash, and the root as many as there are subtrees.
 */
export class Edge {
  private readonly tiles: Uint8Array[] = [];
  /** At `level` the root of a subtree of 2^level leaves; it counts where the size has this power of two. */
  private readonly peaks: Hash[] = [];
  private full: StoredTile[] = [];
  private readonly changed = new Set<number>();

  /** Of a tree of so many leaves; `tileAt` gives the stored tile of a level, of which its first hashes count. Throws RangeError where one is missing. */
  constructor(
    private leaves: number,
    tileAt: (level: number, n: number) => Uint8Array | undefined,
  ) {
    for (let level = 0; hashesAt(leaves, level) > 0; level++) {
      const count = hashesAt(leaves, level);
      const [n, width] = [Math.floor(count / TILE_WIDTH), count % TILE_WIDTH];
      const tile = new Uint8Array(TILE_SIZE);
      if (width > 0) {
        const stored = tileAt(level, n);
        if (!stored || stored.length < width * HASH_SIZE) throw new RangeError(`tile ${tilePath({ level, n, width: TILE_WIDTH })} is missing or too narrow`);
        tile.set(stored.subarray(0, width * HASH_SIZE));
      }
      this.tiles[level] = tile;
    }
    const read = readerOfTiles((level) => this.tiles[level], quickNodeHash);
    for (let level = 0, count = leaves; count > 0; level++, count = Math.floor(count / 2)) if (isOdd(count)) this.peaks[level] = read(level, count - 1).slice();
  }

  get size(): number {
    return this.leaves;
  }

  /** Adds one leaf. */
  add(leaf: Hash): void {
    let hash = leaf;
    // `count`: the subtrees of this level that were complete before.
    for (let level = 0, count = this.leaves; ; level++, count = Math.floor(count / 2)) {
      if (level % TILE_HEIGHT === 0) this.put(level / TILE_HEIGHT, count, hash);
      if (!isOdd(count)) {
        this.peaks[level] = hash;
        break;
      }
      hash = quickNodeHash(this.peaks[level] as Hash, hash);
    }
    this.leaves++;
  }

  /** Puts a level's next hash into its tile. */
  private put(level: number, count: number, hash: Hash): void {
    const tile = (this.tiles[level] ??= new Uint8Array(TILE_SIZE));
    tile.set(hash, (count % TILE_WIDTH) * HASH_SIZE);
    this.changed.add(level);
    if ((count + 1) % TILE_WIDTH !== 0) return;
    this.full.push({ level, n: Math.floor(count / TILE_WIDTH), hashes: tile.slice() });
    this.changed.delete(level);
  }

  /** The tiles as they are to be stored that changed since the last time. */
  take(): StoredTile[] {
    const partial = [...this.changed].map((level) => {
      const count = hashesAt(this.leaves, level);
      return { level, n: Math.floor(count / TILE_WIDTH), hashes: (this.tiles[level] as Uint8Array).slice(0, (count % TILE_WIDTH) * HASH_SIZE) };
    });
    const taken = [...this.full, ...partial];
    this.full = [];
    this.changed.clear();
    return taken;
  }

  root(): Hash {
    let root: Hash | null = null;
    for (let level = 0, count = this.leaves; count > 0; level++, count = Math.floor(count / 2)) {
      if (!isOdd(count)) continue;
      const peak = this.peaks[level] as Hash;
      root = root ? quickNodeHash(peak, root) : peak;
    }
    return root ?? emptyRoot();
  }
}
