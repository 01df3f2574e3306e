import type { Db } from "./db";
import type { Log } from "./log";

const LOCK = 7_215_203;
const EVERY = 2000;

type Reserved = Awaited<ReturnType<Db["reserve"]>>;
export type Leader = { isLeader(): boolean; stop(): Promise<void> };
export type Duties = { onElected(): Promise<void> | void; onDeposed(): Promise<void> | void };

/**
 * Of all programs on one database, elects the one that runs the feed and the engine: it holds an advisory lock on a
 * connection of its own. The lock is looked at every two seconds, because a connection that broke took it along. The
 * first attempt is over when this returns. For up to that long two programs may believe themselves elected: what they
 * write must be safe against that in the database.
 */
export async function standForLeader(sql: Db, log: Log, duties: Duties, every = EVERY): Promise<Leader> {
  let connection = null as Reserved | null;
  let elected = false;
  let turn: Promise<void> = Promise.resolve();

  const look = async () => {
    try {
      connection ??= await sql.reserve();
      const holds = elected ? await stillHolds(connection) : await tryLock(connection);
      if (holds !== elected) await change(holds);
    } catch (error) {
      log.warn("the leader's connection is lost", { error });
      connection?.release();
      connection = null;
      if (elected) await change(false);
    }
  };
  const change = async (now: boolean) => {
    elected = now;
    log.info(now ? "this program leads: it runs the feed and the engine" : "this program leads no longer");
    await (now ? duties.onElected() : duties.onDeposed());
  };

  await look();
  const timer = setInterval(() => (turn = turn.then(look)), every);
  return {
    isLeader: () => elected,
    stop: async () => {
      clearInterval(timer);
      await turn;
      if (elected) {
        elected = false;
        await duties.onDeposed();
        await connection`select pg_advisory_unlock(${LOCK})`;
      }
      connection?.release();
    },
  };
}

async function tryLock(connection: Reserved): Promise<boolean> {
  const [row] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${LOCK}) as taken`;
  return row?.taken === true;
}

async function stillHolds(connection: Reserved): Promise<boolean> {
  const [row] = await connection<{ held: boolean }[]>`
    select exists (
      select from pg_locks
      where locktype = 'advisory' and granted and classid = 0 and objid = ${LOCK} and pid = pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
    ) as held`;
  return row?.held === true;
}
