import { HOUR, SECOND } from "../lib/time";
import type { House } from "../platform/house";
import { frame, type Stream } from "../platform/stream";
import { forgetVisitors } from "./commands";
import { plain, presentOf, visitsOf } from "./queries";
import { RECENT } from "./rules";
import type { Present } from "./schema";

/** Who left is noticed by looking. */
const LOOK_MS = 5 * SECOND;
const REST_MS = 250;

/**
 * Carries visits to the streams of this program, whichever program they came to. Rests while nobody reads; in a rush each look
 * tells the last ten, which is what screens show. One look at a time tells everybody, newcomers included: what a reader is told
 * later is never older.
 */
export class VisitorFeed {
  private readonly readers = new Set<Stream>();
  /** Who is told at the next look where things stand: who has just come, and who has caught up after it was behind. */
  private readonly newcomers = new Set<Stream>();
  private last = 0;
  private present: Present = { online: -1, today: -1 };
  private turn: Promise<void> | null = null;
  private again = false;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly house: House) {}

  start(): void {
    const { sql, bus, log } = this.house;
    const forget = () => forgetVisitors(sql).catch((error: unknown) => log.warn("old visits could not be erased, will try again", { error }));
    void forget();
    const timers = [setInterval(() => void this.look(), LOOK_MS), setInterval(() => void forget(), HOUR)];
    this.stops.push(
      () => timers.forEach(clearInterval),
      bus.subscribe("visits", () => void this.look()),
    );
  }

  async stop(): Promise<void> {
    for (const stop of this.stops) stop();
    this.readers.clear();
    this.newcomers.clear();
    await this.turn;
  }

  /** Adds a stream: tells at once who is there, then each `visitor` as it comes. Returns the way to leave. */
  join(stream: Stream): () => void {
    this.newcomers.add(stream);
    void this.look();
    return () => {
      this.newcomers.delete(stream);
      this.readers.delete(stream);
    };
  }

  private get quiet(): boolean {
    return this.readers.size + this.newcomers.size === 0;
  }

  private look(): Promise<void> {
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
        this.house.log.warn("visitors could not be looked at, will try again", { error });
      }
      if (this.again) await Bun.sleep(REST_MS);
    } while (this.again && !this.quiet);
  }

  private async tell(): Promise<void> {
    const { sql } = this.house;
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

  /** A reader that is behind is told nothing until it has caught up, and then where things stand. */
  private pass(stream: Stream, frames: readonly Uint8Array[]): void {
    if (stream.ready) return frames.forEach((bytes) => stream.write(bytes));
    this.readers.delete(stream);
    stream.whenDrained(() => void this.join(stream));
  }
}
