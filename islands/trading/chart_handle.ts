import { type IPriceLine, type ISeriesApi, type LineStyle } from "lightweight-charts";
import { pipOf } from "../../src/market/rules_listed";
import { digitsOf } from "../../src/trading/rules_prices";

/** What handles stand on. */
export type Ground = {
  ground: HTMLElement;
  series: ISeriesApi<"Candlestick">;
  /** A colour of the theme as it is now. */
  colour: (token: string) => string;
  /** How much of the top the figures there take, in pixels: nothing else stands on them. */
  headroom: () => number;
};

/** Something that stands at a price of the chart, and can be moved there. */
export type Mark = {
  /** Tells it from all others on the chart. */
  key: string;
  symbol: string;
  /** Where the server knows it, as decimal text; null: nowhere yet, it is offered. */
  price: string | null;
  tone: "loss" | "gain" | "accent";
  line: LineStyle;
  /** What its chip begins with: "Stop". */
  word: string;
  /** What a screen reader hears: "Stop of BUY EUR/USD, $1,000.00". */
  name: string;
  /** What stands beside its word at this price. */
  shown: (price: string) => string;
  /** Asks the server to move it; null takes it away. False after a refusal, which a toast has shown. */
  send: (price: string | null) => Promise<boolean>;
  /** Where it is offered, and where it begins; null: it is always there, and can't be taken away. */
  offer: { at: number; first: () => number } | null;
};

/** Under a thumb it reaches further than it is drawn. */
const CHIP =
  "absolute left-2 top-0 z-[3] focus:z-[4] inline-flex min-h-8 items-center whitespace-nowrap rounded-full border bg-surface px-2 text-note font-medium tabular-nums before:absolute before:inset-x-0 before:-inset-y-1.5 before:content-empty md:min-h-6 md:before:inset-y-0";
const TONES = { loss: "border-loss text-loss", gain: "border-gain text-gain", accent: "border-accent text-accent" };
/** What an arrow key moves for a coin, as a part of its price; for a pair it is one pip. */
const STEP_PART = 0.0005;

/** A handle's border and what is left free beside its words, on both sides together, in pixels. */
const SIDES = 18;
/** Half a handle's height, in pixels. */
const EDGE = 16;

/** A mark as a line with a handle: dragged by pointer, or moved by the arrow keys and confirmed with Enter. What the server refuses snaps back. */
export class Handle {
  private readonly element = document.createElement("div");
  private readonly words = this.element.appendChild(document.createElement("span"));
  private line: IPriceLine | null = null;
  /** Where it stands on the screen; null: there is none yet. */
  private at: number | null;
  /** It was moved and not sent yet. */
  private moving = false;
  /** The server is being asked. */
  private busy = false;
  /** What was decided while the server was being asked about what came before. */
  private next: { price: string | null } | null = null;
  private isLabelled = true;
  /** All its words. */
  private said = "";
  private measured: { width: number; height: number } | null = null;

  constructor(
    private readonly host: Ground,
    overlay: HTMLElement,
    private mark: Mark,
    /** Lets all handles find their places anew. */
    private readonly arrange: () => void,
  ) {
    this.at = this.saved;
    this.element.tabIndex = 0;
    this.element.addEventListener("pointerdown", this.grab);
    // What a swipe begins on is no press: an offer is taken by a click alone.
    this.element.addEventListener("click", () => this.at === null && this.begin());
    this.element.addEventListener("keydown", this.key);
    this.element.addEventListener("focus", this.arrange);
    this.element.addEventListener("blur", () => (this.moving ? this.back() : this.arrange()));
    this.words.className = "truncate";
    overlay.append(this.element);
    this.render();
  }

  /** It is another by now: the server or the price moved it. */
  take(mark: Mark) {
    this.mark = mark;
    if (!this.moving && !this.busy) this.at = this.saved;
    this.render();
  }

  remove() {
    if (this.line) this.host.series.removePriceLine(this.line);
    this.element.remove();
  }

  get isMoving(): boolean {
    return this.moving;
  }
  get isTurnedTo(): boolean {
    return document.activeElement === this.element;
  }

  /** How far from the chart's top it belongs now, in pixels; null: nowhere. What lies beyond the prices' scale waits at its edge, within reach. */
  top(): number | null {
    const { series } = this.host;
    const y = series.priceToCoordinate(this.at ?? this.mark.offer?.at ?? 0);
    this.element.hidden = y === null;
    if (y === null) return null;
    const high = series.getPane().getHeight();
    return Math.round(Math.min(Math.max(this.host.headroom() + EDGE, y), high - EDGE));
  }

  /** The chart has another width: on a narrow screen the same words stand in a higher handle. */
  resized() {
    this.measured = null;
  }

  /** Measured once for each text and width of the chart: at each of its drawings would be too often. */
  get size(): { width: number; height: number } {
    if (!this.measured) {
      this.element.style.maxWidth = "";
      this.words.textContent = this.said;
      this.measured = { width: this.element.offsetWidth, height: this.element.offsetHeight };
    }
    return this.measured;
  }

  /** What it is called and what it says, in a list. */
  get title(): string {
    return `${this.mark.name}${this.at === null ? "" : `, ${this.mark.shown(this.text)}`}`;
  }
  focus() {
    this.element.focus({ preventScroll: true });
  }

  /** `most`: no wider than so many pixels, showing so many whole words as have room. Stacked, it is not to be seen until it is turned to. */
  put({ left, top }: { left: number; top: number }, most: number | null, isStacked: boolean) {
    this.element.style.opacity = isStacked && !this.isTurnedTo ? "0" : "";
    this.element.style.pointerEvents = isStacked && !this.isTurnedTo ? "none" : "";
    this.element.style.translate = `${left}px calc(${top}px - 50%)`;
    this.element.style.maxWidth = most === null ? "" : `${most}px`;
    this.words.textContent = most === null ? this.said : this.within(most);
  }

  /** So many of its words as have room, at least one. */
  private within(most: number): string {
    const each = (this.size.width - SIDES) / this.said.length;
    const words = this.said.split(" ");
    while (words.length > 1 && words.join(" ").length * each + SIDES > most) words.pop();
    return words.join(" ").replace(/[ ,@]+$/, "");
  }

  private draw() {
    this.render();
    this.arrange();
  }

  /** Writes its words and its line, and leaves its place to the others' turn. */
  render() {
    this.measured = null;
    const { word, name, tone, shown } = this.mark;
    const { element, at } = this;
    element.className = `${CHIP} pointer-events-auto ${TONES[tone]} ${at === null ? "cursor-pointer border-dashed" : "cursor-ns-resize touch-none"} ${this.busy ? "opacity-60" : ""}`;
    element.setAttribute("aria-busy", String(this.busy));
    this.drawLine();
    if (at === null) {
      element.setAttribute("role", "button");
      for (const attribute of ["aria-valuenow", "aria-valuetext", "aria-valuemin", "aria-valuemax", "aria-orientation"]) element.removeAttribute(attribute);
      element.setAttribute("aria-label", `Add a ${name.replace(/^(\w+) of/, (_, of: string) => `${of.toLowerCase()} to`)}`);
      this.said = `+ ${word}`;
    } else {
      const text = shown(this.text);
      const attributes = { role: "slider", "aria-orientation": "vertical", "aria-label": name, "aria-valuetext": text };
      for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
      element.setAttribute("aria-valuemin", "0");
      element.setAttribute("aria-valuemax", String(at * 2));
      element.setAttribute("aria-valuenow", String(at));
      this.said = `${word} ${text}${this.moving ? " · Enter sets it" : ""}`;
    }
    this.words.textContent = this.said;
  }

  /** Whether its price stands at the scale; where that has no room for all of them, it does while it is turned to. */
  label(isShown: boolean) {
    if (this.isLabelled === isShown) return;
    this.isLabelled = isShown;
    this.drawLine();
  }

  private drawLine() {
    const { series, colour } = this.host;
    if (this.at === null) {
      if (this.line) series.removePriceLine(this.line);
      this.line = null;
      return;
    }
    const { tone, line: lineStyle } = this.mark;
    const load = { price: this.at, color: colour(tone), lineStyle, lineWidth: 1, axisLabelVisible: this.isLabelled, title: "" } as const;
    if (this.line) this.line.applyOptions(load);
    else this.line = series.createPriceLine(load);
  }

  private get saved(): number | null {
    const { price } = this.mark;
    return price === null ? null : Number(price);
  }
  /** The price as the server knows it, or where it was moved, with the instrument's digits. */
  private get text(): string {
    return this.at === this.saved && this.mark.price !== null ? this.mark.price : (this.at ?? 0).toFixed(digitsOf(this.mark.symbol));
  }

  private move(price: number) {
    this.moving = true;
    this.at = Math.max(10 ** -digitsOf(this.mark.symbol), price);
    this.draw();
  }

  private back() {
    this.moving = false;
    this.at = this.saved;
    this.draw();
  }

  /** One question at a time; what is moved and sent meanwhile is kept, and asked next. */
  private async send(price: string | null) {
    this.moving = false;
    this.next = { price };
    if (this.busy) return;
    this.busy = true;
    while (this.next) {
      const { price } = this.next;
      this.next = null;
      this.draw();
      const done = await this.mark.send(price);
      if (this.moving || this.next) continue;
      if (!done) this.at = this.saved;
      else this.at = price === null ? null : Number(price);
    }
    this.busy = false;
    this.draw();
  }

  private readonly grab = (event: PointerEvent) => {
    if (event.button !== 0 || this.at === null) return;
    event.preventDefault();
    this.element.focus();
    const { ground, series } = this.host;
    const from = event.clientY;
    // It may stand in another row than its price's.
    const own = this.top();
    let dragged = false;
    const go = (moved: PointerEvent) => {
      if (!dragged && Math.abs(moved.clientY - from) < 3) return;
      dragged = true;
      const price = series.coordinateToPrice(own === null ? moved.clientY - ground.getBoundingClientRect().top : own + moved.clientY - from);
      if (price !== null) this.move(price);
    };
    const stop = (ended: PointerEvent) => {
      for (const [name, listener] of [
        ["pointermove", go],
        ["pointerup", stop],
        ["pointercancel", stop],
      ] as const)
        this.element.removeEventListener(name, listener);
      if (ended.type === "pointercancel") this.back();
      else if (dragged || this.moving) void this.send(this.text);
    };
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener("pointermove", go);
    this.element.addEventListener("pointerup", stop);
    this.element.addEventListener("pointercancel", stop);
  };

  private begin() {
    if (this.mark.offer) this.move(this.mark.offer.first());
  }

  private readonly key = (event: KeyboardEvent) => {
    const step = pipOf(this.mark.symbol) ? pipOf(this.mark.symbol) / 1e8 : (this.at ?? 0) * STEP_PART;
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (this.at === null) {
      if (event.key !== "Enter" && event.key !== " ") return;
      this.begin();
    } else if (steps) this.move(this.at + step * steps * (event.shiftKey ? 10 : 1));
    else if (event.key === "Enter" && this.moving) void this.send(this.text);
    else if (event.key === "Escape" && this.moving) this.back();
    else if (event.key === "Delete" && this.mark.offer && this.saved !== null) void this.send(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
