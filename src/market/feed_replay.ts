import { ConfigError } from "../config";
import { priceUnits } from "../lib/money";
import { SECOND } from "../lib/time";
import type { Log } from "../platform/log";
import type { Tick } from "./board";
import { type Feed, FEEDS, type FeedSink } from "./feed";
import { namesAt } from "./listings";

const HEADER = "timestamp,symbol,bid,ask";
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** At full speed the event loop gets its turn after this many ticks. */
const TICKS_PER_TURN = 200;
/** While it plays, the file vouches for its prices this often, however far apart its lines are. */
const SIGN_OF_LIFE = SECOND;

/** Reads one line of a tick file. Throws Error saying what is wrong with it, without the line number. */
export function parseTickLine(line: string): Tick {
  const fields = line.split(",");
  if (fields.length !== 4) throw new Error(`expected 4 fields, found ${fields.length}`);
  const [timestamp = "", symbol = "", bid = "", ask = ""] = fields;
  return { symbol: wellFormed(symbol), bid: units("bid", bid), ask: units("ask", ask), at: instant(timestamp) };
}

/** A file may hold more than is listed: what is not is passed over, until it is. */
function wellFormed(symbol: string): string {
  if (!/^[A-Z0-9]{2,12}\/[A-Z0-9]{2,12}$/.test(symbol)) throw new Error("symbol is not written as EUR/USD is");
  return symbol;
}

function instant(text: string): number {
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 19) !== text.slice(0, 19)) throw new Error("timestamp is not an ISO 8601 instant in UTC");
  return at;
}

function units(name: string, text: string): number {
  try {
    return priceUnits(text);
  } catch {
    throw new Error(`${name} is not a decimal number of at most 8 places`);
  }
}

async function* linesOf(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of file.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
  }
  if (rest) yield rest;
}

/** A tick with its place in the file, from 1. */
type NumberedTick = Tick & { number: number };

/** The ticks of a CSV file (`timestamp,symbol,bid,ask`), read as they are asked for. Throws Error naming the line at fault. */
export async function* readTicks(file: Blob): AsyncGenerator<NumberedTick> {
  let number = 0;
  let last = Number.NEGATIVE_INFINITY;
  for await (const line of linesOf(file)) {
    number++;
    if (number === 1) {
      if (line !== HEADER) throw new Error(`line 1: the header must be ${HEADER}`);
      continue;
    }
    const tick = at(number, line);
    if (tick.at < last) throw new Error(`line ${number}: earlier than the line before`);
    last = tick.at;
    yield { ...tick, number: number - 1 };
  }
  if (number === 0) throw new Error(`line 1: the header must be ${HEADER}`);
}

/** Those of what is listed by then, by its symbol here. */
export async function* listedTicks(file: Blob): AsyncGenerator<NumberedTick> {
  for await (const tick of readTicks(file)) {
    const symbol = namesAt("replay").get(tick.symbol);
    if (symbol !== undefined) yield { ...tick, symbol };
  }
}

function at(number: number, line: string): Tick {
  try {
    return parseTickLine(line);
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the whole file once. Throws ConfigError naming FEED_FILE and the line where it can't be played; returns the symbols in it and the SHA-256 of its ticks. */
export async function checkTickFile(path: string): Promise<{ symbols: string[]; fingerprint: string }> {
  const symbols = new Set<string>();
  const hash = new Bun.CryptoHasher("sha256");
  try {
    for await (const { symbol, bid, ask, at } of readTicks(Bun.file(path))) {
      symbols.add(symbol);
      hash.update(`${at},${symbol},${bid},${ask}\n`);
    }
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === "ENOENT") throw new ConfigError("FEED_FILE names a file that does not exist");
    if (typeof code === "string") throw new ConfigError(`FEED_FILE can't be read (${code})`);
    throw new ConfigError(`FEED_FILE ${(error as Error).message}`);
  }
  if (symbols.size === 0) throw new ConfigError("FEED_FILE holds no ticks");
  return { symbols: [...symbols], fingerprint: hash.digest("hex") };
}

/** How time passes: by the machine's clock, or by a hand that moves it on. */
export type Pace = { now(): number; pause(ms: number, stopped: AbortSignal): Promise<void> };
const REAL: Pace = { now: () => performance.now(), pause };

type ReplayOptions = {
  path: string;
  /** Times real time; Infinity: as fast as the sink takes it. */
  speed: number;
  log: Log;
  /** The place of the first tick to send; those before are skipped. */
  from?: number;
  pace?: Pace;
  /** Called after the last line. */
  onEnd?: () => Promise<void> | void;
};

/** A recorded market, to the last line of its file; quotes carry the file's timestamps. */
export function replayFeed({ path, speed, log, from = 1, pace = REAL, onEnd }: ReplayOptions): Feed {
  const stopped = new AbortController();
  let playing: Promise<void> | undefined;
  const playAll = async (sink: FeedSink) => {
    const alive = setInterval(() => sink.heard(), SIGN_OF_LIFE);
    try {
      const ticks = await play(Bun.file(path), { from, speed, pace }, sink, stopped.signal);
      if (stopped.signal.aborted) return;
      log.info("replay ended", { ticks });
      await onEnd?.();
    } catch (error) {
      log.error("replay failed", { error });
    } finally {
      clearInterval(alive);
    }
  };
  return {
    ...FEEDS.replay,
    start(sink) {
      playing = playAll(sink);
    },
    async stop() {
      stopped.abort();
      await playing;
    },
  };
}

/** Sends the sink every tick of the file at its time. Resolves with their number. */
async function play(file: Blob, { from, speed, pace }: { from: number; speed: number; pace: Pace }, sink: FeedSink, stopped: AbortSignal): Promise<number> {
  const begun = pace.now();
  let first: number | undefined;
  let told = 0;
  for await (const tick of listedTicks(file)) {
    if (tick.number < from) continue;
    first ??= tick.at;
    const wait = speed === Number.POSITIVE_INFINITY ? 0 : (tick.at - first) / speed - (pace.now() - begun);
    if (wait > 1) await pace.pause(wait, stopped);
    else if (told % TICKS_PER_TURN === TICKS_PER_TURN - 1) await new Promise<void>((resolve) => setImmediate(resolve));
    if (stopped.aborted) break;
    const room = sink.tick(tick);
    if (room) await unlessStopped(room, stopped);
    told++;
  }
  return told;
}

/** A consumer that can't go on must not keep the feed from stopping. */
function unlessStopped(wait: Promise<void>, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const done = () => resolve();
    stopped.addEventListener("abort", done, { once: true });
    wait.then(resolve, reject).finally(() => stopped.removeEventListener("abort", done));
  });
}

/** setTimeout counts in 32 bits. */
const LONGEST_PAUSE = 2 ** 31 - 1;

async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  const due = performance.now() + ms;
  while (!stopped.aborted && performance.now() < due) {
    let timer: Timer | undefined;
    const nap = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.min(LONGEST_PAUSE, due - performance.now()));
    });
    await unlessStopped(nap, stopped);
    clearTimeout(timer);
  }
}
