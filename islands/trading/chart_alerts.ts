import { effect } from "@preact/signals-react";
import { type IPriceLine, LineStyle } from "lightweight-charts";
import { alerts, followAlerts } from "../alerts/store";
import type { Ground } from "./chart_handle";

type Host = Ground & {
  /** The instrument on the chart; null while it is loading. */
  symbol: () => string | null;
};

const TITLE = "Alert";

/** The person's waiting alerts as lines on the chart. */
export class ChartAlerts {
  private lines: IPriceLine[] = [];
  private readonly stops: (() => void)[];

  constructor(private readonly host: Host) {
    this.stops = [followAlerts(), effect(() => this.draw())];
  }

  /** What stands at its lines. */
  get titles(): string[] {
    return this.lines.length > 0 ? [TITLE] : [];
  }

  /** Draws the lines of the instrument that is shown. */
  draw() {
    const { series, symbol, colour } = this.host;
    for (const line of this.lines) series.removePriceLine(line);
    const load = { color: colour("warn"), lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: true, title: TITLE } as const;
    this.lines = (alerts.value ?? [])
      .filter((each) => each.status === "active" && each.symbol === symbol())
      .map(({ price }) => series.createPriceLine({ ...load, price: Number(price) }));
  }

  close() {
    for (const stop of this.stops) stop();
  }
}
