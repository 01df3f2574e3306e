import { type Hash, HASH_SIZE } from "./rules_merkle";

/** The log's hashes by the runtime's own SHA-256, some ten times as quick as what a browser can load. `hashing.test.ts` holds both to the same. */

const LEAF = Uint8Array.of(0);
/** What a node hashes, filled in anew for each: `1 ‖ left ‖ right`. */
const pair = new Uint8Array(1 + 2 * HASH_SIZE).fill(1, 0, 1);

const sha256 = (data: Uint8Array): Hash => Bun.SHA256.hash(data, new Uint8Array(HASH_SIZE)) as Hash;
/** What the log holds of a record: SHA-256(salt ‖ the record's text). */
export const quickCommitment = (salt: Uint8Array, record: string): Hash => sha256(Buffer.concat([salt, Buffer.from(record)]));
export const quickLeafHash = (data: Uint8Array): Hash => sha256(Buffer.concat([LEAF, data]));
/** Of two hashes of 32 bytes. */
export function quickNodeHash(left: Hash, right: Hash): Hash {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_SIZE);
  return sha256(pair);
}
