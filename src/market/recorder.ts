import { DAY, HOUR, SECOND } from "../lib/time";
import { type Db, isDiskFull, refusalOf } from "../platform/database/db";
import type { Log } from "../platform/log";
import type { Quote } from "./board";
import { Candles } from "./candles";
import type { Feed } from "./feed";
import { type Batch, deleteOldTicks, saveBatch } from "./queries";

/** So long after it was stored last what came since is, unless somebody asks for it before. */
const FLUSH_EVERY = SECOND;
const TICKS_KEPT = 7 * DAY;
const CLEAN_EVERY = HOUR;
const CLEAN_AT_ONCE = 5_000;
/** In one statement. */
const BATCH = 10_000;
/** From here on a feed that can wait is asked to. */
const CROWDED = 2 * BATCH;
/** So long, in ms, may storing take or fail before it is said that it does. */
const PATIENCE = 10 * SECOND;
/** Waiting to be stored, while the database is away: some hours of the simulator. Beyond it the oldest give way, and the log says how many. */
const MOST_WAITING = 200_000;

type RecorderOptions = {
  sql: Db;
  log: Log;
  source: Feed["name"];
  clock: () => number;
  mostWaiting?: number;
};

/** Keeps what the board accepts: ticks, latest quotes and candles, stored about once a second, retried until stored. */
export class Recorder {
  readonly candles = new Candles();
  private ticks: Quote[] = [];
  private readonly quotes = new Map<string, Quote>();
  private storing: Promise<void> | undefined;
  private clearing: Promise<void> | undefined;
  private stopping = false;
  private flushing: Timer | undefined;
  private cleaning: Timer | undefined;
  private lost = 0;
  /** The database had no room for what was stored last. */
  private diskFull = false;
  /** Since when what waits has been tried to be stored; null where all was stored. */
  private triedSince: number | null = null;
  private epoch: number | null = null;

  constructor(private readonly options: RecorderOptions) {}

  /** Why prices are not stored, in words; null while they are. */
  get missing(): string | null {
    if (this.diskFull) return "there is no room to store prices";
    return this.unstoredMs > PATIENCE ? "prices are not being stored" : null;
  }

  /** For how long, in ms, what waits could not be stored. */
  get unstoredMs(): number {
    return this.triedSince === null ? 0 : performance.now() - this.triedSince;
  }

  /** Records as the leader in this epoch: what a newer one refuses is given up at the end. Null: alone on its database. */
  start(epoch: number | null = null): void {
    this.epoch = epoch;
    this.flushing = setInterval(() => void this.flush(), FLUSH_EVERY);
    this.cleaning = setInterval(() => void this.clean(), CLEAN_EVERY);
    void this.clean();
  }

  /** Stores what is left. Throws where that fails; ticks that are refused because another program leads are dropped. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.flushing);
    clearInterval(this.cleaning);
    this.flushing = undefined;
    await this.storing;
    try {
      while (this.hasWork) await this.store();
    } catch (error) {
      if (refusalOf(error)?.code !== "deposed") throw error;
      this.options.log.warn("another program leads: the newest ticks of this one are given up", { ticks: this.ticks.length });
    }
  }

  add(quote: Quote): void {
    this.candles.add(quote);
    this.quotes.set(quote.symbol, quote);
    this.ticks.push(quote);
    const most = this.options.mostWaiting ?? MOST_WAITING;
    if (this.ticks.length <= most) return;
    const given = Math.ceil(most / 10);
    this.ticks = this.ticks.slice(given);
    this.lost += given;
    this.options.log.error("ticks dropped: the database does not take them", { dropped: given, droppedInAll: this.lost });
  }

  /** A promise to wait for while too much is unstored; undefined where there is room. */
  room(): Promise<void> | undefined {
    if (this.ticks.length < CROWDED) return undefined;
    this.clearing ??= this.makeRoom().finally(() => {
      this.clearing = undefined;
    });
    return this.clearing;
  }

  private async makeRoom(): Promise<void> {
    while (this.ticks.length >= CROWDED && !this.stopping) {
      const before = this.ticks.length;
      await this.flush();
      if (this.ticks.length >= before) await Bun.sleep(FLUSH_EVERY);
    }
  }

  private get hasWork(): boolean {
    return this.ticks.length > 0 || this.quotes.size > 0 || this.candles.changes > 0;
  }

  /** Stores what came; a failure is logged and the same is tried again next time. Never rejects. */
  flush(): Promise<void> {
    this.flushing?.refresh();
    if (!this.hasWork) return Promise.resolve();
    this.triedSince ??= performance.now();
    this.storing ??= this.store()
      .then(
        () => {
          this.diskFull = false;
          this.triedSince = null;
        },
        (error) => {
          this.diskFull = isDiskFull(error);
          this.options.log.error("storing the market failed, will try again", { waiting: this.ticks.length, error });
        },
      )
      .finally(() => {
        this.storing = undefined;
      });
    return this.storing;
  }

  private async store(): Promise<void> {
    const ticks = this.ticks.slice(0, BATCH);
    const quotes = [...this.quotes.values()];
    const candles = this.candles.take();
    this.quotes.clear();
    try {
      await this.save({ ticks, quotes, candles });
    } catch (error) {
      for (const quote of quotes) if (!this.quotes.has(quote.symbol)) this.quotes.set(quote.symbol, quote);
      this.candles.settle(false);
      throw error;
    }
    this.candles.settle(true);
    const last = ticks.at(-1);
    if (last) this.ticks = this.ticks.filter(({ seq }) => seq > last.seq);
  }

  private async save(batch: Batch): Promise<void> {
    const { sql, source } = this.options;
    const { epoch } = this;
    if (epoch === null) return saveBatch(sql, source, batch);
    await sql.begin(async (tx) => {
      await tx`select lead_fence(${epoch})`;
      await saveBatch(tx, source, batch);
    });
  }

  private async clean(): Promise<void> {
    try {
      const cutoff = this.options.clock() - TICKS_KEPT;
      while ((await deleteOldTicks(this.options.sql, cutoff, CLEAN_AT_ONCE)) > 0);
    } catch (error) {
      this.options.log.warn("deleting old ticks failed, will try again", { error });
    }
  }
}
