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
 * tells the last ten, which is what screens show.
 */
export class VisitorFeed {
  private readonly readers = new Set<Stream>();
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
    await this.turn;
  }

  /** Adds a stream: tells at once who is there, then each `visitor` as it comes. Returns the way to leave. */
  join(stream: Stream): () => void {
    this.begin(stream).catch((error: unknown) => {
      this.house.log.warn("a reader of visitors could not be served, it will come back", { error });
      stream.end();
    });
    return () => void this.readers.delete(stream);
  }

  private async begin(stream: Stream): Promise<void> {
    const { sql } = this.house;
    const alone = this.readers.size === 0;
    this.readers.add(stream);
    const [present, recent] = await Promise.all([presentOf(sql), visitsOf(sql, { limit: RECENT })]);
    if (alone) this.last = Math.max(this.last, recent[0]?.number ?? 0);
    stream.send("visitors", { ...present, recent: recent.map(plain) });
  }

  private look(): Promise<void> {
    if (this.readers.size === 0) return Promise.resolve();
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
    } while (this.again && this.readers.size > 0);
  }

  private async tell(): Promise<void> {
    const { sql } = this.house;
    const [present, visits] = await Promise.all([presentOf(sql), visitsOf(sql, { limit: RECENT, after: this.last })]);
    this.last = visits[0]?.number ?? this.last;
    const frames = visits.reverse().map((visit) => frame("visitor", plain(visit)));
    if (present.online !== this.present.online || present.today !== this.present.today) frames.push(frame("present", present));
    this.present = present;
    for (const stream of this.readers) for (const bytes of frames) if (stream.ready) stream.write(bytes);
  }
}
