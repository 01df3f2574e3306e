import type { ChartLayout } from "../../src/trading/schema_layouts";
import { LiveChart } from "./LiveChart";

type Props = { charts: ChartLayout["charts"]; onCharts: (charts: ChartLayout["charts"]) => void };

/** The charts beside the first, where there is room for them. */
export default function MoreCharts({ charts, onCharts }: Props) {
  return (
    <ul aria-label="More charts" className="contents">
      {charts.map((chart, at) => (
        <LiveChart
          key={at}
          chart={chart}
          slot={at + 1}
          picture=""
          here
          fills
          onChoose={(choice) => onCharts(charts.map((old, index) => (index === at ? choice : old)))}
        />
      ))}
    </ul>
  );
}
