import { describe, expect, test } from "bun:test";
import { getPublicKey, sign, verify } from "@noble/ed25519";
import { fromBase64, fromHex, sameBytes, toBase64, toHex, utf8 } from "../lib/bytes";
import { canonicalJson, type Flat, NotCanonical } from "./rules_canonical";
import { consistencyProof, emptyRoot, type Hash, inclusionProof, isConsistent, isIncluded, leafHash, readerOf, rootOf, rootOfLeaves } from "./rules_merkle";
import {
  checkpointText,
  cosignerOf,
  openCheckpoint,
  openNote,
  parseCheckpoint,
  parseVerifier,
  signerOf,
  signNote,
  type Verifier,
  verifierText,
} from "./rules_note";
import { bundleOf, hashesAt, hasTile, parseTilePath, readerOfTiles, TILE_WIDTH, tilePath } from "./rules_tiles";
import { commitmentOf, parseRecord, Proof } from "./schema";
import * as v from "valibot";

const hex = (text: string) => fromHex(text) as Uint8Array;

describe("the tree", () => {
  // The leaves, roots and proofs by which implementations of RFC 6962 are tried (certificate-transparency's merkle_tree_test).
  const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"].map((data) => leafHash(hex(data)));
  const roots = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
  ];
  test("has the roots that others publish", () => {
    expect(roots.map((_, size) => toHex(rootOf(size, readerOf(leaves))))).toEqual(roots);
  });

  test("proves inclusion as others do", () => {
    const path = (index: number, size: number) => inclusionProof(index, size, readerOf(leaves)).map(toHex);
    expect(path(0, 1)).toEqual([]);
    expect(path(0, 8)).toEqual([
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    expect(path(5, 8)).toEqual([
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(path(2, 3)).toEqual(["fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"]);
    expect(path(1, 5)).toEqual([
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ]);
  });

  test("proves that it only grew as others do", () => {
    const proof = (old: number, size: number) => consistencyProof(old, size, readerOf(leaves)).map(toHex);
    expect(proof(1, 1)).toEqual([]);
    expect(proof(1, 8)).toEqual([
      "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7",
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    ]);
    expect(proof(6, 8)).toEqual([
      "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
      "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    ]);
    expect(proof(2, 5)).toEqual([
      "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
      "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    ]);
  });

  test("of up to 70 leaves: each proof holds, and none with anything changed", () => {
    const many = Array.from({ length: 70 }, (_, n) => leafHash(utf8(`leaf ${n}`)));
    const read = readerOf(many);
    const changed = (hash: Hash) => hash.map((byte, n) => (n === 7 ? byte ^ 1 : byte));
    for (let size = 1; size <= many.length; size++) {
      const root = rootOfLeaves(many.slice(0, size));
      expect(sameBytes(root, rootOf(size, read))).toBe(true);
      for (let index = 0; index < size; index++) {
        const proof = inclusionProof(index, size, read);
        const leaf = many[index] as Hash;
        expect(isIncluded(leaf, index, size, proof, root)).toBe(true);
        const wrong = [
          isIncluded(changed(leaf), index, size, proof, root),
          isIncluded(leaf, index, size, proof, changed(root)),
          isIncluded(leaf, index + 1, size, proof, root),
          isIncluded(leaf, index, size, [...proof, leaf], root),
          isIncluded(leaf, size, size, proof, root),
          ...proof.map((_, at) => isIncluded(leaf, index, size, proof.with(at, changed(proof[at] as Hash)), root)),
          ...(proof.length > 0 ? [isIncluded(leaf, index, size, proof.slice(1), root), isIncluded(leaf, index, size, proof.slice(0, -1), root)] : []),
        ];
        expect(wrong).toEqual(wrong.map(() => false));
      }
      for (let old = 0; old <= size; old++) {
        const before = rootOf(old, read);
        const proof = consistencyProof(old, size, read);
        expect(isConsistent(old, before, size, root, proof)).toBe(true);
        const wrong = [
          isConsistent(old, changed(before), size, root, proof),
          isConsistent(old, before, size, root, [...proof, root]),
          isConsistent(size + 1, before, size, root, proof),
          ...(old > 0 ? [isConsistent(old, before, size, changed(root), proof)] : []),
          ...proof.map((_, at) => isConsistent(old, before, size, root, proof.with(at, changed(proof[at] as Hash)))),
          ...(proof.length > 0 ? [isConsistent(old, before, size, root, proof.slice(1)), isConsistent(old, before, size, root, [])] : []),
        ];
        expect(wrong).toEqual(wrong.map(() => false));
      }
    }
    expect(() => inclusionProof(5, 5, read)).toThrow(RangeError);
    expect(() => consistencyProof(6, 5, read)).toThrow(RangeError);
    expect(toHex(emptyRoot())).toBe(roots[0] as string);
  });
});

describe("notes", () => {
  // The example of Go's sumdb/note.
  const neumann = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
  const seed = fromBase64("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")?.subarray(1) as Uint8Array;
  const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
  const note = `${text}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
  const verifier = parseVerifier(neumann) as Verifier;

  test("are signed and opened as Go's are", () => {
    const signer = signerOf("PeterNeumann", seed);
    expect(verifierText(signer)).toBe(neumann);
    expect(signNote(text, [signer])).toBe(note);
    expect(openNote(note, [verifier])).toMatchObject({ text, signatures: [{ name: "PeterNeumann", keyId: "c74f20a3" }] });
    const root = signerOf("EnochRoot", new Uint8Array(32));
    const both = `${note}— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n`;
    expect(signNote(text, [signer, root])).toBe(both);
    expect(openNote(both, [verifier, root])?.signatures.map(({ name }) => name)).toEqual(["PeterNeumann", "EnochRoot"]);
    expect(openNote(both, [root])?.signatures.map(({ name }) => name)).toEqual(["EnochRoot"]);
  });

  test("with any byte changed, or of nobody known, are not opened", () => {
    const bytes = utf8(note);
    const decoder = new TextDecoder();
    for (let at = 0; at < bytes.length; at++)
      for (const bit of [1, 0x20, 0x80]) expect([at, openNote(decoder.decode(bytes.with(at, (bytes[at] as number) ^ bit)), [verifier])]).toEqual([at, null]);
    for (const bad of [
      "",
      "\n",
      text,
      `${text}\n`,
      note.slice(0, -1),
      note.slice(0, -10),
      `${note}x`,
      note.replace("— ", "- "),
      note.replace("\n\n", "\n"),
      note.repeat(2),
    ])
      expect([bad, openNote(bad, [verifier])]).toEqual([bad, null]);
    expect(openNote(note, [])).toBeNull();
    expect(openNote(note, [signerOf("PeterNeumann", new Uint8Array(32))])).toBeNull();
    for (const bad of ["", "x", neumann.slice(1), neumann.replace("c74f", "c74e"), `${neumann}A`, neumann.replace("+ARpc", "+BRpc"), "a b+c74f20a3+AA=="])
      expect(parseVerifier(bad)).toBeNull();
    expect(() => signNote("no end", [signerOf("a", seed)])).toThrow(RangeError);
    expect(() => signNote("a tab\t\n", [signerOf("a", seed)])).toThrow(RangeError);
    expect(() => signerOf("a b", seed)).toThrow(RangeError);
    expect(() => signerOf("a+b", seed)).toThrow(RangeError);
  });

  test("Ed25519 is RFC 8032's", () => {
    const [secret, key] = [
      hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"),
      hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"),
    ];
    const signature = "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";
    expect(toHex(getPublicKey(secret))).toBe(toHex(key));
    expect(toHex(sign(hex("af82"), secret))).toBe(signature);
    expect(verify(hex(signature), hex("af82"), key)).toBe(true);
    expect(verify(hex(signature), hex("af83"), key)).toBe(false);
  });

  test("checkpoints are told apart from what is none", () => {
    const checkpoint = { origin: "example.com/log", size: 42, root: leafHash(utf8("x")) };
    const body = checkpointText(checkpoint);
    expect(parseCheckpoint(body)).toEqual(checkpoint);
    expect(parseCheckpoint(`${body}an extension\n`)).toEqual(checkpoint);
    const [origin, size, root] = body.split("\n");
    for (const bad of [
      "",
      "\n",
      body.slice(0, -1),
      `${body}\n`,
      `\n${size}\n${root}\n`,
      `${origin}\n042\n${root}\n`,
      `${origin}\n-1\n${root}\n`,
      `${origin}\n1e3\n${root}\n`,
    ])
      expect([bad, parseCheckpoint(bad)]).toEqual([bad, null]);
    expect(parseCheckpoint(`${origin}\n9007199254740993\n${root}\n`)).toBeNull();
    expect(parseCheckpoint(`${origin}\n${size}\n${root?.slice(4)}\n`)).toBeNull();
    const signer = signerOf("example.com/log", seed);
    const signed = signNote(body, [signer, cosignerOf(signer)], 1_700_000_000);
    expect(openCheckpoint(signed, [signer])).toMatchObject({ ...checkpoint, signatures: [{ time: null }] });
    expect(openCheckpoint(signed, [cosignerOf(signer)])).toMatchObject({ ...checkpoint, signatures: [{ time: 1_700_000_000 }] });
    expect(parseVerifier(verifierText(cosignerOf(signer)))?.type).toBe("cosignature");
    expect(openCheckpoint(signNote(text, [signer]), [signer])).toBeNull();
  });

  test("a cosignature covers its time, as the standard writes it", () => {
    const signer = signerOf("w.example", seed, "cosignature");
    const body = checkpointText({ origin: "o", size: 1, root: emptyRoot() });
    const line = signNote(body, [signer], 1_679_315_147).split("\n").at(-2) ?? "";
    const bytes = fromBase64(line.split(" ")[2] ?? "") as Uint8Array;
    expect(toHex(bytes.subarray(0, 12))).toBe(`${signer.keyId}00000000${(1_679_315_147).toString(16)}`);
    expect(verify(bytes.subarray(12), utf8(`cosignature/v1\ntime 1679315147\n${body}`), signer.publicKey)).toBe(true);
    const later = bytes.with(11, (bytes[11] as number) + 1);
    expect(openNote(`${body}\n— w.example ${toBase64(later)}\n`, [signer])).toBeNull();
  });
});

describe("canonical JSON", () => {
  test("is RFC 8785's", () => {
    // Its sections 3.2.3 and 3.2.2.
    const sorted = canonicalJson({
      "\u20ac": "Euro Sign",
      "\r": "Carriage Return",
      "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\ud83d\ude00": "Emoji: Grinning Face",
      "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis",
    });
    expect(sorted).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
    expect(canonicalJson({ string: "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"/", no: false, yes: true, nil: null, n: 2 ** 53 - 1, zero: 0 })).toBe(
      '{"n":9007199254740991,"nil":null,"no":false,"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/","yes":true,"zero":0}',
    );
    expect(canonicalJson({})).toBe("{}");
  });

  test("refuses what has no one form", () => {
    const bad: unknown[] = [1.5, -1, -0, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, undefined, 1n, [], {}, "\ud800", "\udc00x", new Date(), () => 1];
    for (const value of bad) expect(() => canonicalJson({ value } as Flat)).toThrow(NotCanonical);
    for (const record of [null, [], "text", 1]) expect(() => canonicalJson(record as unknown as Flat)).toThrow(NotCanonical);
    expect(() => canonicalJson({ "\ud800": 1 })).toThrow(NotCanonical);
  });
});

describe("tiles", () => {
  test("have the paths of the standard", () => {
    expect(tilePath({ level: 0, n: 1_234_067, width: 256 })).toBe("0/x001/x234/067");
    expect(tilePath({ level: "entries", n: 0, width: 8 })).toBe("entries/000.p/8");
    for (const n of [0, 7, 999, 1_000, 999_999, 1_000_000])
      for (const tile of [
        { level: 3, n, width: 256 },
        { level: "entries" as const, n, width: 255 },
      ])
        expect(parseTilePath(tilePath(tile))).toEqual(tile);
    for (const bad of [
      "0/0",
      "0/00",
      "0/1000",
      "00/000",
      "64/000",
      "0/x000/000",
      "0/x001/67",
      "0/000.p/0",
      "0/000.p/256",
      "0/000.p/08",
      "0/000.p/300",
      "data/000",
      "0/000/",
      "/0/000",
      "0/x12/000",
      "-1/000",
    ])
      expect([bad, parseTilePath(bad)]).toEqual([bad, null]);
  });

  test("of a log of 70,000 are as the standard counts them", () => {
    expect([0, 1, 2, 3].map((level) => hashesAt(70_000, level))).toEqual([273 * 256 + 112, 256 + 17, 1, 0]);
    const has = (level: number, n: number, width: number) => hasTile(70_000, { level, n, width });
    expect([has(0, 272, 256), has(0, 273, 112), has(0, 273, 113), has(1, 1, 17), has(1, 1, 18), has(2, 0, 1), has(3, 0, 1)]).toEqual([
      true,
      true,
      false,
      true,
      false,
      true,
      false,
    ]);
    expect(hasTile(256, { level: 1, n: 0, width: 1 })).toBe(true);
  });

  test("give the tree's hashes, and entries stand in bundles with their lengths", () => {
    const leaves = Array.from({ length: 700 }, (_, n) => leafHash(utf8(String(n))));
    const read = readerOf(leaves);
    const tiles = new Map<string, Uint8Array>();
    for (const level of [0, 1])
      for (let n = 0; n * TILE_WIDTH < hashesAt(700, level); n++) {
        const count = Math.min(TILE_WIDTH, hashesAt(700, level) - n * TILE_WIDTH);
        tiles.set(`${level} ${n}`, Buffer.concat(Array.from({ length: count }, (_, at) => read(8 * level, n * TILE_WIDTH + at))));
      }
    const tiled = readerOfTiles((level, n) => tiles.get(`${level} ${n}`));
    expect(toHex(rootOf(700, tiled))).toBe(toHex(rootOf(700, read)));
    expect(inclusionProof(600, 700, tiled).map(toHex)).toEqual(inclusionProof(600, 700, read).map(toHex));
    expect(consistencyProof(300, 700, tiled).map(toHex)).toEqual(consistencyProof(300, 700, read).map(toHex));
    expect(() => rootOf(701, tiled)).toThrow(RangeError);
    expect(toHex(bundleOf([utf8("a"), new Uint8Array(300)])).slice(0, 12)).toBe("000161012c00");
  });
});

test("a record is held to the fields of its kind, and a commitment is over salt and text", () => {
  const record = { v: 1, kind: "audit", last: 7, hash: "ab" } as const;
  expect(parseRecord(record)).toEqual(record);
  for (const bad of [
    null,
    1,
    [],
    {},
    { ...record, v: 2 },
    { ...record, kind: "no" },
    { ...record, more: 1 },
    { v: 1, kind: "audit", last: 7 },
    { ...record, last: -1 },
    { ...record, last: "7" },
    { ...record, kind: "__proto__" },
  ])
    expect(parseRecord(bad)).toBeNull();
  const salt = new Uint8Array(32).fill(3);
  const expected = new Bun.CryptoHasher("sha256").update(salt).update('{"hash":"ab","kind":"audit","last":7,"v":1}').digest("hex");
  expect(toHex(commitmentOf(salt, record))).toBe(expected);
  const proof = { index: 0, salt: toBase64(salt), record, inclusion: [toBase64(salt)], checkpoint: "x" };
  expect(v.is(Proof, proof)).toBe(true);
  for (const bad of [
    { ...proof, salt: toBase64(salt.subarray(1)) },
    { ...proof, inclusion: ["x"] },
    { ...proof, record: { ...record, v: 9 } },
    { ...proof, index: 1.5 },
    { ...proof, extra: 1 },
    { ...proof, inclusion: Array(65).fill(toBase64(salt)) },
  ])
    expect(v.is(Proof, bad)).toBe(false);
});
