import type { Config } from "../config";
import { steadyNow } from "../lib/time";
import type { Db } from "./db";
import { type Duties, type Leader, standForLeader } from "./leader";
import type { Log } from "./log";
import { openSharedBus, type SharedBus } from "./shared_bus";

/** Several programs on one database: the bus between them, their common clock, and the election of the one that leads. */
export class Company {
  private leader: Leader | null = null;

  private constructor(
    private readonly url: string,
    private readonly log: Log,
    readonly bus: SharedBus,
    readonly clock: () => number,
  ) {}

  /** Joins those who use this database. Throws StartError where notices can't be heard. */
  static async join({ databaseUrl, databaseDirectUrl }: Config, sql: Db, log: Log): Promise<Company> {
    const url = databaseDirectUrl ?? databaseUrl ?? "";
    const bus = await openSharedBus({ url, sql, log, onFault: (error) => log.error("a listener failed", { error }) });
    return new Company(url, log, bus, await databaseClock(sql));
  }

  /** Stands for election; the first attempt, and what it brings along, is over when this returns. */
  async stand(duties: Duties): Promise<void> {
    this.leader = await standForLeader(this.url, this.log, duties);
  }

  isSure = () => this.leader?.isSure() ?? false;
  /** Something was refused that only a leader may do. */
  doubt = () => this.leader?.doubt();

  /** Gives the lead up, says what is left to say, and leaves. */
  async leave(): Promise<void> {
    await this.leader?.stop();
    await this.bus.stop();
  }
}

const SAMPLES = 3;

/** The database's time, which all its programs agree on: milliseconds since the epoch, never backwards. */
async function databaseClock(sql: Db): Promise<() => number> {
  let best = { width: Number.POSITIVE_INFINITY, offset: 0 };
  for (let n = 0; n < SAMPLES; n++) {
    const asked = steadyNow();
    const [row] = await sql<{ ms: string }[]>`select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`;
    const width = steadyNow() - asked;
    if (width < best.width) best = { width, offset: Number(row?.ms) - (asked + width / 2) };
  }
  const offset = Math.round(best.offset);
  return () => steadyNow() + offset;
}
