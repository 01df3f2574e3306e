import { cents, marginOf, priceUnits } from "../lib/money";
import type { Quote } from "../market/board";
import { type BoardArrays, tierPip } from "../market/board_sql";
import type { Market } from "../market/market";
import type { Bus, Messages } from "../platform/bus";
import { type Db, refusalOf } from "../platform/db";
import type { Log } from "../platform/log";
import { announcer } from "./announce";
import { callMargin, closeByEngine, fillPending, stopOut } from "./commands";
import { Account, MarginBook } from "./margin";
import { type Watched, watchedPositions } from "./queries";
import { type Deed, DeedQueue } from "./queue";
import { accountPrice, closingPrice, stopReached, targetReached } from "./rules";
import type { Stake } from "./rules_margin";
import type { Position } from "./schema";
import { type Level, type TriggerBook, TriggerBooks } from "./triggers";

/** Ticks of a symbol that are remembered, so that a position told of late is still held to each of them. */
const MEMORY = 512;

type Exit = Level & { readonly reason: "stop_loss" | "take_profit"; readonly positionId: string; readonly book: TriggerBook<Exit> };
type Held = { readonly account: Account; readonly stake: Stake; readonly stop: Exit | null; readonly target: Exit | null };
type Order = Pick<Watched, "id" | "accountId" | "userId" | "symbol" | "side">;
/** Ticks that came before a position was known and that it must answer to: its id, and the last tick that it need not. */
type Since = ReadonlyMap<string, number>;
const NONE: Since = new Map();

type Parts = { sql: Db; market: Market; bus: Bus; log: Log; board: () => BoardArrays };

/**
 * Watches every stop, every target, every waiting order and every account's margin, and acts on the tick that reaches
 * one. The database decides once more, on that same tick, so that a position is closed once, whoever else tries. On one
 * tick exits come first, then orders, then margin; deeds on one account follow each other, and its margin is judged when
 * the last of them is over.
 */
export class Engine {
  private readonly positions = new Map<string, Held>();
  private readonly exits = new TriggerBooks<Exit>();
  private readonly pending = new Map<string, Map<string, Order>>();
  private readonly margin: MarginBook;
  private readonly queue: DeedQueue;
  private readonly tell: ReturnType<typeof announcer>;
  private readonly recent = new Map<string, Quote[]>();
  /** Positions and orders with a deed of the engine on its way. */
  private readonly spokenFor = new Set<string>();
  /** Looks at accounts that wait for their turn. */
  private readonly looks = new Map<string, Map<string, number>>();
  private look = 0;
  private stopListening = () => {};

  constructor(private readonly parts: Parts) {
    this.margin = new MarginBook(parts.market);
    this.queue = new DeedQueue(parts.log, (accountId) => this.judge(accountId));
    this.tell = announcer(parts.bus);
  }

  /** Reads the whole book in one pass, then listens to ticks. Call it before the feed starts. */
  async start(): Promise<void> {
    const rows = await watchedPositions(this.parts.sql);
    for (const [accountId, own] of Map.groupBy(rows, (row) => row.accountId)) {
      this.enter(own);
      this.judge(accountId);
    }
    const { market, bus } = this.parts;
    const stops = [market.board.onTick((quote) => this.onTick(quote)), bus.subscribe("account", (message) => this.onAccount(message))];
    this.stopListening = () => stops.forEach((stop) => stop());
    market.addBrake(() => this.queue.idle());
  }

  /** Stops listening; deeds under way are finished, waiting ones are left for the next start, which finds them open. */
  async stop(): Promise<void> {
    this.stopListening();
    await this.queue.stop();
  }

  /** How many positions and orders are watched. */
  get watched(): number {
    return this.positions.size + [...this.pending.values()].reduce((sum, { size }) => sum + size, 0);
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
    this.queue.push(accountId, () => {
      this.looks.delete(accountId);
      return this.lookAt(accountId, since);
    });
  }

  /**
   * Takes a position that was opened on the tick `sinceSeq` by an order sent after `moment`. The database is only asked
   * where the account is not known as it was before the order.
   */
  opened(position: Position, sinceSeq: number, moment: number) {
    const { id, accountId } = position;
    const account = this.margin.get(accountId);
    if (!account || account.look > moment || this.queue.isBusy(accountId)) return this.watch(accountId, { id, sinceSeq });
    this.add(account, { ...position, side: position.type, margin: marginOf(position.amount, account.leverage) });
    this.holdBack(id, sinceSeq);
    this.judge(accountId);
  }

  /** No longer watches a position's exits; its account must be looked at too, as its balance changed. */
  forget(positionId: string) {
    const held = this.positions.get(positionId);
    for (const exit of [held?.stop, held?.target]) if (exit) exit.book.kill(exit);
    this.positions.delete(positionId);
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
    this.clear(accountId);
    this.enter(rows, look, puzzled);
    for (const [positionId, sinceSeq] of since) this.holdBack(positionId, sinceSeq);
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

  private add(account: Account, row: Pick<Watched, "id" | "symbol" | "side" | "amount" | "openPrice" | "margin" | "stopLoss" | "takeProfit">) {
    const { id, symbol, side } = row;
    const stake: Stake = { id, symbol, side, amount: cents(row.amount), open: priceUnits(row.openPrice ?? ""), margin: Number(cents(row.margin)) };
    account.stakes.set(id, stake);
    if (this.spokenFor.has(id)) return;
    const stop = this.exit(account, stake, "stop_loss", row.stopLoss);
    const target = this.exit(account, stake, "take_profit", row.takeProfit);
    this.positions.set(id, { account, stake, stop, target });
  }

  private exit({ tierPips }: Account, { id, symbol, side }: Stake, reason: Exit["reason"], price: string | null): Exit | null {
    if (price === null) return null;
    const book = this.exits.of(symbol, tierPips);
    const exit: Exit = { price: priceUnits(price), alive: true, positionId: id, reason, book };
    book.add(side, reason === "stop_loss" ? "loss" : "gain", exit);
    return exit;
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
    this.remember(quote);
    if (!this.isOpen(quote.symbol)) return;
    for (const { positionId, reason } of this.exits.reached(quote)) this.fire(positionId, reason, quote);
    for (const order of this.pending.get(quote.symbol)?.values() ?? []) this.open(order, quote);
    for (const account of this.margin.reached(quote)) this.judge(account.id);
  }

  private remember(quote: Quote) {
    const ticks = this.recent.get(quote.symbol) ?? [];
    this.recent.set(quote.symbol, ticks);
    ticks.push(quote);
    if (ticks.length >= 2 * MEMORY) ticks.splice(0, MEMORY);
  }

  /** Holds one position or order against the ticks after `sinceSeq`. */
  private holdBack(id: string, sinceSeq: number) {
    const held = this.positions.get(id);
    const order = [...this.pending.values()].flatMap((orders) => orders.get(id) ?? [])[0];
    const symbol = held?.stake.symbol ?? order?.symbol;
    if (!symbol || !this.isOpen(symbol)) return;
    for (const quote of this.recent.get(symbol) ?? []) {
      if (quote.seq <= sinceSeq) continue;
      if (order) return this.open(order, quote);
      const reason = held && exitReached(held, quote);
      if (reason) return this.fire(id, reason, quote);
    }
  }

  private fire(positionId: string, reason: Exit["reason"], quote: Quote) {
    const held = this.positions.get(positionId);
    if (!held) return;
    this.forget(positionId);
    const { id: accountId, userId } = held.account;
    this.deed(accountId, positionId, quote.seq, async () => {
      const closed = await closeByEngine(this.parts.sql, positionId, reason, quote);
      this.settle(closed);
      this.tell.exit(userId, closed);
    });
  }

  private open(order: Order, quote: Quote) {
    this.forget(order.id);
    this.deed(order.accountId, order.id, quote.seq, async () => {
      const filled = await fillPending(this.parts.sql, order.id, quote, this.parts.board());
      this.watch(order.accountId, { id: order.id, sinceSeq: quote.seq });
      if (filled) this.tell.opening(order.userId, filled);
    });
  }

  /** A deed on a position or order that until it is over belongs to nobody else. Where it is refused, the account is looked at anew. */
  private deed(accountId: string, positionId: string, sinceSeq: number, deed: Deed) {
    this.spokenFor.add(positionId);
    this.queue.push(accountId, async () => {
      try {
        await deed();
        this.spokenFor.delete(positionId);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal && refusal.code !== "unavailable") {
          this.spokenFor.delete(positionId);
          this.watch(accountId, { id: positionId, sinceSeq });
        }
        throw error;
      }
    });
  }

  /** Books the result of a position that the engine closed; the account is known as it was before, since its deeds follow each other. */
  private settle({ id, accountId, profit }: Position) {
    const account = this.margin.get(accountId);
    if (account) this.margin.settle(account, id, Number(cents(profit ?? "0")));
  }

  /** Calls, stops out or releases an account whose margin asks for it; later where a deed on it is under way. */
  private judge(accountId: string) {
    const account = this.queue.isBusy(accountId) ? undefined : this.margin.get(accountId);
    const verdict = account && this.margin.judge(account);
    if (!account || !verdict) return;
    const board = this.parts.board();
    const quotes = this.margin.dealable(account);
    this.queue.push(accountId, () => (verdict === "stop_out" ? this.stopOut(account, board, quotes) : this.callMargin(account, board)));
  }

  private async stopOut({ id, userId }: Account, board: BoardArrays, quotes: readonly Quote[]) {
    const done = await stopOut(this.parts.sql, id, board, quotes);
    if (!done) return this.lookAt(id, NONE, true);
    this.forget(done.closed.id);
    this.settle(done.closed);
    this.tell.stopOut(userId, done);
  }

  private async callMargin(account: Account, board: BoardArrays) {
    const noted = await callMargin(this.parts.sql, account.id, board);
    if (!noted) return this.lookAt(account.id, NONE, true);
    account.called = noted.called;
    if (noted.called) this.tell.marginCall(account.userId, noted);
  }
}

/** Which exit of the position the tick reaches, at the account's own prices. */
function exitReached({ account, stake, stop, target }: Held, quote: Quote): Exit["reason"] | null {
  const closing = closingPrice(stake.side, accountPrice(quote, tierPip(quote.symbol), account.tierPips));
  if (stop && stopReached(stake.side, closing, stop.price)) return "stop_loss";
  return target && targetReached(stake.side, closing, target.price) ? "take_profit" : null;
}
