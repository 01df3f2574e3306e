import type { Quote, Watched } from "../../views/portal/model";
import { sparkPath } from "../../views/portal/Sparkline";
import { priceText } from "../lib/money";
import { MINUTE } from "../lib/time";
import { midOf } from "../market/board";
import type { Market } from "../market/market";
import { instruments } from "../market/schema";

const INTERVAL = "15m";
const POINTS = 40;

/** The watchlists' pictures: the last ten hours of each instrument. Drawn for all at most once a minute, whoever asks. */
export class Sparks {
  private drawn: Promise<Map<string, string>> | null = null;
  private until = 0;

  constructor(private readonly market: Market) {}

  paths(): Promise<Map<string, string>> {
    const now = this.market.clock();
    if (this.drawn && now < this.until) return this.drawn;
    this.until = now + MINUTE;
    const drawn = this.draw();
    this.drawn = drawn;
    drawn.catch(() => {
      if (this.drawn === drawn) this.drawn = null;
    });
    return drawn;
  }

  private async draw(): Promise<Map<string, string>> {
    const paths = instruments.map(async ({ symbol }) => {
      const candles = await this.market.candles(symbol, INTERVAL, POINTS);
      return [symbol, sparkPath(candles.map(({ close }) => Number(close)))] as const;
    });
    return new Map(await Promise.all(paths));
  }
}

/** Every instrument as the watchlists show it at this moment. */
export function watchedOf({ board, snapshot }: Market, sparks: ReadonlyMap<string, string>): Watched[] {
  const quotes = new Map(snapshot().map(({ symbol, bid, ask, time, stale, open }): [string, Quote] => [symbol, { symbol, bid, ask, time, stale, open }]));
  return instruments.map(({ symbol }) => {
    const quote = board.get(symbol);
    const dayOpen = board.day(symbol)?.open ?? (quote ? midOf(quote) : 0);
    return { symbol, quote: quotes.get(symbol) ?? null, dayOpen: priceText(dayOpen), spark: sparks.get(symbol) ?? "" };
  });
}
