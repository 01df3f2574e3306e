import { type Form, UNFIT } from "../../lib/fit";
import { Refusal } from "../../lib/refusal";

const JSON_LIMIT = 64 * 1024;
const DEPTH_LIMIT = 16;
const KEY_LIMIT = 1000;

/** A body has so many ms to come, and for each so many bytes of it that are there another ms: 64 kB a second. */
const PATIENCE = 10_000;
const SLOWEST = 64;

/** What waits for a body; it is counted by network (`inflow.ts`). */
export type Waiting = <T>(body: Promise<T>) => Promise<T>;
type ReadOptions = { patience?: number; waiting?: Waiting };

/** Reads at most `limit` bytes; more is a 413, whether announced or not, and what dawdles a 408. */
export async function readBytes(request: Request, limit: number, { patience = PATIENCE, waiting = (body) => body }: ReadOptions = {}): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > limit) throw tooLarge();
  // More than was announced does not come, and a small body that is read whole costs a fifth of one that is read as a stream.
  const whole = announced !== null && limit <= JSON_LIMIT && !request.headers.has("transfer-encoding");
  let came = 0;
  const reading = whole ? request.bytes() : readStream(request, limit, (bytes) => void (came += bytes));
  const body = Bun.peek.status(reading) === "fulfilled" ? reading : reading.catch(gone);
  const bytes = (await soon(body)) ?? (await waiting(inPace(body, patience, () => came)));
  if (bytes.byteLength > limit) throw tooLarge();
  return bytes;
}

/** What came along with its head is there before the program turns to something else; else null. */
function soon<T>(body: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const turn = setImmediate(resolve, null);
    body.then(
      (bytes) => {
        // Else the program would look for something else to do before it goes on.
        clearImmediate(turn);
        resolve(bytes);
      },
      (error: unknown) => {
        clearImmediate(turn);
        reject(error as Error);
      },
    );
  });
}

/** Refuses (too_slow) as soon as there is less of a body than there should be. */
async function inPace<T>(body: Promise<T>, patience: number, came: () => number): Promise<T> {
  const began = performance.now();
  const late = Promise.withResolvers<never>();
  let timer: Timer | undefined;
  const look = () => {
    const left = began + patience + came() / SLOWEST - performance.now();
    if (left > 0) timer = setTimeout(look, left);
    else late.reject(new Refusal("too_slow", "The request took too long to arrive."));
  };
  look();
  try {
    return await Promise.race([body, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function readStream(request: Request, limit: number, came: (bytes: number) => void): Promise<Uint8Array> {
  const reader = request.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > limit) throw tooLarge();
    came(part.value.byteLength);
    chunks.push(part.value);
  }
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks);
}
const gone = (error: unknown) => {
  throw error instanceof Refusal ? error : malformed("The request did not arrive whole.");
};
const tooLarge = () => new Refusal("too_large", "This is more than can be sent at once.");
const malformed = (message = "The request is not valid JSON.") => new Refusal("invalid", message);

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed("The text is not valid UTF-8.");
  }
}

/** The body as a JSON object of bounded size, depth and clean text; with its text, for the idempotency fingerprint. */
export async function readJson(request: Request, options?: ReadOptions): Promise<{ value: Record<string, unknown>; text: string }> {
  const text = decoded(await readBytes(request, JSON_LIMIT, options));
  refuseDeep(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw malformed("The request must be a JSON object.");
  return { value: clean(value, "", { keys: 0 }) as Record<string, unknown>, text };
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** Counts levels before any is made: a body has room for sixty thousand. */
function refuseDeep(json: string): void {
  let depth = 0;
  for (let at = 0, quoted = false; at < json.length; at++) {
    const char = json.charCodeAt(at);
    if (char === QUOTE) quoted = !quoted;
    else if (quoted) at += Number(char === BACKSLASH);
    else if (CLOSING.has(char)) depth--;
    else if (OPENING.has(char) && ++depth > DEPTH_LIMIT) throw malformed("The request is nested too deeply.");
  }
}

/** A form's fields as text; files and repeated names are not for these forms. What `cleanText` would refuse is taken out, and the field noted (`UNFIT`). */
export async function readForm(request: Request, options?: ReadOptions): Promise<Form> {
  const type = request.headers.get("content-type") ?? "";
  const bytes = await readBytes(request, JSON_LIMIT, options);
  if (/^application\/x-www-form-urlencoded/i.test(type)) refuseManyFields(bytes);
  let data: FormData;
  try {
    data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    throw malformed("The form could not be read.");
  }
  const form = Object.create(null) as Form;
  let fields = 0;
  for (const [name, value] of data.entries()) {
    if (++fields > MOST_FIELDS) throw manyFields();
    if (typeof value !== "string") continue;
    const text = evenLines(value);
    if (isFit(text)) form[name] = text;
    else if (NAME.test(name)) {
      form[name] = text.replaceAll(new RegExp(UNFIT_CHARS, "g"), "").toWellFormed();
      form[UNFIT] = { ...form[UNFIT], [name]: TAKEN_OUT };
    } else throw new Refusal("invalid", NOT_ALLOWED);
  }
  return form;
}

/** What a form with files brought: its fields, and its files in their order, each with the name of its field; a field left empty brings none. */
export type Parts = { fields: Record<string, string>; files: { name: string; bytes: Uint8Array }[] };

/** A form with files, of at most `limit` bytes in all. What a file is called and says to be is not looked at. */
export async function readParts(request: Request, limit: number, options?: ReadOptions): Promise<Parts> {
  const bytes = await readBytes(request, limit, options);
  const type = request.headers.get("content-type") ?? "";
  let data: FormData;
  try {
    data = await new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "content-type": type } }).formData();
  } catch {
    throw malformed("The form could not be read.");
  }
  const parts: Parts = { fields: Object.create(null) as Record<string, string>, files: [] };
  let count = 0;
  for (const [name, value] of data.entries()) {
    if (++count > MOST_FIELDS) throw manyFields();
    if (typeof value === "string") parts.fields[name] = cleanText(value, name);
    else if ((value as Blob).size > 0) parts.files.push({ name, bytes: await (value as Blob).bytes() });
  }
  return parts;
}

/** Control characters other than tab and newline, and those that turn the direction of the text around them, so that it reads as something else. */
const UNFIT_CHARS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const MOST_FIELDS = 100;
const manyFields = () => malformed("The form has too many fields.");
const AMPERSAND = 0x26;

/** Counts them before any is made: a body has room for thirty thousand. */
function refuseManyFields(bytes: Uint8Array): void {
  let fields = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) if (++fields > MOST_FIELDS) throw manyFields();
}

const NAME = /^[\w.]{1,60}$/;
const NOT_ALLOWED = "Some characters in this text are not allowed.";
const TAKEN_OUT = "Some characters in this text are not allowed, and were taken out. Look at it, then send it again.";
const evenLines = (text: string) => (text.includes("\r") ? text.replaceAll("\r\n", "\n") : text);
const isFit = (text: string) => !UNFIT_CHARS.test(text) && text.isWellFormed();

/** Line ends become \n; NUL, lone surrogates and unfit characters are refused. */
export function cleanText(text: string, field: string): string {
  const lines = evenLines(text);
  if (!isFit(lines)) throw new Refusal("invalid", NOT_ALLOWED, NAME.test(field) ? { [field]: NOT_ALLOWED } : undefined);
  return lines;
}

function clean(value: unknown, field: string, seen: { keys: number }): unknown {
  if (typeof value === "string") return cleanText(value, field);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    seen.keys += value.length;
    if (seen.keys > KEY_LIMIT) throw malformed("The request has too many parts.");
    return value.map((item) => clean(item, field, seen));
  }
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (++seen.keys > KEY_LIMIT) throw malformed("The request has too many parts.");
    if (key === "__proto__") continue;
    cleanText(key, "");
    result[key] = clean(item, field ? `${field}.${key}` : key, seen);
  }
  return result;
}
