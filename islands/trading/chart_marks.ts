import type { IChartApi } from "lightweight-charts";
import type { Position } from "../../src/trading/schema";
import { ChartAlerts } from "./chart_alerts";
import { exitMarks } from "./chart_exits";
import { type Ground, Handle } from "./chart_handle";
import { ChartMenu } from "./chart_menu";
import { orderMarks } from "./chart_orders";

export type Host = Ground & {
  chart: IChartApi;
  /** The instrument on the chart; null while it is loading. */
  symbol: () => string | null;
  /** The newest price shown. */
  last: () => number | null;
  /** Whose prices an order begun here would get; null: there is no account, so no order. */
  accountId: string | null;
};

/** What stands on a chart besides its candles: waiting orders, stops and targets with their handles, alerts, and the menu of a price. */
export class ChartMarks {
  private readonly handles = new Map<string, Handle>();
  private readonly overlay = document.createElement("div");
  private readonly alerts: ChartAlerts;
  private readonly menu: ChartMenu;

  constructor(private readonly host: Host) {
    this.overlay.className = "pointer-events-none absolute inset-0 z-[3] overflow-hidden";
    host.ground.append(this.overlay);
    this.alerts = new ChartAlerts(host);
    this.menu = new ChartMenu(host);
    // The chart calls this at each of its own drawings: the scale may have moved.
    host.series.attachPrimitive({ updateAllViews: this.place });
  }

  /** Draws the handles of these positions and orders, and of no others. */
  mark(positions: readonly Position[]) {
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
    this.alerts.draw();
  }

  close() {
    this.alerts.close();
    this.menu.close();
  }

  /** Puts each handle at its price; where others stand there, to the right of them, and where there is no room, in the nearest row that has. */
  private readonly place = () => {
    const { chart, ground } = this.host;
    const wide = ground.clientWidth - chart.priceScale("right").width();
    const placed: Box[] = [];
    for (const handle of this.handles.values()) {
      const at = handle.top();
      if (at === null) continue;
      const { width, height } = handle.size;
      const rows = ROWS.map((row) => at + row * (height + GAP)).filter((top) => top === at || (top > 0 && top < ground.clientHeight - height));
      const tries = rows.map((top) => ({ top, left: freeAt(placed, top, width, height) }));
      // Too many to part: one lies over others, at its price, and comes to the front where it is turned to.
      const { top, left } = tries.find((each) => each.left === 0 || each.left + width <= wide) ?? { top: at, left: 0 };
      placed.push({ left, right: left + width + GAP, top });
      handle.put(left, top);
    }
  };
}

/** Between two handles, in pixels. */
const GAP = 4;
/** Where a handle may stand, in rows from its price. */
const ROWS = [0, 1, -1, 2, -2, 3, -3];

type Box = { left: number; right: number; top: number };

/** How far from the left there is room at this height. */
function freeAt(placed: readonly Box[], top: number, width: number, height: number): number {
  let left = 0;
  const beside = placed.filter((other) => Math.abs(other.top - top) < height).sort((a, b) => a.left - b.left);
  for (const other of beside) if (left < other.right && left + width > other.left) left = other.right;
  return left;
}
