import type { Config } from "../config";
import { Refusal } from "../lib/refusal";
import { DAY, HOUR, MINUTE, tradingDayStart } from "../lib/time";
import type { Db } from "../platform/database/db";
import type { Log } from "../platform/log";
import type { Board, Quote } from "./board";
import { gatherBars } from "./candles";
import type { Feed, FeedSink } from "./feed";
import { krakenCarries, krakenFeed } from "./feed_kraken";
import { checkTickFile } from "./feed_replay";
import { Simulation, simulateHistory, simulatorFeed, simulatorLacks } from "./feed_simulator";
import type { MarketHours } from "./hours";
import { dayRanges, lastQuotes, reserveTickNumbers, saveBatch } from "./queries";
import type { Listing } from "./schema_listings";
import { Recorder } from "./recorder";
import { openReplay, type Replay } from "./replay";
import { instruments } from "./rules_listed";

/** What asks a feed to wait while a consumer is behind; undefined where it is not. */
export type Brake = () => Promise<void> | undefined;

type Parts = { sql: Db; config: Config; log: Log; hours: MarketHours; clock: () => number; board: Board; given: Feed | undefined };
type Lead = {
  /** Null: alone on its database. */
  epoch: number | null;
  isSure: () => boolean;
  brakes: ReadonlySet<Brake>;
};

/** The feed while this program runs it: its ticks go to the board, are numbered and recorded. */
export class FeedRun {
  started = false;
  private renumbering: Timer | undefined;
  private readonly stopRecording: () => void;

  constructor(
    private readonly parts: Parts,
    private readonly feed: Feed,
    readonly recorder: Recorder,
    /** The number of the first tick. */
    readonly first: number,
    private readonly block: number | null,
  ) {
    this.stopRecording = parts.board.onTick((quote) => recorder.add(quote));
  }

  start({ epoch, isSure, brakes }: Lead): void {
    this.started = true;
    this.recorder.start(epoch);
    if (this.block !== null) this.renumbering = setInterval(() => void this.renumber(), HOUR);
    this.feed.start(sinkOf(this.parts.board, isSure, () => [this.recorder.room(), ...[...brakes].map((brake) => brake())]));
  }

  /** Stores what is left. Throws where that is not possible. */
  async stop(): Promise<void> {
    clearInterval(this.renumbering);
    await this.feed.stop();
    this.stopRecording();
    await this.recorder.stop();
  }

  /** Fetches new tick numbers long before the old ones run out. */
  private async renumber(): Promise<void> {
    const { board, sql, log } = this.parts;
    if (board.sequenceLeft > (this.block ?? 0) / 2) return;
    try {
      const numbers = await reserveTickNumbers(sql);
      board.adoptSequence(numbers.first, numbers.size);
    } catch (error) {
      log.warn("reserving tick numbers failed, will try again", { error });
    }
  }
}

function sinkOf(board: Board, isSure: () => boolean, brake: () => (Promise<void> | undefined)[]): FeedSink {
  return {
    tick(tick) {
      if (!isSure()) return undefined;
      board.accept(tick);
      const waits = brake().flatMap((wait) => wait ?? []);
      return waits.length === 0 ? undefined : Promise.all(waits).then(() => {});
    },
    heard: () => isSure() && board.heard(),
    withdraw: (symbols) => board.withdraw(symbols),
  };
}

/** Makes the configured feed ready, going on from what the board or the database last knew. */
export async function prepareRun(parts: Parts): Promise<FeedRun> {
  const { sql, log, clock, board, given, config } = parts;
  const { feed, replay } = given ? { feed: given, replay: null } : await chooseFeed(parts);
  const numbers = await reserveTickNumbers(sql);
  const first = replay?.first ?? numbers.first;
  board.adoptSequence(first, numbers.size);
  const recorder = new Recorder({ sql, log, source: given?.name ?? config.feed, clock });
  await replay?.catchUp(board, recorder);
  return new FeedRun(parts, feed, recorder, first, replay ? null : numbers.size);
}

type Choice = { feed: Feed; replay: Replay | null };

async function chooseFeed({ sql, config, log, hours, clock, board }: Parts): Promise<Choice> {
  if (config.feed === "replay") {
    const replay = await openReplay(sql, config, log);
    return { feed: replay.feed, replay };
  }
  const known = board.all();
  const stored = known.length > 0 ? known : await lastQuotes(sql, config.feed);
  let last = stored;
  let feed: Feed;
  if (config.feed === "simulator") {
    const simulation = new Simulation(config.feedSeed, stored);
    if (stored.length === 0) last = await writeHistory(sql, simulation, hours, clock());
    feed = simulatorFeed(simulation, hours, clock);
  } else feed = krakenFeed({ url: config.feedUrl, log, clock });
  if (known.length === 0) board.restore(last, await dayRanges(sql, config.feed, tradingDayStart(clock())));
  return { feed, replay: null };
}

export type ListingFault = { field: string; message: string };

/** Why the configured feed can't quote what would be listed so; null where it can. Refuses (unavailable) where the feed does not say. */
export async function cannotQuote(config: Config, symbol: string, listing: Listing): Promise<ListingFault | null> {
  const { feed, feedFile, feedUrl } = config;
  if (feed === "simulator") {
    const message = simulatorLacks(symbol, listing);
    // Where the price was said, it is the volatility that lacks.
    const { start, volatility } = listing.simulator ?? {};
    return message === null ? null : { field: start !== undefined && volatility === undefined ? "simulatorVolatility" : "simulatorStart", message };
  }
  const name = listing[feed];
  if (name === null) return { field: feed, message: "It is the feed in use: say what it calls the instrument." };
  const carries = feed === "replay" ? (await checkTickFile(feedFile ?? "")).symbols.includes(name) : await krakenCarries(feedUrl, name);
  if (carries === null) throw new Refusal("unavailable", "Kraken did not say whether it quotes this symbol. Please try again.");
  return carries ? null : { field: feed, message: "The feed in use quotes nothing of this name." };
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
  return simulation.quoted.flatMap((instrument) => {
    const bar = last.get(instrument.symbol);
    if (!bar) return [];
    const at = bar.time + MINUTE;
    return [{ ...simulation.around(instrument, bar.close, at), seq: 0, receivedAt: at }];
  });
}
