import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { type Bar, ema, INDICATORS, indicatorOf, type Line, reachOf, sma } from "./rules_indicators";

/**
 * Figures that others have published. `spy`: two years of daily quotes with the values that the spreadsheets beside Skender's Stock.Indicators
 * (github.com/DaveSkender/Stock.Indicators, tests/indicators, Apache-2.0) come to, by index. `chartSchool`: the worked examples of
 * StockCharts' ChartSchool (school.stockcharts.com, Moving Averages and Relative Strength Index).
 */
const spy: Bar[] = (await Bun.file(resolve(import.meta.dir, "../testing/quotes/spy-2017-2018.csv")).text())
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [date = "", ...prices] = line.split(",");
    const [open = 0, high = 0, low = 0, close = 0] = prices.map(Number);
    return { time: Date.parse(date) / 1000, open, high, low, close };
  });

type Figures = { [index: number]: (number | null)[] };
/** Of each indicator with its usual parameters, what its lines are at these indices. */
const PUBLISHED: Record<string, Figures> = {
  SMA: { 18: [null], 19: [214.525], 24: [215.031], 149: [234.935], 249: [255.55], 501: [251.86] },
  EMA: { 18: [null], 29: [216.6228], 249: [255.3873], 501: [249.3519] },
  WMA: { 149: [235.5253], 501: [246.511] },
  Bollinger: { 18: [null, null, null], 249: [259.5642, 255.55, 251.5358], 501: [273.7004, 251.86, 230.0196] },
  RSI: { 13: [null], 14: [62.0541], 249: [70.9368], 501: [42.0773] },
  MACD: { 24: [null, null, null], 49: [-0.2472, 1.7203, 1.9675], 249: [-0.0789, 2.2353, 2.3141], 501: [-0.3629, -6.2198, -5.8569] },
  Stochastic: { 15: [81.1253, null], 17: [92.1307, 88.4995], 149: [81.687, 79.7935], 249: [83.202, 83.0813], 501: [43.1353, 35.5674] },
  ATR: { 13: [null], 14: [1.3364], 24: [1.3034], 249: [1.3381], 501: [6.1497] },
  ADX: {
    13: [null, null, null],
    14: [null, 21.9669, 18.5462],
    27: [15.9459],
    29: [19.7949, 37.9719, 14.1658],
    248: [30.5903, 32.3167, 18.2471],
    501: [34.2987, 17.7565, 31.151],
  },
  CCI: { 18: [null], 501: [-52.9946] },
  Ichimoku: {
    51: [224.465, 221.94, 214.8325, null, 226.35],
    249: [257.15, 253.085, 246.3125, 241.685, 259.21],
    475: [265.575, 263.965, 274.9475, 274.95, 245.28],
    501: [241.26, 251.505, 264.77, 269.82],
  },
  Pivots: {
    19: [null],
    20: [214.5, 217.48, 220, 222.98, 211.98, 209, 206.48],
    149: [233.64, 238.12, 240.95, 245.43, 230.81, 226.33, 223.5],
    250: [251.2767, 257.6033, 261.2667, 267.5933, 247.6133, 241.2867, 237.6233],
    251: [255.1967, 260.5233, 264.0267, 269.3533, 251.6933, 246.3667, 242.8633],
    501: [266.6767, 276.6733, 284.3867, 294.3833, 258.9633, 248.9667, 241.2533],
  },
};

/** The months of daily candles, joined by the calendar. */
const months: Bar[] = [...Map.groupBy(spy, ({ time }) => new Date(time * 1000).toISOString().slice(0, 7))].map(([month, days]) => ({
  time: Date.parse(`${month}-01`) / 1000,
  open: days[0]?.open ?? 0,
  high: Math.max(...days.map(({ high }) => high)),
  low: Math.min(...days.map(({ low }) => low)),
  close: days.at(-1)?.close ?? 0,
}));

for (const { name, params, lines, compute } of INDICATORS)
  test(`${name} comes to the published figures`, () => {
    const figures = PUBLISHED[name];
    if (!figures) throw new Error(`no published figures of ${name}`);
    expect(spy).toHaveLength(502);
    const computed = compute(
      spy,
      params.map(({ value }) => value),
      months,
    );
    expect(computed).toHaveLength(lines.length);
    for (const [index, values] of Object.entries(figures))
      for (const [line, value] of values.entries()) {
        const found = computed[line]?.[Number(index)] ?? null;
        const place = `${name} ${lines[line]?.name} at ${index}`;
        if (value === null) expect(found, place).toBeNull();
        else expect(found, place).toBeCloseTo(value, 3);
      }
  });

const rounded = (line: Line | undefined) => (line ?? []).flatMap((value) => (value === null ? [] : [Math.round(value * 100) / 100]));

test("the newest value of each line is the same of the candles that it hangs on as of all", () => {
  const DAY = 86_400;
  const bars = Array.from({ length: 8 * spy.length }, (_, at): Bar => ({ ...(spy[at % spy.length] as Bar), time: at * DAY }));
  const longer = bars.filter((_, at) => at % 20 === 0);
  for (const { name, params, compute } of INDICATORS) {
    const usual = params.map(({ value }) => value);
    const reach = reachOf(usual);
    expect(reach, name).toBeLessThan(bars.length);
    const newest = (of: readonly Bar[]) => compute(of, usual, longer).map((line) => line.at(-1) ?? null);
    for (const [line, value] of newest(bars).entries()) expect(newest(bars.slice(-reach))[line], `${name} ${line}`).toBeCloseTo(value ?? Number.NaN, 9);
  }
});

test("ChartSchool's ten-day averages and its RSI of fourteen", () => {
  const closes = [
    22.27, 22.19, 22.08, 22.17, 22.18, 22.13, 22.23, 22.43, 22.24, 22.29, 22.15, 22.39, 22.38, 22.61, 23.36, 24.05, 23.75, 23.83, 23.95, 23.63, 23.82, 23.87,
    23.65, 23.19, 23.1, 23.33, 22.68, 23.1, 22.4, 22.17,
  ];
  const simple = [
    22.22, 22.21, 22.23, 22.26, 22.31, 22.42, 22.61, 22.77, 22.91, 23.08, 23.21, 23.38, 23.53, 23.65, 23.71, 23.69, 23.61, 23.51, 23.43, 23.28, 23.13,
  ];
  const weighed = [
    22.22, 22.21, 22.24, 22.27, 22.33, 22.52, 22.8, 22.97, 23.13, 23.28, 23.34, 23.43, 23.51, 23.54, 23.47, 23.4, 23.39, 23.26, 23.23, 23.08, 22.92,
  ];
  const near = (found: number[], published: number[]) => {
    expect(found).toHaveLength(published.length);
    for (const [at, value] of published.entries()) expect(Math.abs((found[at] ?? 0) - value)).toBeLessThan(0.0151);
  };
  near(rounded(sma(closes, 10)), simple);
  near(rounded(ema(closes, 10)), weighed);
  const days = [
    44.3389, 44.0902, 44.1497, 43.6124, 44.3278, 44.8264, 45.0955, 45.4245, 45.8433, 46.0826, 45.8931, 46.0328, 45.614, 46.282, 46.282, 46.0028, 46.0328,
    46.4116, 46.2222, 45.6439, 46.2122, 46.2521, 45.7137, 46.4515, 45.7835, 45.3548, 44.0288, 44.1783, 44.2181, 44.5672, 43.4205, 42.6628, 43.1314,
  ];
  const strength = [70.53, 66.32, 66.55, 69.41, 66.36, 57.97, 62.93, 63.26, 56.06, 62.38, 54.71, 50.42, 39.99, 41.46, 41.87, 45.46, 37.3, 33.08, 37.77];
  const bars = days.map((close, time) => ({ time, open: close, high: close, low: close, close }));
  near(rounded(indicatorOf("RSI")?.compute(bars, [14], [])[0]), strength);
});

test("with too few candles there is nothing, and no figure is infinite where a price stands still", () => {
  const still = Array.from({ length: 60 }, (_, time) => ({ time, open: 1, high: 1, low: 1, close: 1 }));
  for (const { compute, params } of INDICATORS) {
    const usual = params.map(({ value }) => value);
    for (const line of compute(spy.slice(0, 1), usual, [])) expect(line.filter((value) => value !== null)).toEqual([]);
    for (const line of compute(still, usual, still)) for (const value of line) expect(value === null || Number.isFinite(value)).toBe(true);
    expect(compute([], usual, []).flat().filter(Boolean)).toEqual([]);
  }
});
