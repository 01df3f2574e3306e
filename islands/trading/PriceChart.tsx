import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { INTERVALS, type Interval, isOfDays } from "../../src/market/schema";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { ChartFrame, ChartPicture } from "../../views/trading/ChartFrame";
import { classes } from "../../views/ui/classes";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useWorkstation } from "../runtime/screen";
import { selectedSymbol } from "../runtime/selection";
import { useChart } from "./use_chart";

export type ChartProps = {
  symbol: string;
  accountId: string | null;
  picture: string;
  simulated: boolean;
  /** The person has layouts, of which one opens by itself. */
  hasLayouts: boolean;
};

/** With so many beside it: the tools above all charts, whose rows are of one height, and below them whose prices these are. */
const GRIDS = ["contents", "grid-rows-[auto_minmax(0,1fr)_auto]", "grid-rows-[auto_minmax(0,1fr)_minmax(0,1fr)_auto]"];

const ChartDeck = later(() => import("./ChartDeck"));
const MoreCharts = later(() => import("./MoreCharts"));

/** Candles of the chosen instrument, followed live. The library comes when the browser is idle; until then the page's own picture stands. */
export function PriceChart({ symbol: first, accountId, picture, simulated, hasLayouts }: ChartProps) {
  useSignals();
  const here = useTradingStore({});
  const symbol = here ? selectedSymbol.value : first;
  const [begun, setBegun] = useState<Interval>("5m");
  const [layout, setLayout] = useState<ChartLayout | null>(null);
  const interval = layout?.interval ?? begun;
  const [tools, setTools] = useState<"unasked" | "open" | "away">("unasked");
  const { ground, view: chart, drawn, state, retry } = useChart(symbol, interval, here, true, accountId);
  const charts = useWorkstation() ? (layout?.charts ?? []) : [];

  const own = here ? positions.value : null;
  useEffect(() => {
    chart?.mark((own ?? []).filter((each) => each.symbol === symbol && each.accountId === accountId));
  }, [chart, own, symbol, accountId]);

  return (
    <div className={classes(charts.length > 0 && "grid min-h-0 flex-1 grid-cols-2 gap-x-2", GRIDS[Math.min(charts.length, 2)])}>
      <ChartFrame
        {...{ symbol, interval, simulated, state }}
        intervals={INTERVALS}
        onInterval={(chosen) => (layout ? setLayout({ ...layout, interval: chosen }) : setBegun(chosen))}
        onRetry={retry}
        beside={charts.length}
        clock={layout?.utc === false && !isOfDays(interval) ? "local time" : "UTC"}
        isOpen={tools === "open"}
        onTools={() => setTools(tools === "open" ? "away" : "open")}
        tools={
          tools === "unasked" && !(chart && hasLayouts) ? null : (
            <div
              className={
                tools !== "open"
                  ? "hidden"
                  : charts.length > 0
                    ? "col-span-2 row-start-1 mb-1 min-w-0 rounded-card border border-line bg-surface [&>fieldset]:border-0"
                    : "contents"
              }
            >
              <ChartDeck {...{ view: chart, accountId, symbol, interval, layout, open: tools === "open" }} onLayout={setLayout} />
            </div>
          )
        }
      >
        {drawn || symbol !== first ? null : <ChartPicture path={picture} />}
        <div ref={ground} className="absolute inset-0" />
      </ChartFrame>
      {layout && charts.length > 0 ? <MoreCharts charts={charts} utc={layout.utc} onCharts={(chosen) => setLayout({ ...layout, charts: chosen })} /> : null}
    </div>
  );
}

export default island("PriceChart", PriceChart, { when: "idle" });
