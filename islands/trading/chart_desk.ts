import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  type IPriceLine,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  PriceScaleMode,
  type SeriesType,
  type UTCTimestamp,
} from "lightweight-charts";
import { listCandles } from "../../src/market/schema";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { quoteOf } from "../runtime/trading_store";
import { inTurn } from "../runtime/turns";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import type { Bar, ChartHost, ChartNews } from "./chart_host";
import { ChartFills } from "./chart_fills";
import { ChartIndicators } from "./chart_indicators";

export type Drawn = Omit<ChartLayout, "charts" | "interval">;

/** How many candles one call brings. */
const PAGE = 1000;

/** What a chart shows by a person's own choice, besides its candles: other shapes, scale and clock, bid and ask, a second symbol, indicators. */
export class ChartDesk {
  private drawn: Drawn | null = null;
  private shape: ISeriesApi<SeriesType> | null = null;
  /** Of how many candles it is. */
  private shaped = 0;
  private compared: { symbol: string; series: ISeriesApi<"Line">; points: Map<number, number>; stop: () => void } | null = null;
  private lines: IPriceLine[] = [];
  private stopQuotes: (() => void) | null = null;
  private fills: ChartFills | null = null;
  private readonly indicators: ChartIndicators;
  private readonly stop: () => void;

  constructor(
    private readonly host: ChartHost,
    /** Whose fills may be marked. */
    private readonly accountId: string | null,
  ) {
    this.indicators = new ChartIndicators(host);
    this.stop = host.listen((news) => this.heard(news));
  }

  /** Shows this, and nothing of what was before. */
  show(drawn: Drawn) {
    const before = this.drawn;
    this.drawn = drawn;
    const { chart } = this.host;
    if (before?.kind !== drawn.kind) this.reshape();
    if (before?.log !== drawn.log || before?.compare !== drawn.compare) {
      const mode = drawn.compare ? PriceScaleMode.Percentage : drawn.log ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
      chart.priceScale("right").applyOptions({ mode });
    }
    if (before?.utc !== drawn.utc) this.host.setClock(drawn.utc);
    if (before?.bidAsk !== drawn.bidAsk) this.followQuotes();
    if (before?.compare !== drawn.compare) this.compare();
    if (drawn.fills !== (this.fills !== null) && this.accountId) {
      this.fills?.close();
      this.fills = drawn.fills ? new ChartFills(this.host, this.accountId) : null;
    }
    this.indicators.show(drawn.indicators);
    this.tell();
  }

  close() {
    this.stop();
    this.stopQuotes?.();
    this.lines = [];
    this.compared?.stop();
    this.compared = null;
    this.fills?.close();
    this.indicators.close();
  }

  private heard(news: ChartNews) {
    if (!this.drawn || news === "legend") return;
    if (news === "theme") this.reshape();
    else this.fillShape(news === "tick");
    if (news !== "tick") this.followQuotes();
    if (news === "data") this.tryCompared();
    this.indicators.heard(news);
  }

  private tell() {
    const { drawn } = this;
    if (!drawn) return;
    const names = drawn.indicators.map(({ name, params }) => [name, ...params].join(" "));
    const kind = drawn.kind === "candles" ? [] : [drawn.kind === "heikin-ashi" ? "Heikin-Ashi" : drawn.kind];
    this.host.extras = [
      ...kind,
      ...(drawn.compare ? [`${drawn.compare} in per cent beside it`] : []),
      ...names,
      ...(drawn.drawings.length > 0 ? [`${drawn.drawings.length} drawing${drawn.drawings.length === 1 ? "" : "s"}`] : []),
    ];
    this.host.write();
  }

  // Shapes ---------------------------------------------------------------------------------------------------------------

  private reshape() {
    const { chart, colour, showCandles } = this.host;
    if (this.shape) chart.removeSeries(this.shape);
    this.shape = null;
    const kind = this.drawn?.kind ?? "candles";
    showCandles(kind === "candles");
    const quiet = { lastValueVisible: false, priceLineVisible: false };
    const [up, down] = [colour("gain"), colour("loss")];
    if (kind === "bars") this.shape = chart.addSeries(BarSeries, { ...quiet, upColor: up, downColor: down });
    if (kind === "line") this.shape = chart.addSeries(LineSeries, { ...quiet, color: colour("accent"), lineWidth: 2 });
    if (kind === "area")
      this.shape = chart.addSeries(AreaSeries, {
        ...quiet,
        lineColor: colour("accent"),
        topColor: `${colour("accent")}55`,
        bottomColor: `${colour("accent")}05`,
        lineWidth: 2,
      });
    if (kind === "heikin-ashi")
      this.shape = chart.addSeries(CandlestickSeries, {
        ...quiet,
        upColor: up,
        borderUpColor: up,
        wickUpColor: up,
        downColor: down,
        borderDownColor: down,
        wickDownColor: down,
      });
    this.fillShape(false);
  }

  private fillShape(tick: boolean) {
    const { shape } = this;
    if (!shape || !this.drawn) return;
    const { kind } = this.drawn;
    const bars = this.host.bars();
    const points: object[] = kind === "heikin-ashi" ? heikinAshi(bars) : kind === "bars" ? [...bars] : bars.map(({ time, close }) => ({ time, value: close }));
    // A candle that is over is drawn as it ended, and then the one that begins.
    const more = points.length - this.shaped;
    this.shaped = points.length;
    if (tick && (more === 0 || more === 1)) for (const point of points.slice(-1 - more)) shape.update(point as never);
    else shape.setData(points as never);
  }

  // Quotes and a second symbol -------------------------------------------------------------------------------------------

  private followQuotes() {
    this.stopQuotes?.();
    this.stopQuotes = null;
    const { series, colour, shown } = this.host;
    for (const line of this.lines) series.removePriceLine(line);
    this.lines = [];
    const symbol = shown()?.symbol;
    if (!this.drawn?.bidAsk || !symbol) return;
    const look = { lineStyle: LineStyle.Solid, lineWidth: 1, axisLabelVisible: true } as const;
    this.stopQuotes = quoteOf(symbol).subscribe((quote) => {
      if (!quote) return;
      const [bid, ask] = [Number(quote.bid), Number(quote.ask)];
      if (this.lines.length === 0)
        this.lines = [
          series.createPriceLine({ ...look, price: bid, color: colour("loss"), title: "Bid" }),
          series.createPriceLine({ ...look, price: ask, color: colour("gain"), title: "Ask" }),
        ];
      else inTurn(this.lines, () => [bid, ask].forEach((price, at) => this.lines[at]?.applyOptions({ price })));
    });
  }

  private compare() {
    const { chart, colour } = this.host;
    if (this.compared) {
      this.compared.stop();
      chart.removeSeries(this.compared.series);
    }
    this.compared = null;
    const symbol = this.drawn?.compare;
    if (!symbol) return;
    const series = chart.addSeries(LineSeries, { color: colour("warn"), lineWidth: 2, priceLineVisible: false, title: symbol });
    const points = new Map<number, number>();
    const stop = quoteOf(symbol).subscribe((quote) => {
      const last = this.host.bars().at(-1);
      if (!quote || !last || points.size === 0) return;
      const value = (Number(quote.bid) + Number(quote.ask)) / 2;
      points.set(last.time, value);
      inTurn(series, () => this.compared?.series === series && series.update({ time: last.time, value }));
    });
    this.compared = { symbol, series, points, stop };
    this.tryCompared();
  }

  /** Where they can't be had, they are asked for again with the chart's next candles. */
  private tryCompared() {
    const { compared } = this;
    if (compared) void attempt(`${compared.symbol} can't be compared now`, () => this.fillCompared());
  }

  /** Its closes at the candles of the chart, back to the oldest of them. */
  private async fillCompared() {
    const { compared, host } = this;
    const shown = host.shown();
    const [first] = host.bars();
    if (!compared || !shown || !first) return;
    const found = new Map<number, number>();
    let before: number | undefined;
    do {
      const page = await call(listCandles, undefined, {
        query: { symbol: compared.symbol, interval: shown.interval, limit: String(PAGE), ...(before === undefined ? {} : { before: String(before) }) },
      });
      for (const { time, close } of page) found.set(time, Number(close));
      before = page.length < PAGE ? 0 : page[0]?.time;
    } while (before && before > first.time);
    if (this.compared !== compared || host.shown() !== shown) return;
    compared.points.clear();
    for (const { time } of host.bars()) {
      const value = found.get(time);
      if (value !== undefined) compared.points.set(time, value);
    }
    compared.series.setData([...compared.points].map(([time, value]) => ({ time: time as UTCTimestamp, value })));
  }
}

/** Each candle of averages: its close of the whole candle, its open the middle of the one before. */
export function heikinAshi(bars: readonly Bar[]): Bar[] {
  let open = 0;
  let close = 0;
  return bars.map((bar, at) => {
    open = at === 0 ? (bar.open + bar.close) / 2 : (open + close) / 2;
    close = (bar.open + bar.high + bar.low + bar.close) / 4;
    return { time: bar.time, open, close, high: Math.max(bar.high, open, close), low: Math.min(bar.low, open, close) };
  });
}
