/**
 * What people send at its worst: for how long does everybody else wait while 10 MB of it are read? A process of its own asks the
 * program for nothing in particular, again and again, and keeps the longest wait.
 */
import { connect } from "node:net";
import { deflateSync } from "node:zlib";
import { registerTrader } from "./orders";
import { home, startProgram } from "./program";

const SENT = 10 * 1024 * 1024;
const FILE = 5 * 1024 * 1024;
const BODY = 64 * 1024;
const AIM_MS = 20;
const ROUNDS = 3;

/** In ms: the longest wait of the quietest, the middle and the worst round. */
type Pause = { kind: string; min: number; median: number; max: number; statuses: number[] };

const ascii = (text: string) => Buffer.from(text, "latin1");
/** A file of 5 MB, or a body of 64 kB: a head, the same again and again, an end. */
function filled(size: number, head: Buffer | string, unit: Buffer | string, end: Buffer | string): Buffer<ArrayBuffer> {
  const [first, again, last] = [head, unit, end].map((part) => (typeof part === "string" ? ascii(part) : part)) as [Buffer, Buffer, Buffer];
  const times = Math.floor((size - first.length - last.length) / again.length);
  return Buffer.concat([first, ...Array<Buffer>(times).fill(again), last]);
}
function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([ascii(type), content]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(content.length, 0);
  ends.writeUInt32BE(Bun.hash.crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
const PDF = "%PDF-1.4\n";
const PDF_END = "\nstartxref\n0\n%%EOF";
const packed = (content: string) =>
  Buffer.concat([ascii("1 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\n"), deflateSync(ascii(content)), ascii("\nendstream endobj\n")]);
const manyPacked = Buffer.concat([ascii(PDF), ...Array<Buffer>(1_999).fill(packed("/J".repeat(5_000)))]);

type Kind = { kind: string; path: string; type: string; body: Buffer<ArrayBuffer> };
const file = (kind: string, type: string, body: Buffer<ArrayBuffer>): Kind => ({ kind, path: "", type, body });
const small = (kind: string, path: string, type: string, body: Buffer<ArrayBuffer>): Kind => ({ kind, path, type, body });

function kinds(): Kind[] {
  const picture = Buffer.from("000000010000000108020000", "hex");
  const head = Buffer.concat([ascii("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", Buffer.concat([picture, Buffer.alloc(1)]))]);
  const webp = filled(FILE, "RIFF0000WEBPVP8X", "\0", "");
  webp.writeUInt32LE(webp.length - 8, 4);
  return [
    file("PDF of 370,000 streams", "application/pdf", filled(FILE, PDF, "stream\n#41#41", PDF_END)),
    file("PDF of nothing but slashes", "application/pdf", filled(FILE, PDF, "/", PDF_END)),
    file("PDF of 1,999 packed objects, 20 MB unpacked", "application/pdf", filled(FILE, manyPacked, "/", PDF_END)),
    file("PNG of 437,000 chunks", "image/png", filled(FILE, head, pngChunk("IDAT", Buffer.alloc(0)), pngChunk("IEND", Buffer.alloc(0)))),
    file("JPEG of fill bytes", "image/jpeg", filled(FILE, Buffer.from("ffd8", "hex"), Buffer.from("ff", "hex"), Buffer.from("ffd9", "hex"))),
    file("JPEG of 1.3 million segments", "image/jpeg", filled(FILE, Buffer.from("ffd8", "hex"), Buffer.from("ffe00002", "hex"), Buffer.from("ffd9", "hex"))),
    file("WebP", "image/webp", webp),
    small("JSON of many parts", "/api/auth/login", "application/json", filled(BODY, '{"a":[0', ",0", "]}")),
    small("JSON of many levels", "/api/auth/login", "application/json", filled(BODY, '{"a":', "[", "")),
    small("a push subscription of 64 kB", "/api/admin/push/subscribe", "application/json", filled(BODY, '{"endpoint":"https://', "a.", '"}')),
    small("a form of many fields", "/login", "application/x-www-form-urlencoded", filled(BODY, "a=b", "&a=%41", "")),
    small(
      "a form in many parts",
      "/login",
      "multipart/form-data; boundary=b",
      filled(BODY, "", '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n', "--b--\r\n"),
    ),
  ];
}

/** Sends 10 MB of a kind, one request after the other; the answers' statuses. */
async function send(origin: string, cookie: string, deposit: string, { path, type, body }: Kind): Promise<number[]> {
  const statuses = new Set<number>();
  const url = `${origin}${path || `/api/deposits/${deposit}/proof`}`;
  for (let sent = 0; sent + body.length <= SENT; sent += body.length) {
    const answer = await fetch(url, { method: "POST", body, headers: { cookie, "content-type": type, "sec-fetch-site": "same-origin" }, redirect: "manual" });
    await answer.arrayBuffer();
    statuses.add(answer.status);
  }
  return [...statuses];
}

/** The longest wait, in ms, for an answer while `work` is done. */
async function longestWait(port: number, work: () => Promise<void>): Promise<number> {
  const asker = Bun.spawn([process.execPath, import.meta.path, String(port)], { stdin: "pipe", stdout: "pipe" });
  const heard = asker.stdout.getReader();
  await heard.read();
  await work();
  await asker.stdin.end();
  const { value } = await heard.read();
  await asker.exited;
  return Number(new TextDecoder().decode(value));
}

/** Asks for /healthz again and again; says when it has begun, and the longest wait when its standard input closes. */
async function keepAsking(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  let longest = 0;
  let over = false;
  void Bun.stdin.text().then(() => (over = true));
  let answered = () => {};
  socket.on("data", () => answered());
  for (let n = 0; !over; n++) {
    const began = performance.now();
    await new Promise<void>((resolve) => {
      answered = resolve;
      socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
    if (n > 50) longest = Math.max(longest, performance.now() - began);
    if (n === 50) process.stdout.write("begun\n");
    await Bun.sleep(1);
  }
  process.stdout.write(`${longest}\n`);
  socket.destroy();
}

export async function benchUploads(): Promise<Pause[]> {
  const folder = home();
  const program = await startProgram(folder.path);
  try {
    const origin = `http://127.0.0.1:${program.port}`;
    const { cookie } = await registerTrader(origin);
    const made = await fetch(`${origin}/api/deposits`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
      body: JSON.stringify({ amount: 25, currency: "USD", method: "bank", notes: "" }),
    });
    const { id } = (await made.json()) as { id: string };
    const results: Pause[] = [];
    const measured = async (kind: string, work: () => Promise<number[]>) => {
      const waits: number[] = [];
      let statuses: number[] = [];
      for (let round = 0; round < ROUNDS; round++) waits.push(await longestWait(program.port, async () => void (statuses = await work())));
      const [min = 0, median = 0, max = 0] = waits.sort((a, b) => a - b);
      results.push({ kind, min, median, max, statuses });
    };
    await measured("nothing, for a second", async () => {
      await Bun.sleep(1_000);
      return [];
    });
    for (const each of kinds()) await measured(each.kind, () => send(origin, cookie, id, each));
    return results;
  } finally {
    await program.stop();
    folder.remove();
  }
}

const ms = (value: number) => value.toFixed(1);

/** The results as rows of the table. */
export function uploadRows(pauses: Pause[]) {
  return pauses.map(({ kind, min, median, max, statuses }) => ({
    what: kind,
    figure: `${ms(median)} ms (${ms(min)}–${ms(max)})${statuses.length > 0 ? `, answered ${statuses.join(", ")}` : ""}`,
    ...(statuses.length > 0 ? { aim: `≤ ${AIM_MS} ms`, met: median <= AIM_MS } : {}),
  }));
}

if (import.meta.main) await keepAsking(Number(process.argv[2]));
