import { invalidField, Refusal } from "../lib/refusal";
import { boardWriter, type BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import { instrumentOf, instruments } from "../market/schema";
import type { By, House, Me } from "../platform/house";
import type { Once } from "../platform/http";
import { once } from "../platform/once";
import * as deeds from "./commands";
import { Engine } from "./engine";
import type { Position } from "./schema";

/** Who hears of a deal: the engine that ran here when it was sent, or the leader's, which was asked to look in the deal's own transaction. */
export type Teller = { epoch: deeds.Epoch; moment: number; tell(here: (engine: Engine) => void): void };

/**
 * The dealing room: takes the trader's deeds, gives each the newest tick, tells the engine what to watch and the streams what
 * changed. The engine runs where this program leads; elsewhere each deed asks the leader's engine, in its own transaction, to
 * look at what it changed.
 */
export class Trading {
  /** At rest until this program leads. */
  engine: Engine;
  /** The quoted board for queries. */
  readonly board: () => BoardArrays;
  /** In which this program leads; null while another does. */
  epoch: deeds.Epoch = null;

  constructor(
    private readonly house: House,
    private readonly market: Market,
  ) {
    this.board = boardWriter(market.board);
    this.engine = this.newEngine(null, () => {});
  }

  private newEngine(epoch: deeds.Epoch, onDeposed: () => void): Engine {
    const { sql, bus, log } = this.house;
    return new Engine({ sql, market: this.market, bus, log, board: this.board, epoch, onDeposed });
  }

  /** Runs the engine from here on, as the leader in this epoch. Call it before the feed starts. */
  async lead(epoch: number, onDeposed: () => void): Promise<void> {
    const engine = this.newEngine(epoch, onDeposed);
    await engine.start();
    // A deal that was sent before knows nothing of this engine, which is asked to look at it.
    Object.assign(this, { engine, epoch });
  }

  /** Lets the engine rest: what is under way is finished. */
  async rest(): Promise<void> {
    this.epoch = null;
    await this.engine.stop();
  }

  /** To be had before a deal is sent. */
  teller(): Teller {
    const { engine, epoch } = this;
    const tell = (here: (engine: Engine) => void) => (epoch === null ? this.house.bus.publish("look", {}) : here(engine));
    return { epoch, moment: engine.moment, tell };
  }

  /** Places an order for the caller. Refuses an unknown symbol, a stale price, and all that the rules of trading refuse. */
  async place(by: By, order: deeds.Order, key: Once | null) {
    if (!instrumentOf(order.symbol)) throw invalidField("symbol", "Choose an instrument from the list.");
    let seq = 0;
    const teller = this.teller();
    const { reply, done } = await once(this.house.sql, by, key, () => {
      const quote = this.dealable(order.symbol);
      seq = quote.seq;
      return deeds.openPosition(this.house.sql, by, order, quote.open, quote, this.board(), key, teller.epoch);
    });
    if (done.repeated) return this.told(reply, teller, done.answer.accountId);
    if (done.answer.status === "pending") this.changed(done.userId, done.answer, seq, teller);
    else {
      teller.tell((engine) => engine.opened(done.answer, seq, teller.moment));
      this.announce(done.userId, done.answer);
    }
    return reply;
  }

  /** Closes the caller's position, or `amount` of it. */
  async close(me: Me, positionId: string, amount: string | null, requested: string | null, key: Once | null) {
    const symbol = await deeds.symbolOf(this.house.sql, me.id, positionId);
    const teller = this.teller();
    const { reply, done } = await once(this.house.sql, me, key, async () => {
      const quote = this.dealable(symbol);
      if (!quote.open) throw new Refusal("market_closed", "The market for this instrument is closed.");
      return deeds.closePosition(this.house.sql, me.id, positionId, amount, requested, quote, key, teller.epoch);
    });
    if (done.repeated) return this.told(reply, teller, done.answer.accountId);
    this.changed(me.id, done.answer, 0, teller);
    // A part that closes is a position of its own; the rest of the whole has changed too.
    if (done.answer.id !== positionId) this.house.bus.publish("position", { userId: me.id, accountId: done.answer.accountId, positionId });
    return reply;
  }

  /** Closes all that can be dealt on now; what has no current price stays open and is named. */
  async closeAll(me: Me, accountId: string | null, key: Once | null) {
    const quotes = instruments.flatMap(({ symbol }) => {
      const quote = this.quote(symbol);
      return quote?.open && !quote.stale ? [quote] : [];
    });
    const teller = this.teller();
    const { reply, done } = await once(this.house.sql, me, key, () => deeds.closeAllPositions(this.house.sql, me.id, accountId, quotes, key, teller.epoch));
    if (!done.repeated) {
      for (const { id, accountId: account } of done.answer.closed) {
        teller.tell((engine) => engine.forget(id));
        this.house.bus.publish("position", { userId: me.id, accountId: account, positionId: id });
      }
      for (const account of new Set(done.answer.closed.map(({ accountId: id }) => id))) {
        teller.tell((engine) => engine.watch(account));
        this.house.bus.publish("account", { userId: me.id, accountId: account, dealt: true });
      }
    }
    return reply;
  }

  /** Moves the stop or target of the caller's position or waiting order. */
  async edit(me: Me, positionId: string, exits: { stopLoss?: string | null | undefined; takeProfit?: string | null | undefined }) {
    const quote = this.dealable(await deeds.symbolOf(this.house.sql, me.id, positionId));
    const teller = this.teller();
    const position = await deeds.editExits(this.house.sql, me.id, positionId, exits, quote, teller.epoch);
    this.changed(me.id, position, quote.seq, teller);
    return position;
  }

  /** Cancels the caller's waiting order. */
  async cancel(me: Me, positionId: string) {
    const teller = this.teller();
    const position = await deeds.cancelPending(this.house.sql, me.id, positionId, teller.epoch);
    this.changed(me.id, position, 0, teller);
    return position;
  }

  /** Tells the engine and the streams of a position as it is now. `seq` is the tick it was dealt on, `teller` as it was when the deal was sent. */
  changed(userId: string, position: Position, seq: number, teller: Teller) {
    const { id, accountId, status } = position;
    teller.tell((engine) => {
      if (status === "closed" || status === "cancelled") engine.forget(id);
      engine.watch(accountId, { id, sinceSeq: seq });
    });
    this.announce(userId, position);
  }

  /** Who asks again may have lost the first answer, and so may this program: the engine looks. */
  private told<R>(reply: R, teller: Teller, accountId: string): R {
    teller.tell((engine) => engine.watch(accountId));
    return reply;
  }

  private announce(userId: string, { id, accountId }: Position) {
    this.house.bus.publish("position", { userId, accountId, positionId: id });
    this.house.bus.publish("account", { userId, accountId, dealt: true });
  }

  /** The newest tick of a symbol whose market is open; null where there is none that can be vouched for. */
  fresh(symbol: string): deeds.DeedQuote | null {
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
      open: market.board.isOpen(symbol, now),
      stale: market.board.isStale(symbol, now),
    };
  }

  /** The newest tick to deal on. While the market is closed its last price serves to check an order that will wait. */
  private dealable(symbol: string) {
    const quote = this.quote(symbol);
    if (!quote || (quote.open && quote.stale))
      throw new Refusal("stale_price", `There is no current price for ${symbol}. Please try again in a moment.`, undefined, 2);
    return quote;
  }
}
