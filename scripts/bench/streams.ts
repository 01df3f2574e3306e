/**
 * The streams: how soon a trader's request is on an administrator's screen while a thousand others read, what a reader costs in memory,
 * and whether decisions wait when visitors come by the thousand.
 */
import { wire } from "./load";
import { home, memoryOf, type Program, startProgram } from "./program";

const STREAMS = 1_000;
const WARMING = 200;
/** All of them are of two people at one address. */
const MANY = { STREAMS_PER_PERSON: "2000", STREAMS_PER_NETWORK: "2000" };
const REQUESTS = 200;
const ADMIN = { email: "admin@bench.test", password: "correct horse battery" };
const VISITS_A_SECOND = 2_000;
const VISIT_SECONDS = 10;
const VISIT_LINES = 20;
const SETTLE_MS = 2_000;

type StreamResults = {
  streams: number;
  /** In ms, from before the trader's request was sent until the event was read. */
  seen: { median: number; p99: number };
  /** The program's growth for each open stream, in kB. */
  kilobytesEach: number;
  visits: { aSecond: number; refused: number; approvals: number; lost: number; median: number; p99: number; quietMedian: number };
};

const json = (cookie: string) => ({ "content-type": "application/json", "sec-fetch-site": "same-origin", ...(cookie ? { cookie } : {}) });

async function signedIn(origin: string, path: string, body: object): Promise<string> {
  const answer = await fetch(origin + path, { method: "POST", headers: json(""), body: JSON.stringify(body) });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (!cookie) throw new Error(`no session: ${answer.status} ${await answer.text()}`);
  return cookie;
}
const newTrader = (origin: string) =>
  signedIn(origin, "/api/auth/register", {
    firstName: "Bench",
    lastName: "Trader",
    email: `bench${crypto.randomUUID().slice(0, 8)}@bench.test`,
    password: "Corr3ct-horse",
    referralCode: "",
  });

/** One open stream; only the measured one reads its events. */
class Reader {
  private constructor(private readonly socket: Bun.Socket) {}

  static async open(port: number, cookie: string, told?: (text: string) => void): Promise<Reader> {
    const began = Promise.withResolvers<void>();
    const decoder = new TextDecoder();
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data: (_, chunk) => {
          began.resolve();
          told?.(decoder.decode(chunk, { stream: true }));
        },
        error: (_, error) => began.reject(error),
      },
    });
    socket.write(wire("GET", "/api/stream", { cookie }));
    await began.promise;
    return new Reader(socket);
  }
  close() {
    this.socket.end();
  }
}

const middle = (values: number[], part: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

async function askForDeposit(origin: string, cookie: string): Promise<string> {
  const body = JSON.stringify({ amount: 25, currency: "USD", method: "bank", notes: "" });
  const answer = await fetch(`${origin}/api/deposits`, { method: "POST", headers: json(cookie), body });
  return ((await answer.json()) as { id: string }).id;
}

async function approve(origin: string, cookie: string, id: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/admin/deposits/${id}/approve`, { method: "POST", headers: json(cookie), body: "{}" });
  await answer.arrayBuffer();
  return answer.status === 200;
}

/** The program's memory in MiB once it no longer shrinks, or after a while. */
async function settled(program: Program): Promise<number> {
  let least = memoryOf(program).program;
  for (let looks = 0, same = 0; same < 3 && looks < 15; looks++) {
    await Bun.sleep(SETTLE_MS);
    const now = memoryOf(program).program;
    same = now < least - 0.5 ? 0 : same + 1;
    least = Math.min(least, now);
  }
  return least;
}

/** From the trader's request to the administrator's screen. */
async function benchSeen(program: Program, origin: string, admin: string, trader: string) {
  const openAll = async (count: number) => {
    const opened: Reader[] = [];
    for (let n = 0; n < count; n++) opened.push(await Reader.open(program.port, n % 10 === 0 ? admin : trader));
    await Bun.sleep(SETTLE_MS);
    return opened;
  };
  // What the first streams cost besides is the program's own warming up.
  for (const reader of await openAll(WARMING)) reader.close();
  const before = await settled(program);
  const readers = await openAll(STREAMS);
  const open = await settled(program);
  let heard = "";
  let wake = () => {};
  readers.push(
    await Reader.open(program.port, admin, (text) => {
      heard += text;
      wake();
    }),
  );
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const began = performance.now();
    const id = await askForDeposit(origin, trader);
    while (!heard.includes(`"relatedId":"${id}"`)) await new Promise<void>((go) => (wake = go));
    times.push(performance.now() - began);
    heard = "";
    await Bun.sleep(20);
  }
  for (const reader of readers) reader.close();
  // Signing in took memory too, which came back meanwhile or not: the lower of the two is what was there without streams.
  const without = Math.min(before, await settled(program));
  const kilobytesEach = ((open - without) * 1024) / STREAMS;
  return { seen: { median: middle(times, 0.5), p99: middle(times, 0.99) }, kilobytesEach };
}

/** Visits at an even pace over a few connections, each from an address of its own. Resolves to how many were taken and refused. */
async function visit(port: number, seconds: number) {
  let taken = 0;
  let refused = 0;
  const decoder = new TextDecoder();
  const lines = await Promise.all(
    Array.from({ length: VISIT_LINES }, () =>
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          data: (_, chunk) => {
            for (const [, status] of decoder.decode(chunk).matchAll(/HTTP\/1\.1 (\d+)/g))
              if (status === "204") taken++;
              else refused++;
          },
        },
      }),
    ),
  );
  const body = JSON.stringify({ page: "/", userAgent: "bench", timestamp: "", device: "desktop", screenResolution: "1x1", timezone: "Europe/Oslo" });
  const head = `POST /api/admin/visitors/track HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const began = performance.now();
  let sent = 0;
  while (performance.now() - began < seconds * 1000) {
    const due = Math.floor(((performance.now() - began) / 1000) * VISITS_A_SECOND);
    for (; sent < due; sent++) {
      const address = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`;
      lines[sent % VISIT_LINES]?.write(`${head}X-Forwarded-For: ${address}\r\n\r\n${body}`);
    }
    await Bun.sleep(2);
  }
  while (taken + refused < sent) await Bun.sleep(10);
  for (const line of lines) line.end();
  return { taken, refused, seconds: (performance.now() - began) / 1000 };
}

async function decide(origin: string, admin: string, trader: string, until: () => boolean) {
  const times: number[] = [];
  let lost = 0;
  while (!until()) {
    const id = await askForDeposit(origin, trader);
    const began = performance.now();
    if (!(await approve(origin, admin, id))) lost++;
    times.push(performance.now() - began);
  }
  return { times, lost };
}

async function benchVisits(program: Program, origin: string, admin: string, trader: string): Promise<StreamResults["visits"]> {
  const quietEnd = performance.now() + 2_000;
  const quiet = await decide(origin, admin, trader, () => performance.now() > quietEnd);
  let over = false;
  const visiting = visit(program.port, VISIT_SECONDS).finally(() => (over = true));
  const { times, lost } = await decide(origin, admin, trader, () => over);
  const { taken, refused, seconds } = await visiting;
  return {
    aSecond: taken / seconds,
    refused,
    approvals: times.length,
    lost,
    median: middle(times, 0.5),
    p99: middle(times, 0.99),
    quietMedian: middle(quiet.times, 0.5),
  };
}

/** Runs the program in a folder of its own, behind a proxy that is this process. */
export async function benchStreams(): Promise<StreamResults> {
  const folder = home();
  const program = await startProgram(folder.path, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, TRUSTED_PROXY: "127.0.0.1", ...MANY });
  try {
    const origin = `http://127.0.0.1:${program.port}`;
    const [admin, trader] = [await signedIn(origin, "/api/auth/login", ADMIN), await newTrader(origin)];
    const { seen, kilobytesEach } = await benchSeen(program, origin, admin, trader);
    const visits = await benchVisits(program, origin, admin, trader);
    return { streams: STREAMS, seen, kilobytesEach, visits };
  } finally {
    await program.stop();
    folder.remove();
  }
}

const ms = (value: number) => `${value.toFixed(1)} ms`;

/** The results as rows of the table. */
export function streamRows({ streams, seen, kilobytesEach, visits }: StreamResults) {
  return [
    {
      what: `a trader's request on an administrator's screen, ${streams} streams open`,
      figure: `median ${ms(seen.median)}, 99th percentile ${ms(seen.p99)}`,
      aim: "< 1 s",
      met: seen.p99 < 1_000,
    },
    { what: "memory for each open stream, quotes of 35 symbols in flight", figure: `at most ${kilobytesEach.toFixed(1)} kB` },
    {
      what: `approvals while ${Math.round(visits.aSecond)} visits a second come in, for ${VISIT_SECONDS} s`,
      figure: `${visits.approvals}, of which ${visits.lost} lost; median ${ms(visits.median)} (${ms(visits.quietMedian)} without), 99th percentile ${ms(visits.p99)}; ${visits.refused} visits refused`,
      aim: "none lost",
      met: visits.lost === 0,
    },
  ];
}

if (import.meta.main) for (const { what, figure } of streamRows(await benchStreams())) console.log(`${what}: ${figure}`);
