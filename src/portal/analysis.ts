import type { Analysed, AnalysisProps } from "../../views/market/MarketAnalysisPage";
import { sparkPath } from "../../views/market/Sparkline";
import { shared } from "../lib/shared";
import { MINUTE } from "../lib/time";
import type { Market } from "../market/market";
import { type Bar, changeOf, correlationOf, rangeOf, returnsOf, volatilityOf } from "../market/rules_analysis";
import { offeredInstruments } from "../market/rules_terms";
import { type Candle } from "../market/schema";

const INTERVAL = "15m";
const SECONDS = 900;
/** A day of candles. */
const CANDLES = 96;
/** Between which a correlation is shown: the majors, and the two largest coins. */
const CORRELATED = ["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD", "NZD/USD", "BTC/USD", "ETH/USD"];

/** The last day of every instrument, analysed for all readers at most once a minute. */
export function marketAnalysis(market: Market): () => Promise<AnalysisProps> {
  const analysis = shared(MINUTE, () => analyse(market), { now: market.clock });
  return () => analysis("all");
}

async function analyse(market: Market): Promise<AnalysisProps> {
  const now = market.clock();
  const all = await Promise.all(
    offeredInstruments().map(async (instrument) => ({ instrument, bars: (await market.candles(instrument.symbol, INTERVAL, CANDLES)).map(barOf) })),
  );
  const analysed = all.flatMap(({ instrument: { symbol, name, group, digits }, bars }): Analysed[] => {
    const change = changeOf(bars);
    const range = rangeOf(bars);
    if (change === null || !range) return [];
    const spark = sparkPath(bars.map(({ close }) => close));
    return [{ symbol, name, crypto: group === "crypto", digits, change, range, volatility: volatilityOf(bars, SECONDS), spark }];
  });
  const returns = new Map(all.map(({ instrument, bars }) => [instrument.symbol, returnsOf(bars, SECONDS)]));
  const symbols = CORRELATED.filter((symbol) => analysed.some((each) => each.symbol === symbol));
  const rows = symbols.map((a) => symbols.map((b) => correlationOf(returns.get(a) ?? new Map(), returns.get(b) ?? new Map())));
  const since = Math.min(...all.flatMap(({ bars }) => bars[0]?.time ?? []));
  return {
    analysed,
    correlation: { symbols, rows },
    since: Number.isFinite(since) ? new Date(since * 1000).toISOString() : null,
    until: new Date(now).toISOString(),
    simulated: market.simulated,
  };
}

const barOf = ({ time, open, high, low, close }: Candle): Bar => ({
  time,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
});
