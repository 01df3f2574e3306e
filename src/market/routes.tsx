import { PRICE_SCALE, priceText } from "../lib/money";
import type { QuoteMessage } from "../platform/bus";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import { Fan } from "../platform/stream";
import { type Quote, midOf } from "./board";
import type { Market } from "./market";
import { type Instrument, type LiveQuote, type MarketItem, instruments, isForex, listCandles, listLiveQuotes, listMarketData, streamQuotes } from "./schema";

/** The market's public calls: prices are for anyone. */
export function marketDoors(house: House, market: Market): Doors {
  const newest = (quotes: readonly QuoteMessage[]) => Math.max(0, ...quotes.map(({ seq }) => seq));
  const fan = new Fan<QuoteMessage>("quotes", ({ symbol }) => symbol, newest);
  house.bus.subscribe("quotes", (quotes) => fan.publish(quotes));

  return new Doors(house)
    .open(listMarketData, () => marketItems(market))
    .open(listLiveQuotes, () => liveQuotes(market))
    .open(listCandles, ({ query }) => market.candles(query.symbol, query.interval, query.limit))
    .open(streamQuotes, ({ query, visit }) =>
      house.streams.open(visit, (stream) => {
        const snapshot = market.snapshot(query.symbols);
        stream.send("snapshot", snapshot, newest(snapshot));
        return fan.join(stream, query.symbols && new Set(query.symbols));
      }),
    );
}

/** Every instrument that has a quote, as the market's list tells it. */
export const marketItems = (market: Market): MarketItem[] => quoted(market, instruments).map(([instrument, quote]) => marketItem(market, instrument, quote));

/** The pairs that have a quote, as the screener shows them. */
export const liveQuotes = (market: Market): LiveQuote[] =>
  quoted(market, instruments.filter(isForex)).map(([instrument, quote]) => liveQuote(market, instrument, quote));

/** The instruments that the feed has quoted; the others have no price to tell. */
function quoted(market: Market, list: readonly Instrument[]): [Instrument, Quote][] {
  return list.flatMap((instrument) => {
    const quote = market.board.get(instrument.symbol);
    return quote ? [[instrument, quote] as [Instrument, Quote]] : [];
  });
}

/** Open, and stale only while open: a closed market is told as closed. */
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

/** a / b with two decimals, half away from zero; whole units only, so that nothing is lost on the way. */
export function hundredths(a: number, b: number): string {
  const scaled = (200n * BigInt(Math.abs(a)) + BigInt(b)) / (2n * BigInt(b));
  const text = priceText(Number(scaled) * (PRICE_SCALE / 100)).slice(0, -6);
  return a < 0 && scaled > 0n ? `-${text}` : text;
}
