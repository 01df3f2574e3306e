import { sha256 } from "@noble/hashes/sha2.js";
import { cents } from "../lib/money";
import { canonicalBytes } from "./rules_canonical";

/**
 * A Merkle-sum tree: each node carries the sum of what is below it, and its hash covers both, so a root can't say less than the leaves do. A
 * leaf is SHA-256(0x00 ‖ salt ‖ canonical JSON of the record), its sum the cents of the record's `owed`; a node is SHA-256(0x01 ‖ left hash ‖
 * left sum ‖ right hash ‖ right sum), sums as eight bytes, the most significant first. A tree has a power of two of leaves; those that only
 * pad it are 32 random bytes and the sum 0, which nobody can tell from a client's who is owed nothing. After G. Maxwell's proof of liabilities.
 */

/** What a client is owed at the moment of a day's tree, in USD. */
export type Owed = { kind: "owed"; v: 1; day: string; client: string; owed: string };
export type SumNode = { hash: Uint8Array; sum: number };

/** Bytes of a node as trees are kept: its hash and its sum. */
export const NODE_BYTES = 40;

function put(into: Uint8Array, at: number, { hash, sum }: SumNode): void {
  into.set(hash, at);
  new DataView(into.buffer, into.byteOffset).setBigUint64(at + 32, BigInt(sum));
}

export const owedLeaf = (salt: Uint8Array, record: Owed): SumNode => {
  const text = canonicalBytes(record);
  const bytes = new Uint8Array(1 + salt.length + text.length);
  bytes.set(salt, 1);
  bytes.set(text, 1 + salt.length);
  return { hash: sha256(bytes), sum: Number(cents(record.owed)) };
};

/** Throws RangeError where a sum is no whole number of cents from 0 to below 2^53. */
export function sumNode(left: SumNode, right: SumNode): SumNode {
  const sum = left.sum + right.sum;
  for (const each of [left.sum, right.sum, sum]) if (!Number.isSafeInteger(each) || each < 0) throw new RangeError("a sum is out of range");
  const bytes = new Uint8Array(1 + 2 * NODE_BYTES);
  bytes[0] = 1;
  put(bytes, 1, left);
  put(bytes, 1 + NODE_BYTES, right);
  return { hash: sha256(bytes), sum };
}

/** Every node of the tree over these leaves, a power of two of them: level by level from the leaves, the root last. Pauses as often as it is told. */
export async function sumTree(leaves: readonly SumNode[], pause: () => Promise<void> | undefined = () => undefined): Promise<Uint8Array<ArrayBuffer>> {
  const nodes = new Uint8Array((2 * leaves.length - 1) * NODE_BYTES);
  let level = leaves;
  let at = 0;
  for (;;) {
    for (const node of level) {
      put(nodes, at, node);
      at += NODE_BYTES;
    }
    if (level.length === 1) return nodes;
    const above: SumNode[] = [];
    for (let n = 0; n < level.length; n += 2) {
      if (n % 2_048 === 0) await pause();
      above.push(sumNode(level[n] as SumNode, level[n + 1] as SumNode));
    }
    level = above;
  }
}

/** Where in a kept tree of `size` leaves the nodes beside the path of leaf `place` stand, in bytes, from the leaf up. */
export function pathPlaces(size: number, place: number): number[] {
  const places: number[] = [];
  for (let [start, width, at] = [0, size, place]; width > 1; [start, width, at] = [start + width, width / 2, at >> 1])
    places.push((start + (at ^ 1)) * NODE_BYTES);
  return places;
}

/** The root that a leaf at `place` and the nodes beside its path lead to. */
export const sumRoot = (leaf: SumNode, place: number, path: readonly SumNode[]): SumNode =>
  path.reduce((node, beside, level) => ((place >> level) & 1 ? sumNode(beside, node) : sumNode(node, beside)), leaf);
