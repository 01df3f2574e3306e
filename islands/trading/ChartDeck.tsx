import type { Interval } from "../../src/market/schema";
import type { ChartLayout } from "../../src/trading/schema_layouts";
import type { PriceChartView } from "./chart";
import ChartTools from "./ChartTools";
import { LayoutTools } from "./LayoutTools";
import { useLayouts } from "./use_layouts";

/** What a chart shows until somebody chooses otherwise. */
const DEFAULT: Omit<ChartLayout, "interval"> = {
  kind: "candles",
  log: false,
  utc: true,
  bidAsk: false,
  fills: false,
  compare: null,
  indicators: [],
  drawings: [],
  charts: [],
};

type Props = {
  view: PriceChartView | null;
  accountId: string | null;
  symbol: string;
  interval: Interval;
  open: boolean;
  layout: ChartLayout | null;
  onLayout: (layout: ChartLayout) => void;
};

/** A chart's tools, with what they chose kept on the server. */
export default function ChartDeck({ interval, layout, onLayout, ...rest }: Props) {
  const usual = { ...DEFAULT, interval };
  const layouts = useLayouts(layout, usual, onLayout);
  return <ChartTools {...rest} layout={layout ?? usual} onLayout={onLayout} isReady={layouts.isRead} layouts={<LayoutTools {...layouts} />} />;
}
