import { type Config, ConfigError } from "../config";
import { priceText, priceUnits } from "../lib/money";
import { DAY, HOUR, MINUTE, steadyNow, tradingDayStart } from "../lib/time";
import type { Bus, QuoteMessage } from "../platform/bus";
import type { Db } from "../platform/db";
import type { Log } from "../platform/log";
import { Board, type Quote } from "./board";
import { type Bar, gatherBars, joinBars } from "./candles";
import type { Feed, FeedSink } from "./feed";
import { krakenFeed } from "./feed_kraken";
import { checkTickFile, replayFeed } from "./feed_replay";
import { Simulation, simulateHistory, simulatorFeed } from "./feed_simulator";
import { type MarketHours, marketHours } from "./hours";
import { Publisher, quoteMessage } from "./publisher";
import { dayRanges, instrumentIds, lastQuotes, newestCandles, reserveTickNumbers, saveBatch } from "./queries";
import { Recorder } from "./recorder";
import { type Candle, type Interval, instruments } from "./schema";

/** What asks a feed to wait while a consumer is behind; undefined where it is not. */
export type Brake = () => Promise<void> | undefined;

/** The market, as the other rooms of the house use it. */
export type Market = {
  readonly board: Board;
  readonly source: Feed["name"];
  /** How screens name the prices, say 'Simulated prices'. */
  readonly feedLabel: string;
  readonly simulated: boolean;
  /** The clock by which quotes age: milliseconds since the epoch, never backwards. */
  clock(): number;
  start(): void;
  /** Stops the feed and stores what is left. Throws where that can't be stored. */
  stop(): Promise<void>;
  /** What is missing before quotes can be relied on; null when nothing is. */
  missing(): string | null;
  /** The newest candles, oldest first, the one being built included. */
  candles(symbol: string, interval: Interval, limit: number): Promise<Candle[]>;
  /** The stable id of a known symbol. */
  idOf(symbol: string): string;
  /** The latest quotes as streams tell them; of these symbols, or of all. */
  snapshot(symbols?: readonly string[]): QuoteMessage[];
  /** Registers a consumer that a replay at full speed must not outrun. */
  addBrake(brake: Brake): void;
};

type Parts = {
  sql: Db;
  config: Config;
  log: Log;
  bus: Bus;
  clock?: () => number;
  /** In place of the feed that the configuration names. */
  feed?: Feed;
};

/**
 * Opens the market with the feed that the configuration names; no tick comes before `start`. On the simulator's very
 * first start a day of history is made. Throws ConfigError where the feed can't be had.
 */
export async function openMarket({ sql, config, log, bus, clock = steadyNow, feed: given }: Parts): Promise<Market> {
  const hours = marketHours(config.marketHours);
  const ids = await instrumentIds(sql);
  const { feed, restored } = given ? { feed: given, restored: [] } : await chooseFeed({ sql, config, log, hours, clock });
  const onFault = (error: unknown) => log.error("a listener of the market failed", { error });
  const board = new Board({ hours, clock, freshness: feed.freshness, time: feed.name === "replay" ? "feed" : "real", onFault });
  if (feed.name !== "replay") board.restore(restored, await dayRanges(sql, feed.name, tradingDayStart(clock())));
  const numbers = await reserveTickNumbers(sql);
  board.adoptSequence(numbers.first, numbers.size);

  const recorder = new Recorder({ sql, log, source: feed.name, clock });
  board.onTick((quote) => recorder.add(quote));
  const publisher = new Publisher(board, bus, clock);
  const brakes: Brake[] = [() => recorder.room()];
  let renumbering: Timer | undefined;

  const snapshot = (symbols?: readonly string[]) => {
    const now = clock();
    const quotes = symbols ? symbols.flatMap((symbol) => board.get(symbol) ?? []) : board.all();
    return quotes.map((quote) => quoteMessage(board, quote, now));
  };

  return {
    board,
    source: feed.name,
    feedLabel: feed.label,
    simulated: feed.name === "simulator",
    clock,
    start() {
      recorder.start();
      publisher.start();
      renumbering = setInterval(() => void renumber(sql, board, numbers.size, log), HOUR);
      feed.start(sinkOf(board, brakes));
    },
    async stop() {
      clearInterval(renumbering);
      publisher.stop();
      await feed.stop();
      await recorder.stop();
    },
    missing: () => (board.counts.accepted > 0 ? null : "the feed has not quoted yet"),
    async candles(symbol, interval, limit) {
      const stored = await newestCandles(sql, feed.name, symbol, interval, limit);
      return withUnstored(stored, recorder.candles.unstored(symbol, interval)).slice(-limit);
    },
    idOf: (symbol) => ids.get(symbol) ?? "",
    snapshot,
    addBrake: (brake) => void brakes.push(brake),
  };
}

function sinkOf(board: Board, brakes: readonly Brake[]): FeedSink {
  return {
    tick(tick) {
      board.accept(tick);
      const waits = brakes.flatMap((brake) => brake() ?? []);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
    },
    heard: () => board.heard(),
    withdraw: (symbols) => board.withdraw(symbols),
  };
}

/** Fetches new tick numbers long before the old ones run out. */
async function renumber(sql: Db, board: Board, size: number, log: Log): Promise<void> {
  if (board.sequenceLeft > size / 2) return;
  try {
    const numbers = await reserveTickNumbers(sql);
    board.adoptSequence(numbers.first, numbers.size);
  } catch (error) {
    log.warn("reserving tick numbers failed, will try again", { error });
  }
}

type FeedParts = { sql: Db; config: Config; log: Log; hours: MarketHours; clock: () => number };

async function chooseFeed({ sql, config, log, hours, clock }: FeedParts): Promise<{ feed: Feed; restored: Quote[] }> {
  const restored = await lastQuotes(sql, config.feed);
  if (config.feed === "simulator") {
    const simulation = new Simulation(config.feedSeed, restored);
    const last = restored.length > 0 ? restored : await writeHistory(sql, simulation, hours, clock());
    return { feed: simulatorFeed(simulation, hours, clock), restored: last };
  }
  if (config.feed === "kraken") return { feed: krakenFeed({ url: config.feedUrl, log, clock }), restored };
  if (config.feedFile === null) throw new ConfigError("FEED_FILE must name a CSV file when FEED is replay");
  const symbols = await checkTickFile(config.feedFile);
  return { feed: replayFeed({ path: config.feedFile, symbols, speed: config.feedSpeed, log }), restored: [] };
}

/** Candles in one statement. */
const HISTORY_BATCH = 10_000;
/** Behind a weekend and a holiday there is trading again. */
const LONGEST_REST = 3 * DAY;

/** A day of simulated candles up to now, so that a chart is never empty. Returns the prices at which each instrument arrived. */
async function writeHistory(sql: Db, simulation: Simulation, hours: MarketHours, now: number): Promise<Quote[]> {
  const resting = instruments.some((instrument) => !hours(instrument, now));
  const bars = simulateHistory(simulation, now - (resting ? LONGEST_REST : DAY), now - (now % MINUTE), hours);
  const candles = gatherBars(bars);
  await sql.begin(async (tx) => {
    for (let from = 0; from < candles.length; from += HISTORY_BATCH)
      await saveBatch(tx, "simulator", { ticks: [], quotes: [], candles: candles.slice(from, from + HISTORY_BATCH) });
  });
  const last = new Map(bars.map((bar) => [bar.symbol, bar]));
  return instruments.flatMap((instrument) => {
    const bar = last.get(instrument.symbol);
    if (!bar) return [];
    const at = bar.time + MINUTE;
    return [{ ...simulation.around(instrument, bar.close, at), seq: 0, receivedAt: at }];
  });
}

/** Stored candles with those in memory, of which an earlier part may be stored already. */
function withUnstored(stored: readonly Candle[], unstored: readonly Readonly<Bar>[]): Candle[] {
  const byTime = new Map(stored.map((candle) => [candle.time, candle]));
  for (const bar of unstored) {
    const time = bar.time / 1000;
    const earlier = byTime.get(time);
    const { open, high, low, close } = earlier ? joinBars(inUnits(earlier), bar) : bar;
    byTime.set(time, { time, open: priceText(open), high: priceText(high), low: priceText(low), close: priceText(close) });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

const inUnits = ({ open, high, low, close }: Candle) => ({ open: priceUnits(open), high: priceUnits(high), low: priceUnits(low), close: priceUnits(close) });
