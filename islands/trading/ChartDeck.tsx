import type { Interval } from "../../src/market/schema";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import type { PriceChartView } from "./chart";
import ChartTools from "./ChartTools";

/** What a chart shows until somebody chooses otherwise. */
const DEFAULT: Omit<ChartLayout, "interval"> = {
  kind: "candles",
  log: false,
  utc: true,
  bidAsk: false,
  compare: null,
  indicators: [],
  drawings: [],
  charts: [],
};

type Props = {
  view: PriceChartView | null;
  symbol: string;
  interval: Interval;
  open: boolean;
  layout: ChartLayout | null;
  onLayout: (layout: ChartLayout) => void;
};

/** A chart's tools with what they chose. */
export default function ChartDeck({ view, symbol, interval, open, layout, onLayout }: Props) {
  return <ChartTools {...{ view, symbol, open, onLayout }} layout={layout ?? { ...DEFAULT, interval }} />;
}
