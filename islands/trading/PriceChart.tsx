import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { INTERVALS, type Interval } from "../../src/market/schema";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { ChartFrame, ChartPicture } from "../../views/trading/ChartFrame";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { selectedSymbol } from "../runtime/selection";
import { useChart } from "./use_chart";

export type ChartProps = { symbol: string; accountId: string | null; picture: string; simulated: boolean };

const ChartDeck = later(() => import("./ChartDeck"));

/** Candles of the chosen instrument, followed live. The library comes when the browser is idle; until then the page's own picture stands. */
export function PriceChart({ symbol: first, accountId, picture, simulated }: ChartProps) {
  useSignals();
  const here = useTradingStore({});
  const symbol = here ? selectedSymbol.value : first;
  const [interval, choose] = useState<Interval>("5m");
  const [layout, setLayout] = useState<ChartLayout | null>(null);
  const [tools, setTools] = useState<"unasked" | "open" | "away">("unasked");
  const { ground, view: chart, drawn, state, retry } = useChart(symbol, interval, here, true, accountId);

  const own = here ? positions.value : null;
  useEffect(() => {
    chart?.mark((own ?? []).filter((each) => each.symbol === symbol && each.accountId === accountId));
  }, [chart, own, symbol, accountId]);

  return (
    <ChartFrame
      {...{ symbol, interval, simulated, state }}
      intervals={INTERVALS}
      onInterval={choose}
      onRetry={retry}
      clock={layout?.utc === false ? "local time" : "UTC"}
      isOpen={tools === "open"}
      onTools={() => setTools(tools === "open" ? "away" : "open")}
      tools={tools === "unasked" ? null : <ChartDeck {...{ view: chart, symbol, interval, layout, open: tools === "open" }} onLayout={setLayout} />}
    >
      {drawn || symbol !== first ? null : <ChartPicture path={picture} />}
      <div ref={ground} className="absolute inset-0" />
    </ChartFrame>
  );
}

export default island("PriceChart", PriceChart, { when: "idle" });
