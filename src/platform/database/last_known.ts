import { inTime } from "../../lib/time";
import { isUnavailable } from "./db";

/** So long, in ms, what is only shown may wait for a database that does not answer. */
const PATIENCE_MS = 1000;

/**
 * What `ask` answers; while the database is away or too slow, what it last answered for the same key. For what is shown, never for
 * what is decided.
 */
export function lastKnown<K, T>(ask: (key: K) => Promise<T>, patience = PATIENCE_MS): (key: K) => Promise<T> {
  const known = new Map<K, T>();
  return async (key) => {
    const asked = ask(key).then((answer) => {
      known.set(key, answer);
      return answer;
    });
    const last = known.get(key);
    if (last === undefined) return asked;
    try {
      return (await inTime(asked, patience)) ?? last;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      return last;
    }
  };
}
