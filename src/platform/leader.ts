import { type Db, connect } from "./db";
import type { Log } from "./log";

const LOCK = 7_215_203;
const EVERY = 2000;

export type Duties = { onElected(): Promise<void> | void; onDeposed(): Promise<void> | void };
export type Leader = { isLeader(): boolean; stop(): Promise<void> };

/**
 * Of all programs on one database, elects the one that runs the feed and the engine: it holds an advisory lock on a
 * connection of its own. The lock is looked at every two seconds, because a connection that broke took it along. The
 * first attempt is over when this returns. For up to that long two programs may believe themselves elected: what they
 * write must be safe against that in the database.
 */
export async function standForLeader(url: string, log: Log, duties: Duties, every = EVERY): Promise<Leader> {
  const candidate = new Candidate(connect(url, { max: 1, name: "halyard leader", lasting: true }), log, duties);
  await candidate.look();
  let turn: Promise<void> = Promise.resolve();
  const timer = setInterval(() => (turn = turn.then(() => candidate.look())), every);
  return {
    isLeader: () => candidate.elected,
    stop: async () => {
      clearInterval(timer);
      await turn;
      await candidate.resign();
    },
  };
}

class Candidate {
  elected = false;

  constructor(
    /** One connection, so that each query runs in the session that holds the lock. */
    private readonly sql: Db,
    private readonly log: Log,
    private readonly duties: Duties,
  ) {}

  async look(): Promise<void> {
    let holds = false;
    try {
      holds = this.elected ? await stillHolds(this.sql) : await tryLock(this.sql);
    } catch (error) {
      this.log.warn("the leader's connection is lost", { error });
    }
    if (holds !== this.elected) await this.change(holds);
  }

  async resign(): Promise<void> {
    if (this.elected) await this.change(false);
    await this.sql.end({ timeout: 1 });
  }

  /** A fault in a duty is reported and leaves the office as it is: the next look must still happen. */
  private async change(elected: boolean): Promise<void> {
    this.elected = elected;
    this.log.info(elected ? "this program leads: it runs the feed and the engine" : "this program leads no longer");
    try {
      await (elected ? this.duties.onElected() : this.duties.onDeposed());
    } catch (error) {
      this.log.error("a leader's duty failed", { error, elected });
    }
  }
}

async function tryLock(sql: Db): Promise<boolean> {
  const [row] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`;
  return row?.taken === true;
}

async function stillHolds(sql: Db): Promise<boolean> {
  const [row] = await sql<{ held: boolean }[]>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and classid = 0 and objid = ${LOCK} and pid = pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
    ) as held`;
  return row?.held === true;
}
