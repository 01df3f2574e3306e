import type { Config } from "../config";
import { steadyNow } from "../lib/time";
import type { Log } from "../platform/log";
import { Board, midOf } from "./board";
import { type Feed, FEEDS } from "./feed";
import { krakenFeed } from "./feed_kraken";
import { marketHours } from "./hours";
import type { Market } from "./market";
import { instruments } from "./rules_listed";

/** An independent feed that the site's prices are compared with. Nothing is dealt on it. */
export class Reference {
  private readonly feed: Feed;
  private readonly board: Board;

  /** Null where none is set. */
  static of(config: Config, log: Log): Reference | null {
    return config.referenceFeed === null ? null : new Reference(config.referenceUrl, log);
  }

  private constructor(url: string | null, log: Log) {
    this.feed = krakenFeed({ url, log, clock: Date.now });
    const onFault = (error: unknown) => log.error("a listener of the reference feed failed", { error });
    this.board = new Board({ hours: marketHours("real"), clock: steadyNow, freshness: FEEDS.kraken.freshness, time: "real", onFault });
  }

  get name(): string {
    return this.feed.name;
  }

  start(): void {
    this.feed.start({
      tick: (tick) => void this.board.accept(tick),
      heard: () => this.board.heard(),
      withdraw: (symbols) => this.board.withdraw(symbols),
    });
  }

  stop(): Promise<void> {
    return this.feed.stop();
  }

  /** For each instrument that both vouch for in an open market: how far the mid prices lie apart, in hundredths of a percent of the reference's. */
  distances({ board, clock }: Market): number[] {
    const [ours, theirs] = [clock(), steadyNow()];
    return instruments.flatMap(({ symbol }) => {
      const [own, other] = [board.get(symbol), this.board.get(symbol)];
      if (!own || !other || board.isStale(symbol, ours) || this.board.isStale(symbol, theirs)) return [];
      if (!board.isOpen(symbol, ours) || !this.board.isOpen(symbol, theirs)) return [];
      const mid = midOf(other);
      return [(Math.abs(midOf(own) - mid) / mid) * 10_000];
    });
  }
}
