import { displayPrice } from "../../src/lib/money";
import { digitsOf } from "../../src/trading/rules_prices";
import { atTurnsEnd } from "../runtime/idle";
import { inTurn } from "../runtime/turns";
import type { Bar, ChartHost, ChartNews } from "./chart_host";

/** How often at most the words for screen readers follow the price, in ms. */
const WORDS_MS = 2_000;
/** Below this a chart has little room for words. */
export const NARROW_PX = 480;
const LOW_PX = 220;

const BOX = "absolute inset-x-0 flex gap-x-3 overflow-hidden";
/** Those of the prices take as many lines as they need, on a phone at most three; those of a pane below one. */
const LOOKS = [`${BOX} flex-wrap max-sm:max-h-[3.5rem]`, `${BOX} whitespace-nowrap`];
/** Above the first pane's figures; between two panes stands a line. In pixels. */
const ABOVE = 4;
const BETWEEN = 1;

let made = 0;

const LONG: Record<string, string> = { m: "minute", h: "hour", d: "day", w: "week", M: "month" };
export function intervalWords(interval: string): string {
  const [count, unit] = [Number.parseInt(interval, 10), LONG[interval.at(-1) ?? ""] ?? ""];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A value of a chart's scale: "1.08421", "−0.00032". What rounds to nothing has no sign. */
export function scaleText(value: number, digits: number, plus = ""): string {
  const text = displayPrice(Math.abs(value).toFixed(digits), digits);
  return `${/[1-9]/.test(text) ? (value < 0 ? "−" : plus) : ""}${text}`;
}
/** The same of a change, which has a plus as well. */
export const signed = (value: number, digits: number) => scaleText(value, digits, "+");

/** The candle under the crosshair, else the newest, in figures, those of a pane at its top; and the chart's state in words for who does not see it. */
export class ChartLegend {
  private readonly box = document.createElement("div");
  private readonly words = document.createElement("p");
  private readonly stop: () => void;
  private later: ReturnType<typeof setTimeout> | undefined;
  private isLow = false;
  /** How much of the first pane's top its figures take, in pixels. */
  height = 0;
  private readonly sizes = new ResizeObserver(() => this.measure());
  private readonly watched = new WeakSet<Element>();

  constructor(
    private readonly host: ChartHost,
    /** The height is another. */
    private readonly grown: () => void,
  ) {
    const { ground } = host;
    this.box.className = "chart-legend pointer-events-none absolute inset-y-0 left-2 right-16 z-[2] text-note tabular-nums text-soft";
    this.box.setAttribute("aria-hidden", "true");
    this.words.className = "chart-words sr-only";
    this.words.id = `chart-words-${++made}`;
    ground.setAttribute("aria-describedby", this.words.id);
    ground.append(this.box, this.words);
    const heard = (news: ChartNews) => {
      if (news === "tick") return;
      this.draw();
      this.tell();
    };
    this.stop = host.listen(heard);
    heard("data");
  }

  /** After a tick: figures that change are laid out anew, in a picture of their own behind those of the panes, so that none is long. */
  follow() {
    inTurn(this, this.draw);
    this.later ??= setTimeout(() => this.tell(), WORDS_MS);
  }

  close() {
    clearTimeout(this.later);
    this.sizes.disconnect();
    this.stop();
  }

  /** Once for all that a tick changes, the indicators' lines among it; or the crosshair has moved. */
  readonly draw = atTurnsEnd(() => this.fill());

  private fill() {
    const bars = this.host.bars();
    const cross = this.host.cross();
    const at = cross && bars[cross.at] ? cross.at : bars.length - 1;
    const bar = bars[at];
    const shown = this.host.shown();
    if (!bar || !shown) return this.box.replaceChildren();
    const digits = digitsOf(shown.symbol);
    const from = bars[at - 1]?.close ?? bar.open;
    const change = bar.close - from;
    const rise: Part = { text: `${signed(change, digits)} (${signed((100 * change) / from, 2)}%)`, look: change < 0 ? "text-loss" : "text-gain" };
    // Where there is little room the newest candle is told by its close; one that is pointed at in full.
    const isNarrow = this.host.ground.clientWidth < NARROW_PX;
    const parts = isNarrow && !cross ? (["close"] as const) : (["open", "high", "low", "close"] as const);
    const row = parts.map((part): Part => ({ text: `${part[0]?.toUpperCase()} ${displayPrice(bar[part].toFixed(digits), digits)}` }));
    // Nor does it take a second line of a low one.
    this.isLow = this.host.ground.clientHeight < LOW_PX;
    const panes: Part[][] = [[...row, rise]];
    for (const { title, pane, values } of this.host.rows ?? []) {
      const isBrief = isNarrow && pane > 0;
      const figures = values(at).map(({ name, value, tone, digits: own = digits }) => ({
        // One line on a phone: the lines' colours tell them apart.
        text: ` ${title.startsWith(name) || isBrief ? "" : `${name} `}${value === null ? "–" : scaleText(value, own)}`,
        // By its name, which the browser gives back as it was written: a tick that changes no colour then has no style worked out anew.
        colour: `var(--c-${tone})`,
      }));
      // Of one with three figures the parameters would push the last one out.
      const text = isBrief && figures.length > 2 ? title.split(" ", 1).join() : title;
      (panes[pane] ??= []).push({ text, look: "whitespace-pre", parts: figures });
    }
    const boxes = Array.from(panes, (parts = [], pane): Part => ({
      text: "",
      look: `${LOOKS[pane === 0 ? 0 : 1]}${this.isLow && !cross && pane === 0 ? " max-h-[1.125rem]" : ""}`,
      parts,
    }));
    write(this.box, boxes);
    this.watch();
  }

  /** Hears of it when a pane, or the first one's figures, get another height. */
  private watch() {
    const [first] = this.box.children;
    const panes = this.host.chart.panes().flatMap((pane) => pane.getHTMLElement() ?? []);
    for (const element of [...panes, ...(first ? [first] : [])]) {
      // To observe one again has it measured again.
      if (!this.watched.has(element)) this.sizes.observe(element);
      this.watched.add(element);
    }
  }

  private measure() {
    if (this.isLow !== this.host.ground.clientHeight < LOW_PX) this.draw();
    let top = ABOVE;
    for (const [at, pane] of this.host.chart.panes().entries()) {
      const box = this.box.children[at];
      if (box instanceof HTMLElement) box.style.top = `${top}px`;
      top += pane.getHeight() + BETWEEN;
    }
    const [first] = this.box.children;
    const height = first instanceof HTMLElement ? first.offsetTop + first.offsetHeight : 0;
    if (height === this.height) return;
    this.height = height;
    // Candles stay below them.
    const share = height / (this.host.series.getPane().getHeight() || 1);
    this.host.series.priceScale().applyOptions({ scaleMargins: { top: Math.min(0.5, Math.max(0.2, share)), bottom: 0.1 } });
    this.grown();
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
  const moved = Math.abs(change).toFixed(2);
  return [
    `${symbol}, ${bars.length} candles of ${intervalWords(interval)} from ${day(bars[0])} UTC:`,
    `last ${price(last)}, high ${price(high)}, low ${price(low)}, ${/[1-9]/.test(moved) ? `${change < 0 ? "down" : "up"} ${moved}%` : "unchanged"}.`,
    ...(extras.length > 0 ? [`With ${extras.join(", ")}.`] : []),
  ].join(" ");
}

/** Words of the legend; those of its parts stand behind its own. */
type Part = { text: string; look?: string; colour?: string; parts?: Part[] };

/** Writes these into `box`, behind its own words: what stands there already only changes, since new elements cost a tick more than all else here. */
function write(box: Element, parts: readonly Part[]) {
  while (box.children.length > parts.length) box.lastElementChild?.remove();
  for (const [at, { text, look = "", colour = "", parts: within = [] }] of parts.entries()) {
    const element = (box.children[at] ?? box.appendChild(document.createElement("span"))) as HTMLSpanElement;
    const [words] = element.childNodes;
    if (!(words instanceof Text)) element.prepend(text);
    else if (words.data !== text) words.data = text;
    if (element.className !== look) element.className = look;
    if (element.style.color !== colour) element.style.color = colour;
    write(element, within);
  }
}
