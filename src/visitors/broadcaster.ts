import { HOUR, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { forgetVisitors } from "./commands";
import { plain, presentOf, visitsOf } from "./queries";
import { RECENT } from "./rules";
import type { Present } from "./schema";

/** Who left is noticed by looking. */
const POLL_MS = 5 * SECOND;
const REST_MS = 250;

/**
 * Carries visits to the streams of this program, whichever program they came to. Rests while nobody reads. In a rush each round sends the last
 * ten, as many as screens show. One look at a time tells everybody, newcomers included: what a reader is told later is never older.
 */
export class VisitorBroadcaster {
  private readonly readers = new Set<Stream>();
  /** Readers that get the present state with the next query: newcomers, and those that caught up after they were behind. */
  private readonly newcomers = new Set<Stream>();
  private last = 0;
  private present: Present = { online: -1, today: -1 };
  private turn: Promise<void> | null = null;
  private again = false;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly app: AppContext) {}

  start(): void {
    const { sql, bus, log } = this.app;
    const forget = () => forgetVisitors(sql).catch((error: unknown) => log.warn("old visits could not be erased, will try again", { error }));
    void forget();
    const timers = [setInterval(() => void this.poll(), POLL_MS), setInterval(() => void forget(), HOUR)];
    this.stops.push(
      () => timers.forEach(clearInterval),
      bus.subscribe("visits", () => void this.poll()),
    );
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    this.readers.clear();
    this.newcomers.clear();
    await this.turn;
  }

  /** Adds a stream, which gets the present state first and then each `visitor`. Returns the way to leave. */
  join(stream: Stream): () => void {
    this.newcomers.add(stream);
    void this.poll();
    return () => {
      this.newcomers.delete(stream);
      this.readers.delete(stream);
    };
  }

  private get quiet(): boolean {
    return this.readers.size + this.newcomers.size === 0;
  }

  private poll(): Promise<void> {
    if (this.quiet) return Promise.resolve();
    if (this.turn) {
      this.again = true;
      return this.turn;
    }
    this.turn = this.run().finally(() => (this.turn = null));
    return this.turn;
  }

  private async run(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.tell();
      } catch (error) {
        this.app.log.warn("visitors could not be looked at, will try again", { error });
      }
      if (this.again) await Bun.sleep(REST_MS);
    } while (this.again && !this.quiet);
  }

  private async tell(): Promise<void> {
    const { sql } = this.app;
    const coming = [...this.newcomers];
    const [present, visits] = await Promise.all([presentOf(sql), visitsOf(sql, { limit: RECENT, after: coming.length > 0 ? 0 : this.last })]);
    const fresh = visits.filter(({ number }) => number > this.last).reverse();
    const frames = fresh.map((visit) => frame("visitor", plain(visit)));
    if (present.online !== this.present.online || present.today !== this.present.today) frames.push(frame("present", present));
    this.last = visits[0]?.number ?? this.last;
    this.present = present;
    for (const stream of this.readers) this.pass(stream, frames);
    const snapshot = frame("visitors", { ...present, recent: visits.map(plain) });
    for (const stream of coming) {
      // Who has left meanwhile is no newcomer any more.
      if (!this.newcomers.delete(stream)) continue;
      this.readers.add(stream);
      stream.write(snapshot);
    }
  }

  /** A reader that is behind gets nothing until it has caught up, and then the present state. */
  private pass(stream: Stream, frames: readonly Uint8Array[]): void {
    if (stream.ready) return frames.forEach((bytes) => stream.write(bytes));
    this.readers.delete(stream);
    stream.whenDrained(() => void this.join(stream));
  }
}
