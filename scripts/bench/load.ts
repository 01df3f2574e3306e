/**
 * The callers, in a process of their own so that they do not share a core's time with what they measure. Raw sockets with
 * keep-alive: `fetch` costs more than the server does. Takes a job as JSON on its standard input, prints a Load as JSON.
 */

/** One caller's part: timed requests, sent in turn, and untimed ones that clear up after them. */
export type Job = {
  port: number;
  seconds: number;
  /** One entry for each caller, each with a connection of its own. */
  callers: { requests: string[]; afterwards?: string[] }[];
};
export type Load = {
  done: number;
  seconds: number;
  failed: number;
  firstFailure: string | null;
  /** Ms that each request took; empty where it clears up. */ waits: number[];
};

/** Callers that clear up at once. */
export const AT_ONCE = 8;

/** A request as it goes over the wire. */
export function wire(method: string, path: string, { cookie = "", body }: { cookie?: string; body?: object } = {}): string {
  const sent = body === undefined ? "" : JSON.stringify(body);
  const head = [`${method} ${path} HTTP/1.1`, "Host: localhost", "Accept-Encoding: gzip, deflate, br, zstd", "User-Agent: halyard-bench"];
  if (cookie) head.push(`Cookie: ${cookie}`);
  if (body !== undefined) head.push("Content-Type: application/json");
  if (method !== "GET") head.push("Sec-Fetch-Site: same-origin", `Content-Length: ${Buffer.byteLength(sent)}`);
  return `${head.join("\r\n")}\r\n\r\n${sent}`;
}

type Answer = { status: number; text: () => string };

const NOTHING: Buffer = Buffer.alloc(0);
/** Others' servers do not say beforehand how long an answer is. */
const CHUNKED = /\r\ntransfer-encoding: chunked/i;
const IN_CHUNKS = Number.POSITIVE_INFINITY;
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** One keep-alive connection; one request at a time. */
class Caller {
  private received: Buffer = NOTHING;
  private expected = 0;
  private waiting = Promise.withResolvers<Answer>();

  private constructor(private readonly socket: Bun.Socket) {}

  static async connect(port: number): Promise<Caller> {
    let caller: Caller | null = null;
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, chunk) => caller?.take(chunk),
        close: () => caller?.waiting.reject(new Error("the server closed the connection")),
        error: (_, error) => caller?.waiting.reject(error),
      },
    });
    caller = new Caller(socket);
    return caller;
  }

  send(request: Uint8Array): Promise<Answer> {
    this.waiting = Promise.withResolvers<Answer>();
    if (this.socket.write(request) !== request.byteLength) throw new Error("a request did not fit into the socket");
    return this.waiting.promise;
  }

  close(): void {
    this.waiting.promise.catch(() => {});
    this.socket.end();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.byteLength === 0 ? chunk : Buffer.concat([this.received, chunk]);
    if (this.expected === 0) {
      const end = this.received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = this.received.toString("latin1", 0, end);
      this.expected = CHUNKED.test(head) ? IN_CHUNKS : end + 4 + lengthIn(head);
    }
    const isWhole = this.expected === IN_CHUNKS ? this.received.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK) : this.received.byteLength >= this.expected;
    if (!isWhole) return;
    const answer = this.received;
    this.received = NOTHING;
    this.expected = 0;
    this.waiting.resolve({ status: Number(answer.toString("latin1", 9, 12)), text: () => answer.toString() });
  }
}

function lengthIn(head: string): number {
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(head) ?? [];
  if (length === undefined && !/^HTTP\/1\.1 (204|304)/.test(head)) throw new Error(`an answer without a length: ${head}`);
  return Number(length ?? 0);
}

/** Sends a deal again whose price was renewed while it waited, as a client would; the time counts, the refusal does not. */
async function deal(connection: Caller, request: Uint8Array): Promise<Answer> {
  const answer = await connection.send(request);
  return answer.status === 503 && answer.text().includes('"stale_price"') ? deal(connection, request) : answer;
}

/** All callers send their requests, wait for each other, clear up, and begin again until the time is over. */
async function run({ port, seconds, callers }: Job): Promise<Load> {
  const load: Load = { done: 0, seconds: 0, failed: 0, firstFailure: null, waits: [] };
  const parts = callers.map(({ requests, afterwards = [] }) => ({ requests: requests.map(bytes), afterwards: afterwards.map(bytes) }));
  const clears = parts.some(({ afterwards }) => afterwards.length > 0);
  const connections = await Promise.all(callers.map(() => Caller.connect(port)));
  const note = ({ status, text }: Answer) => {
    if (status < 400) return;
    load.failed++;
    load.firstFailure ??= text();
  };
  while (load.seconds < seconds) {
    const began = performance.now();
    const end = began + (seconds - load.seconds) * 1000;
    await Promise.all(
      parts.map(async ({ requests }, index) => {
        do {
          for (const request of requests) {
            const sent = performance.now();
            note(await deal(connections[index] as Caller, request));
            if (!clears) load.waits.push(performance.now() - sent);
            load.done++;
          }
        } while (!clears && performance.now() < end);
      }),
    );
    load.seconds += (performance.now() - began) / 1000;
    // A few at a time: what clears up is not what is measured, and must not wait so long that it is refused.
    const left = parts.entries();
    const clear = async () => {
      for (const [index, { afterwards }] of left) for (const request of afterwards) note(await deal(connections[index] as Caller, request));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, clear));
  }
  for (const connection of connections) connection.close();
  return load;
}

const bytes = (text: string) => new TextEncoder().encode(text);

if (import.meta.main) console.log(JSON.stringify(await run((await Bun.stdin.json()) as Job)));
