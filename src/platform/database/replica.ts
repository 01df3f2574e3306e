import { steadyNow } from "../../lib/time";
import type { Log } from "../log";
import type { Db } from "./db";

/** So long, in ms, is waited until the replica holds what the primary holds now. */
const PATIENCE = 500;
const LOOK_EVERY = 10;
/** A replica that does not answer, or says that it is none, is left alone for so many ms. */
const LEFT_ALONE = 5_000;

/**
 * Where long reads are done: reports, files, candles, statements, the staff's lists. What anybody was answered before one asks is there, whoever
 * wrote it and through whichever program: the replica is read once it has come as far as the primary had when it was asked
 * (`pg_current_wal_flush_lsn`, `pg_last_wal_replay_lsn`); else the primary is.
 */
export class Replica {
  private leftUntil = 0;

  constructor(
    private readonly primary: Db,
    private readonly replica: Db,
    private readonly log: Log,
    private readonly clock: () => number,
  ) {}

  /** The replica where it has caught up in time, else the primary. */
  async caughtUp(): Promise<Db> {
    if (this.clock() < this.leftUntil) return this.primary;
    const [now] = await this.primary<{ lsn: string }[]>`select pg_current_wal_flush_lsn()::text as lsn`;
    const deadline = this.clock() + PATIENCE;
    try {
      for (;;) {
        const there = await this.holds(now?.lsn ?? "");
        if (there) return this.replica;
        if (there === null) return this.leave("the server of DATABASE_READ_URL is no replica, so the primary is read");
        if (this.clock() >= deadline) return this.primary;
        await Bun.sleep(LOOK_EVERY);
      }
    } catch (error) {
      return this.leave("the replica does not answer, so the primary is read", error);
    }
  }

  /** Whether the replica has come as far as this; null where it takes writes itself. */
  private async holds(lsn: string): Promise<boolean | null> {
    const [found] = await this.replica<{ holds: boolean | null }[]>`
      select case when pg_is_in_recovery() then coalesce(pg_last_wal_replay_lsn() >= ${lsn}::text::pg_lsn, false) end as holds
    `;
    return found?.holds ?? null;
  }

  private leave(reason: string, error?: unknown): Db {
    this.leftUntil = this.clock() + LEFT_ALONE;
    this.log.warn(reason, error === undefined ? {} : { error });
    return this.primary;
  }
}

/** How long reads find their database; without a replica it is the primary. */
export function readingFrom(primary: Db, replica: Db | undefined, log: Log, clock = steadyNow): () => Promise<Db> {
  if (!replica) return () => Promise.resolve(primary);
  const replicas = new Replica(primary, replica, log, clock);
  return () => replicas.caughtUp();
}
