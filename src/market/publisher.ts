import { priceText } from "../lib/money";
import type { Bus, QuoteMessage } from "../platform/cluster/bus";
import type { Board, Quote } from "./board";
import { instruments } from "./rules_listed";
import { barredSide, isCloseOnly, isOffered } from "./rules_terms";

const PUBLISH_EVERY = 250;

/** What a quote says of itself, written once for all who are told: each page of lists tells all of them. */
const written = new WeakMap<Quote, Pick<QuoteMessage, "symbol" | "bid" | "ask" | "time" | "seq">>();
function textOf(quote: Quote) {
  const known = written.get(quote);
  if (known) return known;
  const { symbol, bid, ask, at, seq } = quote;
  const text = { symbol, bid: priceText(bid), ask: priceText(ask), time: new Date(at).toISOString(), seq };
  written.set(quote, text);
  return text;
}

/** Quotes in one message to the other programs, which must stay small. */
const AT_ONCE = 16;

/** A quote as streams send it, the same object until something of it changes; with `closeOnly` where no position may be opened, `barred` where none of a side on a live account. In a closed market it is never stale too. */
export function quoteMessage(board: Board, quote: Quote, now: number): QuoteMessage {
  const open = board.isOpen(quote.symbol, now);
  const stale = open && board.isStale(quote.symbol, now);
  const { symbol } = quote;
  const closeOnly = isCloseOnly(symbol);
  const barred = closeOnly ? null : barredSide(symbol);
  const last = told.get(quote);
  if (last && last.stale === stale && last.open === open && last.closeOnly === (closeOnly || undefined) && (last.barred ?? null) === barred) return last;
  const message = { ...textOf(quote), stale, open, ...(closeOnly ? { closeOnly } : {}), ...(barred ? { barred } : {}) };
  told.set(quote, message);
  return message;
}
/** What was last said of a quote. */
const told = new WeakMap<Quote, QuoteMessage>();

const standing = ({ stale, open, closeOnly, barred }: QuoteMessage) => `${stale} ${open} ${closeOnly} ${barred}`;

/** At least so often, in ms, do the other programs hear that the feed lives. */
const TELL_EVERY = 1_000;

/**
 * Tells the bus, a few times a second, which quotes changed: their newest price, or whether they are stale or open; of what is hidden, nothing. While this
 * program leads, the others' boards are told too.
 */
export class Publisher {
  private readonly changed = new Set<string>();
  private readonly told = new Map<string, string>();
  private timer: Timer | undefined;
  private toldOthersAt = Number.NEGATIVE_INFINITY;
  /** The epoch in which this program leads; null while it follows. */
  epoch: number | null = null;

  constructor(
    private readonly board: Board,
    private readonly bus: Bus,
    private readonly clock: () => number,
  ) {
    board.onChange((symbol) => this.changed.add(symbol));
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
    const offered = news.filter(isOffered);
    if (offered.length > 0) this.bus.publish("quotes", offered);
    if (this.epoch !== null && (news.length > 0 || now - this.toldOthersAt >= TELL_EVERY)) this.tellOthers(this.epoch, news, now);
  }

  /** The whole board, for programs that came late or missed something. */
  publishAll(): void {
    if (this.epoch === null) return;
    const now = this.clock();
    this.tellOthers(
      this.epoch,
      this.board.all().map((quote) => quoteMessage(this.board, quote, now)),
      now,
    );
  }

  /** Answers a follower that is about to deal: sends what is new at this moment, then says that this is all. */
  answer(nonce: string): void {
    if (this.epoch === null) return;
    this.publish();
    this.bus.publish("renewedPrices", { nonce, epoch: this.epoch });
  }

  private tellOthers(epoch: number, news: readonly QuoteMessage[], now: number): void {
    this.toldOthersAt = now;
    // In a closed market a quote is sent as closed, not as stale: the other programs judge its age themselves when it opens.
    const aged = (quote: QuoteMessage) => ({
      ...quote,
      receivedAt: this.board.get(quote.symbol)?.receivedAt ?? now,
      vouched: this.board.vouchesFor(quote.symbol, now),
    });
    for (let from = 0; from === 0 || from < news.length; from += AT_ONCE)
      this.bus.publish("feed", { epoch, at: now, heardAt: this.board.lastHeard, quotes: news.slice(from, from + AT_ONCE).map(aged) });
  }
}
