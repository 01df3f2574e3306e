import type { FeedName } from "../config";
import type { Tick } from "./board";

/** Where a feed puts what it hears. */
export type FeedSink = {
  /** Takes a tick. A promise asks the feed to wait before the next, where it can (a replay). */
  tick(tick: Tick): Promise<void> | undefined;
  /** Any sign of life: the prices told before still hold. */
  heard(): void;
  /** Takes back the vouching for symbols, or for all, until their next ticks. */
  withdraw(symbols?: readonly string[]): void;
};

/** A source of ticks. */
export type Feed = {
  readonly name: FeedName;
  /** How screens name the prices, say 'Simulated prices'. */
  readonly label: string;
  /** Which sign of life keeps a quote fresh: a tick of its symbol, or any message of the feed. */
  readonly freshness: "symbol" | "feed";
  start(sink: FeedSink): void;
  /** Resolves once no more ticks will come. */
  stop(): Promise<void>;
};

/** What is known of each feed without opening it. */
export const FEEDS: Record<FeedName, Pick<Feed, "name" | "label" | "freshness">> = {
  simulator: { name: "simulator", label: "Simulated prices", freshness: "symbol" },
  kraken: { name: "kraken", label: "Prices by Kraken", freshness: "feed" },
  replay: { name: "replay", label: "Replayed prices", freshness: "feed" },
};
