import { Refusal } from "../lib/refusal";

const JSON_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 16;
const KEY_LIMIT = 1000;

/** A body must have come within so many ms: a byte now and then would hold its connection for ever. */
const PATIENCE = 15_000;
/** A large one gets the time that a line of 256 kbit/s takes for it, in bytes a millisecond. */
const SLOWEST = 32;
const patienceFor = (limit: number) => Math.max(PATIENCE, limit / SLOWEST);

/** Reads at most `limit` bytes; more is a 413, whether announced or not, and slower than `patience` a 408. */
export async function readBytes(request: Request, limit: number, patience = patienceFor(limit)): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limit) throw tooLarge();
  // More than was announced does not come, and a body that is read whole costs a fifth of one that is read as a stream.
  const whole = announced !== null && !request.headers.has("transfer-encoding");
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Refusal("too_slow", "The request took too long to arrive.")), patience);
  try {
    const bytes = await Promise.race([whole ? request.bytes().catch(gone) : readStream(request, limit), late.promise]);
    if (bytes.byteLength > limit) throw tooLarge();
    return bytes;
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(request: Request, limit: number): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read().catch(gone); part && !part.done; part = await reader?.read().catch(gone)) {
    size += part.value.byteLength;
    if (size > limit) throw tooLarge();
    chunks.push(part.value);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
const gone = () => {
  throw malformed("The request did not arrive whole.");
};
const tooLarge = () => new Refusal("too_large", "This is more than can be sent at once.");
const malformed = (message = "The request is not valid JSON.") => new Refusal("invalid", message);

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw malformed("The text is not valid UTF-8.");
  }
}

/** The body as a JSON object of bounded size, depth and clean text; with its text, for the idempotency fingerprint. */
export async function readJson(request: Request, patience = PATIENCE): Promise<{ value: Record<string, unknown>; text: string }> {
  const text = decoded(await readBytes(request, JSON_LIMIT, patience));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("The request must be a JSON object.");
  return { value: clean(value, "", 1, { keys: 0 }) as Record<string, unknown>, text };
}

/** A form's fields as text; files and repeated names are not for these forms. */
export async function readForm(request: Request): Promise<Record<string, string>> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, JSON_LIMIT);
  let data: FormData;
  try {
    data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    throw malformed("The form could not be read.");
  }
  const form: Record<string, string> = Object.create(null) as Record<string, string>;
  let fields = 0;
  for (const [name, value] of data.entries()) {
    if (++fields > 100) throw malformed("The form has too many fields.");
    if (typeof value === "string") form[name] = cleanText(value, name);
  }
  return form;
}

/** Line ends become \n; NUL, lone surrogates and control characters other than tab and newline are refused. */
export function cleanText(text: string, field: string): string {
  const lines = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(lines) || !lines.isWellFormed()) {
    const message = "Some characters in this text are not allowed.";
    throw new Refusal("invalid", message, /^[\w.]{1,60}$/.test(field) ? { [field]: message } : undefined);
  }
  return lines;
}

function clean(value: unknown, field: string, depth: number, seen: { keys: number }): unknown {
  if (typeof value === "string") return cleanText(value, field);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEPTH_LIMIT) throw malformed("The request is nested too deeply.");
  if (Array.isArray(value)) {
    seen.keys += value.length;
    if (seen.keys > KEY_LIMIT) throw malformed("The request has too many parts.");
    return value.map((item) => clean(item, field, depth + 1, seen));
  }
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (++seen.keys > KEY_LIMIT) throw malformed("The request has too many parts.");
    if (key === "__proto__") continue;
    cleanText(key, "");
    result[key] = clean(item, field ? `${field}.${key}` : key, depth + 1, seen);
  }
  return result;
}
