import type { ChartLayout } from "../../src/trading/schema_layouts";
import { LiveChart } from "./LiveChart";

type Props = Pick<ChartLayout, "charts" | "utc"> & { onCharts: (charts: ChartLayout["charts"]) => void };

/** The charts beside the first, where there is room for them; in its time. */
export default function MoreCharts({ charts, utc, onCharts }: Props) {
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
          utc={utc}
          onChoose={(choice) => onCharts(charts.map((old, index) => (index === at ? choice : old)))}
        />
      ))}
    </ul>
  );
}
