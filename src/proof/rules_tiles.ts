import { joinBytes } from "../lib/bytes";
import { type Hash, HASH_SIZE, nodeHash, type ReadHash } from "./rules_merkle";

/** The tiles of a log (C2SP tlog-tiles): 256 hashes each, a tile of one level standing for eight levels of the tree. */

export const TILE_WIDTH = 256;
/** Levels of the tree in a level of tiles. */
export const TILE_HEIGHT = 8;

/** A tile, or a bundle of entries; `width` below 256 is a partial one. */
export type Tile = { level: number | "entries"; n: number; width: number };

/** `x001/x234/067.p/8`: a tile's number in threes of digits, then its width where it is partial. */
export function tilePath({ level, n, width }: Tile): string {
  const digits = String(n);
  const padded = digits.padStart(Math.ceil(digits.length / 3) * 3, "0");
  const parts = padded.match(/\d{3}/g) ?? [];
  const number = parts.map((part, at) => (at < parts.length - 1 ? `x${part}` : part)).join("/");
  return `${level}/${number}${width < TILE_WIDTH ? `.p/${width}` : ""}`;
}

/** Null for any path but the one spelling of a tile's. */
export function parseTilePath(path: string): Tile | null {
  const [, level = "", number = "", width = "256"] = /^(entries|\d{1,2})\/((?:x\d{3}\/){0,4}\d{3})(?:\.p\/(\d{1,3}))?$/.exec(path) ?? [];
  if (!level) return null;
  const tile: Tile = { level: level === "entries" ? level : Number(level), n: Number(number.replaceAll(/[x/]/g, "")), width: Number(width) };
  const isThere = tile.width >= 1 && tile.width <= TILE_WIDTH && (tile.level === "entries" || tile.level < 64);
  return isThere && tilePath(tile) === path ? tile : null;
}

/** How many hashes the tiles of a level hold in all, in a tree of so many leaves. */
export const hashesAt = (size: number, level: number | "entries"): number => (level === "entries" ? size : Math.floor(size / TILE_WIDTH ** level));

/** Whether a tree of so many leaves has this tile, as wide as it says. */
export const hasTile = (size: number, { level, n, width }: Tile): boolean => hashesAt(size, level) >= n * TILE_WIDTH + width;

/** The tile that holds a node of the tree, or those below it, and which of its hashes: from `from` on `count`, a power of two. */
export function tileOfNode(level: number, index: number): { level: number; n: number; from: number; count: number } {
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level - tileLevel * TILE_HEIGHT);
  const first = index * count;
  return { level: tileLevel, n: Math.floor(first / TILE_WIDTH), from: first % TILE_WIDTH, count };
}

/** Reads nodes out of tiles. Throws RangeError where a tile is missing or too narrow. `node` may be a quicker nodeHash. */
export function readerOfTiles(tileAt: (level: number, n: number) => Uint8Array | undefined, node = nodeHash): ReadHash {
  return (level, index) => {
    const { level: tileLevel, n, from, count } = tileOfNode(level, index);
    const tile = tileAt(tileLevel, n);
    if (!tile || tile.length < (from + count) * HASH_SIZE)
      throw new RangeError(`tile ${tilePath({ level: tileLevel, n, width: TILE_WIDTH })} is missing or too narrow`);
    return rootOfHashes(tile.subarray(from * HASH_SIZE, (from + count) * HASH_SIZE), node);
  };
}

/** The hash of a complete subtree whose lowest hashes, a power of two of them, stand one after the other. `node` may be a quicker nodeHash. */
export function rootOfHashes(hashes: Uint8Array, node = nodeHash): Hash {
  if (hashes.length === HASH_SIZE) return hashes;
  const middle = hashes.length / 2;
  return node(rootOfHashes(hashes.subarray(0, middle), node), rootOfHashes(hashes.subarray(middle), node));
}

/** Entries as a bundle holds them: the length in two bytes, the highest first, then the entry. */
export const bundleOf = (entries: readonly Uint8Array[]): Uint8Array =>
  joinBytes(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]));
