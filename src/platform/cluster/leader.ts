import { steadyNow } from "../../lib/time";
import { type Db, connect } from "../database/db";
import type { Log } from "../log";

const EVERY = 1_000;
/** Without a sign of life for so long a leader is deposed. It doubts itself earlier, by its own clock. */
const PATIENCE = 5_000;
const SURE = 4_000;

export type Duties = { onElected(epoch: number): Promise<void> | void; onDeposed(): Promise<void> | void };
export type Leader = {
  isLeader(): boolean;
  /** True while nobody else can have been elected: a program that was frozen is not sure when it wakes. */
  isSure(): boolean;
  /** Looks at once, where something was refused that only a leader may do. */
  doubt(): void;
  /** Gives the lead up, so that another can take it at once. */
  stop(): Promise<void>;
};
type Options = {
  every?: number;
  patience?: number;
  clock?: () => number;
  /** Handed the leader before its first duty, in which it may be asked already. */
  meet?: (leader: Leader) => void;
};

/** Takes the lead of a database that no other program uses. Returns the epoch. */
export async function leadAlone(sql: Db): Promise<number> {
  const [row] = await sql<{ epoch: number }[]>`select lead_claim() as epoch`;
  return row?.epoch ?? 0;
}

/**
 * Of all programs on one database, elects the one that runs the feed and the engine: it holds an advisory lock on a
 * connection of its own and gives a sign of life every second, by the database's clock. A program that ended loses the lock at
 * once, a frozen one is cut off after five seconds. Each lead has an epoch, and the database refuses what an older one still
 * writes (lead_fence). The first attempt is over when this returns.
 */
export async function standForLeader(url: string, log: Log, duties: Duties, options: Options = {}): Promise<Leader> {
  const candidate = new Candidate(() => connect(url, { max: 1, name: "halyard leader", lasting: true }), log, duties, options);
  let turn: Promise<void> = Promise.resolve();
  const next = () => (turn = turn.then(() => candidate.check()));
  // A first duty takes longer than a leader may be silent, where the database is new and slow.
  const timer = setInterval(next, options.every ?? EVERY);
  const leader = {
    isLeader: () => candidate.epoch !== null,
    isSure: () => candidate.isSure,
    doubt: () => void next(),
    stop: async () => {
      clearInterval(timer);
      await turn;
      await candidate.resign();
    },
  };
  options.meet?.(leader);
  await next();
  await candidate.ready();
  return leader;
}

class Candidate {
  epoch: number | null = null;
  private surely = Number.NEGATIVE_INFINITY;
  /** Duties follow each other; signs of life do not wait for them. */
  private duty: Promise<void> = Promise.resolve();
  private dutiesLeft = 0;
  private sql: Db;
  private readonly clock: () => number;
  private readonly patience: number;

  constructor(
    /** Makes one connection, so that each query runs in the session that holds the lock. */
    private readonly connection: () => Db,
    private readonly log: Log,
    private readonly duties: Duties,
    { clock = steadyNow, patience = PATIENCE }: Options,
  ) {
    this.sql = connection();
    this.clock = clock;
    this.patience = patience;
  }

  get isSure(): boolean {
    return this.epoch !== null && this.clock() - this.surely < (this.patience * SURE) / PATIENCE;
  }

  async check(): Promise<void> {
    // It could do nothing with the lead before it has put the last one away; others can.
    if (this.epoch === null && this.dutiesLeft > 0) return;
    const asked = this.clock();
    let holds: number | null = null;
    try {
      holds = await within(PATIENCE, this.epoch === null ? tryLead(this.sql, this.patience) : stillLeads(this.sql, this.epoch));
    } catch (error) {
      this.log.warn("the leader's connection is lost", { error });
      this.renew();
    }
    if (holds !== null) this.surely = asked;
    if (holds !== this.epoch) this.change(holds);
  }

  /** Resolves when what an election brings along is done. */
  ready(): Promise<void> {
    return this.duty;
  }

  async resign(): Promise<void> {
    if (this.epoch !== null) this.change(null);
    await this.duty;
    await this.sql.end({ timeout: 1 });
  }

  /** What was asked of a connection that broke may never be answered, so it is not used again; the next one is tried at once. */
  private renew(): void {
    const lost = this.sql;
    this.sql = this.connection();
    lost.end({ timeout: 0 }).catch((error: unknown) => this.log.debug("the leader's lost connection did not close", { error }));
  }

  private change(epoch: number | null): void {
    this.epoch = epoch;
    this.log.info(epoch === null ? "this program leads no longer" : "this program leads: it runs the feed and the engine", { epoch });
    this.dutiesLeft++;
    this.duty = this.duty.then(() => this.perform(epoch)).finally(() => this.dutiesLeft--);
  }

  /** A leader that can't do its duty makes room for another. */
  private async perform(epoch: number | null): Promise<void> {
    try {
      await (epoch === null ? this.duties.onDeposed() : this.duties.onElected(epoch));
    } catch (error) {
      this.log.error("a leader's duty failed", { error, epoch });
      if (epoch === null || this.epoch !== epoch) return;
      this.change(null);
      await this.sql`select pg_advisory_unlock_all()`.catch((fault: unknown) => this.log.warn("the lead could not be given up", { error: fault }));
    }
  }
}

/** A line that is silent for longer than a leader may be is as good as cut. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function tryLead(sql: Db, patience: number): Promise<number | null> {
  const [row] = await sql<{ epoch: number | null }[]>`select lead_try(${patience} * interval '1 millisecond') as epoch`;
  return row?.epoch ?? null;
}

async function stillLeads(sql: Db, epoch: number): Promise<number | null> {
  const [row] = await sql<{ holds: boolean }[]>`select lead_beat(${epoch}) as holds`;
  return row?.holds ? epoch : null;
}
