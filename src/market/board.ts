import { DAY, SECOND, tradingDayStart } from "../lib/time";
import { type BoardArrays, boardOf } from "./board_sql";
import type { MarketHours } from "./hours";
import { instrumentOf, instruments, isForex } from "./rules_listed";

/**
 * What a feed says: prices in whole units of 10⁻⁸, `at` in milliseconds since the epoch, by the feed's own clock. A feed that
 * counts its ticks says their place, from 1; their quotes are then numbered by it.
 */
export type Tick = { symbol: string; bid: number; ask: number; at: number; number?: number };
/** An accepted tick. `seq` rises with each tick of any symbol and is never given twice, over restarts too; `receivedAt` is by the board's steady clock. */
export type Quote = Omit<Tick, "number"> & { seq: number; receivedAt: number };
/** A trading day (from New York 17:00) in mid prices, whole units of 10⁻⁸. */
export type DayRange = { start: number; open: number; high: number; low: number };

/** Without a sign of life for this long, a quote is stale. */
export const STALE_AFTER = 10 * SECOND;
/** A tick further ahead of the clock than this is refused: it would make every true one an older one. */
const AHEAD = 2 * SECOND;
/** A forex quote from before a weekend or a holiday is no price of the session that opens after it, however alive the feed. */
const QUOTE_LIFE = DAY;

export type BoardOptions = {
  hours: MarketHours;
  /** Milliseconds since the epoch, never backwards. */
  clock: () => number;
  /** Who vouches for a quote: ticks of its own symbol, or any message of the feed. */
  freshness: "symbol" | "feed";
  /** `feed`: hours are judged at the feed's own time (a replay), not at the caller's, and no tick is ahead of it. */
  time: "real" | "feed";
  /** A listener that failed; the others are still told. */
  onFault: (error: unknown) => void;
};

/** `contradicted`: a tick of the symbol was refused since its quote came. */
type Entry = { quote: Quote; vouched: boolean; contradicted: boolean };

/** The middle of bid and ask, to a whole unit of 10⁻⁸. */
export const midOf = (tick: { bid: number; ask: number }): number => Math.round((tick.bid + tick.ask) / 2);

/**
 * The latest quote of every instrument, in memory. Ticks that can't be true are dropped; a jump is held back until a
 * second tick confirms it or one at the old level takes it back, and meanwhile nobody vouches for the symbol: either price
 * may be the wrong one. Listeners hear each accepted tick at once and in order.
 */
export class Board {
  private readonly entries = new Map<string, Entry>();
  private readonly days = new Map<string, DayRange>();
  private readonly held = new Map<string, Tick>();
  private readonly listeners = new Set<(quote: Quote) => void>();
  private readonly watchers = new Set<(symbol: string) => void>();
  private heardAt = Number.NEGATIVE_INFINITY;
  private feedTime: number | null = null;
  private written: BoardArrays | null = null;
  private seqFirst = 1;
  private seq = 0;
  private seqEnd = Number.MAX_SAFE_INTEGER;
  /** Ticks since the start, for the metrics. */
  readonly counts = { accepted: 0, dropped: 0, ahead: 0, held: 0 };

  constructor(private readonly options: BoardOptions) {}

  /** Numbers the next ticks from `first`, `size` of them. */
  adoptSequence(first: number, size: number): void {
    this.seqFirst = first;
    this.seq = first - 1;
    this.seqEnd = first + size - 1;
  }
  /** The number of the newest tick. */
  get newest(): number {
    return this.seq;
  }
  get sequenceLeft(): number {
    return this.seqEnd - this.seq;
  }

  /** The last quotes of an earlier run, shown but vouched for by nobody until the feed speaks again, and what is known of their days. */
  restore(quotes: readonly Quote[], days: ReadonlyMap<string, DayRange>): void {
    for (const [symbol, day] of days) this.days.set(symbol, day);
    for (const quote of quotes) {
      this.entries.set(quote.symbol, { quote, vouched: false, contradicted: false });
      this.written = null;
      if (!this.days.has(quote.symbol)) this.days.set(quote.symbol, nextDay(undefined, quote));
    }
  }

  get(symbol: string): Quote | undefined {
    return this.entries.get(symbol)?.quote;
  }
  /** Every quoted instrument, in the order of the list. */
  all(): Quote[] {
    return instruments.flatMap(({ symbol }) => this.entries.get(symbol)?.quote ?? []);
  }
  /** The quoted board for the `board` parameters of queries; the same object until a tick changes it. */
  arrays(): BoardArrays {
    this.written ??= boardOf(this.all());
    return this.written;
  }
  /** The trading day of the symbol's last quote. */
  day(symbol: string): DayRange | undefined {
    return this.days.get(symbol);
  }

  /** Called synchronously for each accepted tick, in order. Returns the way to stop listening. */
  onTick(listener: (quote: Quote) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Called for each quote that is new on the board, accepted or followed. Returns the way to stop listening. */
  onChange(watcher: (symbol: string) => void): () => void {
    this.watchers.add(watcher);
    return () => void this.watchers.delete(watcher);
  }

  /** True where nobody vouches for the symbol's price at `now` (by the board's clock): never quoted, withdrawn, or silent too long. */
  isStale(symbol: string, now: number): boolean {
    const entry = this.entries.get(symbol);
    if (!entry || !this.vouchesFor(symbol, now)) return true;
    if (this.options.freshness === "symbol") return now - entry.quote.receivedAt >= STALE_AFTER;
    const instrument = instrumentOf(symbol);
    if (instrument && isForex(instrument) && now - entry.quote.receivedAt >= QUOTE_LIFE) return true;
    return now - this.heardAt >= STALE_AFTER;
  }

  /**
   * True where the feed stands by the symbol's quote at `now`, be it old or not: it did not take it back and holds no jump against
   * it. Its other signs of life stand for a quote no longer once a tick of the symbol was refused; then the quote's own age counts.
   */
  vouchesFor(symbol: string, now: number): boolean {
    const entry = this.entries.get(symbol);
    if (!entry?.vouched || this.held.has(symbol)) return false;
    return !entry.contradicted || now - entry.quote.receivedAt < STALE_AFTER;
  }

  /** True while the symbol's market is open at `now`; in a replay, at the time the file has reached. */
  isOpen(symbol: string, now: number): boolean {
    const instrument = instrumentOf(symbol);
    if (!instrument) return false;
    return this.options.hours(instrument, this.timeAt(now));
  }

  /** What time it is in the market at `now`: in a replay, the time that the file has reached. */
  timeAt(now: number): number {
    return this.options.time === "feed" ? (this.feedTime ?? now) : now;
  }

  /** The feed gave a sign of life. */
  heard(): void {
    this.heardAt = this.options.clock();
  }

  /** The feed no longer vouches for these symbols (all of them where none are named) until their next ticks. */
  withdraw(symbols: Iterable<string> = this.entries.keys()): void {
    for (const symbol of symbols) {
      const entry = this.entries.get(symbol);
      if (entry) entry.vouched = false;
      this.held.delete(symbol);
    }
  }

  /** Nobody vouches any more for quotes with a number below `first`: another epoch's, on which the database lets nobody deal. */
  withdrawBefore(first: number): void {
    this.withdraw(this.all().flatMap(({ symbol, seq }) => (seq < first ? symbol : [])));
  }

  /** When the feed last gave a sign of life, by the board's clock. */
  get lastHeard(): number {
    return this.heardAt;
  }

  /** Takes quotes from the board of the program that runs the feed, where they are newer; a price never goes back. */
  follow(quotes: readonly (Quote & { stale: boolean })[], heardAt: number): void {
    const now = this.options.clock();
    this.heardAt = Math.max(this.heardAt, Math.min(now, heardAt));
    for (const { stale, ...quote } of quotes) {
      const known = this.entries.get(quote.symbol)?.quote;
      if (known && quote.seq < known.seq) continue;
      const receivedAt = known?.seq === quote.seq ? known.receivedAt : Math.min(now, quote.receivedAt);
      this.put({ ...quote, receivedAt }, !stale);
    }
  }

  private put(quote: Quote, vouched: boolean): void {
    this.entries.set(quote.symbol, { quote, vouched, contradicted: false });
    this.written = null;
    this.days.set(quote.symbol, nextDay(this.days.get(quote.symbol), quote));
    if (this.feedTime === null || quote.at > this.feedTime) this.feedTime = quote.at;
    this.counts.accepted++;
    for (const watch of this.watchers) watch(quote.symbol);
  }

  /** Takes a tick from the feed. Returns the quote it became, or null where it was dropped or is held back. */
  accept(tick: Tick): Quote | null {
    this.heard();
    const entry = this.entries.get(tick.symbol);
    const fault = this.faultOf(tick, entry);
    if (fault) {
      this.counts[fault]++;
      if (entry) entry.contradicted = true;
      return null;
    }
    if (this.isUnconfirmedJump(tick, entry)) {
      this.held.set(tick.symbol, tick);
      this.counts.held++;
      return null;
    }
    this.held.delete(tick.symbol);
    const seq = tick.number === undefined ? this.seq + 1 : this.seqFirst + tick.number - 1;
    if (seq > this.seqEnd) throw new Error("tick numbers are used up");
    if (tick.number !== undefined && seq < (entry?.quote.seq ?? 0)) return null;
    this.seq = seq;
    const quote: Quote = { symbol: tick.symbol, bid: tick.bid, ask: tick.ask, at: tick.at, seq, receivedAt: this.options.clock() };
    this.put(quote, true);
    this.tell(quote);
    return quote;
  }

  /** Why a tick is refused, as it is counted; null where it is not. */
  private faultOf(tick: Tick, entry: Entry | undefined): "dropped" | "ahead" | null {
    if (!isPlausible(tick)) return "dropped";
    if (this.options.time === "real" && tick.at > this.options.clock() + AHEAD) return "ahead";
    return entry?.vouched && tick.at < entry.quote.at ? "dropped" : null;
  }

  private isUnconfirmedJump(tick: Tick, entry: Entry | undefined): boolean {
    if (!entry || !isJump(entry.quote, tick)) return false;
    const held = this.held.get(tick.symbol);
    return !held || isJump(held, tick);
  }

  private tell(quote: Quote): void {
    for (const listener of this.listeners) {
      try {
        listener(quote);
      } catch (error) {
        this.options.onFault(error);
      }
    }
  }
}

function isPlausible({ symbol, bid, ask, at }: Tick): boolean {
  return instrumentOf(symbol) !== undefined && Number.isSafeInteger(bid) && Number.isSafeInteger(ask) && bid > 0 && ask >= bid && Number.isFinite(at);
}

/** More than 5 % (forex) or 20 % (crypto) between two mid prices of one symbol. */
function isJump(before: Tick, after: Tick): boolean {
  const instrument = instrumentOf(after.symbol);
  const limit = instrument && isForex(instrument) ? 0.05 : 0.2;
  const reference = midOf(before);
  return Math.abs(midOf(after) - reference) > reference * limit;
}

function nextDay(day: DayRange | undefined, quote: Quote): DayRange {
  const mid = midOf(quote);
  const start = tradingDayStart(quote.at);
  if (!day || day.start !== start) return { start, open: mid, high: mid, low: mid };
  return { start, open: day.open, high: Math.max(day.high, mid), low: Math.min(day.low, mid) };
}
