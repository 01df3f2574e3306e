import { cents, marginOf, priceUnits } from "../lib/money";
import type { Quote } from "../market/board";
import type { BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import { newestTicks } from "../market/queries";
import type { Bus, Messages } from "../platform/bus";
import { type Db, refusalOf } from "../platform/db";
import type { Log } from "../platform/log";
import { announcer } from "./announce";
import { closeByEngine, closeTogether, type DueExit, type Epoch, fillPending } from "./commands";
import { type Carried, carryOut } from "./commands_margin";
import { listenElsewhere } from "./elsewhere";
import { ExitBook, exitReached } from "./exits";
import { Account, MarginBook } from "./margin";
import { type Watched, watchedPositions } from "./queries";
import { type Deed, DeedQueue } from "./queue";
import { RecentTicks } from "./recent";
import { digestOf } from "./recheck";
import type { Stake } from "./rules_margin";
import type { Position } from "./schema";

/** Recorded ticks that a start looks back on: about half a minute of the simulator. */
const CATCH_UP = 5_000;
/** An exit that fired, and whose it is. */
type Fired = DueExit & { readonly userId: string };
type Order = Pick<Watched, "id" | "accountId" | "userId" | "symbol" | "side">;
/** Ticks that came before a position was known and that it must answer to: its id, and the last tick that it need not. */
type Since = ReadonlyMap<string, number>;
const NONE: Since = new Map();

type Parts = {
  sql: Db;
  market: Market;
  bus: Bus;
  log: Log;
  board: () => BoardArrays;
  /** In which this program leads; null: alone on its database. */
  epoch?: Epoch;
  /** Another program turned out to lead. */
  onDeposed?: () => void;
};

/**
 * Watches every stop, every target, every waiting order and every account's margin, and acts on the tick that reaches
 * one. The database decides once more, on that same tick, so that a position is closed once, whoever else tries. On one
 * tick exits come first, then orders, then margin; deeds on one account follow each other, and its margin is judged when
 * the last of them is over.
 */
export class Engine {
  private readonly exits = new ExitBook();
  private readonly pending = new Map<string, Map<string, Order>>();
  private readonly margin: MarginBook;
  private readonly queue: DeedQueue<Fired>;
  private readonly tell: ReturnType<typeof announcer>;
  private readonly recent = new RecentTicks();
  /** Positions and orders with a deed of the engine on its way. */
  private readonly spokenFor = new Set<string>();
  /** Accounts with a judgement on its way. */
  private readonly judged = new Set<string>();
  /** Looks at accounts that wait for their turn. */
  private readonly looks = new Map<string, Map<string, number>>();
  private look = 0;
  private readonly epoch: Epoch;
  private stopListening = () => {};

  constructor(private readonly parts: Parts) {
    this.epoch = parts.epoch ?? null;
    this.margin = new MarginBook(parts.market);
    this.queue = new DeedQueue(
      parts.log,
      (exits) => this.exitTogether(exits),
      (accountId) => this.judge(accountId),
      () => parts.onDeposed?.(),
    );
    this.tell = announcer(parts.bus);
  }

  /**
   * Reads the whole book in one pass, holds it against the newest recorded ticks, of which a program that was killed may not
   * have written what they fired, then listens to ticks. Call it before the feed starts.
   */
  async start(): Promise<void> {
    const { market, bus, sql } = this.parts;
    const [rows, ticks] = await Promise.all([watchedPositions(sql), newestTicks(sql, market.source, CATCH_UP)]);
    for (const own of Map.groupBy(rows, (row) => row.accountId).values()) this.enter(own);
    for (const quote of ticks) this.catchUp(quote);
    for (const accountId of new Set(rows.map((row) => row.accountId))) this.margin.judgeAtNextTick(accountId);
    const stops = [
      market.board.onTick((quote) => this.onTick(quote)),
      bus.subscribe("account", (message) => this.onAccount(message)),
      market.addBrake(() => this.queue.idle()),
    ];
    if (this.epoch !== null) stops.push(this.listenElsewhere(this.epoch));
    this.stopListening = () => stops.forEach((stop) => stop());
  }

  private listenElsewhere(epoch: number): () => void {
    const { sql, bus, log } = this.parts;
    return listenElsewhere({ sql, bus, log, epoch, known: this.knows, watch: (accountId) => this.watch(accountId), onDeposed: () => this.parts.onDeposed?.() });
  }

  /** An earlier tick, that may have fired an exit of a position that is older. */
  private catchUp(quote: Quote) {
    this.recent.add(quote);
    if (!this.parts.market.board.isOpen(quote.symbol, quote.at)) return;
    for (const { positionId, reason } of this.exits.reached(quote)) {
      const held = this.exits.get(positionId);
      if (held && held.sinceSeq < quote.seq) this.fire(positionId, reason, quote);
      else if (held) this.exits.rearm(held);
    }
  }

  /** Stops listening; deeds under way are finished, waiting ones are left for the next start, which finds them open. */
  async stop(): Promise<void> {
    this.stopListening();
    await this.queue.stop();
  }

  /** How many positions and orders are watched. */
  get watched(): number {
    return this.exits.size + [...this.pending.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** How many accounts have a deed under way or in line. */
  get waiting(): number {
    return this.queue.busy.length;
  }

  /** Resolves when no deed is under way or waiting. */
  idle(): Promise<void> {
    return this.queue.idle() ?? Promise.resolve();
  }

  /** To be read before an order is sent, for `opened`. */
  get moment(): number {
    return this.look;
  }

  /**
   * Takes an account as the database has it, soon and surely; for whoever changed its positions or its balance, after the
   * commit. A position named here is also held against the ticks after `sinceSeq` that came until then.
   */
  watch(accountId: string, position?: { id: string; sinceSeq: number }) {
    const waiting = this.looks.get(accountId);
    const since = waiting ?? new Map<string, number>();
    if (position) since.set(position.id, Math.min(position.sinceSeq, since.get(position.id) ?? position.sinceSeq));
    if (waiting) return;
    this.looks.set(accountId, since);
    const run = () => {
      this.looks.delete(accountId);
      return this.lookAt(accountId, since);
    };
    this.queue.push(accountId, { run });
  }

  /**
   * Takes a position that was opened on the tick `sinceSeq` by an order sent after `moment`. The database is only asked
   * where the account is not known as it was before the order.
   */
  opened(position: Position, sinceSeq: number, moment: number) {
    const { id, accountId } = position;
    const account = this.margin.get(accountId);
    if (!account || account.look > moment || this.queue.isBusy(accountId)) return this.watch(accountId, { id, sinceSeq });
    this.add(account, { ...position, side: position.type, margin: marginOf(position.amount, account.leverage), sinceSeq });
    this.holdBack(id, sinceSeq);
    this.judge(accountId);
  }

  /** The digest of what is known of an account. */
  knows = (accountId: string) => digestOf(this.margin.get(accountId), this.exits);

  /** No longer watches a position's exits; its account must be looked at too, as its balance changed. */
  forget(positionId: string) {
    this.exits.forget(positionId);
    for (const orders of this.pending.values()) orders.delete(positionId);
  }

  /**
   * Money came to or went from an account outside of trading; without its id it may be any of the person's. An account
   * with a deed under way may be about to be known as it was before.
   */
  private onAccount({ userId, accountId, dealt }: Messages["account"]) {
    if (dealt) return;
    if (accountId === null) for (const id of new Set([...this.margin.of(userId), ...this.queue.busy])) this.watch(id);
    else if (this.margin.get(accountId) || this.queue.isBusy(accountId)) this.watch(accountId);
  }

  private async lookAt(accountId: string, since: Since, puzzled = false): Promise<void> {
    const look = ++this.look;
    const rows = await watchedPositions(this.parts.sql, accountId);
    const known = new Map([...(this.margin.get(accountId)?.stakes.keys() ?? [])].map((id) => [id, this.exits.get(id)?.sinceSeq]));
    this.clear(accountId);
    this.enter(rows, look, puzzled);
    for (const { id, sinceSeq } of rows) {
      const told = since.get(id);
      if (told !== undefined) this.holdBack(id, Math.max(told, sinceSeq));
      else if (sinceSeq > 0 && known.get(id) !== sinceSeq) this.holdBack(id, sinceSeq);
    }
  }

  private clear(accountId: string) {
    const account = this.margin.get(accountId);
    for (const id of [...(account?.stakes.keys() ?? []), ...(account?.orders.keys() ?? [])]) this.forget(id);
    this.margin.drop(accountId);
  }

  /** Takes all that is watched of one account. */
  private enter(rows: readonly Watched[], look = 0, puzzled = false) {
    const [first] = rows;
    if (!first) return;
    const account = new Account(first.accountId, first.userId, first.tierPips, first.leverage, Number(cents(first.net)), first.called, look, puzzled);
    this.margin.set(account);
    for (const row of rows) {
      if (row.status === "open") this.add(account, row);
      else if (!this.spokenFor.has(row.id)) this.await(account, row);
    }
  }

  private add(account: Account, row: Pick<Watched, "id" | "symbol" | "side" | "amount" | "openPrice" | "margin" | "stopLoss" | "takeProfit" | "sinceSeq">) {
    const { id, symbol, side } = row;
    const stake: Stake = { id, symbol, side, amount: cents(row.amount), open: priceUnits(row.openPrice ?? ""), margin: Number(cents(row.margin)) };
    account.stakes.set(id, stake);
    const units = (price: string | null) => (price === null ? null : priceUnits(price));
    if (!this.spokenFor.has(id)) this.exits.arm(account, stake, units(row.stopLoss), units(row.takeProfit), row.sinceSeq);
  }

  private await(account: Account, { id, accountId, userId, symbol, side }: Order) {
    account.orders.set(id, symbol);
    const orders = this.pending.get(symbol) ?? new Map<string, Order>();
    this.pending.set(symbol, orders.set(id, { id, accountId, userId, symbol, side }));
  }

  private isOpen(symbol: string): boolean {
    return this.parts.market.board.isOpen(symbol, this.parts.market.clock());
  }

  private onTick(quote: Quote) {
    this.recent.add(quote);
    if (!this.isOpen(quote.symbol)) return;
    for (const { positionId, reason } of this.exits.reached(quote)) this.fire(positionId, reason, quote);
    for (const order of this.pending.get(quote.symbol)?.values() ?? []) this.open(order, quote);
    for (const account of this.margin.reached(quote)) this.judge(account.id);
  }

  /** Holds one position or order against the ticks after `sinceSeq`. */
  private holdBack(id: string, sinceSeq: number) {
    const held = this.exits.get(id);
    const order = [...this.pending.values()].flatMap((orders) => orders.get(id) ?? [])[0];
    const symbol = held?.stake.symbol ?? order?.symbol;
    if (!symbol || !this.isOpen(symbol)) return;
    for (const quote of this.recent.after(symbol, sinceSeq)) {
      if (order) return this.open(order, quote);
      const reason = held && exitReached(held, quote);
      if (reason) return this.fire(id, reason, quote);
    }
  }

  private fire(positionId: string, reason: DueExit["reason"], quote: Quote) {
    const held = this.exits.get(positionId);
    if (!held) return;
    this.forget(positionId);
    const { id: accountId, userId } = held.account;
    const exit = { positionId, reason, quote, userId };
    const run = async () => this.exited(exit, await closeByEngine(this.parts.sql, exit, this.epoch));
    this.deed(accountId, positionId, quote.seq, { run, listed: exit });
  }

  private async exitTogether(exits: Fired[]): Promise<boolean[]> {
    const closed = new Map((await closeTogether(this.parts.sql, exits, this.epoch)).map((position) => [position.id, position]));
    return exits.map((exit) => {
      const position = closed.get(exit.positionId);
      if (position) this.exited(exit, position);
      return position !== undefined;
    });
  }

  private exited({ userId }: Fired, closed: Position) {
    this.spokenFor.delete(closed.id);
    this.settle(closed);
    this.tell.exit(userId, closed);
  }

  private open(order: Order, quote: Quote) {
    this.forget(order.id);
    const run = async () => {
      const filled = await fillPending(this.parts.sql, order.id, quote, this.parts.board(), this.epoch);
      this.spokenFor.delete(order.id);
      this.watch(order.accountId, { id: order.id, sinceSeq: quote.seq });
      if (filled) this.tell.opening(order.userId, filled);
    };
    this.deed(order.accountId, order.id, quote.seq, { run });
  }

  /** A deed on a position or order that until it is over belongs to nobody else. Where it is refused, the account is looked at anew. */
  private deed(accountId: string, positionId: string, sinceSeq: number, deed: Deed<Fired>) {
    this.spokenFor.add(positionId);
    const run = async () => {
      try {
        await deed.run();
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal && refusal.code !== "unavailable") {
          this.spokenFor.delete(positionId);
          this.watch(accountId, { id: positionId, sinceSeq });
        }
        throw error;
      }
    };
    this.queue.push(accountId, { ...deed, run });
  }

  /** Books the result of a position that the engine closed; the account is known as it was before, since its deeds follow each other. */
  private settle({ id, accountId, profit }: Position) {
    const account = this.margin.get(accountId);
    if (account) this.margin.settle(account, id, Number(cents(profit ?? "0")));
  }

  /** Calls, stops out or releases an account whose margin asks for it; later where a deed on it is under way. */
  private judge(accountId: string) {
    const account = this.queue.isBusy(accountId) || this.judged.has(accountId) ? undefined : this.margin.get(accountId);
    const verdict = account && this.margin.judge(account);
    if (!account || !verdict) return;
    const grounds = { board: this.parts.board(), seq: this.parts.market.board.newest, quotes: this.margin.dealable(account) };
    this.judged.add(accountId);
    let again = false;
    const run = async () => {
      const carried = carryOut(this.parts.sql, verdict, { id: accountId, positions: [...account.stakes.keys()] }, grounds, this.epoch, again);
      again = true;
      await this.carried(account, await carried);
    };
    this.queue.push(accountId, { run: () => run().finally(() => this.judged.delete(accountId)) });
  }

  private async carried({ id, userId }: Account, { call, stopOuts }: Carried) {
    if (!call && stopOuts.length === 0) return this.lookAt(id, NONE, true);
    for (const done of stopOuts) {
      this.forget(done.closed.id);
      this.settle(done.closed);
      this.tell.stopOut(userId, done);
    }
    const known = this.margin.get(id);
    if (call && known) known.called = call.called;
    if (call?.called) this.tell.marginCall(userId, call);
  }
}
