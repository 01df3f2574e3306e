import { priceUnits } from "../lib/money";
import { Refusal } from "../lib/refusal";
import type { Quote } from "../market/board";
import { type BoardArrays, tierPip } from "../market/board_sql";
import type { Market } from "../market/market";
import type { Bus } from "../platform/bus";
import { type Db, refusalOf } from "../platform/db";
import type { Log } from "../platform/log";
import { closeByEngine, fillPending } from "./commands";
import { type Watched, watchedPositions } from "./queries";
import { accountPrice } from "./rules";
import { type Trigger, TriggerBook } from "./triggers";

/** Ticks of a symbol that are remembered, so that a position told of late is still held to each of them. */
const MEMORY = 512;
/** Deeds under way at once; the rest wait in their order. */
const HANDS = 8;
const RETRY_FROM_MS = 50;
const RETRY_UP_TO_MS = 5_000;

type Entry = { position: Watched; book: TriggerBook; triggers: Trigger[] };
type Job = () => Promise<void>;

type Parts = { sql: Db; market: Market; bus: Bus; log: Log; board: () => BoardArrays };

/**
 * Watches every stop, every target and every waiting order, and acts on the tick that reaches it. The database decides
 * once more, on that same tick, so that a position is closed once, whoever else tries. A deed whose write fails is
 * repeated until it lands.
 */
export class Engine {
  private readonly entries = new Map<string, Entry>();
  /** symbol → tier's pips → book. */
  private readonly books = new Map<string, Map<string, TriggerBook>>();
  private readonly pending = new Map<string, Map<string, Watched>>();
  private readonly recent = new Map<string, Quote[]>();
  private readonly queue: Job[] = [];
  private running = 0;
  /** The latest look at each position; an answer that comes after a later one is out of date. */
  private readonly looks = new Map<string, number>();
  private look = 0;
  private idleWaiters: (() => void)[] = [];
  private stopListening = () => {};
  private stopped = false;

  constructor(private readonly parts: Parts) {}

  /** Reads the whole book in one pass, then listens to ticks. Call it before the feed starts. */
  async start(): Promise<void> {
    for (const position of await watchedPositions(this.parts.sql)) this.enter(position);
    this.stopListening = this.parts.market.board.onTick((quote) => this.onTick(quote));
    this.parts.market.addBrake(() => (this.isIdle ? undefined : this.idle()));
  }

  /** Stops listening; deeds under way are finished, waiting ones are left for the next start, which finds them open. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.queue.length = 0;
    await this.idle();
  }

  /** How many positions and orders are watched. */
  get watched(): number {
    return this.entries.size + [...this.pending.values()].reduce((sum, { size }) => sum + size, 0);
  }

  private get isIdle() {
    return this.running === 0 && this.queue.length === 0;
  }

  /** Resolves when no deed is under way or waiting. */
  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((done) => this.idleWaiters.push(done));
  }

  /**
   * Takes a new or changed position as the database has it, soon and surely. Ticks after `sinceSeq`, which come until
   * then, are held against it too.
   */
  watch(positionId: string, sinceSeq: number) {
    this.enqueue(() => this.lookAt(positionId, sinceSeq), positionId, sinceSeq);
  }

  private async lookAt(positionId: string, sinceSeq: number): Promise<void> {
    const look = ++this.look;
    this.looks.set(positionId, look);
    const [position] = await watchedPositions(this.parts.sql, positionId);
    if (this.looks.get(positionId) !== look) return;
    this.looks.delete(positionId);
    this.forget(positionId);
    if (!position) return;
    this.enter(position);
    for (const quote of this.recent.get(position.symbol) ?? []) if (quote.seq > sinceSeq) this.hold(quote);
  }

  /** No longer watches a position. */
  forget(positionId: string) {
    const entry = this.entries.get(positionId);
    for (const trigger of entry?.triggers ?? []) entry?.book.kill(trigger);
    this.entries.delete(positionId);
    for (const orders of this.pending.values()) orders.delete(positionId);
  }

  private enter(position: Watched) {
    if (position.status === "pending") {
      const orders = this.pending.get(position.symbol) ?? new Map<string, Watched>();
      this.pending.set(position.symbol, orders.set(position.id, position));
      return;
    }
    const book = this.bookOf(position.symbol, position.tierPips);
    const triggers: Trigger[] = [];
    if (position.stopLoss) triggers.push({ price: priceUnits(position.stopLoss), alive: true, positionId: position.id, reason: "stop_loss" });
    if (position.takeProfit) triggers.push({ price: priceUnits(position.takeProfit), alive: true, positionId: position.id, reason: "take_profit" });
    for (const trigger of triggers) book.add(position.side, trigger);
    this.entries.set(position.id, { position, book, triggers });
  }

  private bookOf(symbol: string, tierPips: string): TriggerBook {
    const tiers = this.books.get(symbol) ?? new Map<string, TriggerBook>();
    this.books.set(symbol, tiers);
    const book = tiers.get(tierPips) ?? new TriggerBook();
    tiers.set(tierPips, book);
    return book;
  }

  private onTick(quote: Quote) {
    this.remember(quote);
    this.hold(quote);
  }

  private remember(quote: Quote) {
    const ticks = this.recent.get(quote.symbol) ?? [];
    this.recent.set(quote.symbol, ticks);
    ticks.push(quote);
    if (ticks.length >= 2 * MEMORY) ticks.splice(0, MEMORY);
  }

  /** Holds one tick against the symbol's exits and waiting orders. */
  private hold(quote: Quote) {
    const { market } = this.parts;
    if (!market.board.isOpen(quote.symbol, market.clock())) return;
    for (const [tierPips, book] of this.books.get(quote.symbol) ?? []) {
      const { bid, ask } = accountPrice(quote, tierPip(quote.symbol), tierPips);
      for (const trigger of book.reached(bid, ask)) this.fire(trigger, quote);
    }
    const orders = this.pending.get(quote.symbol);
    if (!orders?.size) return;
    for (const order of orders.values()) this.open(order, quote);
    orders.clear();
  }

  private fire({ positionId, reason }: Trigger, quote: Quote) {
    const entry = this.entries.get(positionId);
    if (!entry) return;
    this.forget(positionId);
    this.enqueue(
      async () => {
        const closed = await closeByEngine(this.parts.sql, positionId, reason, quote);
        this.announce(entry.position);
        this.parts.bus.publish("notice", {
          userId: entry.position.userId,
          title: reason === "stop_loss" ? "Stop loss reached" : "Take profit reached",
          message: `${entry.position.side.toUpperCase()} ${entry.position.symbol} closed with ${closed.profit} USD.`,
          kind: "info",
        });
      },
      positionId,
      quote.seq,
    );
  }

  private open(order: Watched, quote: Quote) {
    this.enqueue(
      async () => {
        const filled = await fillPending(this.parts.sql, order.id, quote, this.parts.board());
        if (!filled) return;
        if (filled.status === "open") this.watch(order.id, quote.seq);
        this.announce(order);
        const opened = filled.status === "open";
        this.parts.bus.publish("notice", {
          userId: order.userId,
          title: opened ? "Order filled" : "Order cancelled",
          message: opened
            ? `Your waiting ${order.side.toUpperCase()} order on ${order.symbol} was filled at the opening.`
            : `Your waiting order on ${order.symbol} was cancelled: not enough free margin when the market opened.`,
          kind: opened ? "info" : "warning",
        });
      },
      order.id,
      quote.seq,
    );
  }

  private announce({ userId, accountId, id }: Watched) {
    this.parts.bus.publish("position", { userId, accountId, positionId: id });
    this.parts.bus.publish("account", { userId, accountId });
  }

  private enqueue(deed: Job, positionId: string, seq: number) {
    this.queue.push(() => this.persist(deed, positionId, seq));
    if (this.running < HANDS) void this.work();
  }

  private async work() {
    this.running++;
    for (let job = this.queue.shift(); job; job = this.queue.shift()) await job();
    this.running--;
    if (this.isIdle) for (const done of this.idleWaiters.splice(0)) done();
  }

  /** Repeats a deed until it lands; a refusal means that somebody else was first, or that its exit was moved. */
  private async persist(deed: Job, positionId: string, seq: number) {
    let attempt = deed;
    for (let wait = RETRY_FROM_MS; !this.stopped; wait = Math.min(RETRY_UP_TO_MS, wait * 2)) {
      try {
        return await attempt();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal?.code === "not_triggered") attempt = () => this.lookAt(positionId, seq);
        else if (refusal && refusal.code !== "unavailable") return this.note(refusal, positionId);
        else {
          this.parts.log.warn("an exit could not be written yet, will try again", { positionId, error });
          await Bun.sleep(wait);
        }
      }
    }
  }

  private note(refusal: Refusal, positionId: string) {
    this.parts.log[refusal.code === "conflict" ? "debug" : "error"]("an exit was refused", { positionId, code: refusal.code, message: refusal.message });
  }
}
