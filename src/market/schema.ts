import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";

type InstrumentGroup = "forex-major" | "forex-minor" | "crypto";
export type Instrument = {
  readonly symbol: string;
  readonly name: string;
  readonly group: InstrumentGroup;
  /** Currency bought and currency paid. */
  readonly base: string;
  readonly quote: string;
  /** Decimals of a quoted price. */
  readonly digits: number;
  /** One pip in whole units of 10⁻⁸: ten of the last quoted digit. */
  readonly pipSize: number;
};

const NAMES = new Map([
  ["EUR", "Euro"],
  ["GBP", "British Pound"],
  ["USD", "US Dollar"],
  ["JPY", "Japanese Yen"],
  ["AUD", "Australian Dollar"],
  ["CHF", "Swiss Franc"],
  ["CAD", "Canadian Dollar"],
  ["NZD", "New Zealand Dollar"],
  ["BTC", "Bitcoin"],
  ["ETH", "Ethereum"],
  ["LTC", "Litecoin"],
  ["XRP", "XRP"],
  ["ADA", "Cardano"],
  ["DOT", "Polkadot"],
  ["LINK", "Chainlink"],
  ["AVAX", "Avalanche"],
  ["SOL", "Solana"],
  ["MATIC", "Polygon"],
  ["BNB", "BNB"],
  ["DOGE", "Dogecoin"],
  ["SHIB", "Shiba Inu"],
  ["TRX", "TRON"],
  ["ATOM", "Cosmos"],
  ["UNI", "Uniswap"],
  ["FIL", "Filecoin"],
  ["ALGO", "Algorand"],
  ["VET", "VeChain"],
  ["ICP", "Internet Computer"],
]);

function instrument(symbol: string, group: InstrumentGroup, digits: number): Instrument {
  const [base = "", quote = ""] = symbol.split("/");
  const name = group === "crypto" ? `${NAMES.get(base)}` : `${NAMES.get(base)} / ${NAMES.get(quote)}`;
  return { symbol, name, group, base, quote, digits, pipSize: 10 ** (9 - digits) };
}

const forex = (group: InstrumentGroup, symbols: string) => symbols.split(" ").map((symbol) => instrument(symbol, group, symbol.endsWith("/JPY") ? 3 : 5));
const coins = (digits: number, tickers: string) => tickers.split(" ").map((ticker) => instrument(`${ticker}/USD`, "crypto", digits));

/** Every instrument, in the order in which lists show them. The migration seeds the same symbols. */
export const instruments: readonly Instrument[] = [
  ...forex("forex-major", "EUR/USD GBP/USD USD/JPY AUD/USD USD/CHF USD/CAD NZD/USD"),
  ...forex("forex-minor", "EUR/GBP EUR/JPY GBP/JPY AUD/JPY EUR/CHF EUR/AUD GBP/CHF CAD/JPY"),
  ...coins(2, "BTC ETH LTC"),
  ...coins(5, "XRP ADA"),
  ...coins(4, "DOT LINK"),
  ...coins(3, "AVAX SOL"),
  ...coins(5, "MATIC"),
  ...coins(2, "BNB"),
  ...coins(6, "DOGE"),
  ...coins(8, "SHIB"),
  ...coins(6, "TRX"),
  ...coins(4, "ATOM UNI FIL"),
  ...coins(5, "ALGO"),
  ...coins(6, "VET"),
  ...coins(4, "ICP"),
];

const bySymbol = new Map(instruments.map((each) => [each.symbol, each]));

/** The instrument of that symbol, or undefined: a symbol comes from people. */
export const instrumentOf = (symbol: string): Instrument | undefined => bySymbol.get(symbol);
export const isForex = (each: Instrument): boolean => each.group !== "crypto";

/** The pip that a tier's spread counts in, in units of 10⁻⁸; 0 where none applies: for coins. */
export function pipOf(symbol: string): number {
  const instrument = instrumentOf(symbol);
  return instrument && isForex(instrument) ? instrument.pipSize : 0;
}

export const INTERVALS = ["1m", "5m", "15m", "30m", "1h", "4h", "1d", "1w", "1M"] as const;
export type Interval = (typeof INTERVALS)[number];

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

const symbolField = v.pipe(
  v.string("Choose an instrument."),
  v.check((symbol) => bySymbol.has(symbol), "Unknown symbol."),
);

const symbolsField = v.pipe(
  v.string(),
  v.maxLength(1000, "Too many symbols."),
  v.transform((text) => [...new Set(text.split(",").map((symbol) => symbol.trim()))].filter(Boolean)),
  v.check((symbols) => symbols.every((symbol) => bySymbol.has(symbol)), "Unknown symbol."),
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
