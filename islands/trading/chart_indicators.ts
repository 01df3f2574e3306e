import { HistogramSeries, type ISeriesApi, LineSeries, LineStyle, LineType, type UTCTimestamp } from "lightweight-charts";
import { listCandles } from "../../src/market/schema";
import { candleEnd } from "../../src/market/rules_intervals";
import { type Bar, type Indicator, indicatorOf, type Line } from "../../src/trading/rules_indicators";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { call } from "../wire/api";
import type { ChartHost, ChartNews } from "./chart";

type Chosen = ChartLayout["indicators"][number];
type Series = ISeriesApi<"Line"> | ISeriesApi<"Histogram">;
type Shown = { chosen: Chosen; rule: Indicator; series: Series[]; lines: Line[]; tones: string[]; count: number };

/** Colours of the lines, one after another; what goes up and down by meaning has its own. */
const TONES = ["accent", "warn", "gain", "loss", "soft", "ink"];
const BY_NAME: Record<string, string> = {
  PP: "soft",
  R1: "loss",
  R2: "loss",
  R3: "loss",
  S1: "gain",
  S2: "gain",
  S3: "gain",
  "+DI": "gain",
  "−DI": "loss",
  Histogram: "control",
};
/** How many longer candles an indicator may look back at. */
const LONGER = 500;

/** The chosen indicators as lines on the chart, and in panes below it. */
export class ChartIndicators {
  private all: Shown[] = [];
  private chosen: readonly Chosen[] = [];
  private longer = new Map<string, Bar[]>();

  constructor(private readonly host: ChartHost) {}

  /** Shows these and no others. */
  show(chosen: readonly Chosen[]) {
    if (JSON.stringify(chosen) === JSON.stringify(this.chosen)) return;
    this.chosen = chosen;
    this.build();
  }

  heard(news: ChartNews) {
    if (news === "theme") return this.build();
    if (news === "data") {
      this.longer.clear();
      for (const each of this.all) each.count = 0;
    }
    for (const each of this.all) this.fill(each);
  }

  close() {
    this.host.rows = [];
  }

  private build() {
    const { chart, colour } = this.host;
    for (const { series } of this.all) for (const each of series) chart.removeSeries(each);
    let pane = 0;
    let tone = 0;
    this.all = this.chosen.flatMap((chosen) => {
      const rule = indicatorOf(chosen.name);
      if (!rule) return [];
      const at = rule.pane === "own" ? ++pane : 0;
      const tones = rule.lines.map(({ name }) => BY_NAME[name] ?? TONES[tone++ % TONES.length] ?? "accent");
      const series = rule.lines.map(({ look }, index) => {
        const quiet = { color: colour(tones[index] ?? "accent"), priceLineVisible: false, lastValueVisible: at > 0, priceFormat: this.formatOf(rule) };
        if (look === "histogram") return chart.addSeries(HistogramSeries, { ...quiet, lastValueVisible: false }, at);
        return chart.addSeries(
          LineSeries,
          { ...quiet, lineWidth: 1, crosshairMarkerVisible: false, ...(look === "steps" ? { lineType: LineType.WithSteps } : {}) },
          at,
        );
      });
      for (const level of rule.levels ?? [])
        series[0]?.createPriceLine({ price: level, color: colour("control"), lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false, title: "" });
      return [{ chosen, rule, series, lines: [], tones, count: 0 }];
    });
    // The prices keep most of the height, however many panes there are.
    for (const [at, each] of chart.panes().entries()) each.setStretchFactor(at === 0 ? 3 : 1);
    this.host.rows = this.all.map(({ chosen, rule, tones }, index) => ({
      title: [chosen.name, ...chosen.params].join(" "),
      values: (at: number) =>
        rule.lines.map(({ name }, line) => ({
          name,
          value: this.all[index]?.lines[line]?.[at] ?? null,
          tone: tones[line] ?? "accent",
          digits: this.hasOwnScale(rule) ? 2 : undefined,
        })),
    }));
    for (const each of this.all) this.fill(each);
  }

  /** It counts from 0 to 100, say, and not in prices. */
  private hasOwnScale = ({ pane, name }: Indicator) => pane === "own" && name !== "ATR" && name !== "MACD";

  private formatOf(rule: Indicator) {
    if (!this.hasOwnScale(rule)) return this.host.series.options().priceFormat;
    return { type: "price", precision: 2, minMove: 0.01 } as const;
  }

  /** Computes it from the candles that are there; where no candle began since, only what a tick can move is drawn anew. */
  private fill(shown: Shown) {
    const { rule, chosen, series } = shown;
    const bars = this.host.bars();
    const of = this.host.shown();
    if (!of || bars.length === 0) return;
    const longer = rule.from ? this.longerOf(rule.from(of.interval)) : [];
    if (!longer) return;
    shown.lines = rule.compute(bars, chosen.params, longer);
    const isTick = shown.count === bars.length;
    shown.count = bars.length;
    for (const [index, line] of shown.lines.entries()) {
      const last = line.at(-1);
      const time = bars.at(-1)?.time as UTCTimestamp;
      if (isTick && line.length === bars.length && last !== null && last !== undefined) series[index]?.update({ time, value: last });
      else series[index]?.setData(this.points(line));
    }
  }

  /** With their times; those ahead of the newest candle where the next ones will be. */
  private points(line: Line) {
    const bars = this.host.bars();
    const of = this.host.shown();
    let ahead = (bars.at(-1)?.time ?? 0) * 1000;
    return line.map((value, at) => {
      const time = (bars[at]?.time ?? (ahead = candleEnd(ahead, of?.interval ?? "5m", of?.symbol ?? "")) / 1000) as UTCTimestamp;
      return value === null ? { time } : { time, value };
    });
  }

  /** The longer candles of the symbol on the chart; null while they are fetched. */
  private longerOf(interval: string): Bar[] | null {
    const of = this.host.shown();
    const known = this.longer.get(interval);
    if (known || !of) return known && known.length > 0 ? known : null;
    const asked: Bar[] = [];
    this.longer.set(interval, asked);
    call(listCandles, undefined, { query: { symbol: of.symbol, interval: interval as "1d", limit: String(LONGER) } }).then(
      (found) => {
        if (this.longer.get(interval) !== asked) return;
        for (const { time, open, high, low, close } of found)
          asked.push({ time, open: Number(open), high: Number(high), low: Number(low), close: Number(close) });
        for (const each of this.all) if (each.rule.from) Object.assign(each, { count: 0 });
        for (const each of this.all) if (each.rule.from) this.fill(each);
        this.host.write();
      },
      () => this.longer.delete(interval),
    );
    return null;
  }
}
