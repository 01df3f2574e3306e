import { displayMoney } from "../../src/lib/money";
import { instantText } from "../ui/instant";

/** A moment, and the running total at it in USD. */
export type CurvePoint = { at: string; total: string };

const HEIGHT = 40;

/** The running total as stairs, zero included, in a box of 100 × 40. Floats are for the eye only. */
function drawn(curve: CurvePoint[]): { path: string; zero: number; high: string; low: string } {
  const totals = ["0.00", ...curve.map(({ total }) => total)];
  const values = totals.map(Number);
  const [high, low] = [Math.max(...values), Math.min(...values)];
  const y = (value: number) => (high === low ? HEIGHT / 2 : 1 + ((high - value) / (high - low)) * (HEIGHT - 2));
  const step = 100 / curve.length;
  const path = values.map((value, at) => (at === 0 ? `M0 ${y(value).toFixed(2)}` : `H${(at * step).toFixed(2)}V${y(value).toFixed(2)}`)).join("");
  return { path, zero: y(0), high: totals[values.indexOf(high)] ?? "0.00", low: totals[values.indexOf(low)] ?? "0.00" };
}

/** What closed trades added up to, trade after trade. */
export function EquityCurve({ curve }: { curve: CurvePoint[] }) {
  const { path, zero, high, low } = drawn(curve);
  const last = curve.at(-1);
  const words = `From nothing to ${displayMoney(last?.total ?? "0.00")}; highest ${displayMoney(high)}, lowest ${displayMoney(low)}`;
  return (
    <figure>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3">
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words} className="h-56 w-full md:h-72">
          <path
            d={`M0 ${zero.toFixed(2)}H100`}
            className="stroke-control"
            strokeWidth="1"
            strokeDasharray="4 4"
            vectorEffect="non-scaling-stroke"
            fill="none"
          />
          <path d={path} className="stroke-accent" strokeWidth="2" strokeLinejoin="round" vectorEffect="non-scaling-stroke" fill="none" />
        </svg>
        <div className="flex flex-col justify-between whitespace-nowrap text-right text-note tabular-nums text-soft" aria-hidden="true">
          <span>{displayMoney(high)}</span>
          <span>{displayMoney(low)}</span>
        </div>
      </div>
      <figcaption className="mt-2 flex flex-wrap justify-between gap-x-4 text-note text-soft">
        <span>
          {curve[0] ? instantText(curve[0].at).slice(0, 16) : ""} to {last ? instantText(last.at).slice(0, 16) : ""} UTC
        </span>
        <span>The running total of closed trades; the dashed line is zero.</span>
      </figcaption>
    </figure>
  );
}
