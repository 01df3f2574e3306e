import { afterAll, expect, test } from "bun:test";
import type { UTCTimestamp } from "lightweight-charts";
import { heldPictures } from "../../src/testing/pictures";
import { INDICATORS } from "../../src/trading/rules_indicators";
import type { Bar, ChartHost } from "./chart_host";
import { ChartIndicators } from "./chart_indicators";
import { scaleText, signed } from "./chart_legend";

const pictures = heldPictures();
afterAll(pictures.end);

type Point = { time: UTCTimestamp; value?: number };
/** A line as the chart keeps it, which takes nothing that is older than its newest. */
class Line {
  points: Point[] = [];
  sets = 0;
  setData = (points: Point[]) => {
    this.points = [...points];
    this.sets += 1;
  };
  update = (point: Point) => {
    const last = this.points.at(-1);
    if (last && point.time < last.time) throw new Error("older than the newest");
    this.points.splice(last?.time === point.time ? -1 : this.points.length, 1, point);
  };
  createPriceLine = () => ({});
}

const START = 1_790_000_100;
/** A candle whose prices hang on its number and on how often it was dealt since. */
const bar = (at: number, tick: number): Bar => {
  const open = 1.08 + 0.002 * Math.sin(at / 7);
  const close = open + 0.0004 * Math.cos(at + tick);
  return { time: (START + at * 300) as UTCTimestamp, open, close, high: Math.max(open, close) + 0.0001 * tick, low: Math.min(open, close) - 0.0001 };
};

for (const rule of INDICATORS.filter(({ from }) => !from))
  test(`${rule.name}: after ticks and candles that begin each line is what all candles come to, the ended ones among them`, () => {
    const bars = Array.from({ length: 300 }, (_, at) => bar(at, 1));
    const lines: Line[] = [];
    const chart = {
      addSeries: () => lines[lines.push(new Line()) - 1],
      removeSeries: () => {},
      panes: () => [],
    };
    const host = {
      chart,
      colour: (token: string) => token,
      series: { options: () => ({ priceFormat: {} }) },
      bars: () => bars,
      shown: () => ({ symbol: "BTC/USD", interval: "5m" }),
      write: () => {},
    } as unknown as ChartHost;
    const indicators = new ChartIndicators(host);
    const params = rule.params.map(({ value }) => value);
    indicators.show([{ name: rule.name, params }]);
    pictures.all();
    const check = () => {
      for (const [index, values] of rule.compute(bars, params, []).entries()) {
        const shown = lines[index]?.points ?? [];
        expect(shown.map(({ time }) => time)).toEqual(values.map((_, at) => (START + at * 300) as UTCTimestamp));
        for (const [at, value] of values.entries()) {
          if (value === null) expect(shown[at]?.value).toBeUndefined();
          else expect(shown[at]?.value ?? Number.NaN).toBeCloseTo(value, 8);
        }
      }
    };
    check();
    const whole = lines.map(({ sets }) => sets);
    for (let candle = 300; candle < 304; candle++) {
      // The one before is dealt once more before it is over, and not drawn for it.
      bars[candle - 1] = bar(candle - 1, 3);
      bars.push(bar(candle, 0));
      indicators.heard("tick");
      pictures.all();
      check();
      bars[candle] = bar(candle, 2);
      indicators.heard("tick");
      pictures.all();
      check();
    }
    // Of lines that are neither shown ahead nor behind nothing was set anew.
    if (rule.name !== "Ichimoku") expect(lines.map(({ sets }) => sets)).toEqual(whole);
    indicators.close();
  });

test("a figure that rounds to nothing has no sign; a change has a plus besides", () => {
  expect([0.0000123, -0.0000123, 0.00449, -0.00449, -0.005, 0].map((percent) => signed(percent, 2))).toEqual(["0.00", "0.00", "0.00", "0.00", "−0.01", "0.00"]);
  expect([signed(-0.00001, 5), signed(0.00001, 5), signed(1234.5, 2)]).toEqual(["−0.00001", "+0.00001", "+1,234.50"]);
  expect([scaleText(-0.000001, 5), scaleText(-0.00032, 5), scaleText(1.08421, 5)]).toEqual(["0.00000", "−0.00032", "1.08421"]);
});
