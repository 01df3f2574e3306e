import type { Quote, Watched } from "../trading/rules_prices";
import { sparkPath } from "../../views/market/Sparkline";
import { priceText } from "../lib/money";
import { shared } from "../lib/shared";
import { MINUTE } from "../lib/time";
import { midOf } from "../market/board";
import type { Market } from "../market/market";
import type { QuoteMessage } from "../platform/cluster/bus";
import { pricesOfDay } from "../market/quotes";
import { instruments } from "../market/rules_listed";
import { offeredInstruments } from "../market/rules_terms";

/**
 * Every instrument as the watchlists show it at this moment; the same list, whoever asks, until something of it changes. Its picture, of the trading day
 * so far, is drawn at most once a minute.
 */
export function watchlist(market: Market): () => Promise<Watched[]> {
  const sparks = shared(MINUTE, () => drawSparks(market), { now: market.clock });
  let [seen, list]: [readonly unknown[], Watched[]] = [[], []];
  return async () => {
    const [pictures, quotes] = [await sparks("all"), market.snapshot()];
    const shown = [offeredInstruments(), pictures, ...quotes];
    if (shown.length !== seen.length || shown.some((each, at) => each !== seen[at])) [seen, list] = [shown, watchedOf(market, quotes, pictures)];
    return list;
  };
}

async function drawSparks(market: Market): Promise<Map<string, string>> {
  const paths = instruments.map(async ({ symbol }) => {
    return [symbol, sparkPath(await pricesOfDay(market, symbol, "15m"))] as const;
  });
  return new Map(await Promise.all(paths));
}

function watchedOf({ board }: Market, told: readonly QuoteMessage[], sparks: ReadonlyMap<string, string>): Watched[] {
  const quotes = new Map(
    told.map(({ symbol, bid, ask, time, stale, open, closeOnly, barred }): [string, Quote] => [
      symbol,
      { symbol, bid, ask, time, stale, open, ...(closeOnly ? { closeOnly } : {}), ...(barred ? { barred } : {}) },
    ]),
  );
  return offeredInstruments().map(({ symbol }) => {
    const quote = board.get(symbol);
    const dayOpen = board.day(symbol)?.open ?? (quote ? midOf(quote) : 0);
    return { symbol, quote: quotes.get(symbol) ?? null, dayOpen: priceText(dayOpen), spark: sparks.get(symbol) ?? "" };
  });
}
