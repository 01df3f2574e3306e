import { effect } from "@preact/signals-react";
import type { ISeriesPrimitive, Time } from "lightweight-charts";
import { displayMoney } from "../../src/lib/money";
import { candleStart } from "../../src/market/rules_intervals";
import { dealPrice } from "../../src/trading/rules_prices";
import { type Position, positionHistory } from "../../src/trading/schema";
import { atTurnsEnd } from "../runtime/idle";
import { fetchHistory, HISTORY_PAGE, history, positions } from "../runtime/trading_store";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import type { ChartHost } from "./chart_host";
import { spotOf } from "./chart_place";
import { rowsFrom } from "./chart_rows";

const UNHAD = "Past fills could not be loaded";

type Fill = { id: string; at: number; price: number; isBuy: boolean; words: string };

const MARK =
  "pointer-events-auto absolute left-0 top-0 z-[1] inline-flex size-6 items-center justify-center rounded-full text-table leading-none no-underline before:absolute before:-inset-2.5 before:content-empty md:before:inset-0";
/** Closed positions are fetched back to the oldest candle, at most so many pages of them. */
const MOST_PAGES = 5;
/** How high and wide one is, in pixels; two at one place stand above each other. */
const SIZE = 20;

/** What of these an account dealt in a symbol: each opening and each close, at its price. */
export function fillsOf(all: readonly Position[], symbol: string, accountId: string): Fill[] {
  return all.flatMap(({ id, symbol: of, accountId: whose, type, amount, openPrice, openedAt, closePrice, closedAt }) => {
    if (of !== symbol || whose !== accountId) return [];
    const fill = (price: string | null, at: string | null, isBuy: boolean, verb: string): Fill[] =>
      price && at
        ? [
            {
              id,
              at: Date.parse(at),
              price: Number(price),
              isBuy,
              words: `${verb} ${displayMoney(amount)} of ${symbol} at ${dealPrice(price, symbol)}: receipt`,
            },
          ]
        : [];
    const isBuy = type === "buy";
    return [
      ...fill(openPrice, openedAt, isBuy, isBuy ? "Bought" : "Sold"),
      ...fill(closePrice, closedAt, !isBuy, isBuy ? "Closed by selling" : "Closed by buying"),
    ];
  });
}

/** The account's fills as signs at their candles and prices, each a link to its receipt. */
export class ChartFills implements ISeriesPrimitive<Time> {
  private fills: { fill: Fill; element: HTMLAnchorElement }[] = [];
  private readonly overlay = document.createElement("div");
  private readonly stops: (() => void)[];
  /** All closed ones that were heard of, by their id. */
  private readonly closed = new Map<string, Position>();
  /** The oldest one that was fetched here. */
  private oldest: Position | undefined;
  private pages = 0;
  /** All were fetched, or no more are; or they are being fetched. */
  private isWhole = false;
  private isAsking = false;
  private isClosed = false;

  constructor(
    private readonly host: ChartHost,
    private readonly accountId: string,
  ) {
    this.overlay.className = "pointer-events-none absolute inset-0 z-[3] overflow-hidden";
    host.ground.append(this.overlay);
    host.series.attachPrimitive(this);
    if (!history.peek()) void attempt(UNHAD, () => fetchHistory(accountId));
    this.stops = [effect(() => this.take(positions.value, history.value)), host.listen((news) => news === "data" && this.take())];
  }

  private take(open = positions.peek(), known = history.peek()) {
    for (const each of known ?? []) this.closed.set(each.id, each);
    this.build([...(open ?? []), ...this.closed.values()]);
    void this.goBack();
  }

  /** Fetches what was closed since the oldest candle, as far as it is not there yet. */
  private async goBack() {
    const known = history.peek() ?? [];
    const [first] = this.host.bars();
    const oldest = this.oldest ?? known.at(-1);
    if (!first || !oldest?.closedAt || this.isAsking || this.isWhole || this.isClosed) return;
    // The store has all that there are, or as many as the chart has candles for.
    if (known.length < HISTORY_PAGE || Date.parse(oldest.closedAt) / 1000 < first.time) return;
    this.isAsking = true;
    const query = { limit: String(HISTORY_PAGE), cursor: `${oldest.closedAt}_${oldest.id}`, accountId: this.accountId };
    const found = await attempt(UNHAD, () => call(positionHistory, undefined, { query }));
    this.isAsking = false;
    this.pages += 1;
    this.isWhole = found === null || found.length < HISTORY_PAGE || this.pages === MOST_PAGES;
    this.oldest = found?.at(-1);
    for (const each of found ?? []) this.closed.set(each.id, each);
    if (!this.isClosed) this.take();
  }

  updateAllViews = atTurnsEnd(() => this.seat());

  close() {
    this.isClosed = true;
    for (const stop of this.stops) stop();
    this.host.series.detachPrimitive(this);
    this.overlay.remove();
    this.fills = [];
  }

  private build(all: readonly Position[]) {
    const symbol = this.host.shown()?.symbol;
    this.fills = (symbol ? fillsOf(all, symbol, this.accountId) : []).map((fill) => {
      const element = document.createElement("a");
      element.href = `/positions/${fill.id}/receipt`;
      element.className = `${MARK} ${fill.isBuy ? "text-gain" : "text-loss"}`;
      element.textContent = fill.isBuy ? "▲" : "▼";
      element.setAttribute("aria-label", fill.words);
      return { fill, element };
    });
    this.overlay.replaceChildren(...this.fills.map(({ element }) => element));
    this.seat();
  }

  private seat() {
    const { chart, ground, shown } = this.host;
    const of = shown();
    if (!of || this.fills.length === 0) return;
    const wide = ground.clientWidth - chart.priceScale("right").width();
    const high = chart.panes()[0]?.getHeight() ?? ground.clientHeight;
    const low = this.host.headroom();
    const taken: { x: number; y: number }[] = [];
    for (const { fill, element } of this.fills) {
      const spot = spotOf(this.host, { time: candleStart(fill.at, of.interval, of.symbol) / 1000, price: fill.price });
      element.hidden = spot === null || spot.x < 0 || spot.x > wide || spot.y < 0 || spot.y > high;
      if (!spot || element.hidden) continue;
      // Not on the figures, and among the prices; where all of that is full, on another.
      const { x } = spot;
      const at = Math.max(low + SIZE / 2, Math.min(spot.y, high - SIZE / 2));
      const isFree = (y: number) => taken.every((other) => Math.abs(other.x - x) >= SIZE || Math.abs(other.y - y) >= SIZE);
      const y = [...rowsFrom(at, SIZE, low, high)].find(isFree) ?? at;
      taken.push({ x, y });
      element.style.translate = `calc(${x}px - 50%) calc(${y}px - 50%)`;
    }
  }
}
