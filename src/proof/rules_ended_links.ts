import * as v from "valibot";
import { toBase64 } from "../lib/bytes";
import { consistencyProof, type Hash, HASH_SIZE, type ReadHash } from "./rules_merkle";
import { parseCheckpoint } from "./rules_note";
import { hashesAt, readerOfTiles, TILE_WIDTH, tileOfNode, tilePath } from "./rules_tiles";
import type { Asked, Link } from "./rules_verify_ended";
import { Proof } from "./schema";

/** What the site serves of logs that have ended, gathered for a check: checkpoints, first records, and tiles, of which the proofs of growth are made here. */

/** Reads a path of the site's; null where it has nothing there. */
export type ReadPath = (path: string) => Promise<Uint8Array | null>;

/** So many logs are followed at most. */
const MOST_LOGS = 64;
/** A log's number is at the end of its name from the second one on. */
export const numberOf = (origin: string) => Number(/\/(\d{1,4})$/.exec(origin)?.[1] ?? 1);
const NONE: Hash = new Uint8Array(HASH_SIZE);

/** Null where the site does not serve what is needed. Rejects as `read` does. */
export async function gatherLinks({ kept, to, newest }: Asked, read: ReadPath): Promise<Link[] | null> {
  const [first, last] = [numberOf(kept.origin), numberOf(to)];
  if (first > last || last - first >= MOST_LOGS) return null;
  const links: Link[] = [];
  for (let number = first; number <= last; number++) {
    const start = number > first ? await readStart(number, read) : null;
    const checkpoint = number > first ? start?.checkpoint : textOf(await read(`/log/${number}/checkpoint`));
    const size = checkpoint ? parseCheckpoint(checkpoint.slice(0, checkpoint.indexOf("\n\n") + 1))?.size : undefined;
    if (!checkpoint || size === undefined) return null;
    const from = number === first ? kept : number === last ? newest : null;
    // Of one that has fewer records than it had then there is no such proof, which the check says.
    const shrank = number === first && kept.size > size;
    const grew = from && !shrank ? await readGrowth(number, Math.min(from.size, size), Math.max(from.size, size), read) : [];
    if (grew === null) return null;
    links.push({ checkpoint, start, grew });
  }
  return links;
}

const textOf = (bytes: Uint8Array | null) => bytes && new TextDecoder().decode(bytes);

/** A log's first record, which is everybody's, with the newest checkpoint. */
async function readStart(number: number, read: ReadPath): Promise<Proof | null> {
  try {
    const result = v.safeParse(Proof, JSON.parse(textOf(await read(`/log/${number}/start`)) ?? "null"));
    return result.success ? result.output : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

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
