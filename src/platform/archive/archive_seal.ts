import * as v from "valibot";
import { StartError } from "../start_error";

/**
 * An object of an archive: a line of JSON that says what it is, then its content, compressed by zstd and, where the archive has a key,
 * encrypted by AES-256-GCM under it. The line is bound to the content, so no object passes for another.
 *
 *   {"halyard":"archive","name":"wal/000000010000000000000003","at":"2026-…Z","end":"0/3A00158","key":"1f…","sha256":"…"}\n
 *   [12 bytes of nonce,] zstd [encrypted, 16 bytes of tag]
 */
const Label = v.object({
  halyard: v.literal("archive"),
  name: v.string(),
  /** When what it holds was complete. */
  at: v.pipe(v.string(), v.isoTimestamp()),
  /** Of a segment: the log's position behind its last record. */
  end: v.optional(v.string()),
  /** Which key it needs; null: none. */
  key: v.nullable(v.string()),
  /** Of the content itself. */
  sha256: v.string(),
});
export type Label = v.InferOutput<typeof Label>;

const NONCE = 12;
const NEWLINE = 10;

type Bytes = Uint8Array<ArrayBuffer>;
/** Beside the event loop, as all here: a segment is 16 MiB. */
const sha256 = async (content: Bytes) => Buffer.from(await crypto.subtle.digest("SHA-256", content)).toString("hex");
const secretOf = (key: Buffer) => crypto.subtle.importKey("raw", key as Buffer<ArrayBuffer>, "AES-GCM", false, ["encrypt", "decrypt"]);
const keyId = (key: Buffer) => new Bun.CryptoHasher("sha256").update("halyard archive").update(key).digest("hex").slice(0, 16);

/** `key`: 64 hexadecimal digits; null: not encrypted. */
export async function seal(key: string | null, about: { name: string; at: string; end?: string | undefined }, content: Bytes): Promise<Buffer> {
  const secret = key === null ? null : Buffer.from(key, "hex");
  const label: Label = { halyard: "archive", ...about, key: secret && keyId(secret), sha256: await sha256(content) };
  const line = Buffer.from(`${JSON.stringify(label)}\n`);
  const packed = new Uint8Array(await Bun.zstdCompress(content, { level: 3 }));
  if (!secret) return Buffer.concat([line, packed]);
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE));
  const body = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData: line }, await secretOf(secret), packed);
  return Buffer.concat([line, nonce, Buffer.from(body)]);
}

/** What an object says of itself, which anyone may read. Throws StartError where it is none of an archive. */
export function labelOf(name: string, object: Uint8Array): { label: Label; size: number } {
  const size = object.indexOf(NEWLINE) + 1;
  const parsed = v.safeParse(Label, jsonOf(Buffer.from(object.subarray(0, size)).toString()));
  if (!parsed.success || parsed.output.name !== name) throw damaged(name);
  return { label: parsed.output, size };
}

/** The content. Throws StartError where it was cut off or changed, or the key is not the one that it needs. */
export async function unseal(key: string | null, name: string, object: Uint8Array): Promise<{ label: Label; content: Bytes }> {
  const { label, size } = labelOf(name, object);
  const secret = key === null ? null : Buffer.from(key, "hex");
  if (label.key !== (secret && keyId(secret)))
    throw new StartError(label.key === null ? "The archive is not encrypted: leave ARCHIVE_KEY out." : `The archive needs its ARCHIVE_KEY (${label.key}).`);
  const body = new Uint8Array(object.subarray(size));
  try {
    const content = new Uint8Array(await Bun.zstdDecompress(secret ? await opened(secret, new Uint8Array(object.subarray(0, size)), body) : body));
    if ((await sha256(content)) === label.sha256) return { label, content };
  } catch {
    // Said below: what does not open was changed.
  }
  throw damaged(name);
}

async function opened(secret: Buffer, line: Bytes, body: Bytes): Promise<Bytes> {
  const how = { name: "AES-GCM", iv: body.subarray(0, NONCE), additionalData: line };
  return new Uint8Array(await crypto.subtle.decrypt(how, await secretOf(secret), body.subarray(NONCE)));
}

const damaged = (name: string) => new StartError(`The archive's ${name} is damaged.`);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
