import { displayPrice } from "../../src/lib/money";
import { digitsOf } from "../../src/trading/rules_prices";
import { afterPaint } from "../runtime/idle";
import type { Bar, ChartHost } from "./chart_host";
import { day } from "./chart_legend";

/** How many candles an arrow key goes at once with Shift, and by how much one key brings them nearer. */
const FAR = 10;
const NEARER = 1.25;
/** So many candles stay in sight beside the one that is pointed at. */
const BESIDE = 2;

/**
 * The chart by keyboard, where it has the focus: the arrow keys lead the crosshair from candle to candle, with Shift by ten, Home and End to the
 * first and the newest that there are, plus and minus bring them nearer and away, Escape leaves. The candle is told as it is come to; `point` hears
 * which one it is, null: none.
 */
export class ChartKeys {
  private pointed: Bar["time"] | null = null;
  private readonly told = document.createElement("p");
  private unasked = () => {};
  private readonly stop: () => void;

  constructor(
    private readonly host: ChartHost,
    private readonly point: (at: number | null) => void,
  ) {
    const { ground } = host;
    this.told.className = "sr-only";
    this.told.setAttribute("role", "status");
    ground.append(this.told);
    ground.addEventListener("keydown", this.press);
    ground.addEventListener("blur", this.leave);
    this.stop = host.listen((news) => news === "data" && this.pointed !== null && this.cross());
  }

  close() {
    const { ground } = this.host;
    this.unasked();
    this.stop();
    this.told.remove();
    ground.removeEventListener("keydown", this.press);
    ground.removeEventListener("blur", this.leave);
  }

  readonly press = (event: KeyboardEvent) => {
    const { ground, bars } = this.host;
    const newest = bars().length - 1;
    if (event.target !== ground || event.ctrlKey || event.metaKey || event.altKey || newest < 0) return;
    const known = this.whereabouts();
    const from = known < 0 ? newest : known;
    const far = event.shiftKey ? FAR : 1;
    const to = { ArrowLeft: from - far, ArrowRight: from + far, Home: 0, End: newest }[event.key];
    const by = { "+": NEARER, "=": NEARER, "-": 1 / NEARER }[event.key];
    if (to !== undefined) this.go(Math.max(0, Math.min(to, newest)));
    else if (by) this.zoom(by);
    else if (event.key === "Escape" && this.pointed !== null) this.leave();
    else return;
    event.preventDefault();
  };

  private readonly whereabouts = () => this.host.bars().findIndex(({ time }) => time === this.pointed);

  private go(at: number) {
    const { chart, bars, shown } = this.host;
    const scale = chart.timeScale();
    const bar = bars()[at];
    const range = scale.getVisibleLogicalRange();
    const of = shown();
    if (!range || !bar || !of) return;
    this.pointed = bar.time;
    const by = Math.min(0, at - BESIDE - range.from) + Math.max(0, at + BESIDE - range.to);
    if (by !== 0) scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by });
    this.point(at);
    this.told.textContent = candleWords(of.symbol, bar);
    // Where it stands is known once the candles have moved.
    this.unasked();
    this.unasked = afterPaint(() => this.cross());
  }

  private zoom(by: number) {
    const scale = this.host.chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (range) scale.setVisibleLogicalRange({ from: range.to - (range.to - range.from) / by, to: range.to });
  }

  private cross() {
    const { chart, series, bars } = this.host;
    const at = this.whereabouts();
    const bar = bars()[at];
    if (!bar) return this.leave();
    chart.setCrosshairPosition(bar.close, bar.time, series);
    this.point(at);
  }

  private readonly leave = () => {
    this.unasked();
    if (this.pointed === null) return;
    this.pointed = null;
    this.host.chart.clearCrosshairPosition();
    this.point(null);
    this.told.textContent = "";
  };
}

/** A candle in words. */
function candleWords(symbol: string, bar: Bar): string {
  const digits = digitsOf(symbol);
  const price = (value: number) => displayPrice(value.toFixed(digits), digits);
  return `${day(bar)} UTC: open ${price(bar.open)}, high ${price(bar.high)}, low ${price(bar.low)}, close ${price(bar.close)}`;
}
