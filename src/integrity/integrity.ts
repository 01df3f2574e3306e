import { HOUR, MINUTE } from "../lib/time";
import type { Market } from "../market/market";
import { Reference } from "../market/reference";
import type { AppContext } from "../platform/app_context";
import { forgetOld, notePrices, writeFigures } from "./commands";
import { takeLiabilities } from "./liabilities";

/** The page's figures are written down this often. */
const FIGURES_MS = 10 * MINUTE;
/** Routes at which deals are asked for. */
const DEALS = /positions/;

/** Sees to what the page of integrity says: each program counts what it refused, the one that leads measures the rest and writes it down. */
export class Integrity {
  private timers: Timer[] = [];
  private turn: Promise<void> = Promise.resolve();
  private reference: Reference | null = null;
  private counted = 0;
  private booksKnown = false;

  constructor(
    private readonly app: AppContext,
    private readonly market: Market,
  ) {}

  lead(): void {
    this.timers.forEach(clearInterval);
    this.reference ??= Reference.of(this.app.config, this.app.log);
    this.reference?.start();
    const { sql } = this.app;
    const owed = () => this.queue(() => takeLiabilities(sql, new Date()));
    this.timers = [
      setInterval(() => void this.minute(), MINUTE),
      setInterval(() => void this.measure(), FIGURES_MS),
      setInterval(owed, MINUTE),
      setInterval(() => this.queue(async () => void (await forgetOld(sql))), HOUR),
    ];
    owed();
    void this.measure();
  }

  /** What is under way is finished first. */
  async rest(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.timers = [];
    await this.reference?.stop();
    this.reference = null;
    await this.turn;
  }

  /** Notes the minute's prices. Until the books were checked for the first time, the figures wait for that. */
  private minute(): Promise<void> {
    if (!this.booksKnown) void this.measure();
    return this.queue(() => notePrices(this.app.sql, this.market, this.reference, Date.now()));
  }

  /** Writes the figures down. Resolves when they are. */
  measure(): Promise<void> {
    return this.queue(() => {
      this.booksKnown = this.app.booksChecked !== undefined;
      return writeFigures(this.app);
    });
  }

  /** Notes what this program refused since it last did. */
  noteRefusals(): Promise<void> {
    return this.queue(async () => {
      const { metrics, sql } = this.app;
      const all = await metrics.refusedAt("stale_price", DEALS);
      const more = all - this.counted;
      if (more <= 0) return;
      await sql`select refusals_note('stale_price', ${more})`;
      this.counted = all;
    });
  }

  /** Counts refusals once a minute, in every program. Returns the way to stop. */
  watch(): () => Promise<void> {
    const timer = setInterval(() => void this.noteRefusals(), MINUTE);
    return () => {
      clearInterval(timer);
      return this.noteRefusals();
    };
  }

  private queue(task: () => Promise<void>): Promise<void> {
    return (this.turn = this.turn.then(task).catch((error: unknown) => this.app.log.warn("a figure of integrity failed, will try again", { error })));
  }
}
