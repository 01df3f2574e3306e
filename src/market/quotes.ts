import { PRICE_SCALE, priceText } from "../lib/money";
import { DAY } from "../lib/time";
import { midOf, type Quote } from "./board";
import type { Market } from "./market";
import { LENGTH } from "./rules_intervals";
import { isOffered } from "./rules_terms";
import { type Instrument, instruments, isForex } from "./rules_listed";
import { type LiveQuote, type MarketItem } from "./schema";

/** Every instrument that has a quote, as the market's list tells it. */
export const marketItems = (market: Market): MarketItem[] => quoted(market, instruments).map(([instrument, quote]) => marketItem(market, instrument, quote));

/** The pairs that have a quote, as the screener shows them. */
export const liveQuotes = (market: Market): LiveQuote[] =>
  quoted(market, instruments.filter(isForex)).map(([instrument, quote]) => liveQuote(market, instrument, quote));

/** The instruments of lists that the feed has quoted; the others have no price to tell. */
function quoted(market: Market, list: readonly Instrument[]): [Instrument, Quote][] {
  return list.filter(isOffered).flatMap((instrument) => {
    const quote = market.board.get(instrument.symbol);
    return quote ? [[instrument, quote] as [Instrument, Quote]] : [];
  });
}

/** Whether the market is open, and whether its price is stale; a closed market is never stale too. */
function standingOf({ board, clock }: Market, symbol: string): { open: boolean; stale: boolean } {
  const now = clock();
  const open = board.isOpen(symbol, now);
  return { open, stale: open && board.isStale(symbol, now) };
}

function marketItem(market: Market, { symbol }: Instrument, { bid, ask, at }: Quote): MarketItem {
  return {
    id: market.idOf(symbol),
    symbol,
    bid: priceText(bid),
    ask: priceText(ask),
    spread: priceText(ask - bid),
    timestamp: new Date(at).toISOString(),
    ...standingOf(market, symbol),
  };
}

function liveQuote(market: Market, instrument: Instrument, quote: Quote): LiveQuote {
  const { symbol } = instrument;
  const mid = midOf(quote);
  const day = market.board.day(symbol) ?? { open: mid, high: mid, low: mid };
  return {
    id: market.idOf(symbol),
    symbol,
    bid: priceText(quote.bid),
    ask: priceText(quote.ask),
    spread: hundredths(quote.ask - quote.bid, instrument.pipSize),
    change: priceText(mid - day.open),
    changePercent: hundredths((mid - day.open) * 100, day.open),
    high: priceText(day.high),
    low: priceText(day.low),
    lastUpdate: new Date(quote.at).toISOString(),
    ...standingOf(market, symbol),
  };
}

/**
 * The prices of the symbol's trading day so far, oldest first: its first one, from which its change is measured, then each candle's
 * last. Floats, for a picture that says the same as the change beside it.
 */
export async function pricesOfDay({ board, candles }: Market, symbol: string, interval: "15m" | "1h"): Promise<number[]> {
  const found = await candles(symbol, interval, DAY / LENGTH[interval] + 1);
  const day = board.day(symbol);
  if (!day) return [];
  const since = found.filter(({ time }) => time * 1000 + LENGTH[interval] > day.start);
  return [day.open / PRICE_SCALE, ...since.map(({ close }) => Number(close))];
}

/** a / b with two decimals, half away from zero; whole units only, so that nothing is lost on the way. */
export function hundredths(a: number, b: number): string {
  const scaled = (200n * BigInt(Math.abs(a)) + BigInt(b)) / (2n * BigInt(b));
  const text = priceText(Number(scaled) * (PRICE_SCALE / 100)).slice(0, -6);
  return a < 0 && scaled > 0n ? `-${text}` : text;
}
