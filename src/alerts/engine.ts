import { MINUTE, SECOND } from "../lib/time";
import type { Quote } from "../market/board";
import type { Market } from "../market/market";
import { newestTicks } from "../market/queries";
import { RecentTicks } from "../market/recent";
import type { Bus } from "../platform/cluster/bus";
import { type Db, isPassing, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import { AlertBook, reaches, type Watched } from "./book";
import { fire, type Hit } from "./commands";
import { watchedAlerts, type Which } from "./queries";

/** Recorded ticks that a start looks back on: about half a minute of the simulator. */
const CATCH_UP = 5_000;
/** Alerts that are fired in one statement. */
const AT_ONCE = 500;
/** So often, in ms, is looked for alerts that nobody told of, and so far back, in seconds: longer than setting one takes. */
const LOOK_EVERY = 5 * SECOND;
const LATELY = 60;
/** Waits, in ms, before what the database could not take is tried again: the first, and the longest. */
const FIRST_WAIT = 100;
const LONGEST_WAIT = 5 * SECOND;

type Parts = {
  sql: Db;
  market: Market;
  bus: Bus;
  log: Log;
  /** In which this program leads; null: alone on its database. */
  epoch: number | null;
  /** Another program turned out to lead. */
  onDeposed: () => void;
};

/**
 * Watches every active alert in memory and fires it on the first tick that reaches it while its market is open; the database decides
 * once more, on that tick, so that it fires once, whichever program leads. A start holds all of them against the newest recorded
 * ticks, of which a program that was killed may not have written what they fired.
 */
export class AlertEngine {
  private readonly book = new AlertBook();
  private readonly recent = new RecentTicks();
  /** What fired and is not written yet, and of which alerts. */
  private hits: Hit[] = [];
  private readonly due = new Set<string>();
  private working: Promise<void> | null = null;
  private readonly looks = new Set<Promise<void>>();
  private stopped = false;
  private stopListening = () => {};

  constructor(private readonly parts: Parts) {}

  /** How many alerts are watched. */
  get watched(): number {
    return this.book.size;
  }

  /** Call it before the feed starts. */
  async start(): Promise<void> {
    const { market, bus, sql } = this.parts;
    const stops = [
      bus.subscribe("alert", ({ alertId, about }) => (about === "set" ? this.look({ id: alertId }) : this.book.drop(alertId))),
      bus.subscribe("renewed", () => this.look("all")),
      market.board.onTick((quote) => this.onTick(quote)),
      market.addBrake(() => this.idle()),
    ];
    const [alerts, ticks] = await Promise.all([watchedAlerts(sql, "all"), newestTicks(sql, market.source, CATCH_UP)]);
    for (const quote of ticks) this.recent.add(quote);
    for (const alert of alerts) this.enter(alert);
    const timers = [setInterval(() => this.look({ lately: LATELY }), LOOK_EVERY), setInterval(() => this.book.expire(market.clock()), MINUTE)];
    this.stopListening = () => {
      stops.forEach((stop) => stop());
      timers.forEach((timer) => clearInterval(timer));
    };
  }

  /** Stops listening. What is being written is finished; what waits is found again by the next start. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopListening();
    this.hits = [];
    await this.idle();
  }

  /** Resolves when nothing is being read or written, and nothing waits; undefined where that is so. */
  idle(): Promise<void> | undefined {
    return this.working || this.looks.size > 0 ? this.settled() : undefined;
  }

  private async settled(): Promise<void> {
    while (this.working || this.looks.size > 0) await Promise.all([this.working, ...this.looks]);
  }

  /** Takes alerts that were set elsewhere, or before this engine ran. A message is no promise, so it is looked for them again and again. */
  private look(which: Which): void {
    const looked = this.read(which).finally(() => this.looks.delete(looked));
    this.looks.add(looked);
  }

  private async read(which: Which): Promise<void> {
    try {
      for (const alert of await watchedAlerts(this.parts.sql, which)) this.enter(alert);
    } catch (error) {
      this.parts.log.warn("alerts could not be read, will try again", { error });
    }
  }

  /** Watches an alert, once it was held against the ticks that came since it was set. */
  private enter(alert: Watched) {
    if (this.stopped || this.book.has(alert.id) || this.due.has(alert.id)) return;
    const { board } = this.parts.market;
    const quote = this.recent.after(alert.symbol, alert.sinceSeq).find((each) => board.isOpen(each.symbol, each.at) && reaches(alert, each));
    if (quote) this.push([{ alert, quote }]);
    else this.book.add(alert);
  }

  private onTick(quote: Quote) {
    this.recent.add(quote);
    const { board, clock } = this.parts.market;
    if (!board.isOpen(quote.symbol, clock())) return;
    const reached = this.book.reached(quote);
    if (reached.length > 0) this.push(reached.map((alert) => ({ alert, quote })));
  }

  private push(hits: readonly Hit[]) {
    if (this.stopped) return;
    for (const hit of hits) {
      this.hits.push(hit);
      this.due.add(hit.alert.id);
    }
    this.working ??= this.work().finally(() => (this.working = null));
  }

  private async work(): Promise<void> {
    let wait = FIRST_WAIT;
    while (this.hits.length > 0) {
      const batch = this.hits.slice(0, AT_ONCE);
      try {
        await this.write(batch);
        this.settle(batch);
        wait = FIRST_WAIT;
      } catch (error) {
        if (this.stopped) return;
        if (refusalOf(error)?.code === "deposed") {
          this.hits = [];
          return this.parts.onDeposed();
        }
        this.parts.log.warn("alerts that fired could not be written, will try again", { waiting: this.hits.length, error });
        // What fails for itself must not hold up the others: it comes again with the next start.
        if (!isPassing(error)) this.settle(batch);
        else await Bun.sleep(wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      }
    }
  }

  private settle(batch: readonly Hit[]) {
    this.hits = this.hits.slice(batch.length);
    for (const { alert } of batch) this.due.delete(alert.id);
  }

  private async write(batch: readonly Hit[]) {
    const { sql, bus, epoch } = this.parts;
    const fired = await fire(sql, batch, epoch);
    if (fired.length > 0) bus.publish("personNews", {});
    for (const { id, userId } of fired) bus.publish("alert", { userId, alertId: id, about: "fired" });
  }
}
