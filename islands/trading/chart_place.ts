import type { Logical } from "lightweight-charts";
import { candleEnd, LENGTH } from "../../src/market/rules_intervals";
import type { Point } from "../../src/trading/schema_layouts";
import type { ChartHost } from "./chart_host";
import type { Spot } from "./chart_shapes";

/** How far along the candles a moment is: a whole number at a candle's beginning, also before the first and ahead of the newest. */
export function indexOf({ bars, shown }: ChartHost, time: number): number | null {
  const all = bars();
  const of = shown();
  const [first, last] = [all[0], all.at(-1)];
  if (!of || !first || !last) return null;
  const length = LENGTH[of.interval] / 1000;
  if (time >= last.time) return all.length - 1 + (time - last.time) / length;
  if (time < first.time) return (time - first.time) / length;
  let [low, high] = [0, all.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((all[middle]?.time ?? 0) <= time) low = middle;
    else high = middle;
  }
  const [from, to] = [all[low]?.time ?? 0, all[high]?.time ?? 0];
  return to === from ? low : low + (time - from) / (to - from);
}

/** The beginning of the candle that is so far along. */
export function timeAt({ bars, shown }: ChartHost, index: number): number | null {
  const all = bars();
  const of = shown();
  const [first, last] = [all[0], all.at(-1)];
  if (!of || !first || !last) return null;
  const at = Math.round(index);
  const length = LENGTH[of.interval] / 1000;
  if (at < 0) return first.time + at * length;
  if (at < all.length) return all[at]?.time ?? null;
  let time = last.time * 1000;
  for (let step = all.length - 1; step < at; step++) time = candleEnd(time, of.interval, of.symbol);
  return time / 1000;
}

/** Where a point is on the screen, in the chart's pixels. */
export function spotOf(host: ChartHost, { time, price }: Point): Spot | null {
  const index = indexOf(host, time);
  const y = host.series.priceToCoordinate(price);
  const x = index === null ? null : xOf(host, index);
  return x === null || y === null ? null : { x, y };
}

/** Between two candles, too, which the chart itself does not say. */
function xOf({ chart }: ChartHost, index: number): number | null {
  const scale = chart.timeScale();
  const from = scale.logicalToCoordinate(Math.floor(index) as Logical);
  const to = scale.logicalToCoordinate(Math.ceil(index) as Logical);
  return from === null || to === null ? null : from + (to - from) * (index - Math.floor(index));
}

/** The point of the chart at these pixels; null where there is no price. */
export function pointAt(host: ChartHost, { x, y }: Spot): Point | null {
  const price = host.series.coordinateToPrice(y);
  const index = host.chart.timeScale().coordinateToLogical(x);
  const time = index === null ? null : timeAt(host, index);
  return price === null || price <= 0 || time === null ? null : { time, price };
}

/** Where Enter puts the points of a new drawing, as parts of the chart's width and height. */
const MIDDLE = [
  [0.35, 0.6],
  [0.65, 0.4],
  [0.5, 0.65],
] as const;

/** So many points about the middle of the chart, of whose height `high` pixels show prices; those where there is no price are missing. */
export function middlePoints(host: ChartHost, high: number, count: number): Point[] {
  const { clientWidth, clientHeight } = host.ground;
  return MIDDLE.slice(0, count).flatMap(([x, y]) => pointAt(host, { x: x * clientWidth, y: y * Math.min(clientHeight, high) }) ?? []);
}
