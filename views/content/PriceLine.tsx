import type { Candle } from "../../src/market/schema";

const WIDTH = 1000;
const HEIGHT = 280;
const PADDING = 14;
const OUTSIDE = 40;

/** Closing prices as a line over the whole width it is given; strokes keep their weight however it is stretched. */
export function PriceLine({ candles, label }: { candles: Candle[]; label: string }) {
  const points = pointsOf(candles.map(({ close }) => Number(close)));
  const last = points.at(-1);
  if (!last) return <div className="h-48 md:h-72 lg:h-80" />;
  const line = points.map(({ x, y }, index) => `${index ? "L" : "M"}${x} ${y}`).join("");
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
      className="block h-48 w-full overflow-visible md:h-72 lg:h-80"
    >
      <defs>
        <linearGradient id="line-ground" x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" className="[stop-color:var(--c-accent)] [stop-opacity:0.16]" />
          <stop offset="1" className="[stop-color:var(--c-accent)] [stop-opacity:0]" />
        </linearGradient>
      </defs>
      {[0.25, 0.5, 0.75].map((part) => (
        <path key={part} d={`M0 ${HEIGHT * part}H${WIDTH}`} className="stroke-line" strokeWidth="1" vectorEffect="non-scaling-stroke" />
      ))}
      {/* One path for line and ground: what closes it runs outside the picture. */}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <path
          d={`${line}H${WIDTH + OUTSIDE}V${HEIGHT + OUTSIDE}H${-OUTSIDE}V${points[0]?.y}Z`}
          fill="url(#line-ground)"
          className="stroke-accent"
          strokeWidth="2"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <path d={`M${last.x} ${last.y}h0.01`} className="stroke-accent" strokeWidth="9" strokeLinecap="round" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

function pointsOf(prices: number[]): { x: number; y: number }[] {
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low || 1;
  const step = (WIDTH - 6) / Math.max(1, prices.length - 1);
  return prices.map((price, index) => ({
    x: Math.round(index * step),
    y: Math.round((HEIGHT - PADDING - ((price - low) / span) * (HEIGHT - 2 * PADDING)) * 10) / 10,
  }));
}
