import {
  CandlestickSeries,
  createChart,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  LineStyle,
  type MouseEventParams,
  TrackingModeExitMode,
  type UTCTimestamp,
} from "lightweight-charts";
import { type Candle, type Interval, isOfDays, listCandles } from "../../src/market/schema";
import { candleStart } from "../../src/market/rules_intervals";
import type { Position } from "../../src/trading/schema";
import { digitsOf, type Quote, sideWord } from "../../src/trading/rules_prices";
import { inTurn } from "../runtime/turns";
import { call } from "../wire/api";
import { clockOf } from "./chart_clock";
import type { Bar, ChartHost, ChartNews, Cross } from "./chart_host";
import { takeKeys } from "./chart_keys";
import { ChartLegend, scaleText } from "./chart_legend";
import type { ChartMarks } from "./chart_marks";

const CANDLES = 300;
/** So many more each time that somebody comes within this many of the oldest. */
const PAGE = 500;
const NEAR = 20;
/** So many prices are kept as text. */
const MOST_WRITTEN = 200;
/** The candle follows its tick so much later, in ms, in a picture of its own; each pane and the figures have theirs after it. */
const DRAW_MS = 250;

export type PriceChartView = {
  readonly host: ChartHost;
  /** Loads and shows an instrument's candles. Throws ApiError. */
  show(symbol: string, interval: Interval, signal: AbortSignal): Promise<void>;
  /** Takes a live quote into the last candle, or begins the next. */
  follow(quote: Quote): void;
  /** Draws the opening prices of these positions, and with handles their stops and targets and what orders wait for. */
  mark(positions: Position[]): void;
  close(): void;
};

/**
 * A candle that begins moves all panes, and each has its turn (patches/lightweight-charts.patch); those that are told of it have theirs before, with
 * what they draw of it.
 */
const IN_TURN = { drawInTurn: (of: unknown, draw: () => void) => queueMicrotask(() => inTurn(of, draw)) };

/** A finger that goes up or down scrolls the page, over the chart as elsewhere; sideways and with two fingers it moves the chart. */
const UNDER_A_FINGER = { handleScroll: { vertTouchDrag: false }, trackingMode: { exitMode: TrackingModeExitMode.OnTouchEnd } };

/**
 * A chart in `ground`, in the page's own colours. One that is dealt from, for an account or (null) for none yet, marks orders, exits and alerts,
 * and offers them at its prices. Floats here are for the eye only.
 */
export function openChart(ground: HTMLElement, accountId?: string | null): PriceChartView {
  const chart = createChart(ground, { autoSize: true, ...IN_TURN, ...UNDER_A_FINGER, ...styleOf() });
  let shown: { symbol: string; interval: Interval } | null = null;
  let utc = true;
  let clock = "";
  const setClock = (is = utc) => {
    utc = is;
    const ofDays = shown !== null && isOfDays(shown.interval);
    const told = `${utc} ${ofDays}`;
    if (told === clock) return;
    clock = told;
    chart.applyOptions(clockOf(utc, ofDays));
  };
  setClock();
  const series = chart.addSeries(CandlestickSeries, candleStyle());
  let candles = true;
  const stopThemes = onTheme(() => {
    colours.clear();
    chart.applyOptions(styleOf());
    series.applyOptions(candleStyle(candles));
    redraw();
    marks?.redraw();
    tell("theme");
  });
  const heard = new Set<(news: ChartNews) => void>();
  const tell = (news: ChartNews) => heard.forEach((each) => each(news));
  let lines: IPriceLine[] = [];
  let marked: Position[] = [];
  let bars: Bar[] = [];
  let last: Bar | null = null;
  /** All candles of before are there; or they are being fetched. */
  let whole = false;
  let paging: { of: AbortSignal; done: Promise<void> } | null = null;
  let asked: AbortSignal | null = null;
  let marks: ChartMarks | undefined;
  let legend: ChartLegend | undefined;
  const headroom = () => legend?.height ?? 0;
  let crossed: Cross = null;
  const cross = () => crossed;
  const point = (to: Cross) => {
    crossed = to;
    legend?.draw();
  };
  chart.subscribeCrosshairMove(({ logical, point: at }: MouseEventParams) =>
    point(logical === undefined || !at ? null : { at: Math.round(logical), x: at.x, y: at.y }),
  );
  /** What stands on it besides the candles comes after them. */
  const markAll = async () => {
    legend ??= new ChartLegend(host, () => marks?.place());
    if (accountId === undefined || marks) return marks?.redraw();
    const { ChartMarks } = await import("./chart_marks");
    if (closed) return;
    marks ??= new ChartMarks({
      ground,
      chart,
      series,
      colour,
      headroom,
      accountId,
      cross,
      symbol: () => shown?.symbol ?? null,
      last: () => last?.close ?? null,
    });
    marks.mark(marked);
  };

  const redraw = () => {
    for (const line of lines) series.removePriceLine(line);
    lines = marked.flatMap((position) => linesOf(series, position));
  };
  let drawing: ReturnType<typeof setTimeout> | undefined;
  let seen = true;
  let closed = false;
  const draw = () => {
    drawing = undefined;
    inTurn(series, () => {
      if (!last || !seen || closed) return;
      series.update(last);
      tell("tick");
      legend?.follow();
    });
  };
  const sight = new IntersectionObserver(([entry]) => {
    seen = entry?.isIntersecting ?? true;
    if (seen) draw();
  });
  sight.observe(ground);
  const fetchOlder = async (of: { symbol: string; interval: Interval }, before: number, signal: AbortSignal) => {
    try {
      const older = await call(listCandles, undefined, { query: { ...of, limit: String(PAGE), before: String(before) }, signal });
      if (signal.aborted) return;
      whole = older.length < PAGE;
      bars = [...older.map(barOf), ...bars];
      // What is on the screen stays where it is: the chart counts from the newest.
      series.setData(bars);
      tell("data");
    } finally {
      if (paging?.of === signal) paging = null;
    }
  };
  const more = async () => {
    const [first] = bars;
    if (!shown || !first || whole || !asked) return;
    if (paging?.of !== asked) paging = { of: asked, done: fetchOlder(shown, first.time, asked) };
    await paging.done;
  };
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    // What could not be had is asked for again at the next move.
    if (range && range.from < NEAR) more().catch(() => {});
  });
  const host: ChartHost = {
    ground,
    chart,
    series,
    colour,
    headroom,
    bars: () => bars,
    shown: () => shown,
    isWhole: () => whole,
    more,
    setClock,
    zone: () => (utc || (shown && isOfDays(shown.interval)) ? "UTC" : "local time"),
    cross,
    point,
    showCandles(are) {
      candles = are;
      series.applyOptions(candleStyle(are));
    },
    write: () => tell("legend"),
    listen: (each) => {
      heard.add(each);
      return () => heard.delete(each);
    },
  };
  const stopKeys = takeKeys(host, accountId === undefined ? ["", ""] : [" Shift and F10 offer orders and an alert.", " Shift+F10"]);
  return {
    host,
    async show(symbol, interval, signal) {
      shown = null;
      last = null;
      bars = [];
      asked = signal;
      const found = await call(listCandles, undefined, { query: { symbol, interval, limit: String(CANDLES) }, signal });
      if (signal.aborted) return;
      const digits = digitsOf(symbol);
      series.applyOptions({ priceFormat: { type: "custom", minMove: 10 ** -digits, formatter: written(digits) } });
      bars = found.map(barOf);
      whole = found.length < CANDLES;
      series.setData(bars);
      last = bars.at(-1) ?? null;
      shown = { symbol, interval };
      setClock();
      fit(chart, bars.length);
      tell("data");
      markAll().catch((error: unknown) => console.error("orders and alerts could not be drawn", error));
    },
    follow(quote) {
      if (quote.symbol !== shown?.symbol || quote.stale || !last) return;
      const next = nextBar(last, quote, shown.interval);
      // A candle that is over is drawn as it ended, seen or not.
      if (next.time !== last.time) series.update(last);
      bars[next.time === last.time ? bars.length - 1 : bars.length] = next;
      last = next;
      drawing ??= setTimeout(draw, DRAW_MS);
    },
    mark(positions) {
      marked = positions;
      redraw();
      marks?.mark(positions);
    },
    close() {
      closed = true;
      clearTimeout(drawing);
      sight.disconnect();
      stopThemes();
      stopKeys();
      marks?.close();
      legend?.close();
      chart.remove();
    },
  };
}

/** Prices as text with so many digits. The chart asks for the same few again and again within one picture, so they are written once. */
function written(digits: number): (price: number) => string {
  const known = new Map<number, string>();
  return (price) => {
    const text = known.get(price) ?? scaleText(price, digits);
    if (known.size >= MOST_WRITTEN) known.clear();
    known.set(price, text);
    return text;
  };
}

const barOf = ({ time, open, high, low, close }: Candle): Bar => ({
  time: time as UTCTimestamp,
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
});

/** The last candle with a mid price taken in, or the next one begun by it; a quote from before it changes nothing. */
function nextBar(last: Bar, { symbol, bid, ask, time }: Quote, interval: Interval): Bar {
  const mid = (Number(bid) + Number(ask)) / 2;
  const start = candleStart(Date.parse(time), interval, symbol) / 1000;
  if (start < last.time) return last;
  if (start === last.time) return { ...last, high: Math.max(last.high, mid), low: Math.min(last.low, mid), close: mid };
  return { time: start as UTCTimestamp, open: mid, high: mid, low: mid, close: mid };
}

/** Shows the newest candles at a readable width, however many there are. */
function fit(chart: IChartApi, count: number) {
  const room = Math.max(30, Math.floor(chart.timeScale().width() / 8));
  chart.timeScale().setVisibleLogicalRange({ from: count - room, to: count + 4 });
}

function linesOf(series: ISeriesApi<"Candlestick">, { openPrice, type }: Position): IPriceLine[] {
  if (!openPrice) return [];
  const load = { color: colour("accent"), lineStyle: LineStyle.Solid, lineWidth: 1, axisLabelVisible: true } as const;
  return [series.createPriceLine({ ...load, price: Number(openPrice), title: sideWord(type) })];
}

/** The theme's colours, each read once: to ask the browser has it work out all styles that changed since. */
const colours = new Map<string, string>();
/** A colour of the theme as it is now. */
function colour(token: string): string {
  const known = colours.get(token) ?? getComputedStyle(document.documentElement).getPropertyValue(`--c-${token}`).trim();
  colours.set(token, known);
  return known;
}

const styleOf = () => ({
  layout: {
    // Its logo needs an inline style, which the page's policy forbids; the link stands below the chart instead.
    attributionLogo: false,
    background: { color: "transparent" },
    textColor: colour("soft"),
    fontFamily: getComputedStyle(document.body).fontFamily,
    fontSize: 12,
    panes: { separatorColor: colour("line"), separatorHoverColor: colour("accent-soft") },
  },
  grid: { vertLines: { color: colour("line") }, horzLines: { color: colour("line") } },
  rightPriceScale: { borderColor: colour("line") },
  timeScale: { borderColor: colour("line"), timeVisible: true, secondsVisible: false, rightOffset: 4 },
  crosshair: { vertLine: { color: colour("control") }, horzLine: { color: colour("control") } },
});

/** Candles that are not drawn keep their scale, and what stands on it. */
function candleStyle(drawn = true) {
  const [up, down] = drawn ? [colour("gain"), colour("loss")] : ["transparent", "transparent"];
  return { upColor: up, borderUpColor: up, wickUpColor: up, downColor: down, borderDownColor: down, wickDownColor: down, priceLineColor: colour("control") };
}

function onTheme(changed: () => void): () => void {
  const device = matchMedia("(prefers-color-scheme: dark)");
  addEventListener("themechange", changed);
  device.addEventListener("change", changed);
  return () => {
    removeEventListener("themechange", changed);
    device.removeEventListener("change", changed);
  };
}
