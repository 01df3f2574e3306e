import { invalidField, Refusal } from "../lib/refusal";
import { shared } from "../lib/shared";
import { inTime, MINUTE } from "../lib/time";
import type { BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import { instrumentOf, instruments } from "../market/rules_listed";
import { termsOf } from "../market/rules_terms";
import type { By, AppContext, Me } from "../platform/app_context";
import type { Idempotency } from "../platform/http/routes";
import { type Foretell, once } from "../platform/http/idempotency";
import { inTurn } from "../platform/turns";
import { announceDeal } from "./announce";
import * as commands from "./commands";
import type { Sent } from "./commands_together";
import * as waiting from "./commands_waiting";
import { Engine } from "./engine";
import { watchGroups } from "./groups_due";
import { watchLimits } from "./limits";
import { OrderBatches } from "./order_batches";
import { countOpen, exposureOf, nearestToStopOut } from "./queries_staff";
import type { Position } from "./schema";
import type { BookChoice, Exposure } from "./schema_corrections";
import { watchSwaps } from "./swaps";

/** The terms of an order at the market that waits for its opening. */
const PLAIN: commands.Terms = {
  orderType: "market",
  triggerPrice: null,
  limitPrice: null,
  expiresAt: null,
  trailingDistance: null,
  breakEvenAt: null,
  ocoGroup: null,
};

/** Sums over all that is open are read once in so many ms. */
const HELD_MS = 1500;
/** So many ms an edit, a cancellation or a close waits for what was set off before it. */
const SETTLED_MS = 8_000;
/** Of so many open positions they take a while. */
const VERY_MANY = 2000;
/** Where very much is open, sums are not read again for so many times as long as that took. */
const REST = 20;
/** So many accounts are shown of those that may be stopped out. */
const NEAREST = 6;

const isVeryMuch = (open: number) => open > VERY_MANY;
const openIn = (exposure: readonly Exposure[]) => exposure.reduce((all, { positions }) => all + positions, 0);

/** Tells of a deal: the engine here, if it ran when the deal was sent; else the leader's, for which the deal's own transaction left a recheck. */
export type Teller = { epoch: commands.Epoch; moment: number; tell(here: (engine: Engine) => void): void };

/**
 * The dealing room: takes the trader's commands, gives each the newest tick, tells the engine what to watch and the streams what changed. The
 * engine runs where this program leads; elsewhere each command leaves a recheck for the leader's engine, in its own transaction.
 */
export class Trading {
  /** At rest until this program leads. */
  engine: Engine;
  /** The quoted board for queries. */
  readonly board = (): BoardArrays => this.market.board.arrays();
  /**
   * What clients hold of each symbol, and the accounts nearest to stop-out. Read once in a while for all who look: where very much is open, whoever
   * comes first after a pause is shown what was read up to a minute ago while it is read again, which takes no more than a twentieth of the time.
   */
  readonly held = shared(
    HELD_MS,
    async (account: BookChoice) => {
      const sql = await this.app.reading();
      const [exposure, nearest] = await Promise.all([exposureOf(sql, account, this.board()), nearestToStopOut(sql, account, NEAREST, this.board())]);
      return { exposure, nearest };
    },
    { stale: ({ exposure }) => (isVeryMuch(openIn(exposure)) ? MINUTE : 0), rest: ({ exposure }) => (isVeryMuch(openIn(exposure)) ? REST : 0) },
  );
  /** How many positions are open. */
  readonly open = shared(HELD_MS, async (_all: "all") => countOpen(await this.app.reading()), { stale: (open) => (isVeryMuch(open) ? MINUTE : 0) });
  /** In which this program leads; null while another does. */
  epoch: commands.Epoch = null;
  private readonly batches: OrderBatches;
  private stopWatches: () => Promise<unknown> = async () => {};

  constructor(
    private readonly app: AppContext,
    private readonly market: Market,
  ) {
    this.engine = this.newEngine(null, () => {});
    this.batches = new OrderBatches(app.sql, this.board);
  }

  private newEngine(epoch: commands.Epoch, onDeposed: () => void): Engine {
    const { engineSql, bus, log } = this.app;
    return new Engine({ sql: engineSql, market: this.market, bus, log, board: this.board, epoch, onDeposed });
  }

  /** Runs the engine from here on, as the leader in this epoch. Call it before the feed starts. */
  async lead(epoch: number, onDeposed: () => void): Promise<void> {
    const engine = this.newEngine(epoch, onDeposed);
    await engine.start();
    // A deal sent before does not know this engine, so the engine is asked to recheck it.
    Object.assign(this, { engine, epoch });
    const { engineSql: sql, bus, log } = this.app;
    const parts = { sql, bus, log, epoch, onDeposed };
    const asked = new Set<string>();
    const answering = bus.subscribe("askPrices", ({ nonce, after }) => {
      if (after === undefined || asked.has(nonce)) return;
      asked.add(nonce);
      void engine.settled(after, true).then(() => {
        asked.delete(nonce);
        this.market.answer(nonce);
      });
    });
    const stops = [watchLimits(parts), watchGroups(parts), watchSwaps(parts), answering];
    this.stopWatches = () => Promise.all(stops.map((stop) => stop()));
  }

  /** Lets the engine rest: what is under way is finished. */
  async rest(): Promise<void> {
    this.epoch = null;
    await Promise.all([this.stopWatches(), this.engine.stop()]);
  }

  /** To be had before a deal is sent. */
  teller(): Teller {
    const { engine, epoch } = this;
    const tell = (here: (engine: Engine) => void) => (epoch === null ? this.app.bus.publish("look", {}) : here(engine));
    return { epoch, moment: engine.moment, tell };
  }

  /** Places an order for the caller; `foretell` may hear the answer before it is sure. Refuses an unknown symbol, a stale price, and all that the rules of trading refuse. */
  async place(by: By, order: commands.Order, key: Idempotency | null, foretell?: Foretell<Position>) {
    if (!instrumentOf(order.symbol)) throw invalidField("symbol", "Choose an instrument from the list.");
    this.checkEnd(order.terms?.expiresAt);
    let seq = 0;
    const teller = this.teller();
    const { reply, done } = await once(this.app.sql, by, key, async () => {
      const quote = await this.dealable(order.symbol);
      seq = quote.seq;
      const { terms } = order;
      if (!terms && quote.open) return this.fill({ by, order, quote, key, epoch: teller.epoch }, foretell);
      return waiting.placeOrder(this.app.sql, by, { ...order, terms: terms ?? PLAIN }, quote.open, quote, this.board(), key, teller.epoch);
    });
    if (done.repeated) return this.told(reply, teller, done.answer);
    const { gone = [] } = done as { gone?: string[] };
    for (const id of gone) this.app.bus.publish("position", { userId: done.userId, accountId: done.answer.accountId, positionId: id });
    if (gone.length > 0) this.app.bus.publish("personNews", {});
    if (done.answer.status === "pending" || order.terms) this.changed(done.userId, done.answer, seq, teller);
    else {
      const { id, accountId } = done.answer;
      // What margin it holds, where a country or the instrument bounds the leverage, and what a commission left, the database knows.
      const isBound =
        Boolean(done.answer.charges) ||
        termsOf(order.symbol) !== undefined ||
        [...(this.app.countries?.values() ?? [])].some(({ boundsLeverage }) => boundsLeverage);
      teller.tell((engine) => (isBound ? engine.watch(accountId, { id, sinceSeq: seq }) : engine.opened(done.answer, seq, teller.moment)));
      announceDeal(this.app.bus, done.userId, done.answer);
    }
    return reply;
  }

  private fill({ by, ...sent }: Omit<Sent, "by"> & { by: By }, foretell?: Foretell<Position>) {
    if ("session" in by) return this.batches.open({ by, ...sent }, foretell);
    return commands.openPosition(this.app.sql, by, sent.order, true, sent.quote, this.board(), sent.key, sent.epoch);
  }

  /** Closes the caller's position, or `amount` of it. */
  async close(me: Me, positionId: string, amount: string | null, requested: string | null, key: Idempotency | null) {
    const symbol = await commands.symbolOf(this.app.sql, me.id, positionId);
    const teller = this.teller();
    const { reply, done } = await once(this.app.sql, me, key, async () => {
      const quote = await this.closable(me, positionId, symbol);
      if (!quote.open) throw new Refusal("market_closed", "The market for this instrument is closed.");
      return commands.closePosition(this.app.sql, me.id, positionId, amount, requested, quote, key, teller.epoch);
    });
    if (done.repeated) return this.told(reply, teller, done.answer);
    this.changed(me.id, done.answer, 0, teller);
    // A part that closes is a position of its own; the rest of the whole has changed too.
    if (done.answer.id !== positionId) this.app.bus.publish("position", { userId: me.id, accountId: done.answer.accountId, positionId });
    return reply;
  }

  /** Closes every position with a current price; the answer names those that stay open. */
  async closeAll(me: Me, accountId: string | null, key: Idempotency | null) {
    const teller = this.teller();
    const { reply, done } = await once(this.app.sql, me, key, async () => {
      await this.settled(me);
      const quotes = instruments.flatMap(({ symbol }) => this.fresh(symbol) ?? []);
      return commands.closeAllPositions(this.app.sql, me.id, accountId, quotes, key, teller.epoch);
    });
    if (!done.repeated) {
      for (const { id, accountId: account } of done.answer.closed) {
        teller.tell((engine) => engine.forget(id));
        this.app.bus.publish("position", { userId: me.id, accountId: account, positionId: id });
      }
      for (const account of new Set(done.answer.closed.map(({ accountId: id }) => id))) {
        teller.tell((engine) => engine.watch(account));
        this.app.bus.publish("account", { userId: me.id, accountId: account, dealt: true });
      }
    }
    return reply;
  }

  /** Changes the caller's position or waiting order. */
  edit(me: Me, positionId: string, changes: waiting.Changes) {
    return this.inLine(me, () => this.editNow(me, positionId, changes));
  }

  private async editNow(me: Me, positionId: string, changes: waiting.Changes) {
    this.checkEnd(changes.expiresAt);
    const quote = await this.dealable(await commands.symbolOf(this.app.sql, me.id, positionId));
    const teller = this.teller();
    const position = await waiting.editPosition(this.app.sql, me.id, positionId, changes, quote, teller.epoch);
    this.changed(me.id, position, quote.seq, teller);
    return position;
  }

  /** Refuses an end of an order that has come already or is too far away, by the market's time. */
  private checkEnd(expiresAt: string | null | undefined) {
    if (!expiresAt) return;
    const now = this.market.board.timeAt(this.market.clock());
    if (Date.parse(expiresAt) <= now) throw invalidField("expiresAt", "expiresAt must be in the future");
    const inAYear = new Date(now);
    inAYear.setUTCFullYear(inAYear.getUTCFullYear() + 1);
    if (Date.parse(expiresAt) > inAYear.getTime()) throw invalidField("expiresAt", "expiresAt must be at most a year away");
  }

  /**
   * Edits and cancellations of one person one after the other: each holds a connection while it waits for the person's account, so many at once
   * would delay everybody else. They wait for each other and are not refused, as haste with what lies open is no fault.
   */
  private inLine<T>(me: Me, work: () => Promise<T>): Promise<T> {
    return inTurn(`orders of ${me.id}`, async () => {
      await this.settled(me);
      return work();
    });
  }

  /**
   * What a person asks comes after what a tick set off before: of many orders and stops that one tick reaches nobody takes back those that are not
   * written yet, having seen the next tick. Where another program runs the engine that one is asked, and the board here is then as its. Refuses
   * (unavailable) where that takes too long, and (stale_price) where nobody answers.
   */
  private async settled(me: Me): Promise<void> {
    if (this.epoch === null) return this.market.renew(me.id);
    const isOver = await inTime(
      this.engine.settled(me.id).then(() => true),
      SETTLED_MS,
    );
    if (!isOver) throw new Refusal("unavailable", "What the price set off is still being written. Please try again in a moment.", undefined, 5);
  }

  /** Cancels the caller's waiting order. */
  cancel(me: Me, positionId: string) {
    return this.inLine(me, () => this.cancelNow(me, positionId));
  }

  private async cancelNow(me: Me, positionId: string) {
    const teller = this.teller();
    const position = await waiting.cancelOrder(this.app.sql, me.id, positionId, teller.epoch);
    this.changed(me.id, position, 0, teller);
    return position;
  }

  /** Cancels all of the caller's waiting orders, or one account's. */
  cancelAll(me: Me, accountId: string | null) {
    return this.inLine(me, () => this.cancelAllNow(me, accountId));
  }

  private async cancelAllNow(me: Me, accountId: string | null) {
    const teller = this.teller();
    const cancelled = await waiting.cancelOrders(this.app.sql, me.id, accountId, teller.epoch);
    for (const order of cancelled) this.changed(me.id, order, 0, teller);
    return { cancelled };
  }

  /** Tells the engine and the streams of a position as it is now. `seq` is the tick it was dealt on, `teller` as it was when the deal was sent. */
  changed(userId: string, position: Position, seq: number, teller: Teller) {
    const { id, accountId, status } = position;
    teller.tell((engine) => {
      if (status === "closed" || status === "cancelled") engine.forget(id);
      engine.watch(accountId, { id, sinceSeq: seq });
    });
    announceDeal(this.app.bus, userId, position);
  }

  /** Answers a repeated order. This program may have lost the first answer too, so the engine checks the account; a repeated refusal names none. */
  private told<R>(reply: R, teller: Teller, { accountId }: Partial<Position>): R {
    if (accountId) teller.tell((engine) => engine.watch(accountId));
    return reply;
  }

  /** The newest tick of a symbol whose market is open; null where none is fresh. */
  fresh(symbol: string): commands.DealQuote | null {
    const quote = this.quote(symbol);
    return quote?.open && !quote.stale ? quote : null;
  }

  private quote(symbol: string) {
    const { market } = this;
    const quote = market.board.get(symbol);
    if (!quote) return null;
    const now = market.clock();
    return {
      ...quote,
      ageMs: Math.max(0, Math.round(now - quote.receivedAt)),
      chosenAt: market.databaseTime(),
      open: market.board.isOpen(symbol, now),
      stale: market.board.isStale(symbol, now),
    };
  }

  /** The newest tick that any program knows, to deal on. While the market is closed its last price serves to check an order that will wait. */
  private async dealable(symbol: string) {
    await this.market.renew();
    return this.newest(symbol);
  }

  /** The newest tick, to close on once what it or an earlier one has set off is written. */
  private async closable(me: Me, positionId: string, symbol: string) {
    await (this.epoch === null ? this.settled(me) : this.market.renew());
    const quote = this.newest(symbol);
    if (this.epoch === null || this.engine.isAtRest(positionId)) return quote;
    await this.settled(me);
    return this.newest(symbol);
  }

  /** The newest tick that this program knows; refuses one that is stale. */
  private newest(symbol: string) {
    const quote = this.quote(symbol);
    if (!quote || (quote.open && quote.stale))
      throw new Refusal("stale_price", `There is no current price for ${symbol}. Please try again in a moment.`, undefined, 2);
    return quote;
  }
}
