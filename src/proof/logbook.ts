import { LogFault } from "./fault";
import { type Appending, appendRound, isDue, type State } from "./commands";
import { keepTicks } from "./commands_ticks";
import { checkTiles } from "./check";
import { type Keyring, type LogKey } from "./key";
import { allLogs, currentLog, type Log } from "./queries";
import { TILE_WIDTH } from "./rules_tiles";
import type { Sources } from "./sources";
import { readContradiction } from "./witnesses";
import type { AppContext } from "../platform/app_context";
import { refusalOf } from "../platform/database/db";
import { DAY, HOUR, inTime, MINUTE, SECOND } from "../lib/time";

/** So long, in ms, after one beat comes the next, and no oftener: each round costs what a hundred entries do. */
export const BEAT = 0.95 * SECOND;
/** So long, in ms, does a beat wait for prices to be stored: what is left of the second within which a checkpoint follows the one before. */
const STORING = SECOND - BEAT;
/** After a fault. */
const AFTER_FAULT = 10 * SECOND;
/** So many of the newest tiles are looked at before the first entry is added. */
const NEWEST = 64;
/** A log of no more entries is looked at whole each hour: of 100,000 that takes a second. A longer one is each day. */
const HOURLY_UP_TO = 500_000;
/** A look at the whole log, which nobody waits for, rests after each slice for so many times as long as that took, and so many ms: a start is no time for it. */
const REST = { times: 9, least: 20, most: 250 };

/** How long to rest, in ms, after a slice that took so many. */
export const restAfter = (took: number): number => Math.min(Math.max(REST.least, REST.times * took), REST.most);

/** Whether a look at the whole log is due, of so many entries and so many ms after the last. An hour's beat may come early. */
export const wholeIsDue = (size: number, since: number): boolean => size <= HOURLY_UP_TO || since > DAY - HOUR / 2;

type Options = {
  sources: Sources;
  keyring: Keyring;
  /** Told once of each fault that is found. */
  onFault?: (fault: string) => void;
  /** Asks those who keep checkpoints what they have of the log, before a lead's first entry. Rejects where the database could not be asked. */
  confirm?: () => Promise<unknown>;
  /** Stores what is written with others, as prices are; resolves when that was tried, never rejects. Each round begins with it, so that both have one beat. */
  store?: () => Promise<void>;
  now?: () => number;
};

/** Puts what waits into the log while this program leads, and looks, in any program, whether the log is as it was written. */
export class Logbook {
  /** What was appended by this program, and in how many rounds. */
  readonly counts = { entries: 0, rounds: 0 };
  private state: State | null = null;
  /** Whether the last round found something: then the next one nearly always does, too, and begins without asking whether it is due. */
  private busy = false;
  private timer: Timer | undefined;
  private turn: Promise<void> = Promise.resolve();
  private epoch: number | null = null;
  private onDeposed: () => void = () => {};
  /** Why nothing can be appended, and what a look at the log found. */
  private stuck: string | null = null;
  private spoilt: string | null = null;
  /** How often a look found something. */
  private faults = 0;
  /** What a witness, or the file of checkpoints, holds against it. */
  private contradicted: string | null = null;
  private hearing: Promise<void> = Promise.resolve();
  /** The epoch in which nobody contradicted before the first entry, or could not be asked. */
  private confirmed: number | null = null;
  private readonly told = new Map<string, number>();
  private nextAt = 0;
  private readonly patrols: Timer[] = [];
  /** Looks at the newest part, of which who begins to lead waits for one, and at the whole, each kind one after the other. */
  private patrol: Promise<void> = Promise.resolve();
  private wholes: Promise<void> = Promise.resolve();
  private stopping = false;
  private wholeAt = Number.NEGATIVE_INFINITY;
  private endedAt = Number.NEGATIVE_INFINITY;
  /** How many leaves of which log were found whole. */
  private checked = { log: 0, size: 0 };

  constructor(
    private readonly app: Pick<AppContext, "sql" | "log" | "config">,
    private readonly options: Options,
  ) {}

  /** Why the log is not appended to, in words; null while it is, or while nothing is known against it. */
  get missing(): string | null {
    return this.spoilt ?? this.contradicted ?? this.stuck;
  }

  /** Looks at the newest part of the log, and then at the whole, slowly. Resolves after the first. */
  async start(): Promise<void> {
    const { keyring } = this.options;
    await this.look(false);
    await this.hearAgain();
    if (keyring.read() === null && (!keyring.canMake || (await currentLog(this.app.sql)) !== null)) this.stick(keylessFault(keyring));
    this.patrols.push(
      setInterval(() => void this.queueLook(false), MINUTE),
      setInterval(() => void this.hearAgain(), MINUTE),
      setInterval(() => void this.patrolWhole(), HOUR),
    );
    void this.queueLook(true);
  }

  lead(epoch: number, onDeposed: () => void): void {
    this.epoch = epoch;
    this.onDeposed = onDeposed;
    this.state = null;
    this.nextAt = 0;
    this.confirmed = null;
    clearInterval(this.timer);
    this.timer = setInterval(() => this.beat(), BEAT);
    // What it goes on from is what it has looked at.
    this.turn = this.turn.then(() => this.queueLook(false));
    void this.wake();
  }

  /** What is under way is finished first. */
  rest(): Promise<void> {
    clearInterval(this.timer);
    this.epoch = null;
    return this.turn;
  }

  async stop(): Promise<void> {
    this.stopping = true;
    this.patrols.forEach(clearInterval);
    await Promise.all([this.rest(), this.patrol, this.wholes, this.hearing]);
  }

  /**
   * Has stored what waits for it, and puts that into the log with all else. What takes longer to be stored is not waited for, lest what was done meanwhile is:
   * it goes into the next round, or where there was none into one of its own as soon as it is stored. Resolves when that is done, or can't be.
   */
  async beat(): Promise<void> {
    const storing = (this.epoch === null ? undefined : this.options.store?.()) ?? Promise.resolve();
    const stored = storing.then(() => true);
    const isStored = await inTime(stored, STORING);
    const { rounds } = this.counts;
    await this.wake();
    if (isStored || this.counts.rounds > rounds) return;
    await storing;
    await this.wake();
  }

  /** Resolves when all that was committed before the call is in the log, or can't be. */
  wake(): Promise<void> {
    return (this.turn = this.turn.then(() => this.append()));
  }

  private async append(): Promise<void> {
    const { epoch } = this;
    if (epoch === null || this.spoilt !== null || performance.now() < this.nextAt) return;
    try {
      await this.confirm(epoch);
      if (this.contradicted !== null || !(this.busy || (await isDue(this.app.sql, this.options.sources.tables)))) return;
      const key = await this.key();
      for (let more = true; more && this.epoch === epoch;) more = await this.round(epoch, key);
      this.stuck = null;
    } catch (error) {
      this.state = null;
      this.busy = false;
      if (refusalOf(error)?.code === "deposed") {
        this.epoch = null;
        this.onDeposed();
      } else if (error instanceof LogFault) {
        this.stick(error.message);
      } else this.app.log.warn("the public log could not be appended to, will try again", { error });
    }
  }

  /** That nobody has another log of this name: what was brought back as it was earlier knows nothing of what it signed since. */
  private async confirm(epoch: number): Promise<void> {
    if (this.confirmed !== epoch) await this.options.confirm?.();
    // Where something is known against it, it may be over: by the log's end, or since the witness accepts it.
    if (this.confirmed !== epoch || this.contradicted !== null) await this.hear();
    this.confirmed = epoch;
  }

  /** Learns what witnesses hold against the log, which is what the program that leads wrote down of them. */
  async hear(): Promise<void> {
    const before = this.contradicted;
    this.contradicted = await readContradiction(this.app.sql, this.app.config);
    if (this.contradicted !== null) this.tell(this.contradicted);
    else if (before !== null) this.app.log.info("nothing speaks against the public log any more");
  }

  private hearAgain(): Promise<void> {
    return (this.hearing = this.hear().catch((error: unknown) =>
      this.app.log.warn("what witnesses hold against the public log could not be read, will try again", { error }),
    ));
  }

  private async round(epoch: number, key: LogKey): Promise<boolean> {
    const { sources, keyring, now = Date.now } = this.options;
    const given: Appending = { sql: this.app.sql, epoch, key, sources, now, origin: () => originOf(this.app.config.publicUrl) };
    const { state, appended, lost, more } = await appendRound(given, this.state);
    this.state = state;
    this.busy = appended > 0;
    this.counts.entries += appended;
    this.counts.rounds++;
    if (lost.length > 0) this.app.log.error("what was to be logged is not there any more", { count: lost.length, first: lost[0]?.ref });
    if (key.before) keyring.settle();
    await this.keepTicks(state);
    return more;
  }

  private async keepTicks({ ticks }: State): Promise<void> {
    const { kept, lost } = await keepTicks(this.app.sql, this.options.sources, ticks);
    if (lost > 0) this.app.log.warn("ticks that were dealt on are not in the log: they were never recorded", { lost, kept });
  }

  /** The key; made where a log is to begin, the first one or one after another's end. Throws LogFault without one. */
  private async key(): Promise<LogKey> {
    const { keyring } = this.options;
    const key = keyring.read() ?? ((await currentLog(this.app.sql)) === null ? keyring.make() : null);
    if (!key) throw new LogFault(keylessFault(keyring));
    return key;
  }

  private stick(fault: string): void {
    this.stuck = fault;
    this.nextAt = performance.now() + AFTER_FAULT;
    this.tell(fault);
  }

  /** Each fault once in an hour, to the log and to staff. */
  private tell(fault: string): void {
    const now = performance.now();
    if (now - (this.told.get(fault) ?? Number.NEGATIVE_INFINITY) < HOUR) return;
    this.told.set(fault, now);
    this.app.log.error("the public log is not appended to", { fault });
    this.options.onFault?.(fault);
  }

  /** Looks at the whole log. */
  check(): Promise<void> {
    return this.queueLook(true);
  }

  private patrolWhole(): Promise<void> {
    return (this.wholes = this.wholes.then(async () => {
      if (wholeIsDue(this.checked.size, performance.now() - this.wholeAt)) await this.lookAtAll();
    }));
  }

  private queueLook(whole: boolean): Promise<void> {
    if (whole) return (this.wholes = this.wholes.then(() => this.lookAtAll()));
    return (this.patrol = this.patrol.then(() => this.look(false)));
  }

  private async lookAtAll(): Promise<void> {
    await this.look(true);
    if (performance.now() - this.endedAt > DAY - HOUR / 2) await this.lookAtEnded();
  }

  /** Looks at the logs that have ended, and tells what is wrong with them. Nothing stands still for it: they are appended to no more, but proofs are read from them. */
  private async lookAtEnded(): Promise<void> {
    this.endedAt = performance.now();
    try {
      for (const log of await allLogs(this.app.sql)) if (log.endedAt !== null) await this.lookAtOne(log);
    } catch (error) {
      this.app.log.warn("the public logs that have ended could not be looked at, will try again", { error });
    }
  }

  private async lookAtOne(log: Log): Promise<void> {
    try {
      await this.goThrough(log, 0, true);
    } catch (error) {
      if (!(error instanceof LogFault)) throw error;
      this.app.log.error("a public log that has ended is not as it was written", { log: log.origin, fault: error.message });
    }
  }

  /** Answers false where the program stops before the end. Throws LogFault. */
  private async goThrough(log: Log, from: number, slowly: boolean): Promise<boolean> {
    let began = performance.now();
    for await (const _ of checkTiles(this.app.sql, log, from)) {
      if (this.stopping) return false;
      if (slowly) await Bun.sleep(restAfter(performance.now() - began));
      began = performance.now();
    }
    return true;
  }

  private firstUnchecked({ number, size }: Log): number {
    if (this.spoilt !== null) return 0;
    return this.checked.log === number ? Math.floor(this.checked.size / TILE_WIDTH) : Math.max(0, Math.floor(size / TILE_WIDTH) - NEWEST);
  }

  /** Looks at the log as it stands; what is wrong stops appending until a look finds it right again. */
  private async look(whole: boolean): Promise<void> {
    if (whole) this.wholeAt = performance.now();
    try {
      const log = await currentLog(this.app.sql);
      // One that the operator ended since does not stand in the way of the next.
      if (!log) return void (this.spoilt = null);
      const { faults } = this;
      if (!(await this.goThrough(log, whole ? 0 : this.firstUnchecked(log), whole))) return;
      this.checked = { log: log.number, size: log.size };
      // What another look found meanwhile stands.
      if (this.spoilt === null || this.faults !== faults) return;
      this.app.log.info("the public log was found whole again");
      this.spoilt = null;
    } catch (error) {
      if (error instanceof LogFault) {
        this.spoilt = error.message;
        this.faults++;
        this.tell(error.message);
      } else this.app.log.warn("the public log could not be looked at, will try again", { error });
    }
  }
}

const keylessFault = ({ advice }: Keyring) => `the key of the public log is missing: ${advice}`;

/** What a log is called: the site's address without its scheme, or a name that no other has. */
const originOf = (publicUrl: string | null): string => (publicUrl ? `${new URL(publicUrl).host}/log` : `halyard-${crypto.randomUUID().slice(0, 8)}/log`);
