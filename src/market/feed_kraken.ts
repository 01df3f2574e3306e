import * as v from "valibot";
import { PRICE_SCALE } from "../lib/money";
import { inTime, SECOND } from "../lib/time";
import type { Log } from "../platform/log";
import { type Feed, FEEDS, type FeedSink } from "./feed";
import { namesAt, onListings } from "./listings";

/** Source of the protocol: docs.kraken.com, Spot WebSocket v2, channels ticker, heartbeat and status. */
const ADDRESS = "wss://ws.kraken.com/v2";

const Rejection = v.object({ method: v.literal("subscribe"), success: v.literal(false), symbol: v.optional(v.string()), error: v.string() });
const Taken = v.object({ method: v.literal("subscribe"), success: v.literal(true) });
const Status = v.object({ channel: v.literal("status"), data: v.array(v.object({ system: v.string() })) });
const Ticker = v.object({
  channel: v.literal("ticker"),
  data: v.array(v.object({ symbol: v.string(), bid: v.number(), ask: v.number(), timestamp: v.optional(v.pipe(v.string(), v.isoTimestamp())) })),
});
type Quoted = v.InferOutput<typeof Ticker>["data"][number];

const subscription = (symbol: readonly string[]) =>
  JSON.stringify({ method: "subscribe", params: { channel: "ticker", symbol, event_trigger: "bbo", snapshot: true } });

/** Whether Kraken quotes what it calls so; null where it does not say within `patience` ms. */
export async function krakenCarries(url: string | null, name: string, patience = 5 * SECOND): Promise<boolean | null> {
  const socket = new WebSocket(url ?? ADDRESS);
  const said = new Promise<boolean | null>((resolve) => {
    socket.onopen = () => socket.send(subscription([name]));
    socket.onmessage = ({ data }) => {
      const message = parsed(String(data));
      if (v.is(Ticker, message) || v.is(Taken, message)) resolve(true);
      else if (v.is(Rejection, message)) resolve(/not supported/i.test(message.error) ? false : null);
    };
    socket.onerror = () => resolve(null);
    socket.onclose = () => resolve(null);
  });
  try {
    return await inTime(said, patience);
  } finally {
    socket.close();
  }
}

type KrakenOptions = {
  log: Log;
  /** Milliseconds since the epoch, for quotes that carry no time. */
  clock: () => number;
  url?: string | null;
  /** Without any message for so many ms (Kraken's heartbeat comes every second) the connection counts as dead. */
  silence?: number;
  /** The first wait before a new connection, doubled with each failure up to `longestWait`, in ms. */
  firstWait?: number;
  longestWait?: number;
};

/** The best bid and ask of Kraken's order books. */
export function krakenFeed(options: KrakenOptions): Feed {
  let line: KrakenLine | undefined;
  let unlisten = () => {};
  return {
    ...FEEDS.kraken,
    start(sink) {
      line = new KrakenLine(options, sink);
      line.connect();
      unlisten = onListings(() => line?.relist());
    },
    async stop() {
      unlisten();
      line?.stop();
    },
  };
}

/** Keeps one connection to Kraken, and makes a new one when it is lost. */
class KrakenLine {
  private socket: WebSocket | undefined;
  private heardAt = 0;
  private failures = 0;
  private watch: Timer | undefined;
  private retry: Timer | undefined;
  private stopped = false;
  private interrupted = false;
  private readonly unavailable = new Set<string>();
  /** Kraken's names of what is asked for here, to ours. */
  private ownNames = namesAt("kraken");
  private readonly silence: number;

  constructor(
    private readonly options: KrakenOptions,
    private readonly sink: FeedSink,
  ) {
    this.silence = options.silence ?? 10 * SECOND;
  }

  connect(): void {
    const socket = new WebSocket(this.options.url ?? ADDRESS);
    this.socket = socket;
    this.heardAt = performance.now();
    this.interrupted = false;
    this.watch = setInterval(() => {
      if (performance.now() - this.heardAt >= this.silence) this.lost(socket, "silent");
    }, this.silence / 10);
    socket.onopen = () => this.subscribe(socket);
    socket.onmessage = ({ data }) => {
      if (socket === this.socket) this.hear(socket, String(data));
    };
    socket.onerror = () => this.lost(socket, "failed");
    socket.onclose = () => this.lost(socket, "closed");
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.retry);
    clearInterval(this.watch);
    this.socket?.close();
    this.socket = undefined;
  }

  /** Prices of an earlier connection hold no longer; each symbol's snapshot renews them. */
  private subscribe(socket: WebSocket): void {
    this.sink.withdraw();
    this.ownNames = namesAt("kraken");
    this.ask(socket, [...this.ownNames.keys()]);
  }

  /** Asks for what is newly listed. What is not any more is no instrument's name, and passed over. */
  relist(): void {
    const before = this.ownNames;
    this.ownNames = namesAt("kraken");
    const added = [...this.ownNames.keys()].filter((name) => !before.has(name));
    if (added.length > 0 && this.socket?.readyState === WebSocket.OPEN) this.ask(this.socket, added);
  }

  private ask(socket: WebSocket, names: readonly string[]): void {
    const symbol = names.filter((name) => !this.unavailable.has(name));
    socket.send(subscription(symbol));
  }

  /** Waits are drawn between half and the whole of the doubled wait, so that many programs don't come back at once. */
  private lost(socket: WebSocket, why: string): void {
    if (socket !== this.socket || this.stopped) return;
    clearInterval(this.watch);
    this.socket = undefined;
    socket.close();
    const longest = Math.min(this.options.longestWait ?? 30 * SECOND, (this.options.firstWait ?? SECOND) * 2 ** this.failures++);
    const wait = Math.round(longest * (0.5 + Math.random() / 2));
    this.options.log.warn("the connection to Kraken is lost", { why, failures: this.failures, nextTryInMs: wait });
    this.retry = setTimeout(() => this.connect(), wait);
  }

  private hear(socket: WebSocket, text: string): void {
    this.heardAt = performance.now();
    if (!this.interrupted) this.sink.heard();
    const message = parsed(text);
    if (v.is(Ticker, message)) this.quote(message.data);
    else if (v.is(Status, message)) this.judge(socket, message.data.at(-1)?.system ?? "unknown");
    else if (v.is(Rejection, message)) this.reject(message);
    else if (message === undefined) this.options.log.warn("Kraken sent what is no JSON");
  }

  private quote(list: readonly Quoted[]): void {
    this.failures = 0;
    if (this.interrupted) return;
    for (const { symbol, bid, ask, timestamp } of list) {
      const at = timestamp === undefined ? this.options.clock() : Date.parse(timestamp);
      void this.sink.tick({ symbol: this.ownNames.get(symbol) ?? "", bid: Math.round(bid * PRICE_SCALE), ask: Math.round(ask * PRICE_SCALE), at });
    }
  }

  /** While the exchange does not match orders its book is no market; afterwards a new connection brings fresh snapshots. */
  private judge(socket: WebSocket, system: string): void {
    if (system !== "online") {
      this.options.log.warn("Kraken is not matching orders", { system });
      this.interrupted = true;
      this.sink.withdraw();
    } else if (this.interrupted) this.lost(socket, "resumed");
  }

  private reject({ symbol, error }: v.InferOutput<typeof Rejection>): void {
    this.options.log.warn("Kraken refused a subscription", { symbol, reason: error });
    if (symbol === undefined || !/not supported/i.test(error)) return;
    this.unavailable.add(symbol);
    this.sink.withdraw([this.ownNames.get(symbol) ?? symbol]);
  }
}

/** Undefined where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
