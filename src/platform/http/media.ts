import { inflateSync } from "node:zlib";
import { Refusal } from "../../lib/refusal";

/**
 * What a file that people send really is, by its content. Whatever it holds, the work is bounded by its size; even so it is
 * done in a worker (`upload.ts`), since some of a file's milliseconds are many of everybody else's.
 */

export type MediaType = "image/png" | "image/jpeg" | "image/webp" | "application/pdf";

const refuse = (message: string) => new Refusal("invalid", message, { file: message });
const unreadable = () => refuse("This file is damaged or of a kind that is not taken. Send a PNG, JPEG or WebP image, or a PDF.");

/** The type of a file of a kind that is taken. Refuses any other, a damaged one, a picture that would fill the memory when drawn, and a PDF that does something. */
export function mediaTypeOf(file: Uint8Array): MediaType {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.subarray(0, 8).equals(PNG)) return drawable(pngSize(bytes), "image/png");
  if (bytes.subarray(0, 3).equals(JPEG)) return drawable(jpegSize(bytes), "image/jpeg");
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") return drawable(webpSize(bytes), "image/webp");
  if (/^%PDF-[12]\.\d/.test(bytes.toString("latin1", 0, 8))) return harmlessPdf(bytes);
  throw unreadable();
}

type Size = { width: number; height: number };
const LONGEST_SIDE = 12_000;
const MOST_PIXELS = 50_000_000;

function drawable(size: Size | null, type: MediaType): MediaType {
  if (!size || size.width < 1 || size.height < 1) throw unreadable();
  if (size.width > LONGEST_SIDE || size.height > LONGEST_SIDE || size.width * size.height > MOST_PIXELS)
    throw refuse("This picture has too many pixels. Please send a smaller one.");
  return type;
}

const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const JPEG = Buffer.from("ffd8ff", "hex");
/** Walks the chunks: a header first, data, and an end at the very end (PNG, third edition, 5.3). */
function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    if (end > bytes.length || Bun.hash.crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    if ((size === null) !== (type === "IHDR") || (type === "IHDR" && length !== 13)) return null;
    if (type === "IHDR") size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    if (type === "IDAT") hasData = true;
    if (type === "IEND") return hasData && end === bytes.length ? size : null;
    at = end;
  }
  return null;
}

/** Walks the segments up to the picture's data; frame headers are C0 to CF but for three (ITU T.81, B.1). */
function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return null;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (length < 8 || size) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    if (marker === 0xda) return isPictureAlone(bytes, at + 2 + length) ? size : null;
    at += 2 + length;
  }
  return null;
}

const END = Buffer.from([0xff, 0xd9]);
const SAMSUNG = "SEFT";

/**
 * Whether nothing foreign stands behind a JPEG's data: phones add further JPEGs (a depth or a brighter picture), Samsung's a part that ends in
 * its name, and nothing else belongs there. What is a picture and an archive at once would be taken for either.
 */
function isPictureAlone(bytes: Buffer, from: number): boolean {
  const end = bytes.indexOf(END, from);
  if (end < 0) return false;
  const rest = bytes.subarray(end + 2);
  if (rest.every((byte) => byte === 0)) return true;
  if (!/PK\x05\x06|PK\x03\x04/.test(rest.toString("latin1")) && rest.toString("latin1", rest.length - 4) === SAMSUNG) return true;
  return rest.subarray(0, 3).equals(JPEG) && rest.subarray(-2).equals(END);
}

/** The container's length must be the file's (RFC 9649). */
function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8X") return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (kind === "VP8 " && bytes.readUIntBE(23, 3) === 0x9d012a) return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (kind !== "VP8L" || bytes[20] !== 0x2f) return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** A PDF's names of these spellings: each letter may be written as #4A (ISO 32000-1, 7.3.5). */
const named = (...names: string[]) => `/(?:${names.map((name) => [...name].map(spellings).join("")).join("|")})(?![A-Za-z0-9])`;
function spellings(letter: string): string {
  const [high = "", low = ""] = letter.charCodeAt(0).toString(16);
  return `(?:${letter}|#${high}${/\d/.test(low) ? low : `[${low}${low.toUpperCase()}]`})`;
}

/** Names by which a PDF acts: scripts, commands at its opening, other programs, other files. */
const ACTIVE = new RegExp(named("JS", "JavaScript", "OpenAction", "Launch", "EmbeddedFile", "RichMedia", "XFA", "SubmitForm", "ImportData"));
const ENCRYPTED = new RegExp(named("Encrypt"));

function harmlessPdf(bytes: Buffer): MediaType {
  const text = bytes.toString("latin1");
  if (!/%%EOF[\s\0]*$/.test(text.slice(-2048)) || !text.includes("startxref")) throw unreadable();
  if (ENCRYPTED.test(text)) throw refuse("This PDF is protected. Please send one that opens without a password.");
  if (ACTIVE.test(text) || hasActiveObjects(bytes, text)) throw refuse("This PDF holds scripts or actions. Please send a picture of it.");
  return "application/pdf";
}

/** Packed objects that one file may hold, and bytes that all of them may unpack to. */
const MOST_PACKED = 2_000;
const MOST_UNPACKED = 20 * 1024 * 1024;
/** A stream's dictionary may be so long. */
const DICTIONARY = 4096;
const unchecked = () => refuse("This PDF can't be checked. Please send a picture of it.");

/**
 * Looks into the objects that a PDF keeps compressed, where names hide from a plain look (ISO 32000-1, 7.5.7). One pass:
 * the work is that of the file's length, of MOST_PACKED dictionaries and of MOST_UNPACKED bytes.
 */
function hasActiveObjects(bytes: Buffer, text: string): boolean {
  const objects = new RegExp(named("ObjStm"), "g");
  let room = MOST_UNPACKED;
  let end = 0;
  let packed = 0;
  for (let match = objects.exec(text); match; match = objects.exec(text)) {
    if (++packed > MOST_PACKED) throw unchecked();
    const { dictionary, start } = streamAt(text, match.index);
    // Its end is looked for once, however many streams share it.
    if (end < start) end = text.indexOf("endstream", start);
    if (end < 0) throw unreadable();
    const unpacked = unpack(bytes.subarray(start, end), dictionary, room);
    room -= unpacked.length;
    if (ACTIVE.test(unpacked)) return true;
  }
  return false;
}

/** The dictionary that has a name at `at`, and where its stream's bytes start. One with text or comments, which could look like its end, is refused. */
function streamAt(text: string, at: number): { dictionary: string; start: number } {
  const before = text.slice(Math.max(0, at - DICTIONARY), at);
  const after = text.slice(at, at + DICTIONARY);
  const keyword = /stream\r?\n/.exec(after);
  const dictionary = before.slice(before.lastIndexOf("obj") + 1) + after.slice(0, keyword?.index);
  if (!keyword || /[()%]/.test(dictionary)) throw unchecked();
  return { dictionary, start: at + keyword.index + keyword[0].length };
}

const DEFLATED = new RegExp(`${named("Filter")}\\s*\\[?\\s*${named("FlateDecode", "Fl")}\\s*(?:\\]|/|>|$)`);
const PREDICTED = new RegExp(named("Predictor"));

function unpack(packed: Buffer, dictionary: string, room: number): string {
  if (!DEFLATED.test(dictionary) || PREDICTED.test(dictionary)) throw unchecked();
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, room) }).toString("latin1");
  } catch {
    throw unchecked();
  }
}
