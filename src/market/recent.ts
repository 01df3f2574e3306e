import type { Quote } from "./board";

/** Ticks of a symbol that are remembered at least. */
const MEMORY = 512;

/** The newest ticks of each symbol: what is heard of late, a position or an alert, is held against each of them. */
export class RecentTicks {
  private readonly bySymbol = new Map<string, Quote[]>();

  add(quote: Quote): void {
    const ticks = this.bySymbol.get(quote.symbol) ?? [];
    this.bySymbol.set(quote.symbol, ticks);
    ticks.push(quote);
    if (ticks.length >= 2 * MEMORY) ticks.splice(0, MEMORY);
  }

  /** The ticks after `seq`, in the order they came. */
  after(symbol: string, seq: number): Quote[] {
    return (this.bySymbol.get(symbol) ?? []).filter((quote) => quote.seq > seq);
  }
}
