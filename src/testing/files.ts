import { deflateSync } from "node:zlib";
import type { Sql } from "../platform/database/db";

/** Small files of the kinds that people send, made by hand. */

export const bytes = (...parts: (string | number[] | Uint8Array)[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part)))));
const number = (value: number, size: number) => {
  const buffer = Buffer.alloc(size);
  buffer.writeUIntBE(value, 0, size);
  return new Uint8Array(buffer);
};
export const chunk = (type: string, data: Uint8Array) => {
  const named = bytes(type, data);
  return bytes(number(data.length, 4), named, number(Bun.hash.crc32(named), 4));
};
export const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
export const header = (width: number, height: number) => chunk("IHDR", bytes(number(width, 4), number(height, 4), [8, 2, 0, 0, 0]));
export const end = chunk("IEND", bytes());
export const png = (width = 1, height = 1) => bytes(SIGNATURE, header(width, height), chunk("IDAT", new Uint8Array(deflateSync(Buffer.alloc(4)))), end);
const frame = (width: number, height: number) => bytes([0xff, 0xc0, 0x00, 0x0b, 8], number(height, 2), number(width, 2), [1, 1, 0x11, 0]);
export const jpeg = (width = 1, height = 1) => bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1], frame(width, height), [0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9]);
export const webp = (length = 22) => bytes("RIFF", [length, 0, 0, 0], "WEBPVP8L", [10, 0, 0, 0, 0x2f, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
export const pdf = (inside = "") => bytes(`%PDF-1.7\n1 0 obj <</Type /Catalog ${inside}>> endobj\ntrailer <</Root 1 0 R>>\nstartxref\n9\n%%EOF\n`);

type Given = { kind?: string; side?: string | null; content?: Uint8Array | null };
/** A document of a person's that waits, as its row stands: what is in it no key opens. Answers its id. */
export async function waitingDocument(sql: Sql, userId: string, { kind = "identity", side = null, content = png() }: Given = {}): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into documents (id, user_id, kind, side, media_type, size, key_id, content)
    values (gen_random_uuid(), ${userId}, ${kind}, ${side}, 'image/png', 100, '0123456789abcdef', ${content})
    returning id
  `;
  return row?.id ?? "";
}
