import { toBase64 } from "../lib/bytes";
import { consistencyProof, type Hash, HASH_SIZE, type ReadHash } from "./rules_merkle";
import { hashesAt, readerOfTiles, TILE_WIDTH, tileOfNode, tilePath } from "./rules_tiles";

/** That a log only grew, out of the tiles that the site serves of it. */

/** Reads a path of the site's; null where it has nothing there. */
export type ReadPath = (path: string) => Promise<Uint8Array | null>;

/** A log's number is at the end of its name from the second one on. */
export const numberOf = (origin: string) => Number(/\/(\d{1,4})$/.exec(origin)?.[1] ?? 1);
const NONE: Hash = new Uint8Array(HASH_SIZE);

/** The proof that a tree of `size` leaves only added to one of `old`, out of the log's tiles. Null where one is not there. */
export async function readGrowth(number: number, old: number, size: number, read: ReadPath): Promise<string[] | null> {
  const wanted = new Map<string, { level: number; n: number }>();
  const nameOf = (level: number, n: number) => tilePath({ level, n, width: Math.min(TILE_WIDTH, hashesAt(size, level) - n * TILE_WIDTH) });
  const note: ReadHash = (level, index) => {
    const tile = tileOfNode(level, index);
    wanted.set(nameOf(tile.level, tile.n), tile);
    return NONE;
  };
  consistencyProof(old, size, note);
  const tiles = new Map<string, Uint8Array>();
  for (const name of wanted.keys()) {
    const tile = await read(`/log/${number}/tile/${name}`);
    if (!tile) return null;
    tiles.set(name, tile);
  }
  try {
    return consistencyProof(
      old,
      size,
      readerOfTiles((level, n) => tiles.get(nameOf(level, n))),
    ).map(toBase64);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
