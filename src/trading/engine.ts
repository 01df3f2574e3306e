import { marginOf } from "../lib/money";
import type { Quote } from "../market/board";
import { type BoardArrays, boardOf } from "../market/board_sql";
import { newestTicks } from "../market/queries";
import { RecentTicks } from "../market/recent";
import { Afterwards } from "../platform/afterwards";
import type { Messages } from "../platform/cluster/bus";
import { refusalOf } from "../platform/database/db";
import { announcer } from "./announce";
import { Books } from "./books";
import { closeByEngine, closeTogether, type DueExit, type Epoch } from "./commands";
import { expireOrders, triggerOrder } from "./commands_waiting";
import { type Elsewhere, listenElsewhere } from "./elsewhere";
import type { EngineParts } from "./engine_parts";
import { exitReached } from "./exits";
import { MarginDesk } from "./margin_desk";
import { type Moved, MoveDesk } from "./moves";
import { orderReached, type Waiting } from "./orders";
import { readBook } from "./queries_book";
import { watchedPositions } from "./queries_watch";
import { type Task, TaskQueue } from "./queue";
import type { Position } from "./schema";
import { openFigures } from "./watched";

/** Recorded ticks that a start looks back on: about half a minute of the simulator. */
const CATCH_UP = 5_000;
/** So often, in ms, are orders ended whose time is over while no tick comes. */
const END_EVERY = 1_000;
/** An exit that fired, and whose it is. */
type Fired = DueExit & { readonly kind: "exit"; readonly userId: string };
/** Positions that must still be held against ticks from before they were known: by id, the last tick that does not count for them. */
type Since = ReadonlyMap<string, number>;
type Listed = Fired | Moved;

/**
 * Watches every stop, every target, every waiting order and every account's margin, and acts on the tick that reaches one. The database
 * decides again on the same tick, so that a position is closed once, whoever else tries. On one tick exits come first, then stop losses that
 * follow the price, then orders as they were placed, then margin; tasks on one account follow each other, and its margin is judged when the
 * last of them is over.
 */
export class Engine {
  private readonly books: Books;
  private readonly moves: MoveDesk;
  private readonly margin: MarginDesk;
  private readonly queue: TaskQueue<Listed>;
  private readonly tell: ReturnType<typeof announcer>;
  private readonly recent = new RecentTicks();
  /** Rechecks of accounts that wait for their turn. */
  private readonly rechecks = new Map<string, Map<string, number>>();
  private reading = 0;
  /** Positions that were just opened, to be looked at behind their orders' answers. */
  private readonly news = new Afterwards();
  /** While a start goes through earlier ticks: the quotes as they were. */
  private past: Map<string, Quote> | null = null;
  private readonly epoch: Epoch;
  private elsewhere: Elsewhere | null = null;
  private stopListening = () => {};

  constructor(private readonly parts: EngineParts) {
    this.epoch = parts.epoch ?? null;
    this.books = new Books(parts.market);
    this.queue = new TaskQueue(
      parts.log,
      (list) => this.doTogether(list),
      (accountId) => this.margin.judge(accountId),
      () => parts.onDeposed?.(),
    );
    this.tell = announcer(parts.bus);
    this.moves = new MoveDesk(parts.sql, parts.bus, this.epoch);
    const { books, queue, tell, epoch } = this;
    this.margin = new MarginDesk(parts, { books, queue, tell, epoch, recheck: (accountId) => this.recheck(accountId, new Map(), true) });
  }

  /**
   * Reads the whole book in one pass and listens to ticks. Before that it holds the book against the newest recorded ticks: a killed program
   * may not have written all the exits that they fired. Call it before the feed starts.
   */
  async start(): Promise<void> {
    const { market, bus, sql } = this.parts;
    const [, ticks] = await Promise.all([readBook(sql, this.books), newestTicks(sql, market.source, CATCH_UP)]);
    const stops = [
      market.board.onTick((quote) => this.onTick(quote)),
      bus.subscribe("account", (message) => this.onAccount(message)),
      market.addBrake(() => this.queue.idle()),
    ];
    await this.catchUp(ticks);
    for (const account of this.books.margin.all()) this.books.margin.judgeAtNextTick(account.id);
    const [watch, onDeposed] = [(accountId: string) => this.watch(accountId), () => this.parts.onDeposed?.()];
    if (this.epoch !== null) this.elsewhere = listenElsewhere({ ...this.parts, epoch: this.epoch, known: this.books.knows, watch, onDeposed });
    // In a replay time passes with its ticks alone.
    if (market.source !== "replay") {
      const timer = setInterval(() => this.endOrders(market.clock()), END_EVERY);
      stops.push(() => clearInterval(timer));
    }
    this.stopListening = () => [...stops, this.elsewhere?.stop].forEach((stop) => stop?.());
  }

  /**
   * Holds the book against earlier ticks, as if they came now: what one of them sets off is written before the next one counts, at the prices of
   * that tick. What can't be written yet is left to be tried again.
   */
  private async catchUp(ticks: readonly Quote[]) {
    const { board } = this.parts.market;
    this.past = new Map([...board.all(), ...ticks.toReversed()].map((quote) => [quote.symbol, quote]));
    for (const quote of ticks) {
      this.past.set(quote.symbol, quote);
      this.recent.add(quote);
      this.endOrders(this.timeOf(quote));
      if (board.isOpen(quote.symbol, quote.at)) this.setOff(quote);
      await this.queue.quiet();
    }
    this.past = null;
  }

  /** The prices that a waiting order's margin is judged by. */
  private board(): BoardArrays {
    return this.past ? boardOf([...this.past.values()]) : this.parts.board();
  }

  /** Stops listening; tasks under way are finished, waiting ones are left for the next start, which finds them open. */
  async stop(): Promise<void> {
    this.stopListening();
    await this.queue.stop();
  }

  /** How many positions and orders are watched. */
  get watched(): number {
    return this.books.size;
  }

  /** How many accounts have a task under way or in line. */
  get waiting(): number {
    return this.queue.busy.length;
  }

  /** Resolves when no task is under way or waiting. */
  idle(): Promise<void> {
    this.news.catchUp();
    return this.queue.idle() ?? Promise.resolve();
  }

  /** Resolves when what the ticks until now set off on this person's accounts is over; `everywhere`: of what other programs have dealt, too. */
  async settled(userId: string, everywhere = false): Promise<void> {
    if (everywhere) await this.elsewhere?.look();
    this.news.catchUp();
    await this.queue.passed((accountId) => (this.books.margin.get(accountId)?.userId ?? userId) === userId);
  }

  /** Whether a position is watched, and no tick has set it off of which the writing is not over. */
  isAtRest = (positionId: string): boolean => this.books.exits.get(positionId) !== undefined && !this.books.spokenFor.has(positionId);

  /** To be read before an order is sent, for `opened`. */
  get moment(): number {
    return this.reading;
  }

  /**
   * Takes an account as the database has it, soon and surely; for whoever changed its positions or its balance, after the
   * commit. A position named here is also held against the ticks after `sinceSeq` that came until then.
   */
  watch(accountId: string, position?: { id: string; sinceSeq: number }) {
    const waiting = this.rechecks.get(accountId);
    const since = waiting ?? new Map<string, number>();
    if (position) since.set(position.id, Math.min(position.sinceSeq, since.get(position.id) ?? position.sinceSeq));
    if (waiting) return;
    this.rechecks.set(accountId, since);
    const run = () => {
      this.rechecks.delete(accountId);
      return this.recheck(accountId, since);
    };
    this.queue.push(accountId, { run });
  }

  /**
   * Takes a position that was opened on the tick `sinceSeq` by an order sent after `moment`, once the order is answered. The database is only asked
   * where the account is not known as it was before the order.
   */
  opened(position: Position, sinceSeq: number, moment: number) {
    this.news.add(() => this.take(position, sinceSeq, moment));
  }

  private take(position: Position, sinceSeq: number, moment: number) {
    const { id, accountId, groupVersion = null, termsVersion = null } = position;
    const account = this.books.margin.get(accountId);
    const isKnown = account && account.reading <= moment && account.tier.version === groupVersion;
    if (!isKnown || this.queue.isBusy(accountId)) return this.watch(accountId, { id, sinceSeq });
    const breakEvenAt = position.brokeEven ? null : position.breakEvenAt;
    const asked = { side: position.type, margin: marginOf(position.amount, account.leverage), sinceSeq, breakEvenAt, groupVersion, termsVersion };
    this.books.add(account, openFigures({ ...position, ...asked }));
    this.holdBack(id, sinceSeq);
    this.margin.judge(accountId);
  }

  /** Stops watching a position's exits. The account is checked too, as its balance changed. */
  forget(positionId: string) {
    this.books.forget(positionId);
  }

  /**
   * Money came to or went from an account outside of trading; without its id it may be any of the person's. An account
   * with a task under way may be about to be known as it was before.
   */
  private onAccount({ userId, accountId, dealt }: Messages["account"]) {
    if (dealt) return;
    if (accountId === null) for (const id of new Set([...this.books.margin.of(userId), ...this.queue.busy])) this.watch(id);
    else if (this.books.margin.get(accountId) || this.queue.isBusy(accountId)) this.watch(accountId);
  }

  private async recheck(accountId: string, since: Since, puzzled = false): Promise<void> {
    const reading = ++this.reading;
    const rows = await watchedPositions(this.parts.sql, accountId);
    const known = this.books.sinceOf(accountId);
    this.books.clear(accountId);
    this.books.enter(rows, reading, puzzled);
    for (const { id, sinceSeq } of rows) {
      const told = since.get(id);
      if (told !== undefined) this.holdBack(id, Math.max(told, sinceSeq));
      else if (sinceSeq > 0 && known.get(id) !== sinceSeq) this.holdBack(id, sinceSeq);
    }
  }

  private isOpen(symbol: string): boolean {
    return this.parts.market.board.isOpen(symbol, this.parts.market.clock());
  }

  /** The market's time on a tick. */
  private timeOf(quote: Quote): number {
    return this.parts.market.source === "replay" ? quote.at : quote.receivedAt;
  }

  private onTick(quote: Quote) {
    this.recent.add(quote);
    this.endOrders(this.timeOf(quote));
    if (!this.isOpen(quote.symbol)) return;
    this.setOff(quote);
    for (const account of this.books.margin.reached(quote)) this.margin.judge(account.id);
  }

  /**
   * What the tick reaches. What was opened, placed or changed on it or later does not answer to it: a start hears of ticks again. Nor does an
   * order of which the tick is not known answer to an earlier one.
   */
  private setOff(quote: Quote) {
    const { exits, orders } = this.books;
    for (const { positionId, reason } of exits.reached(quote)) if (exits.answers(positionId, quote)) this.fire(positionId, reason, quote);
    for (const { positionId } of exits.moving(quote)) if (exits.answers(positionId, quote)) this.moveStop(positionId, quote);
    for (const order of orders.reached(quote)) {
      if (order.sinceSeq < quote.seq && (order.sinceSeq > 0 || !this.past)) this.open(order, quote);
      else orders.add(order);
    }
  }

  /** Holds one position or order against the ticks after `sinceSeq`. */
  private holdBack(id: string, sinceSeq: number) {
    const held = this.books.exits.get(id);
    const order = this.books.orders.get(id);
    const symbol = held?.stake.symbol ?? order?.symbol;
    if (!symbol || !this.isOpen(symbol)) return;
    for (const quote of this.recent.after(symbol, sinceSeq)) {
      if (order && orderReached(order, quote)) return this.open(order, quote);
      const reason = held && exitReached(held, quote);
      if (reason) return this.fire(id, reason, quote);
      if (held?.trail) this.moveStop(id, quote);
    }
  }

  private fire(positionId: string, reason: DueExit["reason"], quote: Quote) {
    const held = this.books.exits.get(positionId);
    if (!held) return;
    this.forget(positionId);
    const { id: accountId, userId } = held.account;
    const exit = { kind: "exit" as const, positionId, reason, quote, userId };
    const run = async () => this.exited(exit, await closeByEngine(this.parts.sql, exit, this.epoch));
    this.enqueue(accountId, positionId, quote.seq, { run, listed: exit });
  }

  /** All of one kind. */
  private async doTogether(list: Listed[]): Promise<boolean[]> {
    const stops = list.flatMap((each) => (each.kind === "stops" ? each : []));
    const held = stops.length > 0 ? await this.moves.write(stops, false) : null;
    if (held) return stops.map(({ accountId }) => held.has(accountId));
    const exits = list.flatMap((each) => (each.kind === "exit" ? each : []));
    const closed = new Map((await closeTogether(this.parts.sql, exits, this.epoch)).map((position) => [position.id, position]));
    return exits.map((exit) => {
      const position = closed.get(exit.positionId);
      if (position) this.exited(exit, position);
      return position !== undefined;
    });
  }

  /** Moves a stop loss on this tick, if the price asks for it; the database is told in the account's turn. */
  private moveStop(positionId: string, quote: Quote) {
    const held = this.books.exits.get(positionId);
    const moved = held && this.books.exits.move(held, quote) ? this.moves.take(held.account, positionId, quote) : null;
    if (moved) this.queue.push(moved.accountId, { run: async () => void (await this.moves.write([moved], true)), listed: moved });
  }

  private exited({ userId }: Fired, closed: Position) {
    this.books.spokenFor.delete(closed.id);
    this.books.settle(closed);
    if (closed.charges) this.watch(closed.accountId);
    this.tell.exit(userId, closed);
  }

  private open(order: Waiting, quote: Quote) {
    this.forget(order.id);
    const board = this.board();
    const run = async () => {
      const done = await triggerOrder(this.parts.sql, order.id, quote, board, this.timeOf(quote), this.epoch);
      this.books.spokenFor.delete(order.id);
      this.watch(order.accountId, { id: order.id, sinceSeq: quote.seq });
      if (done) this.tell.triggered(order.userId, done);
    };
    this.enqueue(order.accountId, order.id, quote.seq, { run });
  }

  /** Ends the orders whose time is over. */
  private endOrders(at: number) {
    for (const [accountId, orders] of Map.groupBy(this.books.orders.over(at), (order) => order.accountId)) {
      for (const { id } of orders) this.forget(id);
      const run = async () => {
        const ended = await expireOrders(this.parts.sql, accountId, at, this.epoch);
        for (const order of ended) this.tell.triggered(orders[0]?.userId ?? "", { order });
        this.watch(accountId);
      };
      this.queue.push(accountId, { run });
    }
  }

  /** A task on a position or order that until it is over belongs to nobody else. Where it is refused, the account is looked at anew. */
  private enqueue(accountId: string, positionId: string, sinceSeq: number, task: Task<Listed>) {
    this.books.spokenFor.add(positionId);
    const run = async () => {
      try {
        await task.run();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal && refusal.code !== "unavailable") {
          this.books.spokenFor.delete(positionId);
          this.watch(accountId, { id: positionId, sinceSeq });
        }
        throw error;
      }
    };
    this.queue.push(accountId, { ...task, run });
  }
}
