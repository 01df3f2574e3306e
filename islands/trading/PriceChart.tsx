import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { INTERVALS, type Interval } from "../../src/market/schema";
import { editPosition, type Position } from "../../src/trading/schema";
import { ChartFrame, ChartPicture } from "../../views/trading/ChartFrame";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { positions, takePosition, useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { selectedSymbol } from "../runtime/selection";
import { toast } from "../wire/toasts";
import { useChart } from "./use_chart";
import type { ExitKind } from "./chart_exits";

export type ChartProps = { symbol: string; accountId: string | null; picture: string; simulated: boolean };

/** Candles of the chosen instrument, followed live. The library comes when the browser is idle; until then the page's own picture stands. */
export function PriceChart({ symbol: first, accountId, picture, simulated }: ChartProps) {
  useSignals();
  const here = useTradingStore({});
  const symbol = here ? selectedSymbol.value : first;
  const [interval, choose] = useState<Interval>("5m");
  const { ground, view: chart, drawn, state, retry } = useChart(symbol, interval, here, true, moveExit);

  const own = here ? positions.value : null;
  useEffect(() => {
    chart?.mark((own ?? []).filter((each) => each.symbol === symbol && each.accountId === accountId && each.status === "open"));
  }, [chart, own, symbol, accountId]);

  return (
    <ChartFrame symbol={symbol} intervals={INTERVALS} interval={interval} onInterval={choose} simulated={simulated} state={state} onRetry={retry}>
      {drawn || symbol !== first ? null : <ChartPicture path={picture} />}
      <div ref={ground} className="absolute inset-0" />
    </ChartFrame>
  );
}

/** Asks the server for another stop or target. A refusal becomes a toast. */
async function moveExit({ id, symbol }: Position, kind: ExitKind, price: string | null): Promise<boolean> {
  const done = await attempt("That did not work", () => call(editPosition, { [kind]: price }, { params: { id } }));
  if (!done) return false;
  takePosition(done);
  const name = kind === "stopLoss" ? "Stop loss" : "Take profit";
  toast({ title: "Position changed", description: `${name} of ${symbol} is ${price === null ? "taken away" : `now ${price}`}.` });
  return true;
}

export default island("PriceChart", PriceChart, { when: "idle" });
