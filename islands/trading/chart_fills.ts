import { effect } from "@preact/signals-react";
import type { ISeriesPrimitive, Time } from "lightweight-charts";
import { displayMoney } from "../../src/lib/money";
import { candleStart } from "../../src/market/rules_intervals";
import { dealPrice } from "../../src/trading/rules_prices";
import type { Position } from "../../src/trading/schema";
import { atTurnsEnd } from "../runtime/idle";
import { history, positions } from "../runtime/trading_store";
import type { ChartHost } from "./chart_host";
import { spotOf, timeAt } from "./chart_place";
import { rowsFrom } from "./chart_rows";
import { FillPages } from "./fill_pages";

/** `at`: in ms since the epoch. */
type Fill = { key: string; id: string; at: number; price: number; isBuy: boolean; words: string };

const MARK =
  "pointer-events-auto absolute left-0 top-0 z-[1] inline-flex size-6 items-center justify-center rounded-full text-table leading-none no-underline before:absolute before:-inset-2.5 before:content-empty md:before:inset-0";
/** As many as have room on a screen; of more the newest are shown. */
const MOST_SHOWN = 400;
/** How high and wide one is, in pixels; two at one place stand above each other. */
const SIZE = 20;

/** What of these an account dealt in a symbol: each opening and each close, at its price. */
export function fillsOf(all: readonly Position[], symbol: string, accountId: string): Fill[] {
  return all.flatMap(({ id, symbol: of, accountId: whose, type, amount, openPrice, openedAt, closePrice, closedAt }) => {
    if (of !== symbol || whose !== accountId) return [];
    const fill = (price: string | null, at: string | null, isBuy: boolean, verb: string): Fill[] => {
      if (!price || !at) return [];
      const words = `${verb} ${displayMoney(amount)} of ${symbol} at ${dealPrice(price, symbol)}: receipt`;
      return [{ key: `${id} ${words}`, id, at: Date.parse(at), price: Number(price), isBuy, words }];
    };
    const isBuy = type === "buy";
    return [
      ...fill(openPrice, openedAt, isBuy, isBuy ? "Bought" : "Sold"),
      ...fill(closePrice, closedAt, !isBuy, isBuy ? "Closed by selling" : "Closed by buying"),
    ];
  });
}

/** The account's fills of the time that is shown as signs at their candles and prices, each a link to its receipt. */
export class ChartFills implements ISeriesPrimitive<Time> {
  /** All that are known of the symbol, oldest first. */
  private fills: Fill[] = [];
  private elements = new Map<string, HTMLAnchorElement>();
  private readonly overlay = document.createElement("div");
  private readonly stops: (() => void)[];
  /** All closed ones that were heard of, by their id. */
  private readonly closed = new Map<string, Position>();

  constructor(
    private readonly host: ChartHost,
    private readonly accountId: string,
  ) {
    this.overlay.className = "pointer-events-none absolute inset-0 z-[3] overflow-hidden";
    host.ground.append(this.overlay);
    host.series.attachPrimitive(this);
    const pages = new FillPages(accountId, this.wanted, (found) => this.take(found));
    const moved = () => pages.moved();
    const scale = host.chart.timeScale();
    scale.subscribeVisibleLogicalRangeChange(moved);
    const heard = () => {
      this.build();
      pages.moved();
    };
    this.stops = [
      effect(() => this.take(history.value ?? [], positions.value ?? [])),
      host.listen((news) => news === "data" && heard()),
      () => scale.unsubscribeVisibleLogicalRangeChange(moved),
      () => pages.close(),
    ];
  }

  updateAllViews = atTurnsEnd(() => this.seat());

  close() {
    for (const stop of this.stops) stop();
    this.host.series.detachPrimitive(this);
    this.overlay.remove();
    this.fills = [];
  }

  private take(closed: readonly Position[], open = positions.peek() ?? []) {
    for (const each of closed) this.closed.set(each.id, each);
    this.build(open);
  }

  private build(open = positions.peek() ?? []) {
    const symbol = this.host.shown()?.symbol;
    const all = symbol ? fillsOf([...open.filter(({ id }) => !this.closed.has(id)), ...this.closed.values()], symbol, this.accountId) : [];
    this.fills = all.toSorted((a, b) => a.at - b.at);
    this.seat();
  }

  /** The time that is shown, and as much again around it; ahead of the newest candle is all that comes. */
  private readonly wanted = () => {
    const bars = this.host.bars();
    const of = this.host.shown();
    const range = this.host.chart.timeScale().getVisibleLogicalRange();
    const [oldest] = bars;
    if (!of || !oldest || !range) return null;
    const between = (from: number, to: number) => ({
      from: bars[Math.max(0, Math.floor(from))]?.time ?? oldest.time,
      to: bars[Math.ceil(to) + 1]?.time ?? Infinity,
    });
    const more = (range.to - range.from) / 2;
    return { symbol: of.symbol, shown: between(range.from, range.to), around: between(range.from - more, range.to + more) };
  };

  /** Those of the candles shown. */
  private inView(): Fill[] {
    const range = this.host.chart.timeScale().getVisibleLogicalRange();
    if (!range) return [];
    const [from, to] = [timeAt(this.host, range.from - 1), timeAt(this.host, range.to + 1)];
    if (from === null || to === null) return [];
    return this.fills.filter(({ at }) => at >= from * 1000 && at < to * 1000).slice(-MOST_SHOWN);
  }

  private seat() {
    const { chart, ground, shown } = this.host;
    const of = shown();
    const fills = of ? this.inView() : [];
    this.elements = this.put(fills);
    if (!of || fills.length === 0) return;
    const wide = ground.clientWidth - chart.priceScale("right").width();
    const high = chart.panes()[0]?.getHeight() ?? ground.clientHeight;
    const low = this.host.headroom();
    // By where they stand from the left, in their own width: only those nearby can be in each other's way.
    const taken = new Map<number, { x: number; y: number }[]>();
    for (const fill of fills) {
      const element = this.elements.get(fill.key);
      const spot = spotOf(this.host, { time: candleStart(fill.at, of.interval, of.symbol) / 1000, price: fill.price });
      const isSeen = spot !== null && spot.x >= 0 && spot.x <= wide && spot.y >= 0 && spot.y <= high;
      if (!element) continue;
      element.hidden = !isSeen;
      if (!isSeen) continue;
      // Not on the figures, and among the prices; where all of that is full, on another.
      const { x } = spot;
      const column = Math.floor(x / SIZE);
      const near = [column - 1, column, column + 1].flatMap((each) => taken.get(each) ?? []);
      const at = Math.max(low + SIZE / 2, Math.min(spot.y, high - SIZE / 2));
      const isFree = (y: number) => near.every((other) => Math.abs(other.x - x) >= SIZE || Math.abs(other.y - y) >= SIZE);
      const y = [...rowsFrom(at, SIZE, low, high)].find(isFree) ?? at;
      taken.set(column, [...(taken.get(column) ?? []), { x, y }]);
      element.style.translate = `calc(${x}px - 50%) calc(${y}px - 50%)`;
    }
  }

  /** Has the signs of these on the chart and no others, in their order; those that stay are not moved, which would take the keyboard from them. */
  private put(fills: readonly Fill[]): Map<string, HTMLAnchorElement> {
    const wanted = new Map(fills.map((fill) => [fill.key, this.elements.get(fill.key) ?? signOf(fill)]));
    for (const [key, element] of this.elements) if (!wanted.has(key)) element.remove();
    let at = this.overlay.firstChild;
    for (const element of wanted.values()) {
      if (element === at) at = element.nextSibling;
      else this.overlay.insertBefore(element, at);
    }
    return wanted;
  }
}

function signOf({ id, isBuy, words }: Fill): HTMLAnchorElement {
  const element = document.createElement("a");
  element.href = `/positions/${id}/receipt`;
  element.className = `${MARK} ${isBuy ? "text-gain" : "text-loss"}`;
  element.textContent = isBuy ? "▲" : "▼";
  element.setAttribute("aria-label", words);
  return element;
}
