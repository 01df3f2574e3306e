import { useSignals } from "@preact/signals-react/runtime";
import { useMemo, useRef, useState } from "react";
import { INTERVALS, instrumentOf } from "../../src/market/schema";
import { ChartPicture } from "../../views/trading/ChartFrame";
import { ChartCell, type ChartChoice } from "../../views/trading/ChartCell";
import { useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { useNear } from "../runtime/live";
import { useChart } from "./use_chart";

const KEPT = "charts";

type Props = {
  /** What the charts begin with. */ charts: ChartChoice[];
  /** The day of each symbol as an SVG path. */ pictures: { [symbol: string]: string };
};

/** Several charts side by side, each with a pair and an interval of its own. The choice is kept on this device. */
export function ChartGrid({ charts: first, pictures }: Props) {
  useSignals();
  const here = useTradingStore({});
  const [chosen, setChosen] = useState<ChartChoice[] | null>(null);
  const remembered = useMemo(() => (here ? kept() : null), [here]);
  const charts = chosen ?? remembered ?? first;
  const choose = (slot: number, choice: ChartChoice) => {
    const next = charts.map((each, at) => (at === slot ? choice : each));
    setChosen(next);
    keep(next);
  };
  return (
    <ul aria-label="Charts" className="grid grid-cols-1 gap-4 xl:grid-cols-2">
      {charts.map((chart, slot) => (
        <LiveChart key={slot} chart={chart} slot={slot} picture={pictures[chart.symbol] ?? ""} here={here} onChoose={(choice) => choose(slot, choice)} />
      ))}
    </ul>
  );
}

/** What this device last showed; null where that can't be read. */
function kept(): ChartChoice[] | null {
  try {
    const list = JSON.parse(localStorage.getItem(KEPT) ?? "null") as ChartChoice[] | null;
    return Array.isArray(list) && list.length === 4 && list.every(({ symbol, interval }) => instrumentOf(symbol) && INTERVALS.includes(interval)) ? list : null;
  } catch {
    return null; // Storage may be forbidden, or hold what we did not write: the page's own choice stands.
  }
}
function keep(charts: ChartChoice[]) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(charts));
  } catch {
    // The choice then lasts for this page only.
  }
}

type ChartProps = { chart: ChartChoice; slot: number; picture: string; here: boolean; onChoose: (choice: ChartChoice) => void };

/** One chart; its code is asked for when it first comes near the screen. */
function LiveChart({ chart: { symbol, interval }, slot, picture, here, onChoose }: ChartProps) {
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place, false);
  const [wanted, setWanted] = useState(false);
  if (near && !wanted) setWanted(true);
  const { ground, drawn, state, retry } = useChart(symbol, interval, here, wanted);
  return (
    <li ref={place} className="min-w-0">
      <ChartCell slot={slot} chart={{ symbol, interval }} state={state} onChoose={onChoose} onRetry={retry}>
        {drawn ? null : <ChartPicture path={picture} />}
        <div ref={ground} className="absolute inset-0" />
      </ChartCell>
    </li>
  );
}

export default island("ChartGrid", ChartGrid);
