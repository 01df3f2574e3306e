import { ConfigError } from "../config";
import { priceUnits } from "../lib/money";
import { SECOND } from "../lib/time";
import type { Log } from "../platform/log";
import type { Tick } from "./board";
import type { Feed, FeedSink } from "./feed";
import { instrumentOf } from "./schema";

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
  return { symbol: knownSymbol(symbol), bid: units("bid", bid), ask: units("ask", ask), at: instant(timestamp) };
}

function knownSymbol(symbol: string): string {
  if (!instrumentOf(symbol)) throw new Error("unknown symbol");
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

/** The ticks of a CSV file (`timestamp,symbol,bid,ask`), read as they are asked for. Throws Error naming the line at fault. */
export async function* readTicks(file: Blob): AsyncGenerator<Tick> {
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
    yield tick;
  }
  if (number === 0) throw new Error(`line 1: the header must be ${HEADER}`);
}

function at(number: number, line: string): Tick {
  try {
    return parseTickLine(line);
  } catch (error) {
    throw new Error(`line ${number}: ${(error as Error).message}`, { cause: error });
  }
}

/** Reads the whole file once. Throws ConfigError naming FEED_FILE and the line where it can't be played; returns the symbols in it. */
export async function checkTickFile(path: string): Promise<string[]> {
  const symbols = new Set<string>();
  try {
    for await (const tick of readTicks(Bun.file(path))) symbols.add(tick.symbol);
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (code === "ENOENT") throw new ConfigError("FEED_FILE names a file that does not exist");
    if (typeof code === "string") throw new ConfigError(`FEED_FILE can't be read (${code})`);
    throw new ConfigError(`FEED_FILE ${(error as Error).message}`);
  }
  if (symbols.size === 0) throw new ConfigError("FEED_FILE holds no ticks");
  return [...symbols];
}

type ReplayOptions = {
  path: string;
  symbols: readonly string[];
  /** Times real time; Infinity: as fast as the sink takes it. */
  speed: number;
  log: Log;
  /** Called once the last line is told or the playing failed. */
  onEnd?: () => void;
};

/** A recorded market, from the first line of its file to the last; quotes carry the file's timestamps. */
export function replayFeed({ path, symbols, speed, log, onEnd }: ReplayOptions): Feed {
  const stopped = new AbortController();
  let playing: Promise<void> | undefined;
  return {
    name: "replay",
    label: "Replayed prices",
    symbols,
    freshness: "feed",
    start(sink) {
      const alive = setInterval(() => sink.heard(), SIGN_OF_LIFE);
      playing = play(Bun.file(path), speed, sink, stopped.signal)
        .then((ticks) => log.info("replay ended", { ticks }))
        .catch((error) => log.error("replay failed", { error }))
        .finally(() => {
          clearInterval(alive);
          onEnd?.();
        });
    },
    async stop() {
      stopped.abort();
      await playing;
    },
  };
}

/** Tells the sink every tick of the file when its time has come. Resolves with how many were told. */
async function play(file: Blob, speed: number, sink: FeedSink, stopped: AbortSignal): Promise<number> {
  const begun = performance.now();
  let first: number | undefined;
  let told = 0;
  for await (const tick of readTicks(file)) {
    first ??= tick.at;
    const wait = speed === Number.POSITIVE_INFINITY ? 0 : (tick.at - first) / speed - (performance.now() - begun);
    if (wait > 1) await pause(wait, stopped);
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
