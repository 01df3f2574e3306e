import type { Logical, MouseEventParams } from "lightweight-charts";
import { displayPrice } from "../../src/lib/money";
import { digitsOf } from "../../src/trading/rules_prices";
import { ApiError } from "../wire/api";
import type { Bar, ChartHost, ChartNews } from "./chart_host";
import { scaleText } from "./chart_legend";
import { indexOf } from "./chart_place";

/** What Shift makes of one candle. */
const FAR = 10;
/** So many candles are left before one that had to be scrolled to. */
const ROOM = 5;
/** A candle is told once its key has rested so long, in ms: one that is held down passes many. */
const REST_MS = 200;

/** Leads the crosshair from candle to candle by keys, to the first there is, and tells in words the one where it stands. */
export class ChartWalk {
  /** The beginning of the candle it stands at, which stays when the crosshair goes with the keyboard or with what is scrolled away. */
  private held: number | null = null;
  /** The crosshair is its own, not the mouse's. */
  private isDrawn = false;
  private of: string | undefined;
  private readonly told = document.createElement("p");
  private telling: ReturnType<typeof setTimeout> | undefined;
  /** One key after the other, also where one waits for older candles. */
  private turns: Promise<void> = Promise.resolve();
  private readonly stops: (() => void)[];

  constructor(private readonly host: ChartHost) {
    const { ground, chart } = host;
    this.told.className = "chart-told sr-only";
    this.told.setAttribute("role", "status");
    ground.append(this.told);
    const scale = chart.timeScale();
    const crossed = ({ sourceEvent }: MouseEventParams) => {
      if (!sourceEvent) return;
      // The mouse has it now, and the next key goes on from there.
      this.held = null;
      this.isDrawn = false;
    };
    const left = ({ relatedTarget }: FocusEvent) => ground.contains(relatedTarget as Node | null) || this.hide();
    chart.subscribeCrosshairMove(crossed);
    scale.subscribeVisibleLogicalRangeChange(this.draw);
    ground.addEventListener("focusout", left);
    this.stops = [
      () => chart.unsubscribeCrosshairMove(crossed),
      () => scale.unsubscribeVisibleLogicalRangeChange(this.draw),
      () => ground.removeEventListener("focusout", left),
      host.listen((news) => this.heard(news)),
    ];
  }

  get isHeld(): boolean {
    return this.held !== null;
  }

  /** `key` as an event has it; Escape lets go. `isFar`: it was pressed with Shift. */
  go(key: string, isFar: boolean) {
    if (key === "Escape") return this.letGo();
    this.turns = this.turns.then(() => this.step(key, isFar)).catch((error: unknown) => this.failed(error));
  }

  private failed(error: unknown) {
    // Other candles are shown by now.
    if (this.of !== nameOf(this.host)) return;
    if (!(error instanceof ApiError)) console.error("a key of the chart did nothing", error);
    this.tell(() => "Older candles could not be loaded. The same key tries it again.");
  }

  close() {
    clearTimeout(this.telling);
    for (const stop of this.stops) stop();
    this.told.remove();
  }

  private async step(key: string, isFar: boolean) {
    const { host } = this;
    const bars = host.bars();
    const shown = host.shown();
    if (!shown || bars.length === 0) return;
    this.of = nameOf(host);
    const [first, last] = this.inView();
    const stood = this.index() ?? host.cross()?.at ?? null;
    const steps = (key === "ArrowLeft" ? -1 : 1) * (isFar ? FAR : 1);
    let to = key === "Home" ? first : key === "End" || stood === null ? last : Math.min(stood, bars.length - 1) + steps;
    while (to < 0 && !host.isWhole()) {
      const [oldest] = host.bars();
      await host.more();
      if (host.shown() !== shown || !oldest) return;
      const older = indexOf(host, oldest.time) ?? 0;
      if (older === 0 && !host.isWhole()) return;
      to += older;
    }
    const at = Math.max(0, Math.min(to, host.bars().length - 1));
    this.held = host.bars()[at]?.time ?? null;
    this.isDrawn = true;
    this.reach(at);
    this.draw();
    this.tell(() => this.words());
  }

  /** Scrolls where this candle is not among those shown. */
  private reach(at: number) {
    const scale = this.host.chart.timeScale();
    const [first, last] = this.inView();
    const room = Math.min(ROOM, (last - first) / 4);
    const by = at < first ? at - room - first : at > last ? at + room - last : 0;
    // Also by none, where the key before has it scroll with the next picture: this one is the last word.
    scale.scrollToPosition(scale.scrollPosition() + by, false);
  }

  private readonly draw = () => {
    if (!this.isDrawn) return;
    const { chart, series } = this.host;
    const at = this.index();
    const bar = at === null ? undefined : this.host.bars()[at];
    if (at === null || !bar) return this.clear();
    const [first, last] = this.inView();
    // Where it is scrolled to with the next picture, the figures tell it already.
    if (at < first || at > last) chart.clearCrosshairPosition();
    else chart.setCrosshairPosition(bar.close, bar.time, series);
    const x = chart.timeScale().logicalToCoordinate(at as Logical);
    const y = series.priceToCoordinate(bar.close);
    this.host.point(x === null || y === null ? null : { at, x, y });
  };

  private clear() {
    this.host.chart.clearCrosshairPosition();
    this.host.point(null);
  }

  /** The keyboard is elsewhere; when it comes back, it goes on from the same candle. */
  private hide() {
    if (this.isDrawn) this.clear();
    this.isDrawn = false;
  }

  private letGo() {
    this.hide();
    this.held = null;
    clearTimeout(this.telling);
    this.told.textContent = "";
  }

  private heard(news: ChartNews) {
    if (news === "data" && this.of !== nameOf(this.host)) return this.letGo();
    // The crosshair itself stays with its candle; of the newest the price moves.
    if (news === "data" || (news === "tick" && this.index() === this.host.bars().length - 1)) this.draw();
  }

  /** The first and the last candle that are shown. */
  private inView(): [first: number, last: number] {
    const newest = this.host.bars().length - 1;
    const range = this.host.chart.timeScale().getVisibleLogicalRange();
    if (!range) return [0, newest];
    return [Math.max(0, Math.min(Math.ceil(range.from), newest)), Math.max(0, Math.min(Math.floor(range.to), newest))];
  }

  private index(): number | null {
    const at = this.held === null ? null : indexOf(this.host, this.held);
    return at === null ? null : Math.round(at);
  }

  /** Not while prices move: once for each place that a key led to. */
  private tell(words: () => string) {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => (this.told.textContent = words()), REST_MS);
  }

  private words(): string {
    const { host } = this;
    const at = this.index() ?? -1;
    const bars = host.bars();
    const bar = bars[at];
    const shown = host.shown();
    if (!bar || !shown) return "";
    const when = `${host.chart.options().localization.timeFormatter?.(bar.time) ?? ""} ${host.zone()}`;
    const place = at === bars.length - 1 ? " The newest candle." : at === 0 && host.isWhole() ? " The first candle." : "";
    return `${candleWords(shown.symbol, when, bar, bars[at - 1])}${place}`;
  }
}

const nameOf = ({ shown }: ChartHost) => `${shown()?.symbol} ${shown()?.interval}`;

/** A candle in a sentence, with its change from the close before, as the legend has it in figures. */
export function candleWords(symbol: string, when: string, { open, high, low, close }: Bar, before: Bar | undefined): string {
  const digits = digitsOf(symbol);
  const price = (value: number) => displayPrice(value.toFixed(digits), digits);
  const from = before?.close ?? open;
  const change = close - from;
  const moved = scaleText(Math.abs(change), digits);
  const turn = /[1-9]/.test(moved) ? `${change < 0 ? "down" : "up"} ${moved}, ${Math.abs((100 * change) / from).toFixed(2)}%` : "unchanged";
  return `${symbol}, ${when}: open ${price(open)}, high ${price(high)}, low ${price(low)}, close ${price(close)}, ${turn}.`;
}
