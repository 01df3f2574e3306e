import { createCipheriv, createHash, randomBytes } from "node:crypto";

/** Bytes of the key stream that are made at once; a number takes eight of them. */
const AT_ONCE = 4096;
const ZEROS = new Uint8Array(AT_ONCE);

/**
 * Uniform numbers in [0, 1) that can't be computed from those before: the key stream of AES-128 in counter mode (NIST SP 800-38A), 53 bits
 * each. Without a seed the key is random, 128 bits. The same seed for the same `purpose` gives the same numbers, and can be found by trying
 * all seeds.
 */
export function randomFrom(seed: number | null, purpose: string): () => number {
  const key = seed === null ? randomBytes(16) : createHash("sha256").update(`${seed} ${purpose}`).digest().subarray(0, 16);
  const cipher = createCipheriv("aes-128-ctr", key, new Uint8Array(16));
  let bytes = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at >= bytes.length) {
      bytes = cipher.update(ZEROS);
      at = 0;
    }
    const high = bytes.readUInt32BE(at) >>> 5;
    const low = bytes.readUInt32BE(at + 4) >>> 6;
    at += 8;
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
}
