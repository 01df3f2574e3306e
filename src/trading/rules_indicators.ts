/**
 * The indicators of a chart, by the names and with the parameters that the field uses. For the eye: floats, never booked. Each is checked
 * against figures that others have published, in rules_indicators.test.ts.
 */
import type { Interval } from "../market/schema";

/** A candle as numbers; `time` in Unix seconds. */
export type Bar = { time: number; open: number; high: number; low: number; close: number };
/** A value for each candle, null where there is none yet. It may be longer than the candles: what is shown ahead of the newest. */
export type Line = (number | null)[];

type Param = { name: string; value: number; least: number; most: number };
/** Whether an indicator can be reckoned with this; what counts candles is whole. */
export const isParam = ({ least, most }: Param, value: number): boolean => value >= least && value <= most && (least < 1 || Number.isInteger(value));
type Drawn = { name: string; look?: "histogram" | "steps" };
export type Indicator = {
  /** What a chart calls it: "SMA". */
  name: string;
  title: string;
  params: readonly Param[];
  /** On the price, or in a pane of its own below. */
  pane: "price" | "own";
  lines: readonly Drawn[];
  /** Values that the field draws a line at. */
  levels?: readonly number[];
  /** The longer candles that it is reckoned from, beside the chart's own. */
  from?: (interval: Interval) => Interval;
  compute(bars: readonly Bar[], params: readonly number[], longer: readonly Bar[]): Line[];
};

const closes = (bars: readonly Bar[]): Line => bars.map(({ close }) => close);
const none = (length: number): Line => Array<number | null>(length).fill(null);
const firstOf = (values: Line): number => {
  const at = values.findIndex((value) => value !== null);
  return at < 0 ? values.length : at;
};

/** What `of` says of each `size` values in a row, at the last of them. */
function windows(values: Line, size: number, of: (window: number[]) => number): Line {
  const result = none(values.length);
  for (let at = firstOf(values) + size - 1; at < values.length; at++) result[at] = of(values.slice(at - size + 1, at + 1) as number[]);
  return result;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** Begins with the mean of the first `size` values, then moves each time by this part of the distance to the next. */
function smoothed(values: Line, size: number, part: number): Line {
  const result = none(values.length);
  const first = firstOf(values) + size - 1;
  if (first >= values.length) return result;
  let last = mean(values.slice(first - size + 1, first + 1) as number[]);
  result[first] = last;
  for (let at = first + 1; at < values.length; at++) result[at] = last += part * ((values[at] ?? 0) - last);
  return result;
}

/** Simple moving average. */
export const sma = (values: Line, size: number): Line => windows(values, size, mean);
/** Exponential moving average: begins with the simple one, then weighs the newest by 2 / (size + 1). */
export const ema = (values: Line, size: number): Line => smoothed(values, size, 2 / (size + 1));
/** Wilder's smoothing (New Concepts in Technical Trading Systems, 1978): weighs the newest by 1 / size. */
const wilder = (values: Line, size: number): Line => smoothed(values, size, 1 / size);
/** Weighted moving average: the newest counts `size` times, the oldest once. */
export const wma = (values: Line, size: number): Line =>
  windows(values, size, (window) => window.reduce((total, value, at) => total + value * (at + 1), 0) / ((size * (size + 1)) / 2));

const both = (a: Line, b: Line, of: (a: number, b: number) => number): Line =>
  a.map((one, at) => {
    const other = b[at] ?? null;
    return one === null || other === null ? null : of(one, other);
  });

/** Bollinger: so many standard deviations (of the whole window) about the simple average. */
function bollinger(bars: readonly Bar[], [size = 20, width = 2]: readonly number[]): Line[] {
  const middle = sma(closes(bars), size);
  const away = windows(closes(bars), size, (window) => {
    const centre = mean(window);
    return width * Math.sqrt(mean(window.map((value) => (value - centre) ** 2)));
  });
  return [both(middle, away, (a, b) => a + b), middle, both(middle, away, (a, b) => a - b)];
}

/** Wilder's: gains against losses, from 0 to 100. */
function rsi(bars: readonly Bar[], [size = 14]: readonly number[]): Line[] {
  const moves: Line = bars.map(({ close }, at) => (at === 0 ? null : close - (bars[at - 1]?.close ?? close)));
  const gains = wilder(
    moves.map((move) => move && Math.max(move, 0)),
    size,
  );
  const losses = wilder(
    moves.map((move) => move && Math.max(-move, 0)),
    size,
  );
  return [both(gains, losses, (gain, loss) => (loss === 0 ? 100 : 100 - 100 / (1 + gain / loss)))];
}

function macd(bars: readonly Bar[], [fast = 12, slow = 26, size = 9]: readonly number[]): Line[] {
  const line = both(ema(closes(bars), fast), ema(closes(bars), slow), (a, b) => a - b);
  const signal = ema(line, size);
  return [both(line, signal, (a, b) => a - b), line, signal];
}

const highs = (bars: readonly Bar[], size: number): Line =>
  windows(
    bars.map(({ high }) => high),
    size,
    (window) => Math.max(...window),
  );
const lows = (bars: readonly Bar[], size: number): Line =>
  windows(
    bars.map(({ low }) => low),
    size,
    (window) => Math.min(...window),
  );

/** Where the close stands between the lowest low and the highest high; in the middle where these are one price. */
function stochastic(bars: readonly Bar[], [size = 14, slowing = 3, signal = 3]: readonly number[]): Line[] {
  const [top, bottom] = [highs(bars, size), lows(bars, size)];
  const raw = bars.map(({ close }, at): number | null => {
    const [high, low] = [top[at] ?? null, bottom[at] ?? null];
    return high === null || low === null ? null : high === low ? 50 : (100 * (close - low)) / (high - low);
  });
  const k = sma(raw, slowing);
  return [k, sma(k, signal)];
}

/** Of each candle but the first: its height, the close before included. */
const trueRanges = (bars: readonly Bar[]): Line =>
  bars.map(({ high, low }, at) => {
    const before = bars[at - 1]?.close;
    return before === undefined ? null : Math.max(high, before) - Math.min(low, before);
  });

const atr = (bars: readonly Bar[], [size = 14]: readonly number[]): Line[] => [wilder(trueRanges(bars), size)];

/** Wilder's directional movement: ADX, +DI and −DI. */
function adx(bars: readonly Bar[], [size = 14]: readonly number[]): Line[] {
  const moves = bars.map(({ high, low }, at) => {
    const before = bars[at - 1];
    if (!before) return { up: null, down: null };
    const [up, down] = [high - before.high, before.low - low];
    return { up: up > down && up > 0 ? up : 0, down: down > up && down > 0 ? down : 0 };
  });
  const range = wilder(trueRanges(bars), size);
  const share = (line: Line) => both(wilder(line, size), range, (move, whole) => (whole === 0 ? 0 : (100 * move) / whole));
  const [plus, minus] = [share(moves.map(({ up }) => up)), share(moves.map(({ down }) => down))];
  const dx = both(plus, minus, (a, b) => (a + b === 0 ? 0 : (100 * Math.abs(a - b)) / (a + b)));
  return [wilder(dx, size), plus, minus];
}

/** Lambert's: how far the typical price is from its average, in mean deviations of 0.015. */
function cci(bars: readonly Bar[], [size = 20]: readonly number[]): Line[] {
  const typical = bars.map(({ high, low, close }) => (high + low + close) / 3);
  return [
    windows(typical, size, (window) => {
      const centre = mean(window);
      const deviation = mean(window.map((value) => Math.abs(value - centre)));
      return deviation === 0 ? 0 : ((window.at(-1) ?? centre) - centre) / (0.015 * deviation);
    }),
  ];
}

/** Tenkan, Kijun, the two Senkou spans as far ahead as Kijun is long, and Chikou, the close as far back. */
function ichimoku(bars: readonly Bar[], [short = 9, middle = 26, long = 52]: readonly number[]): Line[] {
  const centre = (size: number) => both(highs(bars, size), lows(bars, size), (high, low) => (high + low) / 2);
  const [tenkan, kijun] = [centre(short), centre(middle)];
  const ahead = (line: Line): Line => [...none(middle), ...line];
  const spanA = ahead(both(tenkan, kijun, (a, b) => (a + b) / 2));
  return [tenkan, kijun, spanA, ahead(centre(long)), closes(bars).slice(middle)];
}

/** The standard pivot of the longer candle before (a floor trader's): PP, three resistances and three supports. */
export function pivotsOf({ high, low, close }: Bar): { pp: number; r: [number, number, number]; s: [number, number, number] } {
  const pp = (high + low + close) / 3;
  return { pp, r: [2 * pp - low, pp + high - low, high + 2 * (pp - low)], s: [2 * pp - high, pp - high + low, low - 2 * (high - pp)] };
}

function pivots(bars: readonly Bar[], _: readonly number[], longer: readonly Bar[]): Line[] {
  const lines: Line[] = Array.from({ length: 7 }, () => none(bars.length));
  let next = 0;
  for (const [at, { time }] of bars.entries()) {
    while ((longer[next]?.time ?? Number.POSITIVE_INFINITY) <= time) next++;
    // `next - 1` is the longer candle that holds this one.
    const before = longer[next - 2];
    if (!before) continue;
    const { pp, r, s } = pivotsOf(before);
    for (const [line, value] of [pp, ...r, ...s].entries()) (lines[line] as Line)[at] = value;
  }
  return lines;
}

/** As the field does: short candles look at the day before, those of half an hour to four at the week, longer ones at the month. */
const PIVOT_OF: Record<Interval, Interval> = { "1m": "1d", "5m": "1d", "15m": "1d", "30m": "1w", "1h": "1w", "4h": "1w", "1d": "1M", "1w": "1M", "1M": "1M" };

const period = (value: number, name = "Period"): Param => ({ name, value, least: 1, most: 500 });
const average = (name: string, title: string, of: (values: Line, size: number) => Line, size: number): Indicator => ({
  name,
  title,
  params: [period(size)],
  pane: "price",
  lines: [{ name }],
  compute: (bars, [given = size]) => [of(closes(bars), given)],
});
const own = (name: string, title: string, params: Param[], lines: Drawn[], compute: Indicator["compute"], levels: number[] = []): Indicator => ({
  name,
  title,
  params,
  pane: "own",
  lines,
  levels,
  compute,
});

/**
 * How many of the newest candles the last value of each line hangs on, by the indicator's parameters. What is smoothed without an end (Wilder's)
 * leaves less than rounding to those before.
 */
export const reachOf = (params: readonly number[]): number => 40 * Math.max(2, ...params);

/** To add one: its function above, its line here, and published figures in the test. */
export const INDICATORS: readonly Indicator[] = [
  average("SMA", "Simple moving average", sma, 20),
  average("EMA", "Exponential moving average", ema, 20),
  average("WMA", "Weighted moving average", wma, 20),
  {
    name: "Bollinger",
    title: "Bollinger bands",
    params: [period(20), { name: "Deviations", value: 2, least: 0.1, most: 10 }],
    pane: "price",
    lines: [{ name: "Upper" }, { name: "Middle" }, { name: "Lower" }],
    compute: bollinger,
  },
  {
    name: "Ichimoku",
    title: "Ichimoku cloud",
    params: [period(9, "Tenkan"), period(26, "Kijun"), period(52, "Senkou B")],
    pane: "price",
    lines: [{ name: "Tenkan" }, { name: "Kijun" }, { name: "Senkou A" }, { name: "Senkou B" }, { name: "Chikou" }],
    compute: ichimoku,
  },
  {
    name: "Pivots",
    title: "Pivot points",
    params: [],
    pane: "price",
    lines: ["PP", "R1", "R2", "R3", "S1", "S2", "S3"].map((name) => ({ name, look: "steps" as const })),
    from: (interval) => PIVOT_OF[interval],
    compute: pivots,
  },
  own("RSI", "Relative strength index", [period(14)], [{ name: "RSI" }], rsi, [30, 70]),
  own(
    "MACD",
    "Moving average convergence divergence",
    [period(12, "Fast"), period(26, "Slow"), period(9, "Signal")],
    [{ name: "Histogram", look: "histogram" }, { name: "MACD" }, { name: "Signal" }],
    macd,
  ),
  own("Stochastic", "Stochastic oscillator", [period(14, "%K"), period(3, "Slowing"), period(3, "%D")], [{ name: "%K" }, { name: "%D" }], stochastic, [20, 80]),
  own("ATR", "Average true range", [period(14)], [{ name: "ATR" }], atr),
  own("ADX", "Average directional index", [period(14)], [{ name: "ADX" }, { name: "+DI" }, { name: "−DI" }], adx, [25]),
  own("CCI", "Commodity channel index", [period(20)], [{ name: "CCI" }], cci, [-100, 100]),
];

const byName = new Map(INDICATORS.map((each) => [each.name, each]));
/** The indicator of that name, or undefined: a name may come from people. */
export const indicatorOf = (name: string): Indicator | undefined => byName.get(name);
