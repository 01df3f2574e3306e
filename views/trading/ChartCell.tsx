import type { ComponentProps } from "react";
import { INTERVALS, type Interval } from "../../src/market/schema";
import { offeredInstruments } from "../../src/market/rules_terms";
import { classes } from "../ui/classes";
import { ChartGround } from "./ChartFrame";

export type ChartChoice = { symbol: string; interval: Interval };

type Props = {
  slot: number;
  chart: ChartChoice;
  /** As high as there is room, not of its own height. */
  fills?: boolean;
  onChoose: (choice: ChartChoice) => void;
} & Omit<ComponentProps<typeof ChartGround>, "className">;

const SELECT = "min-h-11 min-w-0 rounded-control border border-transparent bg-transparent px-1 text-product text-ink hover:border-control";

/** One chart of several, in its final size: what it shows, and the choice of that. */
export function ChartCell({ slot, chart: { symbol, interval }, state, fills, onChoose, onRetry, children }: Props) {
  const select = `${SELECT} ${fills ? "md:min-h-8" : "md:min-h-9"}`;
  return (
    <section
      aria-label={`Chart ${slot + 1}, ${symbol}`}
      className={classes("rounded-card border border-line bg-surface", fills && "flex min-h-0 flex-1 flex-col")}
    >
      <div className={classes("flex items-center justify-between gap-2 border-b border-line", fills ? "h-9 px-1" : "min-h-12 px-3")}>
        <select
          aria-label={`Pair of chart ${slot + 1}`}
          className={`${select} font-semibold`}
          value={symbol}
          onChange={(event) => onChoose({ symbol: event.target.value, interval })}
        >
          {offeredInstruments().map((each) => (
            <option key={each.symbol} value={each.symbol}>
              {each.symbol}
            </option>
          ))}
        </select>
        <select
          aria-label={`Interval of chart ${slot + 1}`}
          className={select}
          value={interval}
          onChange={(event) => onChoose({ symbol, interval: event.target.value as Interval })}
        >
          {INTERVALS.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      <ChartGround className={fills ? "min-h-0 flex-1" : "h-72"} state={state} onRetry={onRetry}>
        {children}
      </ChartGround>
    </section>
  );
}
