/** Bytes as text, alike in the program and in browsers. */

const encoder = new TextEncoder();
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Standard base64 with its padding (RFC 4648, 4). */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 4096) binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}

/** Null for what is not standard base64 in its one spelling: no spaces, all of the padding, no bits left over. */
export function fromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : null;
}

/** The program and newer browsers do it themselves, a hundred times as quickly: the log writes tiles of 8 kB again and again. */
export const toHex = (bytes: Uint8Array & { toHex?: () => string }): string =>
  bytes.toHex?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Null for what is not an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) return null;
  return Uint8Array.from({ length: text.length / 2 }, (_, n) => Number.parseInt(text.slice(2 * n, 2 * n + 2), 16));
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => one.length === other.length && one.every((byte, n) => byte === other[n]);
