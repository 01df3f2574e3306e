import type { IChartApi, UTCTimestamp } from "lightweight-charts";
import type { Interval } from "../../src/market/schema";
import type { Ground } from "./chart_handle";

/** What a line of an indicator says at a candle. */
export type LegendValue = { name: string; value: number | null; tone: string; /** Decimals, where they are not the symbol's. */ digits?: number | undefined };
/** `pane`: the one at whose top it stands, 0 that of the prices. */
export type LegendRow = { title: string; pane: number; values: (at: number) => LegendValue[] };

export type Bar = { time: UTCTimestamp; open: number; high: number; low: number; close: number };
/** Where the crosshair stands: at how manieth candle, ahead of the newest and before the first, too, and in the chart's pixels; null: there is none. */
export type Cross = { at: number; x: number; y: number } | null;
/** Other candles than before; a tick in the newest, or the next begun; other colours; other words beside the candles. */
export type ChartNews = "data" | "tick" | "theme" | "legend";
/** What is made on a chart beside its candles works with this. */
export type ChartHost = Ground & {
  chart: IChartApi;
  /** The candles as they are shown, oldest first; empty while they are loading. */
  bars: () => readonly Bar[];
  shown: () => { symbol: string; interval: Interval } | null;
  /** Whether the oldest is the first there is. */
  isWhole: () => boolean;
  /** Fetches older candles; where they are being fetched, it ends with that. Throws ApiError. */
  more: () => Promise<void>;
  /** Tells the time in UTC, or by the device's own clock; days and longer candles are UTC's. */
  setClock: (utc: boolean) => void;
  /** Whose time that is, in words. */
  zone: () => string;
  /** Draws the candles, or leaves their place to what is drawn instead of them. */
  showCandles: (are: boolean) => void;
  cross: () => Cross;
  /** The crosshair was put there, and not by the mouse. */
  point: (to: Cross) => void;
  listen: (heard: (news: ChartNews) => void) => () => void;
  /** What the legend says below the candle, and what the words for screen readers add; set by what draws it. */
  rows?: LegendRow[];
  extras?: string[];
  /** Has legend and words written anew. */
  write: () => void;
};

/** What stands at its prices works with this. */
export type Host = Ground & {
  chart: IChartApi;
  /** The instrument on the chart; null while it is loading. */
  symbol: () => string | null;
  /** The newest price shown. */
  last: () => number | null;
  cross: () => Cross;
  /** Whose prices an order begun here would get; null: there is no account, so no order. */
  accountId: string | null;
};
