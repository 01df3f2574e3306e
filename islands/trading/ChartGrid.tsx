import { useSignals } from "@preact/signals-react/runtime";
import { useMemo, useState } from "react";
import { instrumentOf } from "../../src/market/rules_listed";
import { INTERVALS } from "../../src/market/schema";
import type { ChartChoice } from "../../views/trading/ChartCell";
import { useTradingStore } from "../runtime/trading_store";
import { island } from "../runtime/island";
import { LiveChart } from "./LiveChart";

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

export default island("ChartGrid", ChartGrid);
