import { type IPriceLine, type ISeriesApi, LineStyle } from "lightweight-charts";
import { displayMoney, priceUnits, profitOf } from "../../src/lib/money";
import type { Position } from "../../src/trading/schema";
import { pipOf } from "../../src/market/schema";
import { dealPrice, digitsOf, sideWord } from "../../src/trading/rules_prices";

export type ExitKind = "stopLoss" | "takeProfit";
/** Asks the server to move an exit; a null price removes it. False after a refusal, which a toast has shown. */
export type MoveExit = (position: Position, kind: ExitKind, price: string | null) => Promise<boolean>;

type Host = {
  ground: HTMLElement;
  series: ISeriesApi<"Candlestick">;
  colour: (token: string) => string;
  /** The newest price shown. */
  last: () => number | null;
  move: MoveExit;
};

const KINDS = {
  stopLoss: { word: "Stop", colour: "loss" },
  takeProfit: { word: "Target", colour: "gain" },
} as const;

const CHIP =
  "absolute left-2 top-0 z-[3] focus:z-[4] inline-flex min-h-8 items-center whitespace-nowrap rounded-full border bg-surface px-2.5 text-note font-medium tabular-nums md:min-h-6";
/** A new exit begins so many pips away; for a coin this part of its price. */
const FIRST_PIPS = 20;
const FIRST_PART = 0.005;
/** What an arrow key moves for a coin; for a pair it is one pip. */
const STEP_PART = 0.0005;

/** Heights in pixels: half a handle, and the scale of time below the candles. */
const EDGE = 16;
const AXIS = 28;

/**
 * Stops and targets as handles on the chart: dragged by pointer, or moved by the arrow keys and confirmed with Enter. What the
 * server refuses snaps back.
 */
export class ExitHandles {
  private readonly handles = new Map<string, Handle>();
  private readonly overlay = document.createElement("div");

  constructor(private readonly host: Host) {
    this.overlay.className = "pointer-events-none absolute inset-0 z-[3] overflow-hidden";
    host.ground.append(this.overlay);
    // The chart calls this at each of its own drawings: the scale may have moved.
    host.series.attachPrimitive({ updateAllViews: () => this.place() });
  }

  mark(positions: readonly Position[]) {
    const wanted = new Map(
      positions.flatMap((position) => (["stopLoss", "takeProfit"] as const).map((kind) => [`${position.id} ${kind}`, { position, kind }])),
    );
    for (const [key, handle] of this.handles)
      if (!wanted.has(key)) {
        handle.remove();
        this.handles.delete(key);
      }
    for (const [key, { position, kind }] of wanted) {
      const known = this.handles.get(key);
      if (known) known.take(position);
      else this.handles.set(key, new Handle(this.host, this.overlay, position, kind));
    }
    this.place();
  }

  /** The theme has changed. */
  recolour() {
    for (const handle of this.handles.values()) handle.draw();
  }

  private place() {
    for (const handle of this.handles.values()) handle.place();
  }
}

class Handle {
  private readonly element = document.createElement("div");
  private line: IPriceLine | null = null;
  /** Where it stands on the screen; null: there is none yet. */
  private at: number | null;
  /** It was moved and not sent yet. */
  private moving = false;
  /** The server is being asked. */
  private busy = false;
  /** What was decided while the server was being asked about what came before. */
  private next: { price: string | null } | null = null;

  constructor(
    private readonly host: Host,
    overlay: HTMLElement,
    private position: Position,
    private readonly kind: ExitKind,
  ) {
    this.at = this.saved;
    this.element.tabIndex = 0;
    this.element.addEventListener("pointerdown", this.grab);
    // What a swipe begins on is no press: an offer is taken by a click alone.
    this.element.addEventListener("click", () => this.at === null && this.begin());
    this.element.addEventListener("keydown", this.key);
    this.element.addEventListener("blur", () => this.moving && this.back());
    overlay.append(this.element);
    this.draw();
  }

  take(position: Position) {
    this.position = position;
    if (!this.moving && !this.busy) this.at = this.saved;
    this.draw();
  }

  remove() {
    if (this.line) this.host.series.removePriceLine(this.line);
    this.element.remove();
  }

  place() {
    const { series, ground } = this.host;
    const y = series.priceToCoordinate(this.at ?? Number(this.position.openPrice));
    this.element.hidden = y === null;
    if (y === null) return;
    // What lies beyond the scale waits at its edge, within reach.
    const top = Math.min(Math.max(y, EDGE), ground.clientHeight - AXIS - EDGE);
    // Without an exit yet, both offers stand beside each other on the opening price.
    const x = this.at === null && this.kind === "takeProfit" ? 76 : 0;
    this.element.style.translate = `${x}px calc(${Math.round(top)}px - 50%)`;
  }

  draw() {
    const { word, colour } = KINDS[this.kind];
    const { symbol, type, amount } = this.position;
    const of = `${sideWord(type)} ${symbol}, ${displayMoney(amount)}`;
    const { element, at } = this;
    const tone = colour === "loss" ? "border-loss text-loss" : "border-gain text-gain";
    element.className = `${CHIP} pointer-events-auto ${tone} ${at === null ? "cursor-pointer border-dashed" : "cursor-ns-resize touch-none"} ${this.busy ? "opacity-60" : ""}`;
    element.setAttribute("aria-busy", String(this.busy));
    this.drawLine(colour);
    if (at === null) {
      element.setAttribute("role", "button");
      for (const name of ["aria-valuenow", "aria-valuetext", "aria-valuemin", "aria-valuemax", "aria-orientation"]) element.removeAttribute(name);
      element.setAttribute("aria-label", `Add a ${word.toLowerCase()} to ${of}`);
      element.textContent = `+ ${word}`;
    } else {
      const shown = `${dealPrice(this.text, symbol)}, ${this.result}`;
      const attributes = { role: "slider", "aria-orientation": "vertical", "aria-label": `${word} of ${of}`, "aria-valuetext": shown };
      for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
      element.setAttribute("aria-valuemin", "0");
      element.setAttribute("aria-valuemax", String(at * 2));
      element.setAttribute("aria-valuenow", String(at));
      element.textContent = `${word} ${shown}${this.moving ? " · Enter sets it" : ""}`;
    }
    this.place();
  }

  private drawLine(colour: string) {
    const { series } = this.host;
    if (this.at === null) {
      if (this.line) series.removePriceLine(this.line);
      this.line = null;
      return;
    }
    const load = { price: this.at, color: this.host.colour(colour), lineStyle: LineStyle.Dashed, lineWidth: 1, axisLabelVisible: true, title: "" } as const;
    if (this.line) this.line.applyOptions(load);
    else this.line = series.createPriceLine(load);
  }

  private get saved(): number | null {
    const price = this.position[this.kind];
    return price === null ? null : Number(price);
  }
  /** The price as it is sent: with the instrument's digits. */
  private get text(): string {
    return (this.at ?? 0).toFixed(digitsOf(this.position.symbol));
  }
  private get result(): string {
    const { type, amount, openPrice } = this.position;
    return openPrice ? displayMoney(profitOf(type, amount, priceUnits(openPrice), priceUnits(this.text)), { sign: true }) : "";
  }

  private move(price: number) {
    this.moving = true;
    this.at = Math.max(10 ** -digitsOf(this.position.symbol), price);
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
      const done = await this.host.move(this.position, this.kind, price);
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
    let dragged = false;
    const go = (moved: PointerEvent) => {
      if (!dragged && Math.abs(moved.clientY - from) < 3) return;
      dragged = true;
      const price = series.coordinateToPrice(moved.clientY - ground.getBoundingClientRect().top);
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

  /** A first proposal, on the side where it would be taken. */
  private begin() {
    const { type, symbol, openPrice } = this.position;
    const from = this.host.last() ?? Number(openPrice);
    const away = pipOf(symbol) ? (FIRST_PIPS * pipOf(symbol)) / 1e8 : from * FIRST_PART;
    this.move((type === "buy") === (this.kind === "takeProfit") ? from + away : from - away);
  }

  private readonly key = (event: KeyboardEvent) => {
    const step = pipOf(this.position.symbol) ? pipOf(this.position.symbol) / 1e8 : (this.at ?? 0) * STEP_PART;
    const steps = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (this.at === null) {
      if (event.key !== "Enter" && event.key !== " ") return;
      this.begin();
    } else if (steps) this.move(this.at + step * steps * (event.shiftKey ? 10 : 1));
    else if (event.key === "Enter" && this.moving) void this.send(this.text);
    else if (event.key === "Escape" && this.moving) this.back();
    else if (event.key === "Delete" && this.saved !== null) void this.send(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
