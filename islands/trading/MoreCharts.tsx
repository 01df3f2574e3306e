import { useEffect } from "react";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import { LiveChart } from "./LiveChart";

/** In the grid of `PriceChart`: the first beside its own chart, but for two of them, which stand below it. */
const BELOW = ["col-start-1 row-start-3 mt-2", "col-start-2 row-start-3 mt-2"];
const PLACES = ["col-start-2 row-start-2", ...BELOW];

type Props = Pick<ChartLayout, "charts" | "utc"> & { onCharts: (charts: ChartLayout["charts"]) => void };

/** The charts beside the first, where there is room for them; in its time. */
export default function MoreCharts({ charts, utc, onCharts }: Props) {
  const rows = charts.length > 1;
  useEffect(() => {
    document.documentElement.toggleAttribute("data-chart-rows", rows);
    return () => document.documentElement.removeAttribute("data-chart-rows");
  }, [rows]);
  return (
    <ul aria-label="More charts" className="contents">
      {charts.map((chart, at) => (
        <LiveChart
          key={at}
          chart={chart}
          slot={at + 1}
          picture=""
          here
          fills={(charts.length === 2 ? BELOW : PLACES)[at] ?? ""}
          utc={utc}
          onChoose={(choice) => onCharts(charts.map((old, index) => (index === at ? choice : old)))}
        />
      ))}
    </ul>
  );
}
