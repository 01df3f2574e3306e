import { Heap, type Level } from "../market/levels";
import type { Quote } from "../market/board";
import { openingPrice } from "./rules";
import { dealtAt, type TriggerBook, TriggerBooks } from "./triggers";

/** An order that waits, as the engine knows it. Prices in units of 10⁻⁸, times in ms since the epoch. */
export type Waiting = {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly symbol: string;
  readonly side: "buy" | "sell";
  readonly tierPips: string;
  /** The account's price that it waits for; null: any, once the market is open. */
  readonly level: number | null;
  /** Whether the price comes to the level from below. */
  readonly rises: boolean;
  readonly expiresAt: number | null;
  /** Its turn among the orders of an account that one tick reaches. */
  readonly place: number;
  /** The tick on which it was placed or changed: it answers to later ones. */
  readonly sinceSeq: number;
};

type OrderLevel = Level & { readonly order: Waiting };
/** `due` and `end`: what to take out again. */
type Held = { readonly order: Waiting; readonly due: OrderLevel | null; readonly book: TriggerBook<OrderLevel> | null; readonly end: OrderLevel | null };

/** All orders that wait, by the price and the time that they wait for: a tick costs by what it reaches. */
export class OrderBook {
  private readonly orders = new Map<string, Held>();
  private readonly books = new TriggerBooks<OrderLevel>();
  /** Orders that wait for the opening, by symbol. */
  private readonly atOpening = new Map<string, Map<string, Waiting>>();
  private readonly ends = new Heap<OrderLevel>(1);
  private endsDead = 0;

  get(orderId: string): Waiting | undefined {
    return this.orders.get(orderId)?.order;
  }
  get size(): number {
    return this.orders.size;
  }

  /** Watches an order, in place of how it was watched before. */
  add(order: Waiting): void {
    this.forget(order.id);
    const { id, symbol, level, expiresAt } = order;
    const book = level === null ? null : this.books.of(order);
    const due = level === null ? null : { price: level, alive: true, order };
    // Orders wait for the side at which a position of the other direction closes.
    if (book && due) book.add(order.side === "buy" ? "sell" : "buy", (order.side === "buy") === order.rises ? "loss" : "gain", due);
    else this.atOpening.set(symbol, (this.atOpening.get(symbol) ?? new Map<string, Waiting>()).set(id, order));
    const end = expiresAt === null ? null : { price: expiresAt, alive: true, order };
    if (end) this.ends.push(end);
    this.orders.set(id, { order, due, book, end });
  }

  forget(orderId: string): void {
    const held = this.orders.get(orderId);
    if (!held) return;
    this.orders.delete(orderId);
    this.atOpening.get(held.order.symbol)?.delete(orderId);
    if (held.due) held.book?.kill(held.due);
    if (!held.end?.alive) return;
    held.end.alive = false;
    if (++this.endsDead > 1_000 && this.endsDead * 2 > this.ends.size) {
      this.ends.sweep();
      this.endsDead = 0;
    }
  }

  /** The orders that this tick reaches, in the order in which they were placed. Each must be forgotten, or added again. */
  reached(quote: Quote): Waiting[] {
    const found = this.books.reached(quote).map(({ order }) => order);
    for (const order of this.atOpening.get(quote.symbol)?.values() ?? []) found.push(order);
    return found.length > 1 ? found.sort((a, b) => a.place - b.place) : found;
  }

  /** The orders whose time is over at the market's time `at`. Each must be forgotten, or added again. */
  over(at: number): Waiting[] {
    const found: OrderLevel[] = [];
    this.ends.reached(at, found);
    return found.map(({ order }) => order);
  }
}

/** Whether a tick reaches the order, at the account's own prices. */
export function orderReached(order: Waiting, quote: Quote): boolean {
  const { side, level, rises } = order;
  if (level === null) return true;
  const price = openingPrice(side, dealtAt(quote, order));
  return rises ? price >= level : price <= level;
}
