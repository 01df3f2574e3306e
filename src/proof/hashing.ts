import type { Hash } from "./rules_merkle";

/** The log's hashes by the runtime's own SHA-256, some ten times as quick as what a browser can load. `hashing.test.ts` holds both to the same. */

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const sha256 = (...parts: Uint8Array[]): Hash => {
  const [first, ...rest] = parts;
  return new Uint8Array(Bun.SHA256.hash(rest.length === 0 ? (first as Uint8Array) : Buffer.concat(parts)) as Uint8Array);
};
export const quickLeafHash = (data: Uint8Array): Hash => sha256(LEAF, data);
export const quickNodeHash = (left: Hash, right: Hash): Hash => sha256(NODE, left, right);
