type Options<T> = {
  /** For so many ms more, by what it says, an answer is given while another is being asked for; none, where this is left out. */
  stale?: (answer: T) => number;
  /** So many times as long as the asking took is not asked again, by what the answer says; none, where this is left out. */
  rest?: (answer: T) => number;
  now?: () => number;
};
type Kept<T> = { answer: Promise<T>; until: number; over: number };

/** Answers from one asking for `ms` milliseconds, whoever asks; each key has its own. One that failed is asked for again. */
export function shared<K, T>(
  ms: number,
  ask: (key: K) => Promise<T>,
  { stale = () => 0, rest = () => 0, now = () => performance.now() }: Options<T> = {},
): (key: K) => Promise<T> {
  const known = new Map<K, Kept<T>>();
  const asked = new Map<K, Promise<T>>();
  /** Asks, unless somebody does already; what comes takes the place of the one before. */
  const renew = (key: K): Promise<T> => {
    const under = asked.get(key);
    if (under) return under;
    const began = now();
    const answer = ask(key);
    asked.set(key, answer);
    const kept = (told: T) => {
      const until = Math.max(began + ms, now() + rest(told) * (now() - began));
      known.set(key, { answer, until, over: until + stale(told) });
    };
    answer.then(kept, () => {}).finally(() => asked.delete(key));
    return answer;
  };
  return (key) => {
    const kept = known.get(key);
    if (!kept || now() >= kept.over) return renew(key);
    if (now() >= kept.until) void renew(key);
    return kept.answer;
  };
}
