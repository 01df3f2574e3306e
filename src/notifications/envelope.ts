/**
 * What a push service carries: the message, encrypted for one browser (RFC 8291, content coding aes128gcm of RFC 8188), and the proof
 * of who sends it (VAPID, RFC 8292).
 */
const CURVE = { name: "ECDH", namedCurve: "P-256" } as const;
const RECORD = 4096;
/** The longest message: one record, less its tag and the mark of its end, as push services take it. */
export const MOST_BYTES = 3_000;
/** A proof is good for so many seconds; services accept at most a day. */
const PROOF_SECONDS = 12 * 3600;

const bytesOf = (text: string) => new TextEncoder().encode(text);
export const decoded = (text: string) => Uint8Array.fromBase64(text, { alphabet: "base64url" });
export const encoded = (bytes: Uint8Array) => bytes.toBase64({ alphabet: "base64url", omitPadding: true });

/** The keys of one browser's subscription, base64url. */
type BrowserKeys = { p256dh: string; auth: string };
/** Given by tests only: what is otherwise new for each message. */
type Chosen = { pair: CryptoKeyPair; salt: Uint8Array };

/** Encrypts a message for a browser. Throws where its keys are none. */
export async function sealed(message: Uint8Array, { p256dh, auth }: BrowserKeys, chosen?: Chosen): Promise<Uint8Array> {
  if (message.length > MOST_BYTES) throw new RangeError("too long for a push message");
  const theirs = decoded(p256dh);
  const { pair, salt } = chosen ?? { pair: (await crypto.subtle.generateKey(CURVE, true, ["deriveBits"])) as CryptoKeyPair, salt: random(16) };
  const ours = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const theirKey = await crypto.subtle.importKey("raw", theirs, CURVE, false, []);
  const shared = new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirKey }, pair.privateKey, 256));
  const secret = await stretched(shared, decoded(auth), Buffer.concat([bytesOf("WebPush: info\0"), theirs, ours]), 32);
  const key = await stretched(secret, salt, bytesOf("Content-Encoding: aes128gcm\0"), 16);
  const nonce = await stretched(secret, salt, bytesOf("Content-Encoding: nonce\0"), 12);
  const aes = await crypto.subtle.importKey("raw", key as Uint8Array<ArrayBuffer>, "AES-GCM", false, ["encrypt"]);
  // 2 marks the last record.
  const record = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce as Uint8Array<ArrayBuffer> },
    aes,
    Buffer.concat([message, Uint8Array.of(2)]) as Uint8Array<ArrayBuffer>,
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, RECORD);
  return Buffer.concat([salt, length, Uint8Array.of(ours.length), ours, new Uint8Array(record)]);
}

const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

/** HKDF with SHA-256. */
export async function stretched(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, bytes: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", secret as Uint8Array<ArrayBuffer>, "HKDF", false, ["deriveBits"]);
  const made = { name: "HKDF", hash: "SHA-256", salt: salt as Uint8Array<ArrayBuffer>, info: info as Uint8Array<ArrayBuffer> };
  return new Uint8Array(await crypto.subtle.deriveBits(made, key, bytes * 8));
}

/** The server's own keys: `publicKey` goes to browsers (raw, base64url), `privateKey` stays (a JWK as JSON). */
export type ServerKeys = { publicKey: string; privateKey: string };

export async function newServerKeys(): Promise<ServerKeys> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])) as CryptoKeyPair;
  const [raw, jwk] = await Promise.all([crypto.subtle.exportKey("raw", pair.publicKey), crypto.subtle.exportKey("jwk", pair.privateKey)]);
  return { publicKey: encoded(new Uint8Array(raw)), privateKey: JSON.stringify(jwk) };
}

/** The Authorization header for a push service: signed by the server's key, for that service alone, until `now` (ms) and half a day. */
export async function proofFor(endpoint: string, contact: string, { publicKey, privateKey }: ServerKeys, now: number): Promise<string> {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + PROOF_SECONDS, sub: contact };
  const signed = [{ typ: "JWT", alg: "ES256" }, claims].map((part) => encoded(bytesOf(JSON.stringify(part)))).join(".");
  const key = await crypto.subtle.importKey("jwk", JSON.parse(privateKey) as JsonWebKey, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, bytesOf(signed));
  return `vapid t=${signed}.${encoded(new Uint8Array(signature))}, k=${publicKey}`;
}
