import { steadyNow } from "../../lib/time";
import { Refusal } from "../../lib/refusal";
import { type Most, Places } from "./places";
import type { RequestContext } from "./request_context";
import type { Log } from "../log";

const encoder = new TextEncoder();
const HEADERS = { "Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no" };
/** Bytes that may wait for a reader before it counts as slow, and before it is given up. */
const ROOM = 64 * 1024;
const MOST_WAITING = 4 * ROOM;
const HELLO = encoder.encode(": open\nretry: 2000\n\n");
/** A comment keeps the connection; the event tells a browser, which is not shown comments, that it lives. */
const BEAT = encoder.encode(": still here\nevent: beat\ndata: {}\n\n");

/**
 * One event of the wire format. `data` is always a JSON object or array, whose text holds no line breaks: nothing that a
 * person wrote can begin an event of its own. Throws TypeError for a name or an id that is no plain word.
 */
export function frame(event: string, data: object, id?: string | number): Uint8Array {
  if (!/^[a-z][a-z0-9-]*$/.test(event)) throw new TypeError("not a name for an event");
  if (id !== undefined && !/^[\w.:-]+$/.test(String(id))) throw new TypeError("not an id for an event");
  return encoder.encode(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

type StreamsOptions = {
  log: Log;
  /** After so many ms without a word a comment is sent; so often is the session looked at. */
  heartbeat?: number;
  /** A reader that takes nothing for so many ms is dropped. */
  patience?: number;
  most?: Partial<Most>;
  clock?: () => number;
};
type Opening = {
  /** Asked at each heartbeat; false closes the stream (the session ended, a role was lost). */
  stillWelcome?: () => Promise<boolean>;
};

/** The open event streams of this process: kept alive, checked against their sessions, dropped when nobody reads, ended when the program stops. */
export class Streams {
  private readonly open_ = new Set<Stream>();
  private readonly heartbeat: number;
  private readonly patience: number;
  private readonly places: Places;
  private readonly clock: () => number;
  private readonly log: Log;
  private timer: Timer | undefined;
  /** Readers given up because they did not keep up, since the start. */
  dropped = 0;
  private closing = false;

  constructor({ log, heartbeat = 5_000, patience = 5_000, most, clock = steadyNow }: StreamsOptions) {
    this.log = log;
    this.heartbeat = heartbeat;
    this.patience = patience;
    this.places = new Places({ perPerson: 6, perNetwork: 200, inAll: 20_000, ...most }, log);
    this.clock = clock;
  }

  get count(): number {
    return this.open_.size;
  }
  /** Streams that were refused because of a limit, since the start. */
  get refused(): number {
    return this.places.refused;
  }

  /**
   * Answers a request with a stream. `begin` sends what comes first, starts to listen, and returns how to stop
   * listening, which is called once, however the stream ends. Refuses (unavailable) when the program is full or closing, and
   * (too_many_requests) who has as many as one may have.
   */
  open(context: Pick<RequestContext, "request" | "keepOpen" | "network" | "me">, begin: (stream: Stream) => () => void, opening: Opening = {}): Response {
    if (this.closing) throw new Refusal("unavailable", "Too many live connections. Please try again.", undefined, 5);
    const leave = this.places.take(context);
    if (context.request.method === "HEAD") {
      leave();
      return new Response(null, { headers: HEADERS });
    }
    const stream = new Stream(this.clock, opening.stillWelcome, (kept) => {
      leave();
      this.forget(stream, kept);
    });
    this.open_.add(stream);
    try {
      stream.whenDone(begin(stream));
    } catch (error) {
      stream.end();
      throw error;
    }
    context.request.signal.addEventListener("abort", () => stream.end(), { once: true });
    context.keepOpen();
    this.timer ??= setInterval(() => this.sweep(), this.heartbeat / 5);
    return new Response(stream.body, { headers: HEADERS });
  }

  /** Tells every reader to come back in a moment, and ends its stream; opens no more. */
  close(): void {
    this.closing = true;
    this.recall();
  }

  /** Tells every reader to come back in a moment, and ends its stream: it begins anew with what is so then. */
  recall(): void {
    for (const stream of [...this.open_]) {
      const comeBack = 250 + Math.floor(Math.random() * 1_500);
      stream.write(encoder.encode(`retry: ${comeBack}\nevent: reconnect\ndata: {}\n\n`));
      stream.end();
    }
  }

  /** Sends a reader what `load` finds of a change; null is nothing to tell. What can't be had now is logged and left out. */
  tell(stream: Stream, event: string, load: () => Promise<object | null>): void {
    load().then(
      (found) => found && stream.send(event, found),
      (error: unknown) => this.log.warn("a change could not be told", { event, error }),
    );
  }

  private forget(stream: Stream, kept: boolean): void {
    this.open_.delete(stream);
    if (!kept) this.dropped++;
    if (this.count > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private sweep(): void {
    const now = this.clock();
    for (const stream of [...this.open_]) {
      if (stream.stalledFor(now) >= this.patience) stream.drop();
      else {
        if (now - stream.wroteAt >= this.heartbeat) stream.write(BEAT);
        if (now - stream.checkedAt >= this.heartbeat) void this.check(stream, now);
      }
    }
  }

  /** A check that fails is no answer: the stream stays and is asked about again. */
  private async check(stream: Stream, now: number): Promise<void> {
    stream.checkedAt = now;
    try {
      if (!(await stream.stillWelcome())) stream.end();
    } catch (error) {
      this.log.warn("checking a stream's session failed, will try again", { error });
    }
  }
}

/** One reader's stream. Writing after its end does nothing. */
export class Stream {
  readonly body: ReadableStream<Uint8Array>;
  wroteAt: number;
  checkedAt: number;
  private controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  private stalledSince: number | null = null;
  private ended = false;
  private stopListening: (() => void) | undefined;
  private readonly waiting = new Set<() => void>();

  constructor(
    private readonly clock: () => number,
    readonly stillWelcome: () => Promise<boolean> = () => Promise.resolve(true),
    private readonly onEnd: (kept: boolean) => void,
  ) {
    this.wroteAt = clock();
    this.checkedAt = this.wroteAt;
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.controller = controller as ReadableStreamDefaultController<Uint8Array>;
          this.controller.enqueue(HELLO);
        },
        pull: () => this.drained(),
        cancel: () => void this.finish(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: ROOM }),
    );
  }

  /** True while the reader keeps up. */
  get ready(): boolean {
    return !this.ended && (this.controller?.desiredSize ?? 0) > 0;
  }

  /** Sends an event of this reader's own. None is left out: a reader too slow for them is dropped, and asks again from its last id. */
  send(event: string, data: object, id?: string | number): void {
    this.write(frame(event, data, id));
  }

  /** Sends bytes that may be shared with other readers. */
  write(bytes: Uint8Array): void {
    if (this.ended || !this.controller) return;
    if ((this.controller.desiredSize ?? 0) < ROOM - MOST_WAITING) return this.drop();
    this.controller.enqueue(bytes);
    this.wroteAt = this.clock();
  }

  /** Calls back once, as soon as the reader keeps up again. */
  whenDrained(callback: () => void): void {
    this.waiting.add(callback);
  }

  /** Registers what is to be done once at the end; at once where it has come already. */
  whenDone(stopListening: () => void): void {
    if (this.ended) stopListening();
    else this.stopListening = stopListening;
  }

  stalledFor(now: number): number {
    if (this.ready) this.stalledSince = null;
    else this.stalledSince ??= now;
    return this.stalledSince === null ? 0 : now - this.stalledSince;
  }

  /** Ends the stream after what was written, where its reader keeps up. */
  end(): void {
    if (!this.ready) return this.drop();
    if (this.finish()) this.controller?.close();
  }

  /** Ends the stream without waiting for its reader: what was written and not read is thrown away. */
  drop(): void {
    if (this.finish(false)) this.controller?.error(new Error("the reader does not keep up"));
  }

  private drained(): void {
    if (!this.ready || this.waiting.size === 0) return;
    const callbacks = [...this.waiting];
    this.waiting.clear();
    for (const callback of callbacks) callback();
  }

  private finish(kept = true): boolean {
    if (this.ended) return false;
    this.ended = true;
    this.waiting.clear();
    this.onEnd(kept);
    this.stopListening?.();
    return true;
  }
}

type Reader<T> = { stream: Stream; wants: ReadonlySet<string> | undefined; group: string; behind: Map<string, T> };

/**
 * One topic for many readers: each batch is encoded once for all who want the same. For a reader that is behind, only
 * the newest item of each key is kept, and sent when it has caught up.
 */
export class Fan<T extends object> {
  private readonly readers = new Set<Reader<T>>();

  constructor(
    private readonly event: string,
    private readonly keyOf: (item: T) => string,
    /** The id of a batch; without it, events carry none (on streams whose ids mean something else). */
    private readonly idOf?: (items: readonly T[]) => string | number,
  ) {}

  get size(): number {
    return this.readers.size;
  }

  /** Adds a reader, for items of these keys or for all. Returns the way to leave. */
  join(stream: Stream, wants?: ReadonlySet<string>): () => void {
    const reader = { stream, wants, group: wants ? [...wants].sort().join() : "", behind: new Map<string, T>() };
    this.readers.add(reader);
    return () => void this.readers.delete(reader);
  }

  publish(items: readonly T[]): void {
    const encoded = new Map<string, Uint8Array | null>();
    for (const reader of this.readers) {
      if (reader.stream.ready && reader.behind.size === 0) {
        let bytes = encoded.get(reader.group);
        if (bytes === undefined) encoded.set(reader.group, (bytes = this.encode(this.wanted(reader, items))));
        if (bytes) reader.stream.write(bytes);
      } else this.keep(reader, this.wanted(reader, items));
    }
  }

  private wanted({ wants }: Reader<T>, items: readonly T[]): readonly T[] {
    return wants ? items.filter((item) => wants.has(this.keyOf(item))) : items;
  }

  private keep(reader: Reader<T>, items: readonly T[]): void {
    if (items.length > 0 && reader.behind.size === 0) reader.stream.whenDrained(() => this.catchUp(reader));
    for (const item of items) reader.behind.set(this.keyOf(item), item);
  }

  private catchUp(reader: Reader<T>): void {
    const bytes = this.encode([...reader.behind.values()]);
    reader.behind.clear();
    if (bytes) reader.stream.write(bytes);
  }

  private encode(items: readonly T[]): Uint8Array | null {
    return items.length === 0 ? null : frame(this.event, items, this.idOf?.(items));
  }
}
