import { getPublicKey, hashes, sign, verify } from "@noble/ed25519";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { fromBase64, fromHex, joinBytes, toBase64, toHex, utf8 } from "../lib/bytes";
import { type Hash, HASH_SIZE } from "./rules_merkle";

/**
 * Signed notes (C2SP signed-note) with Ed25519, the checkpoints that a log signs (tlog-checkpoint), and the signatures with a time
 * that it and its witnesses put beneath them (tlog-cosignature). Synchronous, and without Web Crypto, which plain http lacks.
 */

hashes.sha512 = sha512;

/** Signature types: a note's text, or a checkpoint at a time. */
const TYPES = { note: 0x01, cosignature: 0x04 } as const;
type Type = keyof typeof TYPES;
/** The most signatures that a note may carry. */
const MOST_SIGNATURES = 64;
const SIGNATURE_SIZE = 64;
const TIME_SIZE = 8;

export type Verifier = { name: string; keyId: string; type: Type; publicKey: Uint8Array };
export type Signer = Verifier & { seed: Uint8Array; by: Curve };
/** Who works out public keys and signatures, of seeds of 32 bytes. */
export type Curve = { publicKeyOf(seed: Uint8Array): Uint8Array; sign(message: Uint8Array, seed: Uint8Array): Uint8Array };
const ANYWHERE: Curve = { publicKeyOf: getPublicKey, sign };
/** A signature that a known key made; `time`: when, in Unix seconds, where it says so. */
export type Signature = { name: string; keyId: string; line: string; time: number | null };

/** Names are in lines of their own and in keys: not empty, no spaces, no plus. */
export const isName = (name: string): boolean => name !== "" && !/[\s+\p{Cc}\p{Z}]/u.test(name);

/** The first four bytes, as hexadecimal digits, of what tells keys apart. */
function keyIdOf(name: string, type: Type, publicKey: Uint8Array): string {
  return toHex(sha256(joinBytes(utf8(`${name}\n`), Uint8Array.of(TYPES[type]), publicKey)).subarray(0, 4));
}

/** Throws RangeError for a name that keys can't have, or a seed that is not 32 bytes long. */
export function signerOf(name: string, seed: Uint8Array, type: Type = "note", by = ANYWHERE): Signer {
  if (!isName(name)) throw new RangeError("this can't be the name of a key");
  const publicKey = by.publicKeyOf(seed);
  return { name, type, publicKey, seed, by, keyId: keyIdOf(name, type, publicKey) };
}

/** A verifier key as text: `name+id+base64`. */
export const verifierText = ({ name, keyId, type, publicKey }: Verifier): string =>
  `${name}+${keyId}+${toBase64(joinBytes(Uint8Array.of(TYPES[type]), publicKey))}`;

/** Null for what is no verifier key with Ed25519, or one whose id is not its own. */
export function parseVerifier(text: string): Verifier | null {
  const [, name = "", keyId = "", encoded = ""] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const type = (Object.keys(TYPES) as Type[]).find((each) => TYPES[each] === bytes?.[0]);
  if (!isName(name) || !bytes || !type || bytes.length !== 33) return null;
  const publicKey = bytes.subarray(1);
  return keyIdOf(name, type, publicKey) === keyId ? { name, keyId, type, publicKey } : null;
}

/** The same key by another name: each log after the first has one of its own. */
export const namedAnew = ({ type, publicKey }: Verifier, name: string): Verifier => ({ name, type, publicKey, keyId: keyIdOf(name, type, publicKey) });

const timeBytes = (seconds: number) => {
  const bytes = new Uint8Array(TIME_SIZE);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  return bytes;
};
const timed = (text: string, seconds: number) => utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** One line of signature beneath a text. `seconds`: the time that a cosignature says, in Unix seconds. */
export function signatureLine(text: string, { name, keyId, type, seed, by }: Signer, seconds = 0): string {
  const signed = type === "note" ? by.sign(utf8(text), seed) : joinBytes(timeBytes(seconds), by.sign(timed(text, seconds), seed));
  return `— ${name} ${toBase64(joinBytes(fromHex(keyId) ?? new Uint8Array(), signed))}\n`;
}

/** The text with these signatures beneath it. Throws RangeError for a text that no note can have. */
export function signNote(text: string, signers: readonly Signer[], seconds?: number): string {
  if (!isText(text)) throw new RangeError("a note's text ends in a newline and holds no other control characters");
  return `${text}\n${signers.map((signer) => signatureLine(text, signer, seconds)).join("")}`;
}

const isText = (text: string) => text.endsWith("\n") && !/[\u0000-\u0009\u000b-\u001f\uFFFD]/.test(text);

export type Opened = { text: string; signatures: Signature[]; lines: string[] };

/**
 * A note's text, with the signatures of these keys. Null where it is no note, where a known key's signature is wrong, or where no known
 * key signed it. Signatures of others are passed over; `lines` has all of them.
 */
export function openNote(note: string, verifiers: readonly Verifier[]): Opened | null {
  const at = note.lastIndexOf("\n\n");
  if (at < 0 || !isText(note)) return null;
  const text = note.slice(0, at + 1);
  const lines = note.slice(at + 2).split("\n");
  if (lines.pop() !== "" || lines.length === 0 || lines.length > MOST_SIGNATURES) return null;
  const signatures: Signature[] = [];
  for (const line of lines) {
    const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (!isName(name) || !bytes || bytes.length <= 4) return null;
    const keyId = toHex(bytes.subarray(0, 4));
    const known = verifiers.find((each) => each.name === name && each.keyId === keyId);
    if (!known) continue;
    const signature = checkSignature(text, known, bytes.subarray(4));
    if (!signature) return null;
    if (!signatures.some((each) => each.name === name && each.keyId === keyId)) signatures.push({ name, keyId, line: `${line}\n`, ...signature });
  }
  return signatures.length > 0 ? { text, signatures, lines } : null;
}

/** Null where the signature is wrong. */
function checkSignature(text: string, { type, publicKey }: Verifier, bytes: Uint8Array): { time: number | null } | null {
  if (bytes.length !== SIGNATURE_SIZE + (type === "note" ? 0 : TIME_SIZE)) return null;
  if (type === "note") return isSigned(bytes, utf8(text), publicKey) ? { time: null } : null;
  const time = Number(new DataView(bytes.buffer, bytes.byteOffset, TIME_SIZE).getBigUint64(0));
  return Number.isSafeInteger(time) && isSigned(bytes.subarray(TIME_SIZE), timed(text, time), publicKey) ? { time } : null;
}

/** By the letter of RFC 8032; a key or signature that is no point of the curve is wrong, too. */
function isSigned(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  try {
    return verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

export type Checkpoint = { origin: string; size: number; root: Hash };

/** The text that a log signs: whose it is, how many entries it has, their root. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${toBase64(root)}\n`;

/** Null for what is no checkpoint. Lines after the third are others' business, and not empty. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = "", size = "", encoded = "", ...rest] = text.split("\n");
  const root = fromBase64(encoded);
  if (!origin || !/^(0|[1-9]\d{0,15})$/.test(size) || root?.length !== HASH_SIZE || rest.pop() !== "" || rest.includes("")) return null;
  return Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root } : null;
}

/** A checkpoint that one of these keys signed; null where none did, or where it is none. */
export function openCheckpoint(note: string, verifiers: readonly Verifier[]): (Checkpoint & { signatures: Signature[]; text: string }) | null {
  const opened = openNote(note, verifiers);
  const checkpoint = opened && parseCheckpoint(opened.text);
  return checkpoint && { ...checkpoint, signatures: opened.signatures, text: opened.text };
}

/** The verifier of what the same key signs with a time. */
export const cosignatureOf = ({ name, publicKey }: Verifier): Verifier => ({
  ...{ name, publicKey, type: "cosignature" },
  keyId: keyIdOf(name, "cosignature", publicKey),
});

/** The same key for signatures with a time. */
export const cosignerOf = (signer: Signer): Signer => ({ ...signer, ...cosignatureOf(signer) });

/** A checkpoint with this key's signatures alone, in both ways: in what a person is given nothing stands that its reader can't check. */
export function signedByAlone(note: string, key: Verifier): string {
  const own = [key, cosignatureOf(key)];
  const at = note.indexOf("\n\n") + 2;
  const isOwn = (line: string) => {
    const [, name, encoded = ""] = line.split(" ");
    return own.some((each) => each.name === name && each.keyId === toHex((fromBase64(encoded) ?? new Uint8Array()).subarray(0, 4)));
  };
  return (
    note.slice(0, at) +
    note
      .slice(at)
      .split("\n")
      .filter(isOwn)
      .map((line) => `${line}\n`)
      .join("")
  );
}
