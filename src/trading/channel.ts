import { accountOf } from "../accounts/queries";
import { onListings } from "../market/listings";
import type { Market } from "../market/market";
import { heldInstruments } from "../market/rules_listed";
import type { QuoteMessage } from "../platform/cluster/bus";
import type { Channel, AppContext } from "../platform/app_context";
import { Fan, type Stream } from "../platform/http/stream";
import { countryBounds, groupStamps } from "./terms_now";
import { positionOf } from "./queries";
import type { LeverageBounds } from "./rules_prices";
import type { Trading } from "./trading";

/** So often, in ms, do quotes come to a browser that saves data. */
const SLOW_MS = 3_000;

/**
 * The trader's part of the stream: a `snapshot` of all quotes, then `quotes`, `instruments` whenever one is listed or dealt otherwise, `groups`
 * whenever the terms of one are others, `leverage` whenever one's country allows another, and each `position` and `account` of one's own that changed.
 */
export function tradingChannel(app: AppContext, market: Market, trading: Trading): Channel {
  const { sql, bus, streams } = app;
  // No ids on quotes here: an id marks the last notice that was seen.
  const live = new Fan<QuoteMessage>("quotes", ({ symbol }) => symbol);
  const slow = new SlowFan(SLOW_MS);
  const onGroups = groupStamps(app);
  const onBounds = countryBounds(app);
  bus.subscribe("quotes", (quotes) => {
    live.publish(quotes);
    slow.publish(quotes);
  });

  return (stream, me, wish) => {
    stream.send("snapshot", market.snapshot());
    // A page that was away for a while may have missed a change.
    const tellInstruments = () => stream.send("instruments", { lines: heldInstruments() });
    tellInstruments();
    let bounds: string | null = null;
    const tellLeverage = (now: LeverageBounds) => {
      // What another country allows is no news here.
      if (JSON.stringify(now) === bounds) return;
      bounds = JSON.stringify(now);
      stream.send("leverage", now);
    };
    const stops = [
      onListings(tellInstruments),
      onGroups((stamps) => stream.send("groups", stamps)),
      onBounds((all) => tellLeverage((me.country !== null && all[me.country]) || {})),
      (wish.quotes === "slow" ? slow : live).join(stream),
      bus.subscribe(
        "position",
        ({ userId, positionId }) => userId === me.id && streams.tell(stream, "position", () => positionOf(sql, me.id, positionId, trading.board())),
      ),
      bus.subscribe(
        "account",
        ({ userId, accountId }) =>
          userId === me.id && accountId !== null && streams.tell(stream, "account", () => accountOf(sql, me.id, accountId, trading.board())),
      ),
    ];
    return () => stops.forEach((stop) => stop());
  };
}

/** A fan that tells the newest quote of each symbol only every `everyMs`, and rests while nobody reads. */
class SlowFan {
  private readonly fan = new Fan<QuoteMessage>("quotes", ({ symbol }) => symbol);
  private readonly newest = new Map<string, QuoteMessage>();
  private timer: Timer | undefined;

  constructor(private readonly everyMs: number) {}

  join(stream: Stream): () => void {
    const leave = this.fan.join(stream);
    this.timer ??= setInterval(() => this.flush(), this.everyMs);
    return () => {
      leave();
      if (this.fan.size > 0) return;
      clearInterval(this.timer);
      this.timer = undefined;
      this.newest.clear();
    };
  }

  publish(quotes: readonly QuoteMessage[]): void {
    if (this.fan.size > 0) for (const quote of quotes) this.newest.set(quote.symbol, quote);
  }

  private flush(): void {
    const quotes = [...this.newest.values()];
    this.newest.clear();
    if (quotes.length > 0) this.fan.publish(quotes);
  }
}
