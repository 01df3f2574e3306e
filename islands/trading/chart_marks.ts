import type { IPriceLine } from "lightweight-charts";
import { sideWord } from "../../src/trading/rules_prices";
import type { Position } from "../../src/trading/schema";
import { atTurnsEnd } from "../runtime/idle";
import { ChartAlerts } from "./chart_alerts";
import { exitMarks } from "./chart_exits";
import { Handle } from "./chart_handle";
import type { Host } from "./chart_host";
import { NARROW_PX } from "./chart_legend";
import { ChartMenu } from "./chart_menu";
import { orderMarks, plannedExits } from "./chart_orders";
import { GAP, rowsFrom } from "./chart_rows";
import { ChartStack } from "./chart_stack";

/** What stands on a chart besides its candles: waiting orders, stops and targets with their handles, alerts, and the menu of a price. */
export class ChartMarks {
  private readonly handles = new Map<string, Handle>();
  private readonly overlay = document.createElement("div");
  private marked: readonly Position[] = [];
  private planned: IPriceLine[] = [];
  private titles: string[] = [];
  private isPlanLabelled = true;
  /** How wide the chart was when the handles were measured, in pixels. */
  private wide = 0;
  private readonly alerts: ChartAlerts;
  private readonly menu: ChartMenu;
  private readonly stack: ChartStack;

  constructor(private readonly host: Host) {
    this.overlay.className = "pointer-events-none absolute inset-0 z-[3] overflow-hidden";
    host.ground.append(this.overlay);
    this.alerts = new ChartAlerts(host);
    this.menu = new ChartMenu(host);
    this.stack = new ChartStack(this.overlay);
    // The scale may have moved. The chart says so for each of its series and again as it draws: to measure each time would be the most that a tick costs.
    host.series.attachPrimitive({ updateAllViews: atTurnsEnd(this.place) });
  }

  /** Draws the handles of these positions and orders, and of no others; and where stop and target of the orders will stand. */
  mark(positions: readonly Position[]) {
    this.marked = positions;
    this.drawPlanned();
    const marks = positions.flatMap((each) => (each.status === "open" ? exitMarks(each, this.host.last) : orderMarks(each)));
    const wanted = new Map(marks.map((mark) => [mark.key, mark]));
    for (const [key, handle] of this.handles)
      if (!wanted.has(key)) {
        handle.remove();
        this.handles.delete(key);
      }
    for (const [key, mark] of wanted) {
      const known = this.handles.get(key);
      if (known) known.take(mark);
      else this.handles.set(key, new Handle(this.host, this.overlay, mark, this.place));
    }
    this.place();
  }

  /** The theme or the instrument has changed. */
  redraw() {
    for (const handle of this.handles.values()) handle.render();
    this.place();
    this.drawPlanned();
    this.alerts.draw();
  }

  private drawPlanned() {
    const { series, colour, ground } = this.host;
    for (const line of this.planned) series.removePriceLine(line);
    const exits = this.marked.filter(({ status }) => status === "pending").flatMap((order) => plannedExits(order, colour, ground.clientWidth < NARROW_PX));
    this.planned = exits.map((line) => series.createPriceLine({ ...line, axisLabelVisible: this.isPlanLabelled }));
    this.titles = this.marked.filter(({ status }) => status === "open").map(({ type }) => sideWord(type));
  }

  /** How far in from the scale the words reach that lines have there, in pixels: no handle stands on them. */
  private get worded(): number {
    const longest = Math.max(
      0,
      ...[...(this.isPlanLabelled ? this.planned.map((line) => line.options().title) : []), ...this.titles, ...this.alerts.titles].map(({ length }) => length),
    );
    return longest > 0 ? longest * LETTER + GAP * 2 : 0;
  }

  /**
   * The chart parts the prices at its scale, from the newest one up and down, as far as it is high; more of them would cover each other and that one. Then
   * where stops and targets of orders will stand goes unsaid there, and next the orders' own prices, but for the one that is turned to.
   */
  private label(high: number) {
    const { series, last } = this.host;
    const newest = Math.min(Math.max(0, series.priceToCoordinate(last() ?? 0) ?? high / 2), high);
    const haveRoom = (prices: readonly number[]) => {
      const heights = prices.map((price) => series.priceToCoordinate(price) ?? -1).filter((y) => y >= 0 && y <= high);
      const above = heights.filter((y) => y < newest).length;
      return (above + 0.5) * LABEL <= newest && (heights.length - above + 0.5) * LABEL <= high - newest;
    };
    const own = this.marked.flatMap(pricesOf);
    const isPlanLabelled = haveRoom([...own, ...this.planned.map((line) => line.options().price)]);
    const areOwn = isPlanLabelled || haveRoom(own);
    for (const handle of this.handles.values()) handle.label(areOwn || handle.isTurnedTo || handle.isMoving);
    if (this.isPlanLabelled === isPlanLabelled) return;
    this.isPlanLabelled = isPlanLabelled;
    for (const line of this.planned) line.applyOptions({ axisLabelVisible: isPlanLabelled });
  }

  close() {
    this.handles.clear();
    this.alerts.close();
    this.menu.close();
  }

  /**
   * Puts each handle at its price; where others stand there, to the right of them, and where there is no room, in the nearest row that has.
   * Where the chart is too small for all of them as they are, they show so many of their words as have room, until they are turned to.
   */
  readonly place = () => {
    if (this.handles.size === 0) return this.stack.offer([], 0);
    const { chart, ground, series, headroom } = this.host;
    const [top, high] = [headroom(), series.getPane().getHeight()];
    if (this.wide !== ground.clientWidth) {
      this.wide = ground.clientWidth;
      for (const handle of this.handles.values()) handle.resized();
    }
    this.label(high);
    const whole = ground.clientWidth - chart.priceScale("right").width();
    let wide = whole - this.worded;
    const all = [...this.handles.values()].flatMap((handle) => {
      const at = handle.top();
      return at === null ? [] : [{ handle, at, ...handle.size }];
    });
    // What is being moved stays at its price: the others make way.
    all.sort((a, b) => Number(b.handle.isMoving) - Number(a.handle.isMoving));
    const within = (most: number, first: Sized[] = []) =>
      placesOf([...first, ...all.map((each) => ({ ...each, width: Math.min(each.width, most) }))], wide, high, top).slice(first.length);
    let most = Number.POSITIVE_INFINITY;
    let places = within(most);
    for (const shorter of SHORTER) if (places.includes(null)) places = within((most = shorter));
    // The words at the scale are said in the handles' own, too.
    if (places.includes(null)) {
      wide = whole;
      places = within(most);
    }
    // Too many to part even so: the last ones are stacked, and one button offers them.
    if (places.includes(null)) places = within(most, [{ ...STACK, at: high - STACK.height / 2 - GAP }]);
    this.stack.offer(
      all.flatMap(({ handle }, index) => (places[index] === null ? [handle] : [])),
      high - STACK.height - GAP,
    );
    for (const [index, { handle, at, width }] of all.entries()) {
      // One of the stack stands at its price, and comes to the front where it is turned to.
      const { top, left } = places[index] ?? { top: at, left: 0 };
      const isShort = width > most && !handle.isTurnedTo;
      handle.put({ top, left: isShort ? left : Math.max(0, Math.min(left, wide - width)) }, isShort ? most : null, places[index] === null);
    }
  };
}

/** How wide handles are at most where the chart has no room for them as they are, in pixels; one of 60 has room for "Target", the last is a thumb's. */
const SHORTER = [128, 84, 60, 48];
/** What offers those that found no place, at the lower left. */
const STACK = { width: 96, height: 32 };
/** How high a price at the scale is, in pixels. */
const LABEL = 17;
/** How wide a letter on the chart is, in pixels. */
const LETTER = 7;

/** What of it stands at the scale by itself, beside where an order's stop and target will. */
const pricesOf = ({ status, openPrice, triggerPrice, limitPrice, stopLoss, takeProfit }: Position): number[] =>
  (status === "open" ? [openPrice, stopLoss, takeProfit] : [triggerPrice, limitPrice]).flatMap((price) => (price ? [Number(price)] : []));

type Sized = { at: number; width: number; height: number };
type Place = { left: number; top: number };
type Box = Place & { right: number };

/** A place for each of these between `low` and `high`, so that none covers another; null from the first on that finds none. `at`: its own height. */
export function placesOf(all: readonly Sized[], wide: number, high: number, low = 0): (Place | null)[] {
  const placed: Box[] = [];
  let isFull = false;
  return all.map(({ at, width, height }) => {
    if (isFull) return null;
    for (const top of rowsFrom(at, height, low, high)) {
      const left = freeAt(placed, top, width, height);
      if (left > 0 && left + width > wide) continue;
      placed.push({ left, right: left + width + GAP, top });
      return { left, top };
    }
    isFull = true;
    return null;
  });
}

/** How far from the left there is room at this height. */
function freeAt(placed: readonly Box[], top: number, width: number, height: number): number {
  let left = 0;
  const beside = placed.filter((other) => Math.abs(other.top - top) < height).sort((a, b) => a.left - b.left);
  for (const other of beside) if (left < other.right && left + width > other.left) left = other.right;
  return left;
}
