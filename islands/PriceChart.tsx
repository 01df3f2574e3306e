import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useRef, useState } from "react";
import { INTERVALS, type Interval } from "../src/market/schema";
import { ChartFrame, ChartPicture } from "../views/portal/ChartFrame";
import { positions, quoteOf, useDesk } from "./lib/desk";
import { island } from "./lib/island";
import { selectedSymbol } from "./lib/selection";
import type { PriceChartView } from "./lib/chart";

export type ChartProps = { symbol: string; accountId: string | null; picture: string; simulated: boolean };

/** Candles of the chosen instrument, followed live. The library comes when the browser is idle; until then the page's own picture stands. */
export function PriceChart({ symbol: first, accountId, picture, simulated }: ChartProps) {
  useSignals();
  const here = useDesk({});
  const symbol = here ? selectedSymbol.value : first;
  const [interval, choose] = useState<Interval>("5m");
  const [outcome, setOutcome] = useState<{ of: string; state: "ready" | "failed" } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [library, setLibrary] = useState({ load: 0, missing: false });
  const asked = `${symbol} ${interval} ${attempt}`;
  const state = outcome?.of === asked ? outcome.state : "loading";
  const ground = useRef<HTMLDivElement>(null);
  const [chart, setChart] = useState<PriceChartView | null>(null);

  useEffect(() => {
    let made: PriceChartView | null = null;
    let gone = false;
    import("./lib/chart").then(
      ({ openChart }) => {
        if (gone || !ground.current) return;
        made = openChart(ground.current);
        setChart(made);
      },
      () => setLibrary({ load: library.load, missing: true }),
    );
    return () => {
      gone = true;
      made?.close();
    };
  }, [library.load]);

  useEffect(() => {
    if (!chart || !here) return;
    const away = new AbortController();
    const end = (state: "ready" | "failed") => () => !away.signal.aborted && setOutcome({ of: asked, state });
    chart.show(symbol, interval, away.signal).then(end("ready"), end("failed"));
    const stop = quoteOf(symbol).subscribe((quote) => quote && chart.follow(quote));
    return () => {
      away.abort();
      stop();
    };
  }, [chart, here, symbol, interval, asked]);

  const own = here ? positions.value : null;
  useEffect(() => {
    chart?.mark((own ?? []).filter((each) => each.symbol === symbol && each.accountId === accountId && each.status === "open"));
  }, [chart, own, symbol, accountId]);

  return (
    <ChartFrame
      symbol={symbol}
      intervals={INTERVALS}
      interval={interval}
      onInterval={choose}
      simulated={simulated}
      state={library.missing ? "failed" : state}
      onRetry={() => (library.missing ? setLibrary({ load: library.load + 1, missing: false }) : setAttempt(attempt + 1))}
    >
      {chart ? null : <ChartPicture path={picture} />}
      <div ref={ground} className="absolute inset-0" />
    </ChartFrame>
  );
}

export default island("PriceChart", PriceChart, { when: "idle" });
