/** Between two handles, in pixels. */
export const GAP = 4;

/** Its own row, and those above and below that the chart has, the nearest first. `at`, `low` and `high`: heights on it, in pixels. */
export function* rowsFrom(at: number, height: number, low: number, high: number): Generator<number> {
  yield at;
  const step = height + GAP;
  const [first, last] = [low + height / 2, high - height / 2];
  for (let away = step; at - away >= first || at + away <= last; away += step) {
    if (at + away <= last) yield at + away;
    if (at - away >= first) yield at - away;
  }
}
