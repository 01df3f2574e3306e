import { HOUR, SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { frame, type Stream } from "../platform/http/stream";
import { forgetOld } from "./commands";
import { newsAfter, type Reader as Person, type Told, unreadOf } from "./queries";
import type { Notification } from "./schema";

/** Reads the outbox this often, in ms, also untold: another program may have raised news, or died between its commit and telling. */
const POLL_MS = SECOND;
/** At least this long between two queries of the outbox, however many actions come: while somebody looks or one read did not take all, and else. Each takes the disk from orders. */
const REST_MS = 50;
const UNWATCHED_MS = 250;
const PAGE = 100;

type Taken = { last: number; ownFirst: number | null; ownLast: number | null; more: boolean };
type Reader = {
  stream: Stream;
  person: Person;
  /** What the id of an event begins with. */
  prefix: string;
  /** True once the reader has caught up; from then on it gets each notification as it comes. */
  live: boolean;
  /** Numbers that the reader got already, from a program that was ahead of this one. */
  ahead: number;
};

const mayKnow = ({ permissions }: Person, { permission }: Told) => (permissions as readonly string[]).includes(permission);
/** What is sent of it. */
const shown = (told: Told): Notification => {
  const { permission: _, ...news } = told;
  return news;
};

/**
 * Carries notifications to the streams of this program: gives numbers to what commands left in the outbox, reads each new
 * notification once, encodes it once, and writes it to every reader who may know of it. A reader who comes back is first given what it missed.
 */
export class Broadcaster {
  /** The last number that the live readers got. */
  private last = 0;
  private readonly readers = new Set<Reader>();
  private readonly takers = new Set<(news: readonly Told[]) => void>();
  private turn: Promise<void> | null = null;
  private again = false;
  private polledAt = Number.NEGATIVE_INFINITY;
  /** The outbox held more than one read takes. */
  private isBehind = false;
  private stopped = false;
  private endRest = () => {};
  private readonly stops: (() => void)[] = [];

  constructor(private readonly app: AppContext) {}

  /** Streams that are read at this moment. */
  get size(): number {
    return this.readers.size;
  }

  async start(): Promise<void> {
    const { sql, bus, log } = this.app;
    const [row] = await sql<{ last: number }[]>`select coalesce(max(number), 0) as last from admin_notifications`;
    this.last = row?.last ?? 0;
    const wake = () => void this.wake();
    const forget = () => forgetOld(sql).catch((error: unknown) => log.warn("old notifications could not be thrown out, will try again", { error }));
    const timers = [setInterval(wake, POLL_MS), setInterval(() => void forget(), HOUR)];
    this.stops.push(
      () => timers.forEach(clearInterval),
      ...(["raised", "position", "staff", "notification"] as const).map((topic) => bus.subscribe(topic, wake)),
      bus.subscribe("request", ({ status }) => status === "pending" && wake()),
      bus.subscribe("read", ({ adminId }) => void this.tellRead(adminId)),
    );
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endRest();
    for (const stop of this.stops) stop();
    await this.turn;
  }

  /** Calls back with what this program numbered, and no other program did. */
  onNumbered(taker: (news: readonly Told[]) => void): () => void {
    this.takers.add(taker);
    return () => void this.takers.delete(taker);
  }

  /** Reads the outbox. Resolves when everything committed before the call has been sent. */
  wake(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.turn) {
      this.again = true;
      return this.turn;
    }
    this.turn = this.run().finally(() => (this.turn = null));
    return this.turn;
  }

  /**
   * Adds a stream of somebody of the staff: tells at once how many are unread, then what was missed `after` a number (null: nothing), then
   * each notification as it comes. Returns the way to leave.
   */
  join(stream: Stream, person: Person, after: number | null, prefix = ""): () => void {
    const reader: Reader = { stream, person, prefix, live: false, ahead: after !== null && after > this.last ? after : 0 };
    this.readers.add(reader);
    this.begin(reader, after).catch((error: unknown) => {
      // A reader without its beginning would have a gap: it comes back and asks again.
      this.app.log.warn("a reader of notifications could not be served, it will come back", { error });
      stream.end();
    });
    return () => void this.readers.delete(reader);
  }

  private async run(): Promise<void> {
    do {
      const rest = this.polledAt + (this.isBehind || this.size > 0 ? REST_MS : UNWATCHED_MS) - performance.now();
      if (rest > 0) await this.restFor(rest);
      if (this.stopped) return;
      this.again = false;
      this.polledAt = performance.now();
      try {
        await this.poll();
      } catch (error) {
        this.app.log.warn("notifications could not be looked at, will try again", { error });
      }
    } while (this.again);
  }

  /** Until so many ms are over, or the program ends. */
  private restFor(ms: number): Promise<void> {
    return new Promise((done) => {
      this.endRest = done;
      setTimeout(done, ms);
    });
  }

  private async poll(): Promise<void> {
    const { sql, bus } = this.app;
    const [taken] = await sql<Taken[]>`select last, own_first as "ownFirst", own_last as "ownLast", more from notifications_take()`;
    if (!taken) return;
    const { last, ownFirst, ownLast, more } = taken;
    while (this.last < last) {
      // What comes by the thousand is not even read while nobody looks; who comes meanwhile has a gap unless it is read after all.
      const isRead = this.readers.size > 0;
      const news = await newsAfter(sql, this.last, last, PAGE, isRead);
      if (!isRead && this.readers.size > 0) continue;
      this.last = news.length < PAGE ? last : (news.at(-1)?.number ?? last);
      this.tell(news);
      const own = news.filter(({ number }) => ownFirst !== null && ownLast !== null && number >= ownFirst && number <= ownLast);
      if (own.length > 0) for (const taker of this.takers) taker(own);
    }
    if (ownLast !== null) bus.publish("notification", { last });
    this.isBehind = more;
    if (more) this.again = true;
  }

  private tell(news: readonly Told[]): void {
    const encoded = new Map<string, [told: Told, bytes: Uint8Array][]>();
    for (const { stream, person, live, prefix, ahead } of this.readers) {
      if (!live) continue;
      let frames = encoded.get(prefix);
      if (!frames) encoded.set(prefix, (frames = news.map((each) => [each, frame("notification", shown(each), prefix + each.number)])));
      for (const [told, bytes] of frames) if (told.number > ahead && mayKnow(person, told)) stream.write(bytes);
    }
  }

  private async begin(reader: Reader, after: number | null): Promise<void> {
    const { stream, prefix } = reader;
    let seen = Math.min(after ?? this.last, this.last);
    reader.live = seen === this.last;
    // The first event has an id, so that a reader who loses the connection before the next one can resume.
    stream.send("place", { last: this.last }, prefix + seen);
    while (!reader.live) {
      // What comes meanwhile has higher numbers, and is read next.
      const through = this.last;
      const news = await newsAfter(this.app.sql, seen, through, PAGE);
      for (const each of news) if (mayKnow(reader.person, each)) stream.send("notification", { ...shown(each), missed: true }, prefix + each.number);
      seen = news.at(-1)?.number ?? through;
      reader.live = seen >= this.last;
      if (!stream.ready) await new Promise<void>((go) => stream.whenDrained(go));
    }
    const unread = await unreadOf(this.app.sql, reader.person);
    reader.ahead = Math.min(reader.ahead, unread.last);
    stream.send("unread", unread);
  }

  /** What one tab or device read is read in all. */
  private async tellRead(adminId: string): Promise<void> {
    const own = [...this.readers].filter(({ person }) => person.id === adminId);
    if (!own[0]) return;
    try {
      const unread = frame("unread", await unreadOf(this.app.sql, own[0].person));
      for (const { stream } of own) stream.write(unread);
    } catch (error) {
      this.app.log.warn("what was read could not be told", { error });
    }
  }
}
