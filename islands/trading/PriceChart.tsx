import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { INTERVALS, type Interval } from "../../src/market/schema";
import { ChartFrame, ChartPicture } from "../../views/trading/ChartFrame";
import { positions, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { selectedSymbol } from "../runtime/selection";
import { useChart } from "./use_chart";

export type ChartProps = { symbol: string; accountId: string | null; picture: string; simulated: boolean };

/** Candles of the chosen instrument, followed live. The library comes when the browser is idle; until then the page's own picture stands. */
export function PriceChart({ symbol: first, accountId, picture, simulated }: ChartProps) {
  useSignals();
  const here = useTradingStore({});
  const symbol = here ? selectedSymbol.value : first;
  const [interval, choose] = useState<Interval>("5m");
  const { ground, view: chart, drawn, state, retry } = useChart(symbol, interval, here, true, accountId);

  const own = here ? positions.value : null;
  useEffect(() => {
    chart?.mark((own ?? []).filter((each) => each.symbol === symbol && each.accountId === accountId));
  }, [chart, own, symbol, accountId]);

  return (
    <ChartFrame symbol={symbol} intervals={INTERVALS} interval={interval} onInterval={choose} simulated={simulated} state={state} onRetry={retry}>
      {drawn || symbol !== first ? null : <ChartPicture path={picture} />}
      <div ref={ground} className="absolute inset-0" />
    </ChartFrame>
  );
}

export default island("PriceChart", PriceChart, { when: "idle" });
