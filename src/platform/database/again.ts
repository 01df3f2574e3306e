import type postgres from "postgres";

/** SQLSTATEs by which PostgreSQL rolls one back for the sake of others, a deadlock and a serialisation failure: nothing of it was done. */
const YIELDED = new Set(["40P01", "40001"]);
/** True where PostgreSQL rolled one back so. */
export const hasYielded = (error: unknown) => YIELDED.has((error as { code?: string } | null)?.code ?? "");
/** A statement or a transaction is tried so often at most. */
const TRIES = 4;
/** Ms before it is tried again, at most: those that met must not meet again. */
const pause = () => Bun.sleep(Math.random() * 50);

type Pool = postgres.Sql<{ bigint: number }>;
/** A statement of postgres.js, which settles it by these. */
type Statement = Promise<unknown> & { resolve(rows: unknown): void; reject(error: unknown): void; forEachFn?: unknown };

/**
 * A pool whose statements and transactions are tried again where they had to yield to others. What stands within a transaction is not by
 * itself: the whole is, so what its function does outside the database must bear being done twice.
 */
export function yielding(pool: Pool, tries = TRIES): Pool {
  const begin = async (...of: unknown[]): Promise<unknown> => {
    for (let tried = 1; ; tried++)
      try {
        return await (Reflect.apply(pool.begin, pool, of) as Promise<unknown>);
      } catch (error) {
        if (tried >= tries || !hasYielded(error)) throw error;
        await pause();
      }
  };
  const written = pool as unknown as (...of: unknown[]) => Statement;
  const statement = (...of: unknown[]) => {
    const first = written(...of);
    // Only a statement is written as a template; a list of columns, say, is called with the list.
    if (!Array.isArray((of[0] as { raw?: unknown } | undefined)?.raw)) return first;
    const { resolve, reject } = first;
    let tried = 1;
    first.reject = (error) => {
      if (tried++ >= tries || !hasYielded(error)) reject(error);
      else
        void pause()
          .then(() => Object.assign(written(...of), { forEachFn: first.forEachFn }))
          .then(resolve, first.reject);
    };
    return first;
  };
  // All else is the pool's own. A Proxy would be called twice as slowly, for each part of each statement.
  return Object.assign(Object.setPrototypeOf(statement, pool) as Pool, { begin });
}
