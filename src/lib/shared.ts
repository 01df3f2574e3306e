/** Answers from one asking for `ms` milliseconds, whoever asks; each key has its own. One that failed is asked for again. */
export function shared<K, T>(ms: number, ask: (key: K) => Promise<T>, now: () => number = () => performance.now()): (key: K) => Promise<T> {
  const known = new Map<K, { until: number; answer: Promise<T> }>();
  return (key) => {
    const kept = known.get(key);
    if (kept && now() < kept.until) return kept.answer;
    const answer = ask(key);
    const made = { until: now() + ms, answer };
    known.set(key, made);
    answer.catch(() => known.get(key) === made && known.delete(key));
    return answer;
  };
}
