import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { instrumentOf } from "./rules_listed";

export const INTERVALS = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] as const;
export type Interval = (typeof INTERVALS)[number];
/** Its candles are days or longer: they begin with UTC's days, whatever a device's clock says then. */
export const isOfDays = (interval: Interval): boolean => /[dwM]$/.test(interval);

export type MarketItem = {
  id: string;
  symbol: string;
  bid: string;
  ask: string;
  /** ask − bid, in price units. */
  spread: string;
  timestamp: string;
  stale: boolean;
  open: boolean;
};
export type LiveQuote = {
  id: string;
  symbol: string;
  bid: string;
  ask: string;
  /** In pips, two decimals. */
  spread: string;
  /** Of the mid price since the trading day's first quote, in price units. */
  change: string;
  changePercent: string;
  /** The day's highest and lowest mid price. */
  high: string;
  low: string;
  lastUpdate: string;
  stale: boolean;
  open: boolean;
};
/** `time` in Unix seconds, UTC; mid prices. */
export type Candle = { time: number; open: string; high: string; low: string; close: string };

export const symbolField = v.pipe(
  v.string("Choose an instrument."),
  v.check((symbol) => instrumentOf(symbol) !== undefined, "Unknown symbol."),
);

const symbolsField = v.pipe(
  v.string(),
  v.maxLength(1000, "Too many symbols."),
  v.transform((text) => [...new Set(text.split(",").map((symbol) => symbol.trim()))].filter(Boolean)),
  v.check((symbols) => symbols.every((symbol) => instrumentOf(symbol) !== undefined), "Unknown symbol."),
);

const limitField = v.pipe(
  v.string(),
  v.regex(/^\d{1,4}$/, "limit must be a whole number from 1 to 1000."),
  v.transform(Number),
  v.check((limit) => limit >= 1 && limit <= 1000, "limit must be a whole number from 1 to 1000."),
);

const beforeField = v.pipe(v.string(), v.regex(/^\d{1,11}$/, "before must be Unix seconds."), v.transform(Number));

export const listMarketData = endpoint("GET /api/market-data", { answer: answer<MarketItem[]>() });
export const listLiveQuotes = endpoint("GET /api/market/live", { answer: answer<LiveQuote[]>() });
export const listCandles = endpoint("GET /api/market/candles", {
  query: v.object({
    symbol: symbolField,
    interval: v.optional(v.picklist(INTERVALS, `interval must be one of ${INTERVALS.join(", ")}.`), "5m"),
    limit: v.optional(limitField, "300"),
    /** Only candles that begin before this; the oldest one's time asks for the page before it. Fewer than `limit` are the first there are. */
    before: v.optional(beforeField),
  }),
  answer: answer<Candle[]>(),
});
/** Server-sent events: `snapshot`, then `quotes`, each an array of QuoteMessage. No `symbols`: every instrument. */
export const streamQuotes = endpoint("GET /api/market/stream", { query: v.object({ symbols: v.optional(symbolsField) }) });
