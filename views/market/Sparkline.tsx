import { classes } from "../ui/classes";

/** A small line without axes, beside the figure that says it in words. `path` in a box of 10 × 32. */
export const Sparkline = ({ path, rising, className }: { path: string; rising: boolean; className: string }) => (
  <svg viewBox="0 0 10 32" preserveAspectRatio="none" aria-hidden="true" className={classes("shrink-0", className)}>
    <path d={path} className={classes("spark", rising ? "stroke-gain" : "stroke-loss")} />
  </svg>
);

const STEPS = 10;
const HEIGHT = 32;
const EDGE = 2;

/**
 * Prices as an SVG path in that box, oldest at the left; empty where there are fewer than two. A point for each 1 of its width, in whole
 * numbers and each from the one before: at the size that it is shown in more can't be told apart, and a page holds dozens.
 */
export function sparkPath(prices: readonly number[]): string {
  if (prices.length < 2) return "";
  const low = Math.min(...prices);
  const span = Math.max(...prices) - low || 1;
  const heights = Array.from({ length: STEPS + 1 }, (_, step) => {
    const price = prices[Math.round((step / STEPS) * (prices.length - 1))] ?? low;
    return Math.round(HEIGHT - EDGE - ((price - low) / span) * (HEIGHT - 2 * EDGE));
  });
  return heights
    .map((height, step) => (step ? `${step > 1 ? " " : ""}1 ${height - (heights[step - 1] ?? 0)}` : `M0 ${height}l`))
    .join("")
    .replaceAll(" -", "-");
}
