import { sha256 } from "@noble/hashes/sha2.js";
import { joinBytes, sameBytes } from "../lib/bytes";

/** The Merkle tree of RFC 6962, section 2.1, with SHA-256: its hashes, and its proofs made and checked (the checks as RFC 9162 writes them). */

export type Hash = Uint8Array;
export const HASH_SIZE = 32;

/** The hash of the complete subtree of 2^level leaves that begins at leaf `index` × 2^level. */
export type ReadHash = (level: number, index: number) => Hash;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
export const emptyRoot = (): Hash => sha256(new Uint8Array());
export const leafHash = (data: Uint8Array): Hash => sha256(joinBytes(LEAF, data));
export const nodeHash = (left: Hash, right: Hash): Hash => sha256(joinBytes(NODE, left, right));
/** Works out nodes; where a function takes one, a quicker nodeHash may be given. */
export type HashNode = typeof nodeHash;

/** The largest power of two below `n`, which is 2 or more. Sizes go beyond 32 bits, so no shifts. */
function splitOf(n: number): number {
  let split = 1;
  while (split * 2 < n) split *= 2;
  return split;
}

const isPowerOfTwo = (n: number) => Number.isInteger(Math.log2(n)) && 2 ** Math.log2(n) === n;
const half = (n: number) => Math.floor(n / 2);
const isOdd = (n: number) => n % 2 === 1;

/** The root over the leaves from `from` to before `to`, which are a node of the tree. */
function rangeRoot(from: number, to: number, read: ReadHash, node: HashNode): Hash {
  const count = to - from;
  if (isPowerOfTwo(count)) return read(Math.log2(count), from / count);
  const split = from + splitOf(count);
  return node(rangeRoot(from, split, read, node), rangeRoot(split, to, read, node));
}

/** The root of the tree's first `size` leaves. */
export const rootOf = (size: number, read: ReadHash, node: HashNode = nodeHash): Hash => (size === 0 ? emptyRoot() : rangeRoot(0, size, read, node));

/** The root of these leaves' hashes, all of them at hand. */
export const rootOfLeaves = (leaves: readonly Hash[], node: HashNode = nodeHash): Hash => rootOf(leaves.length, readerOf(leaves, node), node);

/** Reads from leaves that are at hand. */
export function readerOf(leaves: readonly Hash[], node: HashNode = nodeHash): ReadHash {
  const levels: Hash[][] = [[...leaves]];
  return (level, index) => {
    for (let above = levels.length; above <= level; above++) {
      const below = levels[above - 1] as Hash[];
      levels.push(Array.from({ length: half(below.length) }, (_, n) => node(below[2 * n] as Hash, below[2 * n + 1] as Hash)));
    }
    const hash = levels[level]?.[index];
    if (!hash) throw new RangeError(`the tree has no hash ${index} at level ${level}`);
    return hash;
  };
}

/** The audit path of leaf `index` in the tree's first `size` leaves. Throws RangeError for a leaf that it does not have. */
export function inclusionProof(index: number, size: number, read: ReadHash, node: HashNode = nodeHash): Hash[] {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) throw new RangeError(`no leaf ${index} among ${size}`);
  const path = (from: number, to: number): Hash[] => {
    if (to - from === 1) return [];
    const split = from + splitOf(to - from);
    return index < split ? [...path(from, split), rangeRoot(split, to, read, node)] : [...path(split, to), rangeRoot(from, split, read, node)];
  };
  return path(0, size);
}

/** That the first `old` leaves are those of the tree then. Empty where `old` is 0 or `size`. Throws RangeError beyond `size`. */
export function consistencyProof(old: number, size: number, read: ReadHash, node: HashNode = nodeHash): Hash[] {
  if (!Number.isSafeInteger(old) || !Number.isSafeInteger(size) || old < 0 || old > size) throw new RangeError(`no tree of ${old} among ${size}`);
  if (old === 0 || old === size) return [];
  const prove = (from: number, to: number, isWhole: boolean): Hash[] => {
    if (old === to) return isWhole ? [] : [rangeRoot(from, to, read, node)];
    const split = from + splitOf(to - from);
    return old <= split ? [...prove(from, split, isWhole), rangeRoot(split, to, read, node)] : [...prove(split, to, false), rangeRoot(from, split, read, node)];
  };
  return prove(0, size, true);
}

/** The root that an audit path leads to (RFC 9162, 2.1.3.2); null where the path does not fit the place of the leaf. */
export function rootByInclusion(leaf: Hash, index: number, size: number, proof: readonly Hash[], node: HashNode = nodeHash): Hash | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null;
  let [at, last] = [index, size - 1];
  let root = leaf;
  for (const hash of proof) {
    if (last === 0 || hash.length !== HASH_SIZE) return null;
    if (isOdd(at) || at === last) {
      root = node(hash, root);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else root = node(root, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 ? root : null;
}

export function isIncluded(leaf: Hash, index: number, size: number, proof: readonly Hash[], root: Hash, node: HashNode = nodeHash): boolean {
  const found = rootByInclusion(leaf, index, size, proof, node);
  return found !== null && sameBytes(found, root);
}

/** Whether a tree of `size` leaves only added to one of `old` leaves (RFC 9162, 2.1.4.2). Every tree adds to the empty one. */
export function isConsistent(old: number, oldRoot: Hash, size: number, root: Hash, proof: readonly Hash[]): boolean {
  if (!Number.isSafeInteger(old) || !Number.isSafeInteger(size) || old < 0 || old > size) return false;
  if (old === size) return proof.length === 0 && sameBytes(oldRoot, root);
  if (old === 0) return proof.length === 0 && sameBytes(oldRoot, emptyRoot());
  const [first, ...rest] = isPowerOfTwo(old) ? [oldRoot, ...proof] : proof;
  if (!first || [first, ...rest].some(({ length }) => length !== HASH_SIZE)) return false;
  let [at, last] = [old - 1, size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  let [then, now] = [first, first];
  for (const hash of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      then = nodeHash(hash, then);
      now = nodeHash(hash, now);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else now = nodeHash(now, hash);
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && sameBytes(then, oldRoot) && sameBytes(now, root);
}
