import { HistogramSeries, type ISeriesApi, LineSeries, LineStyle, LineType, type UTCTimestamp } from "lightweight-charts";
import { listCandles } from "../../src/market/schema";
import { candleEnd } from "../../src/market/rules_intervals";
import { type Bar, type Indicator, indicatorOf, type Line, reachOf } from "../../src/trading/rules_indicators";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { inTurn } from "../runtime/turns";
import { call } from "../wire/api";
import type { ChartHost, ChartNews } from "./chart_host";
import { scaleText } from "./chart_legend";

type Chosen = ChartLayout["indicators"][number];
type Series = ISeriesApi<"Line"> | ISeriesApi<"Histogram">;
/** `pane`: 0 among the prices. `series`: none until its turn has come. `count`: of how many candles its lines are. */
type Shown = { chosen: Chosen; rule: Indicator; pane: number; tones: string[]; series: Series[]; lines: Line[]; count: number };

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

/** The chosen indicators as lines on the chart, and in panes below it: one after another, each in a picture of its own, when they come and as prices tick. */
export class ChartIndicators {
  private all: Shown[] = [];
  private longer = new Map<string, Bar[]>();

  constructor(private readonly host: ChartHost) {}

  /** Shows these and no others. Those that were there before the first that is another stay as they are. */
  show(chosen: readonly Chosen[]) {
    const same = chosen.findIndex((each, at) => JSON.stringify(each) !== JSON.stringify(this.all[at]?.chosen));
    this.build(chosen, same < 0 ? chosen.length : same);
  }

  heard(news: ChartNews) {
    if (news === "theme") {
      this.build(
        this.all.map(({ chosen }) => chosen),
        0,
      );
      // In other colours, and else as it was: at once.
      for (const each of this.all) this.begin(each);
      return;
    }
    if (news === "data") {
      this.longer.clear();
      for (const each of this.all) each.count = 0;
    }
    // What is drawn among the prices shares their picture.
    for (const each of this.all) if (each.pane === 0 || news === "data") this.fill(each);
    if (news === "tick") for (const each of this.all) if (each.pane > 0) inTurn(each, () => this.fill(each));
  }

  close() {
    this.all = [];
    this.host.rows = [];
  }

  private build(chosen: readonly Chosen[], kept: number) {
    const { chart } = this.host;
    for (const { series } of this.all.slice(kept)) for (const each of series) chart.removeSeries(each);
    this.all = this.all.slice(0, kept);
    let pane = Math.max(0, ...this.all.map((each) => each.pane));
    let tone = this.all.flatMap(({ rule }) => rule.lines).filter(({ name }) => !BY_NAME[name]).length;
    for (const each of chosen.slice(kept)) {
      const rule = indicatorOf(each.name);
      if (!rule) continue;
      const tones = rule.lines.map(({ name }) => BY_NAME[name] ?? TONES[tone++ % TONES.length] ?? "accent");
      const shown = { chosen: each, rule, pane: rule.pane === "own" ? ++pane : 0, tones, series: [], lines: [], count: 0 };
      this.all.push(shown);
      inTurn(shown, () => this.begin(shown));
    }
    this.tell();
  }

  private begin(shown: Shown) {
    if (!this.all.includes(shown) || shown.series.length > 0) return;
    const { chart, colour } = this.host;
    const { rule, pane, tones } = shown;
    shown.series = rule.lines.map(({ look }, index) => {
      const quiet = { color: colour(tones[index] ?? "accent"), priceLineVisible: false, lastValueVisible: pane > 0, priceFormat: this.formatOf(rule) };
      if (look === "histogram") return chart.addSeries(HistogramSeries, { ...quiet, lastValueVisible: false }, pane);
      return chart.addSeries(
        LineSeries,
        { ...quiet, lineWidth: 1, crosshairMarkerVisible: false, ...(look === "steps" ? { lineType: LineType.WithSteps } : {}) },
        pane,
      );
    });
    for (const level of rule.levels ?? [])
      shown.series[0]?.createPriceLine({
        price: level,
        color: colour("control"),
        lineStyle: LineStyle.Dotted,
        lineWidth: 1,
        axisLabelVisible: false,
        title: "",
      });
    // The prices keep most of the height, however many panes there are.
    for (const [at, each] of chart.panes().entries()) each.setStretchFactor(at === 0 ? 3 : 1);
    this.fill(shown);
    this.tell();
  }

  /** Tells the legend of those that are drawn. */
  private tell() {
    this.host.rows = this.all
      .filter(({ series }) => series.length > 0)
      .map((shown) => ({
        title: [shown.chosen.name, ...shown.chosen.params].join(" "),
        pane: shown.pane,
        values: (at: number) =>
          shown.rule.lines.map(({ name }, line) => ({
            name,
            value: shown.lines[line]?.[at] ?? null,
            tone: shown.tones[line] ?? "accent",
            digits: this.hasOwnScale(shown.rule) ? 2 : undefined,
          })),
      }));
    this.host.write();
  }

  /** It counts from 0 to 100, say, and not in prices. */
  private hasOwnScale = ({ pane, name }: Indicator) => pane === "own" && name !== "ATR" && name !== "MACD";

  private formatOf(rule: Indicator) {
    if (!this.hasOwnScale(rule)) return this.host.series.options().priceFormat;
    return { type: "custom", minMove: 0.01, formatter: (value: number) => scaleText(value, 2) } as const;
  }

  /**
   * Computes it from the candles that are there. A tick moves no more than the newest value of each line, and a candle that begins adds one; the one
   * before is then as it ended. Lines that are shown ahead or behind move whole.
   */
  private fill(shown: Shown) {
    const { rule, chosen, series } = shown;
    const bars = this.host.bars();
    const of = this.host.shown();
    if (!of || bars.length === 0 || series.length === 0) return;
    const longer = rule.from ? this.longerOf(rule.from(of.interval)) : [];
    if (!longer) return;
    const more = bars.length - shown.count;
    const isInStep = shown.count > 0 && shown.lines.every(({ length }) => length === shown.count);
    shown.count = bars.length;
    if (more !== 0 && !(more === 1 && isInStep)) {
      shown.lines = rule.compute(bars, chosen.params, longer);
      for (const [index, line] of shown.lines.entries()) series[index]?.setData(line.map(this.point));
      return;
    }
    const newest = rule.compute(bars.slice(-reachOf(chosen.params) - more), chosen.params, longer);
    for (const [index, line] of shown.lines.entries()) {
      if (line.length === 0) continue;
      const values = newest[index] ?? [];
      const last = line.length - 1;
      for (let at = last; at <= last + more; at++) {
        const value = (line[at] = values.at(at - last - more - 1) ?? null);
        series[index]?.update(this.point(value, at));
      }
    }
  }

  /** With its time; ahead of the newest candle that is where the next ones will be. */
  private readonly point = (value: number | null, at: number) => {
    const bars = this.host.bars();
    const of = this.host.shown();
    let time = (bars[at] ?? bars.at(-1))?.time ?? (0 as UTCTimestamp);
    for (let ahead = bars.length; ahead <= at; ahead++) time = (candleEnd(time * 1000, of?.interval ?? "5m", of?.symbol ?? "") / 1000) as UTCTimestamp;
    return value === null ? { time } : { time, value };
  };

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
