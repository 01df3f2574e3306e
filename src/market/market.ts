import type { Config } from "../config";
import { priceText, priceUnits } from "../lib/money";
import { steadyNow, tradingDayStart } from "../lib/time";
import type { Bus, FeedQuote, QuoteMessage } from "../platform/cluster/bus";
import type { Db } from "../platform/database/db";
import type { Log } from "../platform/log";
import { Board } from "./board";
import { type Bar, joinBars } from "./candles";
import { type Feed, FEEDS } from "./feed";
import { checkTickFile } from "./feed_replay";
import { type Brake, cannotQuote, type FeedRun, type ListingFault, prepareRun } from "./feed_run";
import { marketHours } from "./hours";
import { instrumentId } from "./listings";
import { Publisher, quoteMessage } from "./publisher";
import { Renewal } from "./renewal";
import { dayRanges, lastQuotes, newestCandles, newestEpochOf } from "./queries";
import { isOffered } from "./rules_terms";
import { MADE_OF, candleEnd, candleStart } from "./rules_intervals";
import type { Candle, Interval } from "./schema";
import type { Listing } from "./schema_listings";

/** The market, as the other domains use it. */
export type Market = {
  readonly board: Board;
  readonly source: Feed["name"];
  /** How screens name the prices, say 'Simulated prices'. */
  readonly feedLabel: string;
  readonly simulated: boolean;
  /** The clock by which quotes age: milliseconds since the epoch, never backwards. */
  clock(): number;
  /** The database's time, in ms since the epoch, whoever's clock quotes age by. */
  databaseTime(): number;
  /**
   * Resolves when the board is as the leading program's at this moment or later; `after`, as it is once what its ticks have set off for this person
   * is written. Nothing where this program leads. Refuses (stale_price) where none answers.
   */
  renew(after?: string): Promise<void>;
  /** Answers a program that follows, whose question this was (`askPrices`). */
  answer(nonce: string): void;
  /** Runs the feed from here on, as the leader in this epoch; null: alone on its database. Until then the board follows the leader's. */
  start(epoch?: number | null): Promise<void>;
  /** Stops the feed and stores what is left; the board follows again. Throws where that can't be stored. */
  pause(): Promise<void>;
  /** Stops for good. */
  stop(): Promise<void>;
  /** What is missing before quotes can be relied on; null when nothing is. */
  missing(): string | null;
  /** Stores what the feed said before the call, in place of within a second. Resolves when that was tried; never rejects. Nothing where this program does not run the feed. */
  store(): Promise<void>;
  /** For how long, in ms, the newest prices could not be stored; 0 where this program does not store them. */
  unstoredMs(): number;
  /** The newest candles, oldest first, the one being built included; of those that begin before `before` (Unix seconds), where it is given. */
  candles(symbol: string, interval: Interval, limit: number, before?: number): Promise<Candle[]>;
  /** Why the feed in use can't quote what would be listed so, by field; null where it can. Refuses (unavailable) where the feed does not say. */
  cannotQuote(symbol: string, listing: Listing): Promise<ListingFault | null>;
  /** The stable id of a known symbol. */
  idOf(symbol: string): string;
  /** The latest quotes as streams tell them; of these symbols, or of all. */
  snapshot(symbols?: readonly string[]): QuoteMessage[];
  /** Registers a consumer that a replay at full speed must not outrun. Returns the way to leave. */
  addBrake(brake: Brake): () => void;
};

type Parts = {
  sql: Db;
  config: Config;
  log: Log;
  bus: Bus;
  clock?: () => number;
  /** In place of the feed that the configuration names. */
  feed?: Feed;
  /** Another program may run the feed: nothing is made ready for one here until `start`. */
  follows?: boolean;
  /** The database's time, where it may not be this machine's. */
  databaseTime?: () => number;
  /** Where candles are read. */
  reading?: () => Promise<Db>;
  /** False where this program may lead no longer: what its feed says then is dropped. */
  isSure?: () => boolean;
};

/**
 * Opens the market with the feed that the configuration names; no tick comes before `start`, which may come again after
 * `pause`. On the simulator's very first start a day of history is made. Throws ConfigError where the feed can't be had.
 */
export async function openMarket({
  sql,
  config,
  log,
  bus,
  clock = steadyNow,
  feed: given,
  follows = false,
  isSure = () => true,
  databaseTime = Date.now,
  reading = () => Promise.resolve(sql),
}: Parts): Promise<Market> {
  const hours = marketHours(config.marketHours);
  const { name, label, freshness } = given ?? FEEDS[config.feed];
  if (config.feed === "replay" && !given) await checkTickFile(config.feedFile ?? "");
  const onFault = (error: unknown) => log.error("a listener of the market failed", { error });
  const board = new Board({ hours, clock, freshness, time: name === "replay" ? "feed" : "real", onFault });
  const publisher = new Publisher(board, bus, clock);
  const brakes = new Set<Brake>();
  const parts = { sql, config, log, hours, clock, board, given };
  if (follows) board.restore(await lastQuotes(sql, name), await dayRanges(sql, name, tradingDayStart(clock())));
  let run: FeedRun | null = follows ? null : await prepareRun(parts);
  // A letter of an earlier lead may still come: the program that led was cut off from the database and tells it late.
  let newestEpoch = follows ? await newestEpochOf(sql) : 0;

  bus.subscribe("feed", ({ epoch, at, heardAt, quotes }) => {
    if (run?.started || epoch < newestEpoch) return;
    // Nobody deals any more on an earlier lead's quotes, though their numbers may be higher than the next leader's first ones.
    if (epoch > newestEpoch) board.withdraw();
    newestEpoch = epoch;
    board.follow(
      quotes.map((quote) => followed(quote, at)),
      heardAt,
    );
    publisher.publish();
  });
  const askForAll = () => bus.publish("board", {});
  bus.subscribe("renewed", () => (publisher.epoch === null ? askForAll() : publisher.publishAll()));
  bus.subscribe("board", () => publisher.publishAll());
  const answer = (nonce: string) => void (isSure() && publisher.answer(nonce));
  bus.subscribe("askPrices", ({ nonce, after }) => after === undefined && answer(nonce));
  const renewal = new Renewal(bus, (epoch) => epoch >= newestEpoch);
  publisher.start();
  if (follows) await firstWord(bus, askForAll);

  const snapshot = (symbols?: readonly string[]) => {
    const now = clock();
    const quotes = symbols ? symbols.flatMap((symbol) => board.get(symbol) ?? []) : board.all();
    return quotes.filter(isOffered).map((quote) => quoteMessage(board, quote, now));
  };
  const rest = async () => {
    const ended = run;
    run = null;
    publisher.epoch = null;
    await ended?.stop();
  };

  return {
    board,
    source: name,
    feedLabel: label,
    simulated: name === "simulator",
    clock,
    databaseTime,
    renew: (after) => (run?.started ? Promise.resolve() : renewal.ask(after)),
    answer,
    async start(epoch = null) {
      run ??= await prepareRun(parts);
      if (epoch !== null) await sql`select lead_ticks(${epoch}, ${run.first})`;
      publisher.epoch = epoch;
      newestEpoch = epoch ?? 0;
      board.withdrawBefore(run.first);
      run.start({ epoch, isSure, brakes });
      publisher.publishAll();
    },
    async pause() {
      const resting = rest();
      // What this lead said nobody stands by any more; the next leader's word may have come while this program did not listen.
      board.withdraw();
      askForAll();
      await resting;
    },
    async stop() {
      publisher.stop();
      await rest();
    },
    missing: () => (board.counts.accepted === 0 ? silenceOf(board) : (run?.recorder.missing ?? null)),
    store: () => (run?.started ? run.recorder.flush() : Promise.resolve()),
    unstoredMs: () => run?.recorder.unstoredMs ?? 0,
    async candles(symbol, interval, limit, before) {
      const at = before === undefined ? NEVER : before * 1000;
      const starts = candleStart(at, interval, symbol) === at;
      const until = starts ? at : candleEnd(at, interval, symbol);
      // What is in memory no more when this is asked is stored, and so is there when that is read.
      const parts = run?.recorder.candles.unstored(symbol, MADE_OF[interval]) ?? [];
      const stored = await newestCandles(await reading(), name, { symbol, interval, limit, before: until });
      const unstored = parts.flatMap((bar) => (bar.time < until ? [{ ...bar, time: candleStart(bar.time, interval, symbol) }] : []));
      return withUnstored(stored, unstored).slice(-limit);
    },
    cannotQuote: (symbol, listing) => cannotQuote(config, symbol, listing),
    idOf: instrumentId,
    snapshot,
    addBrake: (brake) => {
      brakes.add(brake);
      return () => void brakes.delete(brake);
    },
  };
}

/** After every candle, and the beginning of one of any length but a week or a month. */
const NEVER = Date.UTC(9999, 0, 1);

const silenceOf = ({ counts }: Board) =>
  counts.ahead > 0 ? "the feed's times are ahead of this machine's clock, which may be wrong" : "the feed has not quoted yet";

/** So long, in ms, does a follower wait for the leader's board before it shows what the database last knew. */
const FIRST_WORD = 500;

async function firstWord(bus: Bus, ask: () => void): Promise<void> {
  const heard = Promise.withResolvers<void>();
  const stop = bus.subscribe("feed", () => heard.resolve());
  ask();
  await Promise.race([heard.promise, Bun.sleep(FIRST_WORD)]);
  stop();
}

/** A quote of the leader's board, told at `at`, as this one takes it. */
function followed(quote: FeedQuote, at: number) {
  const { symbol, bid, ask, time, seq, stale, vouched = !stale, receivedAt = at } = quote;
  return { symbol, bid: priceUnits(bid), ask: priceUnits(ask), at: Date.parse(time), seq, receivedAt, stale: !vouched };
}

/** Stored candles with those in memory, of which an earlier part may be stored already. */
function withUnstored(stored: readonly Candle[], unstored: readonly Readonly<Omit<Bar, "interval">>[]): Candle[] {
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
