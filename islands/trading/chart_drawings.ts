import type { IPrimitivePaneRenderer, ISeriesPrimitive, MouseEventParams, Time } from "lightweight-charts";
import { pipOf } from "../../src/market/rules_listed";
import { type Drawing, type Point, type Tool, TOOLS } from "../../src/trading/schema_layouts";
import { atTurnsEnd } from "../runtime/idle";
import type { ChartHost } from "./chart_host";
import { REACH, takeBodies } from "./chart_body";
import { Grip, type Heard as GripHeard } from "./chart_grip";
import { indexOf, middlePoints, pointAt, spotOf, timeAt } from "./chart_place";
import { distanceTo, measureWords, paint, type Spot, TOOL_WORDS } from "./chart_shapes";

type Canvas = Parameters<IPrimitivePaneRenderer["draw"]>[0];

/** What an arrow key moves a coin's price by, as a part of it; a pair's is one pip. */
const STEP_PART = 0.0005;
/** What moves no further than so many pixels is a press. */
const STILL_PX = 8;

type Heard = {
  /** They were made, moved, written or deleted here. */
  changed: (drawings: Drawing[]) => void;
  /** One was turned to (its place in the list), or none any more. */
  chose: (at: number | null) => void;
  /** Points of this are being placed, so many are; null: no more. */
  armed: (tool: Tool | null, placed: number) => void;
};

/**
 * The drawings of the symbol on the chart. Each has a grip that moves it, and once it is turned to one for each of its points: by mouse, by
 * finger, or by the arrow keys; Delete removes it. A new one is placed point by point, or by Enter in the middle of the screen.
 */
export class ChartDrawings implements ISeriesPrimitive<Time> {
  private all: Drawing[] = [];
  private chosen: number | null = null;
  private tool: Tool | null = null;
  private placed: Point[] = [];
  private down: PointerEvent | null = null;
  private preview: Point | null = null;
  private grips: { grip: Grip; spot: () => Spot | null }[] = [];
  private built = "";
  /** The lists that were told of: they come back when the page is drawn, which may be after the next key. */
  private readonly told = new WeakSet<readonly Drawing[]>();
  private readonly overlay = document.createElement("div");
  private readonly views = [{ renderer: () => ({ draw: (target: Canvas) => this.draw(target) }) }];
  private readonly stops: (() => void)[];

  constructor(
    private readonly host: ChartHost,
    private readonly heard: Heard,
  ) {
    const { ground, chart, series } = host;
    this.overlay.className = "pointer-events-none absolute inset-0 z-[4] overflow-hidden";
    ground.append(this.overlay);
    const down = (event: PointerEvent) => void (this.down = event.button === 0 && event.isPrimary ? event : null);
    // The chart's own clicks leave out the second of two in a row.
    const up = (event: PointerEvent) => {
      const { down } = this;
      this.down = null;
      if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > STILL_PX) return;
      const box = ground.getBoundingClientRect();
      this.place({ x: event.clientX - box.left, y: event.clientY - box.top });
    };
    const moved = ({ point }: MouseEventParams) => {
      if (!this.tool) return;
      this.preview = point ? pointAt(host, point) : null;
    };
    const key = (event: KeyboardEvent) => this.key(event);
    ground.addEventListener("pointerdown", down);
    ground.addEventListener("pointerup", up);
    chart.subscribeCrosshairMove(moved);
    ground.addEventListener("keydown", key);
    series.attachPrimitive(this);
    this.stops = [
      () => ground.removeEventListener("pointerdown", down),
      () => ground.removeEventListener("pointerup", up),
      () => chart.unsubscribeCrosshairMove(moved),
      () => ground.removeEventListener("keydown", key),
      takeBodies(ground, { at: this.at, isChosen: (of) => of === this.chosen, heardOf: (of) => this.heardOf(of, null) }),
      () => series.detachPrimitive(this),
      host.listen((news) => news !== "tick" && this.build()),
    ];
  }

  // What the chart asks of a primitive ------------------------------------------------------------------------------------

  paneViews = () => this.views;
  updateAllViews = atTurnsEnd(() => this.seat());
  hitTest = (x: number, y: number) => {
    const of = this.at({ x, y }, REACH.mouse);
    return of === null ? null : { cursorStyle: "move", externalId: `drawing ${of}`, zOrder: "top" as const };
  };

  // What a person does -----------------------------------------------------------------------------------------------------

  show(drawings: readonly Drawing[]) {
    if (drawings === this.all || this.told.has(drawings)) return;
    this.all = [...drawings];
    this.build();
    this.redraw();
  }

  /** The next presses on the chart place the points of one of these. */
  arm(tool: Tool | null) {
    this.tool = tool;
    this.placed = [];
    this.preview = null;
    this.host.ground.classList.toggle("cursor-crosshair", tool !== null);
    this.heard.armed(tool, 0);
    if (tool) {
      this.choose(null);
      this.host.ground.focus({ preventScroll: true });
    }
    this.redraw();
  }

  choose(at: number | null) {
    if (this.chosen === at) return;
    this.chosen = at;
    this.heard.chose(at);
    this.build();
    this.redraw();
  }

  remove(at: number) {
    this.chosen = null;
    this.heard.chose(null);
    this.change(this.all.filter((_, index) => index !== at));
    this.host.ground.focus({ preventScroll: true });
  }

  close() {
    for (const stop of this.stops) stop();
    this.overlay.remove();
    this.grips = [];
  }

  private change(drawings: Drawing[]) {
    this.all = drawings;
    this.build();
    this.redraw();
    this.tell();
  }

  private tell() {
    this.told.add(this.all);
    this.heard.changed(this.all);
  }

  private place(spot: Spot) {
    const { tool } = this;
    const point = tool && pointAt(this.host, spot);
    if (!tool || !point || spot.x > this.width() || spot.y > this.height()) return;
    this.placed.push(point);
    if (this.placed.length === TOOLS[tool]) this.finish(this.placed);
    else {
      this.heard.armed(tool, this.placed.length);
      this.redraw();
    }
  }

  private finish(points: Point[]) {
    const symbol = this.host.shown()?.symbol;
    const { tool } = this;
    this.arm(null);
    if (!tool || !symbol) return;
    this.change([...this.all, { symbol, tool, points, text: tool === "text" ? "Text" : "" }]);
    this.choose(this.all.length - 1);
    this.grips.find(({ grip }) => grip.of === this.all.length - 1)?.grip.focus();
  }

  private key(event: KeyboardEvent) {
    if (event.key === "Escape" && this.tool) this.arm(null);
    else if (event.key === "Escape" && this.chosen !== null) this.choose(null);
    else if (event.key === "Enter" && this.tool && event.target === this.host.ground) {
      const points = middlePoints(this.host, this.height(), TOOLS[this.tool]);
      if (points.length === TOOLS[this.tool]) this.finish(points);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // Grips ------------------------------------------------------------------------------------------------------------------

  /** Makes the grips anew where there are others than before; those that stay keep what has the keyboard. */
  private build() {
    const symbol = this.host.shown()?.symbol;
    const wanted = this.all.flatMap((drawing, of) =>
      drawing.symbol === symbol ? [{ of, tool: drawing.tool, count: of === this.chosen ? drawing.points.length : 0 }] : [],
    );
    const built = JSON.stringify(wanted);
    if (built === this.built) return this.seat();
    this.built = built;
    const focused = this.grips.find(({ grip }) => grip.isTurnedTo)?.grip;
    for (const { grip } of this.grips) grip.remove();
    this.grips = wanted.flatMap(({ of, tool, count }) => {
      const words = TOOL_WORDS[tool];
      const whole = { grip: this.gripOf(of, tool, null, words), spot: () => this.middleOf(of) };
      if (count < 2) return [whole];
      return [
        whole,
        ...Array.from({ length: count }, (_, point) => ({
          grip: this.gripOf(of, tool, point, `Point ${point + 1} of ${words.toLowerCase()}`),
          spot: () => this.spotOf(of, point),
        })),
      ];
    });
    this.seat();
    if (focused) this.grips.find(({ grip }) => grip.of === focused.of && grip.point === focused.point)?.grip.focus();
  }

  private gripOf(of: number, tool: Tool, point: number | null, name: string) {
    return new Grip(this.overlay, { of, tool, point, name, isChosen: of === this.chosen }, this.heardOf(of, point));
  }

  /** What is done with a drawing, or with one of its points. */
  private heardOf(of: number, point: number | null): GripHeard {
    const { host } = this;
    return {
      chosen: () => {
        this.choose(of);
        this.grips.find(({ grip }) => grip.of === of && grip.point === point)?.grip.focus();
      },
      dragged: (from, by) => this.shift(of, point, from, by),
      begun: () => structuredClone(this.all[of]?.points ?? []),
      stepped: (candles, steps) => {
        const drawing = this.all[of];
        if (!drawing) return;
        const step = pipOf(drawing.symbol) ? pipOf(drawing.symbol) / 1e8 : (drawing.points[0]?.price ?? 0) * STEP_PART;
        this.put(of, point, ({ time, price }) => {
          const index = indexOf(host, time);
          return { time: (index === null || candles === 0 ? null : timeAt(host, index + candles)) ?? time, price: Math.max(1e-8, price + step * steps) };
        });
      },
      ended: () => this.tell(),
      removed: () => this.remove(of),
      left: () => {
        this.choose(null);
        host.ground.focus({ preventScroll: true });
      },
    };
  }

  /** The drawing that is nearest to this spot, the one turned to before all, where one is within reach and no points are being placed. */
  private readonly at = (spot: Spot, reach: number): number | null => {
    const symbol = this.host.shown()?.symbol;
    if (!symbol || this.tool || spot.x > this.width() || spot.y > this.height()) return null;
    const ground = { width: this.width(), height: this.height(), yOf: (price: number) => this.host.series.priceToCoordinate(price) };
    let nearest: { of: number; away: number } | null = null;
    for (const [of, drawing] of this.all.entries()) {
      if (drawing.symbol !== symbol) continue;
      const spots = drawing.points.flatMap((point) => spotOf(this.host, point) ?? []);
      if (spots.length < drawing.points.length) continue;
      const away = distanceTo(drawing, spots, ground, spot);
      if (away <= reach && of === this.chosen) return of;
      if (away <= reach && (!nearest || away < nearest.away)) nearest = { of, away };
    }
    return nearest?.of ?? null;
  };

  /** Moves it, or one of its points, by so many pixels from where its points were. */
  private shift(of: number, point: number | null, from: readonly Point[], by: Spot) {
    this.put(of, point, (_, at) => {
      const was = from[at];
      const spot = was && spotOf(this.host, was);
      return (spot && pointAt(this.host, { x: spot.x + by.x, y: spot.y + by.y })) ?? was ?? _;
    });
  }

  private put(of: number, point: number | null, to: (point: Point, at: number) => Point) {
    this.all = this.all.map((each, index) =>
      index === of ? { ...each, points: each.points.map((old, at) => (point === null || point === at ? to(old, at) : old)) } : each,
    );
    this.seat();
    this.redraw();
  }

  private spotOf(of: number, point: number): Spot | null {
    const found = this.all[of]?.points[point];
    return found ? spotOf(this.host, found) : null;
  }

  /** Where it is taken hold of: a line in its middle, what has one point at it. */
  private middleOf(of: number): Spot | null {
    const drawing = this.all[of];
    const spots = (drawing?.points ?? []).map((point) => spotOf(this.host, point));
    const [a, b] = spots;
    if (!drawing || !a) return null;
    if (drawing.tool === "horizontal") return { x: Math.max(24, Math.min(a.x, this.width() - 24)), y: a.y };
    if (drawing.tool === "vertical") return { x: a.x, y: Math.max(24, Math.min(a.y, this.height() - 24)) };
    return b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : a;
  }

  private width = () => this.host.ground.clientWidth - this.host.chart.priceScale("right").width();
  private height = () => this.host.chart.panes()[0]?.getHeight() ?? this.host.ground.clientHeight;

  private seat() {
    for (const { grip, spot } of this.grips) {
      const at = spot();
      const held = at && { x: Math.max(0, Math.min(at.x, this.width())), y: Math.max(0, Math.min(at.y, this.height())) };
      // Hidden it would lose the keyboard, and the next press of a key with it: it waits at the edge.
      grip.put(held && (grip.isTurnedTo || (held.x === at.x && held.y === at.y)) ? held : null);
      if (this.all[grip.of]) grip.say(this.wordsOf(grip.of, grip.point));
    }
  }

  private wordsOf(of: number, point: number | null): string {
    const drawing = this.all[of];
    if (!drawing) return "";
    if (drawing.tool === "measure" && point === null) return this.measured(drawing);
    const of_ = (point === null ? drawing.points : drawing.points.slice(point, point + 1)).map(({ price }) => price.toPrecision(7));
    return [drawing.text, of_.join(" to ")].filter(Boolean).join(", ");
  }

  private measured(drawing: Drawing): string {
    const [from, to] = drawing.points.map(({ time }) => Math.round(indexOf(this.host, time) ?? 0));
    return measureWords(drawing, (to ?? 0) - (from ?? 0));
  }

  // Painting ---------------------------------------------------------------------------------------------------------------

  private redraw() {
    // The chart draws its primitives when something of it changed.
    this.host.series.applyOptions({});
  }

  private draw(target: Canvas) {
    const { host } = this;
    const symbol = host.shown()?.symbol;
    if (!symbol) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
      const begun =
        this.tool && this.placed.length > 0 ? [{ symbol, tool: this.tool, points: [...this.placed, ...(this.preview ? [this.preview] : [])], text: "" }] : [];
      for (const [at, drawing] of [...this.all, ...begun].entries()) {
        if (drawing.symbol !== symbol) continue;
        const spots = drawing.points.flatMap((point) => spotOf(host, point) ?? []);
        if (spots.length < drawing.points.length) continue;
        const color = host.colour(at === this.chosen ? "warn" : "accent");
        context.save();
        paint(
          { context, width, height, color, faint: `${color}22`, ink: host.colour("ink") },
          drawing,
          spots,
          drawing.tool === "measure" ? this.measured(drawing) : "",
          (price) => host.series.priceToCoordinate(price),
        );
        context.restore();
      }
    });
  }
}
