import { midOf, type Quote } from "../market/board";
import { Heap, type Level } from "../market/levels";
import type { AlertSide } from "./schema";

/** An alert as the engine watches it: its price in units of 10⁻⁸, from which side it is reached, and until when (ms since the epoch). */
export type Watched = {
  readonly id: string;
  readonly symbol: string;
  readonly side: AlertSide;
  readonly price: number;
  /** Reached by a price that has risen to it, that has fallen to it, or by either. */
  readonly rises: boolean;
  readonly falls: boolean;
  /** The tick at which it was set: it answers to later ones. */
  readonly sinceSeq: number;
  readonly until: number;
};
type Entry = Level & { readonly alert: Watched };
type Side = { readonly rises: Heap<Entry>; readonly falls: Heap<Entry> };

const newSide = (): Side => ({ rises: new Heap(1), falls: new Heap(-1) });
/** So many that are gone may stay in the heaps, where they are fewer than those that are not. */
const DEAD = 1_000;

/** All alerts, ordered by price for each symbol and side, so that a tick costs by what it fires and not by what there is. */
export class AlertBook {
  private readonly symbols = new Map<string, Record<AlertSide, Side>>();
  private readonly entries = new Map<string, Entry>();
  private dead = 0;

  get size(): number {
    return this.entries.size;
  }
  has(id: string): boolean {
    return this.entries.has(id);
  }

  /** Watches an alert; one that is watched already stays as it is, since an alert never changes. */
  add(alert: Watched): void {
    if (this.entries.has(alert.id)) return;
    const entry: Entry = { price: alert.price, alive: true, alert };
    this.entries.set(alert.id, entry);
    this.push(entry);
  }

  drop(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    entry.alive = false;
    this.dead++;
    if (this.dead > DEAD && this.dead > this.entries.size) this.sweep();
  }

  /** Takes out the alerts that this tick reaches. */
  reached({ symbol, bid, ask }: Quote): Watched[] {
    const sides = this.symbols.get(symbol);
    if (!sides) return [];
    const out: Entry[] = [];
    take(sides.bid, bid, out);
    take(sides.ask, ask, out);
    take(sides.mid, midOf({ bid, ask }), out);
    for (const { alert } of out) this.entries.delete(alert.id);
    return out.map(({ alert }) => alert);
  }

  /** Drops what ran out before `now` (ms since the epoch). */
  expire(now: number): void {
    for (const [id, { alert }] of this.entries) if (alert.until <= now) this.drop(id);
  }

  private push(entry: Entry) {
    const { symbol, side, rises, falls } = entry.alert;
    const sides = this.symbols.get(symbol) ?? { bid: newSide(), ask: newSide(), mid: newSide() };
    this.symbols.set(symbol, sides);
    if (rises) sides[side].rises.push(entry);
    if (falls) sides[side].falls.push(entry);
  }

  private sweep() {
    this.dead = 0;
    this.symbols.clear();
    for (const entry of this.entries.values()) this.push(entry);
  }
}

function take({ rises, falls }: Side, price: number, out: Entry[]) {
  rises.reached(price, out);
  falls.reached(price, out);
}

/** Whether a tick reaches the alert. */
export function reaches({ side, price, rises, falls }: Watched, quote: Quote): boolean {
  const at = side === "mid" ? midOf(quote) : quote[side];
  return (rises && at >= price) || (falls && at <= price);
}
