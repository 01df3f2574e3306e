import type { Config } from "../../config";
import { MINUTE } from "../../lib/time";
import type { Db } from "../database/db";
import { type Duties, type Leader, standForLeader } from "./leader";
import type { Log } from "../log";
import { openSharedBus, type SharedBus } from "./shared_bus";

/** Several programs on one database: the bus between them, their common clock, and the election of the one that leads. */
export class Cluster {
  private leader: Leader | null = null;

  private constructor(
    private readonly url: string,
    private readonly log: Log,
    readonly bus: SharedBus,
    private readonly time: DatabaseClock,
  ) {}

  /** Joins those who use this database. Throws StartError where notices can't be heard. */
  static async join({ databaseUrl, databaseDirectUrl }: Config, sql: Db, log: Log): Promise<Cluster> {
    const url = databaseDirectUrl ?? databaseUrl ?? "";
    const bus = await openSharedBus({ url, sql, log, onFault: (error) => log.error("a listener failed", { error }) });
    return new Cluster(url, log, bus, await DatabaseClock.start(sql, log));
  }

  /** Stands for election; the first attempt, and what it brings along, is over when this returns. */
  async stand(duties: Duties): Promise<void> {
    // Known before the first duty is done: the feed says its first ticks in it, and they count only where the lead is sure.
    await standForLeader(this.url, this.log, duties, { meet: (leader) => (this.leader = leader) });
  }

  /** The database's time: milliseconds since the epoch, never backwards. */
  clock = () => this.time.now();
  isSure = () => this.leader?.isSure() ?? false;
  /** Something was refused that only a leader may do. */
  doubt = () => this.leader?.doubt();

  /** Gives the lead up, says what is left to say, and leaves. */
  async leave(): Promise<void> {
    this.time.stop();
    await this.leader?.stop();
    await this.bus.stop();
  }
}

const SAMPLES = 3;
/** A later answer that took longer than this, in ms, tells less than is known already. */
const QUICK = 200;

/** The database's time, which all its programs agree on, whatever this machine's own clock is set to; measured anew every minute. */
export class DatabaseClock {
  private last = Number.NEGATIVE_INFINITY;
  private readonly timer: Timer;

  private constructor(
    private readonly sql: Db,
    private readonly log: Log,
    private offset: number,
  ) {
    this.timer = setInterval(() => void this.renew(), MINUTE);
  }

  static async start(sql: Db, log: Log): Promise<DatabaseClock> {
    return new DatabaseClock(sql, log, (await measure(sql)).offset);
  }

  /** Milliseconds since the epoch, never backwards. */
  now(): number {
    this.last = Math.max(this.last, Math.floor(performance.now() + this.offset));
    return this.last;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private async renew(): Promise<void> {
    try {
      const { offset, width } = await measure(this.sql);
      if (width < QUICK) this.offset = offset;
    } catch (error) {
      this.log.debug("the database's time could not be asked, will try again", { error });
    }
  }
}

/** How far the database's time is ahead of what this program has run, and what the answer took, in ms; of a few the quickest. */
async function measure(sql: Db): Promise<{ width: number; offset: number }> {
  let best = { width: Number.POSITIVE_INFINITY, offset: 0 };
  for (let n = 0; n < SAMPLES; n++) {
    const asked = performance.now();
    const [row] = await sql<{ ms: string }[]>`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`;
    const width = performance.now() - asked;
    if (width < best.width) best = { width, offset: Number(row?.ms) - (asked + width / 2) };
  }
  return best;
}
