import { describe, expect, test } from "bun:test";
import { type Bar, changeOf, correlationOf, rangeOf, returnsOf, volatilityOf } from "./rules_analysis";

const QUARTER = 900;
/** Candles of fifteen minutes from closes; each opens where the one before closed. */
const barsOf = (closes: number[]): Bar[] =>
  closes.map((close, n) => {
    const open = closes[n - 1] ?? close;
    return { time: n * QUARTER, open, high: Math.max(open, close), low: Math.min(open, close), close };
  });
/** A walk up and down by these parts. */
const walk = (steps: number[]) => steps.reduce<number[]>((path, step) => [...path, (path.at(-1) ?? 1) * Math.exp(step)], [1]);
const STEPS = [0.01, -0.02, 0.015, 0.01, -0.005, 0.02, -0.01, 0.01, -0.015, 0.005];

test("a change is from the first opening to the last close", () => {
  expect(changeOf([])).toBeNull();
  expect(changeOf([{ time: 0, open: 100, high: 130, low: 90, close: 110 }])).toBeCloseTo(10, 10);
  expect(changeOf(barsOf([200, 150, 190]))).toBeCloseTo(-5, 10);
});

test("a range says where the last price stands in it", () => {
  expect(rangeOf([])).toBeNull();
  expect(rangeOf(barsOf([100, 110, 105]))).toEqual({ low: 100, high: 110, last: 105, place: 0.5, width: 10.000000000000009 });
  expect(rangeOf(barsOf([100, 100]))?.place).toBe(0.5);
});

test("a gap between candles is no return", () => {
  const bars = barsOf([1, 2, 4, 8]);
  const later = bars.map((bar, n) => (n < 2 ? bar : { ...bar, time: bar.time + 5 * QUARTER }));
  expect([...returnsOf(later, QUARTER).values()]).toEqual([Math.log(2), Math.log(2)]);
});

describe("volatility", () => {
  test("is the deviation of the returns, scaled to a day", () => {
    const closes = walk(STEPS);
    const middle = STEPS.reduce((total, step) => total + step, 0) / STEPS.length;
    const deviation = Math.sqrt(STEPS.reduce((total, step) => total + (step - middle) ** 2, 0) / (STEPS.length - 1));
    expect(volatilityOf(barsOf(closes), QUARTER)).toBeCloseTo(deviation * Math.sqrt(96) * 100, 8);
  });
  test("of a price that stands still is nothing; of a few candles it is not known", () => {
    expect(volatilityOf(barsOf(Array.from({ length: 20 }, () => 5)), QUARTER)).toBe(0);
    expect(volatilityOf(barsOf([1, 2, 3]), QUARTER)).toBeNull();
  });
});

describe("correlation", () => {
  const of = (steps: number[]) => returnsOf(barsOf(walk(steps)), QUARTER);
  test("is one with itself, minus one with its mirror, the same both ways", () => {
    const a = of(STEPS);
    expect(correlationOf(a, a)).toBeCloseTo(1, 10);
    expect(correlationOf(a, of(STEPS.map((step) => -step)))).toBeCloseTo(-1, 10);
    const b = of([...STEPS].reverse());
    expect(correlationOf(a, b)).toBeCloseTo(correlationOf(b, a) as number, 12);
    expect(Math.abs(correlationOf(a, b) as number)).toBeLessThan(1);
  });
  test("takes only the times that both have", () => {
    const a = of(STEPS);
    const shifted = new Map([...a].map(([time, value]) => [time + 1, value]));
    expect(correlationOf(a, shifted)).toBeNull();
    expect(correlationOf(a, of(STEPS.map(() => 0)))).toBeNull();
  });
});
