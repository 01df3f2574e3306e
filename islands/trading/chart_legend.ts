import type { MouseEventParams } from "lightweight-charts";
import { displayPrice } from "../../src/lib/money";
import { digitsOf } from "../../src/trading/rules_prices";
import type { Bar, ChartHost } from "./chart";

/** How often at most the words for screen readers follow the price, in ms. */
const WORDS_MS = 2_000;
const NARROW_PX = 480;

/** What a line of an indicator says at a candle. */
export type LegendValue = { name: string; value: number | null; tone: string; /** Decimals, where they are not the symbol's. */ digits?: number | undefined };
export type LegendRow = { title: string; values: (at: number) => LegendValue[] };

const LONG: Record<string, string> = { m: "minute", h: "hour", d: "day", w: "week", M: "month" };
export function intervalWords(interval: string): string {
  const [count, unit] = [Number.parseInt(interval, 10), LONG[interval.at(-1) ?? ""] ?? ""];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

export const signed = (value: number, digits: number) => `${value < 0 ? "−" : "+"}${displayPrice(Math.abs(value).toFixed(digits), digits)}`;

/** The candle under the crosshair, else the newest, in figures; and the chart's state in words for who does not see it. */
export class ChartLegend {
  private readonly box = document.createElement("div");
  private readonly words = document.createElement("p");
  private readonly stops: (() => void)[];
  private at: number | null = null;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: ChartHost) {
    const { ground, chart } = host;
    this.box.className =
      "chart-legend pointer-events-none absolute left-2 right-16 top-1 z-[2] flex flex-wrap gap-x-3 overflow-hidden text-note max-sm:max-h-[3.5rem] tabular-nums text-soft";
    this.box.setAttribute("aria-hidden", "true");
    this.words.className = "chart-words sr-only";
    ground.append(this.box, this.words);
    const crossed = ({ logical }: MouseEventParams) => {
      this.at = logical === undefined ? null : Math.round(logical);
      this.draw();
    };
    chart.subscribeCrosshairMove(crossed);
    const follow = () => {
      this.draw();
      this.later ??= setTimeout(() => this.tell(), WORDS_MS);
    };
    this.stops = [() => chart.unsubscribeCrosshairMove(crossed), host.listen((news) => (news === "tick" ? follow() : (this.draw(), this.tell())))];
    this.draw();
    this.tell();
  }

  close() {
    clearTimeout(this.later);
    for (const stop of this.stops) stop();
  }

  private draw() {
    const bars = this.host.bars();
    const at = this.at !== null && bars[this.at] ? this.at : bars.length - 1;
    const bar = bars[at];
    const shown = this.host.shown();
    if (!bar || !shown) return this.box.replaceChildren();
    const digits = digitsOf(shown.symbol);
    const from = bars[at - 1]?.close ?? bar.open;
    const change = bar.close - from;
    const rise = span(`${signed(change, digits)} (${signed((100 * change) / from, 2)}%)`, change < 0 ? "text-loss" : "text-gain");
    // Where there is little room the newest candle is told by its close; one that is pointed at in full.
    const parts = this.host.ground.clientWidth < NARROW_PX && this.at === null ? (["close"] as const) : (["open", "high", "low", "close"] as const);
    const row = parts.map((part) => span(`${part[0]?.toUpperCase()} ${displayPrice(bar[part].toFixed(digits), digits)}`));
    const more = (this.host.rows ?? []).map(({ title, values }) => {
      const figures = values(at).map(({ name, value, tone, digits: own = digits }) => {
        const element = span(` ${title.startsWith(name) ? "" : `${name} `}${value === null ? "–" : displayPrice(value.toFixed(own), own)}`);
        element.style.color = this.host.colour(tone);
        return element;
      });
      const group = span(title, "whitespace-pre");
      group.append(...figures);
      return group;
    });
    this.box.replaceChildren(...row, rise, ...more);
  }

  private tell() {
    this.later = undefined;
    const bars = this.host.bars();
    const shown = this.host.shown();
    const words = shown && bars.length > 0 ? summaryOf(shown.symbol, shown.interval, bars, this.host.extras ?? []) : "The chart is loading.";
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}

/** What the chart shows, in words. */
export function summaryOf(symbol: string, interval: string, bars: readonly Bar[], extras: readonly string[]): string {
  const digits = digitsOf(symbol);
  const price = (value: number) => displayPrice(value.toFixed(digits), digits);
  const day = (bar: Bar | undefined) => new Date((bar?.time ?? 0) * 1000).toISOString().slice(0, 16).replace("T", " ");
  const last = bars.at(-1)?.close ?? 0;
  const high = Math.max(...bars.map((bar) => bar.high));
  const low = Math.min(...bars.map((bar) => bar.low));
  const first = bars[0]?.open ?? last;
  const change = (100 * (last - first)) / first;
  return [
    `${symbol}, ${bars.length} candles of ${intervalWords(interval)} from ${day(bars[0])} UTC:`,
    `last ${price(last)}, high ${price(high)}, low ${price(low)}, ${change < 0 ? "down" : "up"} ${Math.abs(change).toFixed(2)}%.`,
    ...(extras.length > 0 ? [`With ${extras.join(", ")}.`] : []),
  ].join(" ");
}

function span(text: string, tone = ""): HTMLSpanElement {
  const element = document.createElement("span");
  element.textContent = text;
  element.className = tone;
  return element;
}
