/** A stretch of time in Unix seconds, without its end; `to` may be Infinity, for all that comes. */
export type Span = { from: number; to: number };

/** The newest part of `wanted` that none of these covers; null where they cover all of it. */
export function newestGap({ from, to }: Span, covered: readonly Span[]): Span | null {
  let end = to;
  for (const span of covered.toSorted((a, b) => b.to - a.to)) {
    if (span.from >= end) continue;
    if (span.to < end) {
      if (end > from) return { from: Math.max(from, span.to), to: end };
      return null;
    }
    end = span.from;
  }
  return end > from ? { from, to: end } : null;
}
