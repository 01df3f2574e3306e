import { createHmac, timingSafeEqual } from "node:crypto";

/** Codes by time (RFC 6238): steps of 30 s, six digits, HMAC-SHA-1, which is what every authenticator app understands. */

const STEP_SECONDS = 30;
const SECRET_BYTES = 20;
/** RFC 4648's letters of base 32. */
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes as base 32 without padding. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function bytesOf(text: string): Buffer {
  const bits = [...text].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

export const newSecret = () => base32(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/** The step that a moment (ms since 1970) lies in. */
export const stepAt = (ms: number) => Math.floor(ms / 1000 / STEP_SECONDS);

/** The code of a step; `secret` in base 32. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", bytesOf(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** The steps around a moment whose code this is, oldest first. One step early or late is allowed, for clocks that differ and for slow fingers. */
export function stepsOf(secret: string, code: string, ms: number): number[] {
  const now = stepAt(ms);
  const given = Buffer.from(code.padEnd(6).slice(0, 6));
  return [now - 1, now, now + 1].filter((step) => timingSafeEqual(Buffer.from(codeOf(secret, step)), given));
}

/** Bytes of a name in a key's address, so that the QR code of all of it stays easy to read. */
const ISSUER_BYTES = 36;
const EMAIL_BYTES = 72;

/** The address that an authenticator app reads from the QR code. Names that are too long for one are cut. */
export function keyAddress(issuer: string, email: string, secret: string): string {
  const name = cut(issuer.replaceAll(":", " "), ISSUER_BYTES);
  return `otpauth://totp/${name}:${cut(email, EMAIL_BYTES)}?secret=${secret}&issuer=${name}`;
}

/** As many letters of a text as fit, encoded for an address. */
function cut(text: string, bytes: number): string {
  let fitting = "";
  for (const letter of text) {
    const next = fitting + encodeURIComponent(letter);
    if (next.length > bytes) break;
    fitting = next;
  }
  return fitting;
}
