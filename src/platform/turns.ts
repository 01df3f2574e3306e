import { Refusal } from "../lib/refusal";

/** So many wait for one key at most: the last of them is still answered in time. */
const LONGEST_LINE = 400;

const lines = new Map<string, { length: number; last: Promise<unknown> }>();

/** Does one piece of work after the other for each key, in their order. Refuses (unavailable) where too many wait already. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { length: 0, last: Promise.resolve() };
  if (line.length >= LONGEST_LINE) throw new Refusal("unavailable", "Too many ask for this at once. Please try again in a moment.", undefined, 5);
  lines.set(key, line);
  line.length++;
  const turn = line.last.then(work);
  line.last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    if (--line.length === 0) lines.delete(key);
  }
}
