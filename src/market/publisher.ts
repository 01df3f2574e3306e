import { priceText } from "../lib/money";
import type { Bus, QuoteMessage } from "../platform/bus";
import type { Board, Quote } from "./board";
import { instruments } from "./schema";

const PUBLISH_EVERY = 250;

/** A quote as streams tell it. A closed market is told as closed, never as stale too. */
export function quoteMessage(board: Board, quote: Quote, now: number): QuoteMessage {
  const open = board.isOpen(quote.symbol, now);
  const stale = open && board.isStale(quote.symbol, now);
  return { symbol: quote.symbol, bid: priceText(quote.bid), ask: priceText(quote.ask), time: new Date(quote.at).toISOString(), seq: quote.seq, stale, open };
}

const standing = ({ stale, open }: QuoteMessage) => `${stale} ${open}`;

/** Tells the bus, a few times a second, which quotes changed: their newest price, or whether they are stale or open. */
export class Publisher {
  private readonly changed = new Set<string>();
  private readonly told = new Map<string, string>();
  private timer: Timer | undefined;

  constructor(
    private readonly board: Board,
    private readonly bus: Bus,
    private readonly clock: () => number,
  ) {
    board.onTick((quote) => this.changed.add(quote.symbol));
  }

  start(): void {
    this.timer = setInterval(() => this.publish(), PUBLISH_EVERY);
  }
  stop(): void {
    clearInterval(this.timer);
  }

  publish(): void {
    const now = this.clock();
    const news: QuoteMessage[] = [];
    for (const { symbol } of instruments) {
      const quote = this.board.get(symbol);
      if (!quote) continue;
      const message = quoteMessage(this.board, quote, now);
      if (!this.changed.has(symbol) && this.told.get(symbol) === standing(message)) continue;
      this.told.set(symbol, standing(message));
      news.push(message);
    }
    this.changed.clear();
    if (news.length > 0) this.bus.publish("quotes", news);
  }
}
