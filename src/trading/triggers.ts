import type { Quote } from "../market/board";
import { Heap, type Level } from "../market/levels";
import { pipOf } from "../market/rules_listed";
import { markupOf } from "../market/rules_terms";
import { accountPrice, type Prices } from "./rules";

/**
 * The account's prices on a quote: `tierPips` is its spread, which the instrument widens by what it adds to what is dealt now, or to what was `opened`
 * on a version of its terms.
 */
export const dealtAt = (quote: Prices & { symbol: string }, { tierPips, opened }: { tierPips: string; opened?: number | null }): Prices =>
  accountPrice(quote, pipOf(quote.symbol), tierPips, markupOf(quote.symbol, opened));

/** Price levels of all symbols and tiers, ordered so that a tick's cost grows with what it fires, not with what is open. */

/** Levels of one symbol at one tier's prices. A long closes at the bid, a short at the ask. */
export class TriggerBook<T extends Level> {
  /** Fire when the bid rises to them: a long's gains. */
  private readonly bidRises = new Heap<T>(1);
  /** Fire when the bid falls to them: a long's losses. */
  private readonly bidFalls = new Heap<T>(-1);
  /** Fire when the ask rises to them: a short's losses. */
  private readonly askRises = new Heap<T>(1);
  /** Fire when the ask falls to them: a short's gains. */
  private readonly askFalls = new Heap<T>(-1);
  private dead = 0;

  /** `towards`: whether the price comes to the level by a loss or by a gain of that side. */
  add(side: "buy" | "sell", towards: "loss" | "gain", level: T) {
    this.heapOf(side, towards).push(level);
  }

  /** Marks a level as gone; sweeps once most of the book is. */
  kill(level: T) {
    if (!level.alive) return;
    level.alive = false;
    this.dead++;
    if (this.dead > 1_000 && this.dead * 2 > this.size) this.sweep();
  }

  /** Takes out what a bid and an ask have reached. */
  reached(bid: number, ask: number, out: T[]) {
    this.bidFalls.reached(bid, out);
    this.bidRises.reached(bid, out);
    this.askRises.reached(ask, out);
    this.askFalls.reached(ask, out);
  }

  get size(): number {
    return this.bidRises.size + this.bidFalls.size + this.askRises.size + this.askFalls.size;
  }

  private heapOf(side: "buy" | "sell", towards: "loss" | "gain") {
    if (side === "buy") return towards === "loss" ? this.bidFalls : this.bidRises;
    return towards === "loss" ? this.askRises : this.askFalls;
  }

  private sweep() {
    this.dead = 0;
    for (const heap of [this.bidRises, this.bidFalls, this.askRises, this.askFalls]) heap.sweep();
  }
}

type Priced = { tierPips: string; opened?: number | null | undefined };

/** All books of one symbol, and each by its spread and version. */
type SymbolBooks<T extends Level> = {
  readonly all: { readonly priced: Priced; readonly book: TriggerBook<T> }[];
  readonly bySpread: Map<string, Map<Priced["opened"], TriggerBook<T>>>;
};

/** The books of every symbol, one for each spread and version that has levels there. */
export class TriggerBooks<T extends Level> {
  private readonly symbols = new Map<string, SymbolBooks<T>>();

  /** The book of a symbol at such prices (`dealtAt`). */
  of({ symbol, tierPips, opened }: Priced & { symbol: string }): TriggerBook<T> {
    // A start comes through here several times for each position: a key made of both would be written each time.
    let books = this.symbols.get(symbol);
    if (!books) this.symbols.set(symbol, (books = { all: [], bySpread: new Map() }));
    let versions = books.bySpread.get(tierPips);
    if (!versions) books.bySpread.set(tierPips, (versions = new Map()));
    let book = versions.get(opened);
    if (!book) {
      versions.set(opened, (book = new TriggerBook()));
      books.all.push({ priced: { tierPips, opened }, book });
    }
    return book;
  }

  /** Takes out what this tick has reached, at each book's own prices. */
  reached(quote: Quote): T[] {
    const out: T[] = [];
    for (const { priced, book } of this.symbols.get(quote.symbol)?.all ?? []) {
      const { bid, ask } = dealtAt(quote, priced);
      book.reached(bid, ask, out);
    }
    return out;
  }
}
