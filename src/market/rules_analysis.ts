/**
 * What candles say of a stretch of time, for the eye: floats, never booked. Prices are mid prices, oldest first.
 */

/** A candle as numbers; `time` in Unix seconds. */
export type Bar = { time: number; open: number; high: number; low: number; close: number };

/** Change from the first opening to the last close, in per cent; null without a candle. */
export function changeOf(bars: readonly Bar[]): number | null {
  const [first] = bars;
  const last = bars.at(-1);
  return first && last && first.open > 0 ? (last.close / first.open - 1) * 100 : null;
}

export type Range = {
  low: number;
  high: number;
  last: number;
  /** Where the last price stands between low (0) and high (1); a half where nothing moved. */
  place: number;
  /** Height of the range in per cent of its low. */
  width: number;
};

/** The stretch's lowest and highest price, and where the last one stands between them. */
export function rangeOf(bars: readonly Bar[]): Range | null {
  const last = bars.at(-1)?.close;
  if (last === undefined) return null;
  const low = Math.min(...bars.map((bar) => bar.low));
  const high = Math.max(...bars.map((bar) => bar.high));
  return { low, high, last, place: high > low ? (last - low) / (high - low) : 0.5, width: (high / low - 1) * 100 };
}

/** Logarithmic returns from close to close, each by the time of its later candle; only between candles that follow each other. */
export function returnsOf(bars: readonly Bar[], seconds: number): Map<number, number> {
  const returns = new Map<number, number>();
  bars.forEach((bar, n) => {
    const before = bars[n - 1];
    if (before && bar.time - before.time === seconds) returns.set(bar.time, Math.log(bar.close / before.close));
  });
  return returns;
}

const DAY_S = 86_400;
/** Fewer returns than this say nothing. */
const FEWEST = 8;

const mean = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length;

/**
 * Realised volatility in per cent a day: the standard deviation of the returns (sample, n − 1) times the square root of how many of them
 * a day holds. Null with fewer than eight.
 */
export function volatilityOf(bars: readonly Bar[], seconds: number): number | null {
  const returns = [...returnsOf(bars, seconds).values()];
  if (returns.length < FEWEST) return null;
  const middle = mean(returns);
  const variance = returns.reduce((total, value) => total + (value - middle) ** 2, 0) / (returns.length - 1);
  return Math.sqrt(variance * (DAY_S / seconds)) * 100;
}

/** Pearson's correlation of two instruments' returns over the candles that both have: −1 to 1. Null with fewer than eight, or where one did not move. */
export function correlationOf(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>): number | null {
  const pairs = [...a].flatMap(([time, x]): [number, number][] => {
    const y = b.get(time);
    return y === undefined ? [] : [[x, y]];
  });
  if (pairs.length < FEWEST) return null;
  const middleX = mean(pairs.map(([x]) => x));
  const middleY = mean(pairs.map(([, y]) => y));
  let together = 0;
  let alone = 0;
  let other = 0;
  for (const [x, y] of pairs) {
    together += (x - middleX) * (y - middleY);
    alone += (x - middleX) ** 2;
    other += (y - middleY) ** 2;
  }
  if (alone === 0 || other === 0) return null;
  return Math.max(-1, Math.min(1, together / Math.sqrt(alone * other)));
}
