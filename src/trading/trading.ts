import { invalidField, Refusal } from "../lib/refusal";
import { boardWriter, type BoardArrays } from "../market/board_sql";
import type { Market } from "../market/market";
import { instrumentOf, instruments } from "../market/schema";
import type { House, Me } from "../platform/house";
import type { Once } from "../platform/http";
import { once } from "../platform/once";
import * as deeds from "./commands";
import { Engine } from "./engine";
import type { Position } from "./schema";

/**
 * The dealing room: takes the trader's deeds, gives each the newest tick, tells the engine what to watch and the
 * streams what changed.
 */
export class Trading {
  readonly engine: Engine;
  /** The quoted board for queries. */
  readonly board: () => BoardArrays;

  constructor(
    private readonly house: House,
    private readonly market: Market,
  ) {
    this.board = boardWriter(market.board);
    this.engine = new Engine({ sql: house.sql, market, bus: house.bus, log: house.log, board: this.board });
  }

  /** Places an order for the caller. Refuses an unknown symbol, a stale price, and all that the rules of trading refuse. */
  async place(me: Me, order: deeds.Order, key: Once | null) {
    if (!instrumentOf(order.symbol)) throw invalidField("symbol", "Choose an instrument from the list.");
    let seq = 0;
    const { moment } = this.engine;
    const { reply, done } = await once(this.house.sql, me.id, key, () => {
      const quote = this.dealable(order.symbol);
      seq = quote.seq;
      return deeds.openPosition(this.house.sql, me.id, order, quote.open, quote, this.board(), key);
    });
    if (done.repeated) return reply;
    if (done.answer.status === "pending") this.changed(me.id, done.answer, seq);
    else {
      this.engine.opened(done.answer, seq, moment);
      this.announce(me.id, done.answer);
    }
    return reply;
  }

  /** Closes the caller's position, or `amount` of it. */
  async close(me: Me, positionId: string, amount: string | null, requested: string | null, key: Once | null) {
    const symbol = await deeds.symbolOf(this.house.sql, me.id, positionId);
    const { reply, done } = await once(this.house.sql, me.id, key, async () => {
      const quote = this.dealable(symbol);
      if (!quote.open) throw new Refusal("market_closed", "The market for this instrument is closed.");
      return deeds.closePosition(this.house.sql, me.id, positionId, amount, requested, quote, key);
    });
    if (done.repeated) return reply;
    this.changed(me.id, done.answer, 0);
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
    const { reply, done } = await once(this.house.sql, me.id, key, () => deeds.closeAllPositions(this.house.sql, me.id, accountId, quotes, key));
    if (!done.repeated) {
      for (const { id, accountId: account } of done.answer.closed) {
        this.engine.forget(id);
        this.house.bus.publish("position", { userId: me.id, accountId: account, positionId: id });
      }
      for (const account of new Set(done.answer.closed.map(({ accountId: id }) => id))) {
        this.engine.watch(account);
        this.house.bus.publish("account", { userId: me.id, accountId: account, dealt: true });
      }
    }
    return reply;
  }

  /** Moves the stop or target of the caller's position or waiting order. */
  async edit(me: Me, positionId: string, exits: { stopLoss?: string | null | undefined; takeProfit?: string | null | undefined }) {
    const quote = this.dealable(await deeds.symbolOf(this.house.sql, me.id, positionId));
    const position = await deeds.editExits(this.house.sql, me.id, positionId, exits, quote);
    this.changed(me.id, position, quote.seq);
    return position;
  }

  /** Cancels the caller's waiting order. */
  async cancel(me: Me, positionId: string) {
    const position = await deeds.cancelPending(this.house.sql, me.id, positionId);
    this.changed(me.id, position, 0);
    return position;
  }

  /** Tells the engine and the streams of a position as it is now. `seq` is the tick it was dealt on. */
  changed(userId: string, position: Position, seq: number) {
    const { id, accountId, status } = position;
    if (status === "closed" || status === "cancelled") this.engine.forget(id);
    this.engine.watch(accountId, { id, sinceSeq: seq });
    this.announce(userId, position);
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
