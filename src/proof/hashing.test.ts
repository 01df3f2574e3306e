import { expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { toHex } from "../lib/bytes";
import { Edge, type StoredTile } from "./edge";
import { quickLeafHash, quickNodeHash } from "./hashing";
import { leafHash, nodeHash, readerOf, rootOf } from "./rules_merkle";
import { cosignerOf, signerOf, signNote } from "./rules_note";
import { quickSigner } from "./signing";

test("the runtime's hashes are those that browsers work out", () => {
  for (const size of [0, 1, 32, 63, 64, 65, 700]) {
    const data = new Uint8Array(randomBytes(size));
    expect(toHex(quickLeafHash(data))).toBe(toHex(leafHash(data)));
  }
  const [left, right] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(32))];
  for (const [one, other] of [
    [left, right],
    [right, left],
    [left, left],
  ] as const)
    expect(toHex(quickNodeHash(one, other))).toBe(toHex(nodeHash(one, other)));
});

test("the runtime's keys and signatures are those that browsers work out", () => {
  for (let n = 0; n < 5; n++) {
    const seed = new Uint8Array(randomBytes(32));
    const text = `example.com/log\n${n}\n${randomBytes(32).toString("base64")}\n`;
    const [quick, plain] = [quickSigner("example.com/log", seed), signerOf("example.com/log", seed)];
    expect(toHex(quick.publicKey)).toBe(toHex(plain.publicKey));
    expect(signNote(text, [quick, cosignerOf(quick)], 1_700_000_000)).toBe(signNote(text, [plain, cosignerOf(plain)], 1_700_000_000));
  }
});

test("a tree that grows by its edge, put away and taken up anywhere, has the root and tiles of the whole", () => {
  const leaves = Array.from({ length: 66_000 }, (_, n) => quickLeafHash(Buffer.from(String(n))));
  const read = readerOf(leaves);
  const stored = new Map<string, StoredTile>();
  let edge = new Edge(0, () => undefined);
  for (const [n, leaf] of leaves.entries()) {
    edge.add(leaf);
    if (n % 997 !== 0 && n + 1 < leaves.length) continue;
    for (const tile of edge.take()) stored.set(`${tile.level} ${tile.n}`, tile);
    expect(toHex(edge.root())).toBe(toHex(rootOf(n + 1, read)));
    edge = new Edge(n + 1, (level, at) => stored.get(`${level} ${at}`)?.hashes);
    expect(edge.size).toBe(n + 1);
  }
  expect([stored.size, stored.get("0 257")?.hashes.length, stored.get("1 0")?.hashes.length, stored.get("2 0")?.hashes.length]).toEqual([
    261,
    208 * 32,
    8192,
    32,
  ]);
  expect(toHex(stored.get("1 1")?.hashes.subarray(0, 32) as Uint8Array)).toBe(toHex(read(8, 256)));
  expect(() => new Edge(66_000, () => undefined)).toThrow(RangeError);
});
