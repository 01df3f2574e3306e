import type { ReactNode } from "react";
import { Button } from "../ui/Button";
import { classes } from "../ui/classes";
import { SimulatedLabel } from "../ui/Price";

type GroundProps = { state: "loading" | "ready" | "failed"; onRetry: () => void; children: ReactNode };

/** The place that a chart draws on; where it could not be loaded, it says so and offers another try. */
export const ChartGround = ({ state, onRetry, children, className }: GroundProps & { className: string }) => (
  <div className={classes("relative overflow-hidden", className)} aria-busy={state === "loading"}>
    {children}
    {state === "failed" ? (
      <div className="absolute inset-0 z-10 flex flex-col items-center justify-center gap-3 bg-surface/90">
        <p>The chart could not be loaded.</p>
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      </div>
    ) : null}
  </div>
);

type Props<I extends string> = {
  symbol: string;
  intervals: readonly I[];
  interval: I;
  onInterval: (interval: I) => void;
  simulated: boolean;
  /** What can be chosen of the chart besides, below its head; it comes when it is first asked for. */
  tools: ReactNode;
  isOpen: boolean;
  /** So many stand beside it, in a grid of two columns: then it is low, and its parts are the grid's own. */
  beside?: number;
  /** Whose time the chart is in. */
  clock?: string;
  onTools: () => void;
} & GroundProps;

const TOOLS = "js-only inline-flex min-h-11 items-center rounded-control px-2 text-table text-soft hover:text-ink";

/** The chart's panel in its final size: name, intervals, the chart itself, and whose chart it is. */
export function ChartFrame<I extends string>({
  symbol,
  intervals,
  interval,
  onInterval,
  simulated,
  state,
  onRetry,
  tools,
  isOpen,
  onTools,
  clock,
  beside = 0,
  children,
}: Props<I>) {
  const place = beside > 0 && classes("col-start-1 row-start-2 min-w-0 border-line bg-surface", beside === 2 && "col-span-2");
  return (
    <section aria-label={`Chart of ${symbol}`} className={place ? "contents" : "flex min-h-0 flex-1 flex-col rounded-card border border-line bg-surface"}>
      <div
        className={
          place
            ? classes("z-[1] flex h-9 items-center gap-1 self-start rounded-t-card border px-2", place)
            : "relative flex min-h-12 flex-wrap items-center gap-x-4 border-b border-line px-3 py-1 md:px-4"
        }
      >
        <h2 className="text-[0.9375rem] font-semibold">{symbol}</h2>
        {place ? (
          <select
            aria-label="Interval"
            className="ml-auto min-h-8 rounded-control bg-transparent text-table"
            value={interval}
            onChange={(event) => onInterval(event.target.value as I)}
          >
            {intervals.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : (
          <>
            {simulated ? <SimulatedLabel /> : null}
            <div
              role="group"
              aria-label="Interval"
              className="js-only ml-auto flex min-w-0 overflow-x-auto [scrollbar-width:none] max-sm:order-1 max-sm:-mx-2 max-sm:basis-full"
            >
              {intervals.map((each) => (
                <button
                  key={each}
                  type="button"
                  aria-pressed={each === interval}
                  onClick={() => onInterval(each)}
                  className={classes("chart-step", each === interval ? "bg-accent-soft font-semibold text-accent" : "text-soft hover:text-ink")}
                >
                  {each}
                </button>
              ))}
            </div>
          </>
        )}
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onTools}
          className={classes(TOOLS, place ? "md:min-h-8" : "max-sm:ml-auto md:min-h-9", isOpen && "bg-accent-soft text-accent")}
        >
          Tools
        </button>
      </div>
      {tools}
      <ChartGround
        className={place ? classes("chart-ground mt-9 rounded-b-card border border-t-0", place) : "chart-ground min-h-72 flex-1 md:min-h-[26rem]"}
        state={state}
        onRetry={onRetry}
      >
        {children}
      </ChartGround>
      <footer className={classes("text-note text-soft", place ? "col-span-2 flex gap-2 pt-0.5 [grid-row:-2/-1]" : "border-t border-line px-4 py-1.5")}>
        {place && simulated ? <SimulatedLabel /> : null}
        <span>
          <ChartSource clock={clock} />
        </span>
      </footer>
    </section>
  );
}

/** What the prices are, and whose charts these are: their licence asks for the link. */
export const ChartSource = ({ clock = "UTC" }: { clock?: string | undefined }) => (
  <>
    Mid prices, {clock}. Charts by{" "}
    <a href="https://www.tradingview.com/" target="_blank" rel="noreferrer" className="underline underline-offset-2 hover:text-ink">
      TradingView
    </a>
  </>
);

/** The day so far as a line, drawn by the server: what stands until the chart is there, and where no script runs. `path` in a box of 10 × 32. */
export const ChartPicture = ({ path }: { path: string }) => (
  <svg viewBox="0 0 10 32" preserveAspectRatio="none" className="absolute inset-0 size-full p-4" aria-hidden="true">
    <path d={path} fill="none" className="stroke-accent" strokeWidth="1.5" strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
  </svg>
);
