import { DAY, SECOND, steadyNow } from "../lib/time";
import { Refusal } from "../lib/refusal";
import { networkOf } from "../platform/http/request_context";
import type { AppContext } from "../platform/app_context";
import { recordVisits, saltOf, tellNewVisitors } from "./commands";
import { countryName } from "./rules";

/** A visit as it waits to be written, with what its hash is made of. */
type Noted = { ip: string; userAgent: string; country: string | null; page: string; device: string; still: boolean; at: number };

/** Between two writes. */
const EVERY_MS = 200;
const BATCH = 1_000;
/** More that wait than this are left out of the statistics: visits never slow the program down. */
const MOST_WAITING = 20_000;
/** Staff hear of new visitors at most this often, of the rest as a number. */
const NEWS_EVERY_MS = 10 * SECOND;

/**
 * Takes visits and writes them in batches, one at a time, on one connection of the pool. What does not fit its queue, or
 * meets a database that is away, is left out and counted in the log.
 */
export class Tracker {
  private waiting: Noted[] = [];
  private dropped = 0;
  private timer: Timer | undefined;
  private turn: Promise<void> = Promise.resolve();
  private readonly salts = new Map<string, Promise<Uint8Array>>();
  private toldAt = 0;
  private untold = 0;

  constructor(
    private readonly app: AppContext,
    private readonly clock: () => number = Date.now,
  ) {}

  note(visit: Omit<Noted, "at">): void {
    if (this.waiting.length >= MOST_WAITING) this.dropped++;
    else this.waiting.push({ ...visit, at: this.clock() });
    this.timer ??= setTimeout(() => (this.turn = this.turn.then(() => this.write())), EVERY_MS);
  }

  /** Writes what waits, and takes no more. */
  async stop(): Promise<void> {
    do {
      clearTimeout(this.timer);
      this.turn = this.turn.then(() => this.write());
      await this.turn;
    } while (this.waiting.length > 0);
    clearTimeout(this.timer);
  }

  /** Resolves when all that was noted before the call is written. */
  async idle(): Promise<void> {
    while (this.timer) {
      await Bun.sleep(EVERY_MS / 10);
      await this.turn;
    }
  }

  private async write(): Promise<void> {
    const batch = this.waiting.splice(0, BATCH);
    try {
      if (batch.length > 0) await this.record(batch);
    } catch (error) {
      this.dropped += batch.length;
      this.app.log.warn("visits could not be written", { error });
    }
    if (this.dropped > 0) this.app.log.warn("visits were left out of the statistics", { count: this.dropped });
    this.dropped = 0;
    this.timer = undefined;
    if (this.waiting.length > 0) this.timer = setTimeout(() => (this.turn = this.turn.then(() => this.write())), EVERY_MS / 4);
  }

  private async record(batch: Noted[]): Promise<void> {
    const { sql, bus } = this.app;
    const rows = await Promise.all(
      batch.map(async ({ at, userAgent, ...visit }) => {
        const day = new Date(at).toISOString().slice(0, 10);
        return { ...visit, day, visitor: visitorOf(await this.saltOf(day), visit.ip, userAgent) };
      }),
    );
    const fresh = await recordVisits(sql, rows);
    bus.publish("visits", {});
    this.untold += fresh.count;
    if (!fresh.id || this.clock() - this.toldAt < NEWS_EVERY_MS) return;
    const more = this.untold - 1;
    this.toldAt = this.clock();
    this.untold = 0;
    await tellNewVisitors(sql, { id: fresh.id, page: fresh.page ?? "/", country: countryName(fresh.country), more });
    bus.publish("raised", {});
  }

  /** The day's salt, the same in every program; that of the day before is kept for what still waits at midnight. */
  private saltOf(day: string): Promise<Uint8Array> {
    const known = this.salts.get(day);
    if (known) return known;
    const asked = saltOf(this.app.sql, day);
    this.salts.set(day, asked);
    asked.catch(() => this.salts.delete(day));
    for (const old of this.salts.keys()) if (Date.parse(old) < Date.parse(day) - DAY) this.salts.delete(old);
    return asked;
  }
}

/** A visitor's identity for one day: without the day's salt nobody can trace it back. */
function visitorOf(salt: Uint8Array, ip: string, userAgent: string): string {
  return new Bun.CryptoHasher("sha256").update(salt).update(`${ip}\n${userAgent}`).digest("hex").slice(0, 32);
}

/** Calls of one network: so many at once, and one more each second. */
const BURST = 120;
const MOST_NETWORKS = 20_000;

/** Refuses who tracks more visits than a household makes. Kept in memory: it guards this program's work, not an account. */
export class Throttle {
  private readonly networks = new Map<string, { left: number; at: number }>();

  constructor(private readonly clock: () => number = steadyNow) {}

  /** Throws Refusal (too_many_requests). */
  take(ip: string): void {
    const key = networkOf(ip);
    const now = this.clock();
    const known = this.networks.get(key);
    const left = known ? Math.min(BURST, known.left + (now - known.at) / SECOND) : BURST;
    if (left < 1) throw new Refusal("too_many_requests", "Too many requests. Please try again later.", undefined, 10);
    // Whoever was away the longest stands first, and is forgotten first.
    this.networks.delete(key);
    this.networks.set(key, { left: left - 1, at: now });
    for (const oldest of this.networks.keys()) {
      if (this.networks.size <= MOST_NETWORKS) break;
      this.networks.delete(oldest);
    }
  }
}
