import { classes } from "../ui/classes";

/** A small line without axes, beside the figure that says it in words. `path` in a box of 100 × 32. */
export const Sparkline = ({ path, rising, className }: { path: string; rising: boolean; className: string }) => (
  <svg viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true" className={classes("shrink-0", className)}>
    <path
      d={path}
      fill="none"
      className={rising ? "stroke-gain" : "stroke-loss"}
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  </svg>
);

const WIDTH = 100;
const HEIGHT = 32;
const EDGE = 2;

/** Prices as an SVG path in that box, oldest at the left; empty where there are fewer than two. */
export function sparkPath(prices: readonly number[]): string {
  if (prices.length < 2) return "";
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low || 1;
  return prices
    .map((price, index) => {
      const x = (index / (prices.length - 1)) * WIDTH;
      const y = HEIGHT - EDGE - ((price - low) / span) * (HEIGHT - 2 * EDGE);
      return `${index ? "L" : "M"}${Math.round(x)} ${Math.round(y * 10) / 10}`;
    })
    .join("");
}
